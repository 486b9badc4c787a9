---Between LSP's positions and Neovim's, which count bytes.
local M = {}

---@class pending.Position
---@field line integer
---@field character integer

---@class pending.Range
---@field start pending.Position
---@field end pending.Position

---The byte in a line; past its end, the end.
---@param line string
---@param character integer
---@param encoding string
---@return integer
function M.byte(line, character, encoding)
  if encoding == 'utf-8' then
    return math.min(character, #line)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.str_byteindex(line, encoding, character, false)
  end
  local ok, byte = pcall(vim.str_byteindex, line, character, encoding == 'utf-16')
  return ok and byte or #line
end

---A range in a buffer as rows and bytes. Either end may be one line past the last, at 0.
---@param bufnr integer
---@param range pending.Range
---@param encoding string
---@return integer start_row, integer start_col, integer end_row, integer end_col
function M.in_buffer(bufnr, range, encoding)
  local count = vim.api.nvim_buf_line_count(bufnr)
  local function convert(position)
    if position.line >= count then
      return count, 0
    end
    local line = vim.api.nvim_buf_get_lines(bufnr, position.line, position.line + 1, true)[1]
    return position.line, M.byte(line, position.character, encoding)
  end
  local start_row, start_col = convert(range.start)
  return start_row, start_col, convert(range['end'])
end

return M
