---Choosing an action and what to do with it, with whatever serves vim.ui.select: telescope, fzf-lua, snacks, or
---Neovim's own list.
local M = {}

---@param action pending.Action
---@param above integer
---@return string
local function describe(action, above)
  local hunks = 0
  for _, file in ipairs(action.files) do
    hunks = hunks + #file.hunks
  end
  local flags = (action.stale and ', stale' or '') .. (action.orphaned and ', orphaned' or '')
  return ('%d. %s (%d hunks in %d files, by %s%s)'):format(
    above + 1,
    action.label,
    hunks,
    #action.files,
    action.by.name,
    flags
  )
end

---@param action pending.Action
---@param above integer
local function choose(action, above)
  local choices = {
    {
      title = 'Show the diff',
      run = function()
        require('pending.preview').open(action.id)
      end,
    },
    {
      title = above == 0 and 'Apply' or ('Apply, and the %d above it'):format(above),
      run = function()
        require('pending.resolve').action('apply', { id = action.id, cascade = above > 0 })
      end,
    },
    {
      title = above == 0 and 'Discard' or ('Discard, and the %d above it'):format(above),
      run = function()
        require('pending.resolve').action('discard', { id = action.id, cascade = above > 0 })
      end,
    },
  }
  vim.ui.select(choices, {
    prompt = action.label,
    kind = 'pending.decision',
    format_item = function(choice)
      return choice.title
    end,
  }, function(choice)
    if choice then
      choice.run()
    end
  end)
end

function M.pick()
  local stack = require('pending.stack').of()
  local items = {}
  for above, action in ipairs(stack and stack.actions or {}) do
    items[#items + 1] = { action = action, above = above - 1 }
  end
  if #items == 0 then
    return require('pending.say').warn('nothing is pending here')
  end
  vim.ui.select(items, {
    prompt = 'Pending actions',
    kind = 'pending.action',
    format_item = function(item)
      return describe(item.action, item.above)
    end,
  }, function(item)
    if item then
      choose(item.action, item.above)
    end
  end)
end

return M
