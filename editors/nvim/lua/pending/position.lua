---Between LSP's positions and Neovim's, which count bytes.
local M = {}

local modern = vim.fn.has('nvim-0.11') == 1

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
  if encoding == 'utf-8' or not line:find('[\128-\255]') then
    return math.min(character, #line)
  end
  if modern then
    return vim.str_byteindex(line, encoding, character, false)
  end
  local ok, byte = pcall(vim.str_byteindex, line, character, encoding == 'utf-16')
  return ok and byte or #line
end

---A range in a text as rows and bytes. Either end may be one line past the last, at 0.
---@param lines string[]
---@param range pending.Range
---@param encoding string
---@return integer start_row, integer start_col, integer end_row, integer end_col
function M.in_lines(lines, range, encoding)
  local function convert(position)
    local line = lines[position.line + 1]
    if not line then
      return #lines, 0
    end
    return position.line, M.byte(line, position.character, encoding)
  end
  local start_row, start_col = convert(range.start)
  return start_row, start_col, convert(range['end'])
end

---The same in a buffer.
---@param bufnr integer
---@param range pending.Range
---@param encoding string
---@return integer start_row, integer start_col, integer end_row, integer end_col
function M.in_buffer(bufnr, range, encoding)
  return M.in_lines(vim.api.nvim_buf_get_lines(bufnr, 0, -1, true), range, encoding)
end

return M
