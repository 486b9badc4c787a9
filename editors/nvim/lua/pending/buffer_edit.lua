---Changes one buffer as little as possible, so that marks, folds, extmarks and cursors stay where they were, and as
---one step of undo.
local M = {}

local position = require('pending.position')

---@class pending.Replacement
---@field start_row integer
---@field start_col integer
---@field end_row integer
---@field end_col integer
---@field lines string[]
---@field order integer

---LSP counts the line after the last line break; Neovim has no such line.
---@param buffer string[] its lines
---@param edit lsp.TextEdit
---@param encoding string
---@param order integer
---@return pending.Replacement
local function replacement(buffer, edit, encoding, order)
  local start_row, start_col, end_row, end_col = position.in_lines(buffer, edit.range, encoding)
  local text = edit.newText:gsub('\r\n?', '\n')
  local count = #buffer
  if end_row >= count then
    local function width(row)
      return #buffer[row + 1]
    end
    local ends = text:sub(-1) == '\n'
    end_row, end_col = count - 1, width(count - 1)
    if start_row >= count then
      start_row, start_col = end_row, end_col
      text = text == '' and '' or '\n' .. (ends and text:sub(1, -2) or text)
    elseif ends then
      text = text:sub(1, -2)
    elseif text == '' and start_col == 0 and start_row > 0 then
      start_row, start_col = start_row - 1, width(start_row - 1)
    end
  end
  return {
    start_row = start_row,
    start_col = start_col,
    end_row = end_row,
    end_col = end_col,
    lines = vim.split(text, '\n', { plain = true }),
    order = order,
  }
end

---How many bytes two lines have in common at the front, in whole characters.
---@param a string
---@param b string
---@return integer
local function common_front(a, b)
  local n, limit = 0, math.min(#a, #b)
  while n < limit and a:byte(n + 1) == b:byte(n + 1) do
    n = n + 1
  end
  -- Not in the middle of a character, nor before what combines with it.
  while n > 0 and ((a:byte(n + 1) or 0) >= 0x80 or (b:byte(n + 1) or 0) >= 0x80) do
    n = n - 1
  end
  return n
end

---@param a string
---@param b string
---@param limit integer
---@return integer
local function common_back(a, b, limit)
  local n = 0
  while n < limit and a:byte(#a - n) == b:byte(#b - n) do
    n = n + 1
  end
  while n > 0 and (a:byte(#a - n + 1) >= 0x80) do
    n = n - 1
  end
  return n
end

---Leaves out what stays the same at both ends.
---@param bufnr integer
---@param r pending.Replacement
---@return boolean # something is left to change
local function narrow(bufnr, r)
  local old = vim.api.nvim_buf_get_text(bufnr, r.start_row, r.start_col, r.end_row, r.end_col, {})
  local new = r.lines
  while #old > 1 and #new > 1 and old[1] == new[1] do
    table.remove(old, 1)
    table.remove(new, 1)
    r.start_row, r.start_col = r.start_row + 1, 0
  end
  while #old > 1 and #new > 1 and old[#old] == new[#new] do
    table.remove(old)
    table.remove(new)
    r.end_row = r.end_row - 1
    r.end_col = #old[#old] + (#old == 1 and r.start_col or 0)
  end
  local front = common_front(old[1], new[1])
  old[1], new[1] = old[1]:sub(front + 1), new[1]:sub(front + 1)
  r.start_col = r.start_col + front
  local back = common_back(old[#old], new[#new], math.min(#old[#old], #new[#new]))
  new[#new] = new[#new]:sub(1, #new[#new] - back)
  r.end_col = r.end_col - back
  return #new > 1 or new[1] ~= '' or r.start_row ~= r.end_row or r.start_col ~= r.end_col
end

---Remembers where the marks a-z are, in extmarks that the edits move. Neovim moves marks by whole lines only, and
---drops those on lines that go; cursors and views it keeps itself when edits are small.
---@param bufnr integer
---@return fun() restore
local function keep_marks(bufnr)
  local ns = vim.api.nvim_create_namespace('pending.marks')
  local kept = {} ---@type table<string, integer>
  for _, mark in ipairs(vim.fn.getmarklist(bufnr)) do
    local letter = mark.mark:match("^'(%l)$")
    if letter then
      local options = { right_gravity = false, strict = false }
      kept[letter] = vim.api.nvim_buf_set_extmark(bufnr, ns, mark.pos[2] - 1, mark.pos[3] - 1, options)
    end
  end
  return function()
    for letter, id in pairs(kept) do
      local at = vim.api.nvim_buf_get_extmark_by_id(bufnr, ns, id, {})
      vim.api.nvim_buf_set_mark(bufnr, letter, at[1] + 1, at[2], {})
    end
    vim.api.nvim_buf_clear_namespace(bufnr, ns, 0, -1)
  end
end

---Ends the current step of undo: Neovim documents that setting 'undolevels' does, also to what it is.
---@param bufnr integer
local function undo_break(bufnr)
  vim.api.nvim_buf_call(bufnr, function()
    vim.bo.undolevels = vim.bo.undolevels
  end)
end

---@param bufnr integer
---@param edits lsp.TextEdit[] against one text, none overlapping another
---@param encoding string
function M.apply(bufnr, edits, encoding)
  local buffer = vim.api.nvim_buf_get_lines(bufnr, 0, -1, true)
  local replacements = {} ---@type pending.Replacement[]
  for i, edit in ipairs(edits) do
    replacements[i] = replacement(buffer, edit, encoding, i)
  end
  -- From the end, so that no edit moves another; of several at one place the first stays first.
  table.sort(replacements, function(a, b)
    if a.start_row ~= b.start_row then
      return a.start_row > b.start_row
    elseif a.start_col ~= b.start_col then
      return a.start_col > b.start_col
    end
    return a.order > b.order
  end)
  local restore_marks = keep_marks(bufnr)
  undo_break(bufnr)
  for _, r in ipairs(replacements) do
    if narrow(bufnr, r) then
      vim.api.nvim_buf_set_text(bufnr, r.start_row, r.start_col, r.end_row, r.end_col, r.lines)
    end
  end
  undo_break(bufnr)
  restore_marks()
end

return M
