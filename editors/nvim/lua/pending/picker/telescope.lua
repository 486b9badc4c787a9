---@param items pending.Pick[]
---@param does pending.Pick.Does
---@param title string
return function(items, does, title)
  local actions = require('telescope.actions')
  local state = require('telescope.actions.state')

  ---@param prompt integer buffer
  ---@param run fun(item: pending.Pick)
  local function close_and(prompt, run)
    return function()
      local entry = state.get_selected_entry()
      actions.close(prompt)
      if entry then
        run(entry.value)
      end
    end
  end

  require('telescope.pickers')
    .new({}, {
      prompt_title = title,
      finder = require('telescope.finders').new_table({
        results = items,
        entry_maker = function(item)
          return { value = item, display = item.text, ordinal = item.text }
        end,
      }),
      sorter = require('telescope.config').values.generic_sorter({}),
      previewer = require('telescope.previewers').new_buffer_previewer({
        title = 'Diff',
        define_preview = function(self, entry)
          vim.api.nvim_buf_set_lines(self.state.bufnr, 0, -1, false, vim.split(entry.value.diff, '\n'))
          require('telescope.previewers.utils').highlighter(self.state.bufnr, 'diff')
        end,
      }),
      attach_mappings = function(prompt, map)
        actions.select_default:replace(close_and(prompt, does.choose))
        map({ 'i', 'n' }, '<C-a>', close_and(prompt, does.apply))
        map({ 'i', 'n' }, '<C-x>', close_and(prompt, does.discard))
        return true
      end,
    })
    :find()
end
