---@param items pending.Pick[]
---@param does pending.Pick.Does
---@param title string
return function(items, does, title)
  ---@param run fun(item: pending.Pick)
  local function close_and(run)
    return function(picker, item)
      picker:close()
      if item then
        vim.schedule(function()
          run(item.pick)
        end)
      end
    end
  end

  local keys = {
    ['<c-a>'] = { 'pending_apply', mode = { 'i', 'n' } },
    ['<c-x>'] = { 'pending_discard', mode = { 'i', 'n' } },
  }
  require('snacks').picker.pick({
    title = title,
    items = vim.tbl_map(function(item)
      return { text = item.text, pick = item, preview = { text = item.diff, ft = 'diff' } }
    end, items),
    format = 'text',
    preview = 'preview',
    confirm = close_and(does.choose),
    actions = { pending_apply = close_and(does.apply), pending_discard = close_and(does.discard) },
    win = { input = { keys = keys }, list = { keys = keys } },
  })
end
