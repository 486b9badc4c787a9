---What hunks make of the lines they are on, as virtual lines.
local M = {}

---@class pending.Place a hunk where it is in a buffer
---@field hunk pending.Hunk
---@field action pending.Action
---@field above integer how many actions are above it on the stack
---@field start_row integer
---@field start_col integer
---@field end_row integer
---@field end_col integer

---@class pending.Change hunks that share lines
---@field places pending.Place[]
---@field row integer the last line they are on
---@field above boolean the new lines come before it, not after
---@field lines [string, string][][] the new lines, as |nvim_buf_set_extmark()| has virtual lines

---Text with tabs as the buffer has them. Neovim makes other control characters visible itself.
---@param text string
---@param column integer where it starts
---@param tabstop integer
---@return string, integer
local function expand(text, column, tabstop)
  local out = {}
  for piece, tab in text:gmatch('([^\t]*)(\t?)') do
    column = column + vim.api.nvim_strwidth(piece)
    out[#out + 1] = piece
    if tab ~= '' then
      local width = tabstop - column % tabstop
      out[#out + 1] = (' '):rep(width)
      column = column + width
    end
  end
  return table.concat(out), column
end

---The text between two places, with line breaks.
---@param lines string[]
---@return string
local function between(lines, start_row, start_col, end_row, end_col)
  if start_row >= end_row then
    return (lines[start_row + 1] or ''):sub(start_col + 1, end_col)
  end
  local out = { (lines[start_row + 1] or ''):sub(start_col + 1) }
  for row = start_row + 1, end_row - 1 do
    out[#out + 1] = lines[row + 1] or ''
  end
  out[#out + 1] = (lines[end_row + 1] or ''):sub(1, end_col)
  return table.concat(out, '\n')
end

---@param tabstop integer
---@param pieces [string, string][] text and highlight, with line breaks
---@return [string, string][][]
local function split(tabstop, pieces)
  local tabs = false
  for _, piece in ipairs(pieces) do
    tabs = tabs or piece[1]:find('\t', 1, true) ~= nil
  end
  local lines, column = { {} }, 0
  for _, piece in ipairs(pieces) do
    local texts = piece[1]:find('\n', 1, true) and vim.split(piece[1], '\r?\n') or { piece[1] }
    for i, text in ipairs(texts) do
      if i > 1 then
        lines[#lines + 1] = {}
        column = 0
      end
      if text ~= '' then
        if tabs then
          text, column = expand(text, column, tabstop)
        end
        table.insert(lines[#lines], { text, piece[2] })
      end
    end
  end
  return lines
end

---@param buffer string[] its lines
---@param tabstop integer
---@param places pending.Place[] in order, sharing lines
---@return pending.Change
local function change(buffer, tabstop, places)
  local first, last = places[1], places[#places]
  local whole = last.end_col == 0
    and last.end_row >= first.start_row
    and first.start_col == 0
    and (last.hunk.after == '' or last.hunk.after:sub(-1) == '\n')
  local insertion = whole and last.end_row == first.start_row
  local pieces = {}
  local row, col = first.start_row, 0
  for _, place in ipairs(places) do
    pieces[#pieces + 1] = { between(buffer, row, col, place.start_row, place.start_col), 'PendingAdd' }
    pieces[#pieces + 1] = { place.hunk.after, 'PendingAddText' }
    row, col = place.end_row, place.end_col
  end
  if not whole then
    pieces[#pieces + 1] = { (buffer[row + 1] or ''):sub(col + 1), 'PendingAdd' }
  end
  local lines = split(tabstop, pieces)
  if whole then
    table.remove(lines) -- what is after the last line break is not part of it
  end
  local at = last.end_row
  if whole and not insertion then
    at = at - 1
  end
  return { places = places, row = at, above = insertion, lines = lines }
end

---@param buffer string[] its lines
---@param tabstop integer
---@param places pending.Place[]
---@return pending.Change[]
function M.group(buffer, tabstop, places)
  table.sort(places, function(a, b)
    if a.start_row ~= b.start_row then
      return a.start_row < b.start_row
    end
    return a.start_col < b.start_col
  end)
  local out = {} ---@type pending.Change[]
  local current = {} ---@type pending.Place[]
  for _, place in ipairs(places) do
    local last = current[#current]
    if last and place.start_row > last.end_row then
      out[#out + 1] = change(buffer, tabstop, current)
      current = {}
    end
    current[#current + 1] = place
  end
  if #current > 0 then
    out[#out + 1] = change(buffer, tabstop, current)
  end
  return out
end

return M
