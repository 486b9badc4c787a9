---fzf knows terminals' colours only.
---@param diff string
---@return string
local function coloured(diff)
  local codes = { ['+'] = '32', ['-'] = '31', ['@'] = '36' }
  local lines = vim.tbl_map(function(line)
    local code = codes[line:sub(1, 1)]
    return code and ('\27[%sm%s\27[0m'):format(code, line) or line
  end, vim.split(diff, '\n'))
  return table.concat(lines, '\n')
end

---@param items pending.Pick[]
---@param does pending.Pick.Does
---@param title string
return function(items, does, title)
  ---@param run fun(item: pending.Pick): any
  local function with(run)
    return function(selected)
      local number = selected[1] and tonumber(selected[1]:match('^%d+'))
      return number and run(items[number])
    end
  end

  local texts = vim.tbl_map(function(item)
    return item.text
  end, items)
  require('fzf-lua').fzf_exec(texts, {
    winopts = { title = (' %s '):format(title) },
    preview = with(function(item)
      return coloured(item.diff)
    end),
    actions = { ['enter'] = with(does.choose), ['ctrl-a'] = with(does.apply), ['ctrl-x'] = with(does.discard) },
  })
end
