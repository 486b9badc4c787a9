---From hunk to hunk, on through the other files.
local M = {}

---Every hunk of a stack's pending actions, in the order of its files.
---@param stack pending.Stack
---@return { uri: string, hunk: pending.Hunk, action: pending.Action }[]
local function all(stack)
  local out = {}
  for _, action in ipairs(stack.actions) do
    for _, file in ipairs(action.files) do
      for _, hunk in ipairs(file.hunks) do
        out[#out + 1] = { uri = file.uri, hunk = hunk, action = action }
      end
    end
  end
  return out
end

---The files with hunks, each once, top action first.
---@param stack pending.Stack
---@return string[]
local function files(stack)
  local seen, out = {}, {}
  for _, entry in ipairs(all(stack)) do
    if not seen[entry.uri] then
      seen[entry.uri] = true
      out[#out + 1] = entry.uri
    end
  end
  return out
end

---@param row integer
---@param col integer
local function to(row, col)
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { row + 1, col })
  vim.cmd('normal! zv')
end

---@param stack pending.Stack
---@param uri string
---@param last boolean
---@return boolean
local function open(stack, uri, last)
  vim.cmd("normal! m'")
  local ok, err = pcall(vim.cmd.edit, { args = { vim.uri_to_fname(uri) }, magic = { file = false, bar = false } })
  if not ok then
    require('pending.say').error(tostring(err):match('E%d+:.*') or tostring(err))
    return false
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local best ---@type integer[]?
  for _, entry in ipairs(all(stack)) do
    if entry.uri == uri then
      local row, col = require('pending.position').in_buffer(bufnr, entry.hunk.range, stack.encoding)
      local before = best and (row < best[1] or (row == best[1] and col < best[2]))
      if not best or before ~= last then
        best = { row, col }
      end
    end
  end
  if best then
    local count = vim.api.nvim_buf_line_count(bufnr)
    vim.api.nvim_win_set_cursor(0, { math.min(best[1] + 1, count), best[2] })
    vim.cmd('normal! zv')
  end
  return true
end

---@param direction 1|-1
---@return boolean # there may be more to go to
local function step(direction)
  local bufnr = vim.api.nvim_get_current_buf()
  local cursor = vim.api.nvim_win_get_cursor(0)
  local row, col = cursor[1] - 1, cursor[2]
  local spots = require('pending.ui').spots(bufnr)
  local found ---@type pending.Spot?
  for _, spot in ipairs(spots) do
    local after = spot.row > row or (spot.row == row and spot.col > col)
    local before = spot.row < row or (spot.row == row and spot.col < col)
    if direction == 1 and after and not found then
      found = spot
    elseif direction == -1 and before then
      found = spot
    end
  end
  if found then
    to(found.row, found.col)
    return true
  end
  local stack = require('pending.stack').of(bufnr)
  local uris = stack and files(stack) or {}
  if not stack or #uris == 0 then
    require('pending.say').warn('nothing is pending here')
    return false
  end
  local own = vim.uri_from_bufnr(bufnr)
  local at = 0
  for i, uri in ipairs(uris) do
    at = uri == own and i or at
  end
  local target = at == 0 and (direction == 1 and 1 or #uris) or (at - 1 + direction) % #uris + 1
  if uris[target] == own then
    local spot = direction == 1 and spots[1] or spots[#spots]
    if spot then
      to(spot.row, spot.col)
    end
    return spot ~= nil
  end
  return open(stack, uris[target], direction == -1)
end

---@param direction 1|-1
---@param count integer
function M.go(direction, count)
  for _ = 1, count do
    if not step(direction) then
      return
    end
  end
end

---All hunks of the stack in the quickfix list.
function M.quickfix()
  local stack = require('pending.stack').of()
  local items = {}
  for _, entry in ipairs(stack and all(stack) or {}) do
    local path = vim.uri_to_fname(entry.uri)
    local bufnr = vim.fn.bufadd(path)
    local start = entry.hunk.range.start
    local col = start.character
    if vim.api.nvim_buf_is_loaded(bufnr) and stack then
      _, col = require('pending.position').in_buffer(bufnr, entry.hunk.range, stack.encoding)
    end
    local function flat(text)
      return (text:gsub('%s+', ' '))
    end
    items[#items + 1] = {
      bufnr = bufnr,
      lnum = start.line + 1,
      col = col + 1,
      text = ('%s: %s → %s'):format(entry.action.label, flat(entry.hunk.before), flat(entry.hunk.after)),
      type = entry.hunk.stale and 'W' or 'I',
      user_data = { action = entry.action.id, hunk = entry.hunk.id },
    }
  end
  if #items == 0 then
    return require('pending.say').warn('nothing is pending here')
  end
  vim.fn.setqflist({}, ' ', { title = 'Pending', items = items })
  vim.cmd('botright copen')
end

return M
