---Shows in the buffers what is pending. Marks move with the text by themselves; a word of the server changes only
---those that differ from what it says, so nothing flickers.
local M = {}

local position = require('pending.position')
local change = require('pending.change')
local config = require('pending.config')

local ns = vim.api.nvim_create_namespace('pending')

---@class pending.Shown
---@field mark integer
---@field signature string what it shows, without its place

---@class pending.Shown.Hunk: pending.Shown
---@field action string
---@field hunk string
---@field above integer

---@class pending.Shown.Buffer
---@field hunks table<string, pending.Shown.Hunk> the code concerned, by hunk
---@field changes table<string, pending.Shown> what comes in its place, by the first hunk

---@type table<integer, table<integer, pending.Shown.Buffer>> by client, then by buffer
local shown = {}

---A place in a text, also when given one past its end.
---@param lines string[]
---@param row integer
---@param col integer
---@return integer, integer
local function inside(lines, row, col)
  if row >= #lines then
    return #lines - 1, #lines[#lines]
  end
  return row, math.min(col, #lines[row + 1])
end

---The hunks of a client in a buffer, top action first.
---@param client_id integer
---@param lines string[] of the buffer
---@param uri string
---@return pending.Place[]
local function places(client_id, lines, uri)
  local out = {}
  for _, stack in pairs(require('pending.stack').of_client(client_id)) do
    for above, action in ipairs(stack.actions) do
      -- While an action is applied its hunks are about to be the text.
      for _, file in ipairs(action.state == 'applying' and {} or action.files) do
        for _, hunk in ipairs(file.uri == uri and file.hunks or {}) do
          local sr, sc, er, ec = position.in_lines(lines, hunk.range, stack.encoding)
          sr, sc = inside(lines, sr, sc)
          er, ec = inside(lines, er, ec)
          out[#out + 1] = {
            hunk = hunk,
            action = action,
            above = above - 1,
            start_row = sr,
            start_col = sc,
            end_row = er,
            end_col = ec,
          }
        end
      end
    end
  end
  return out
end

---Puts a mark where it belongs, unless it is there already and shows the same.
---@param bufnr integer
---@param old pending.Shown?
---@param row integer
---@param col integer
---@param signature string
---@param options vim.api.keyset.set_extmark
---@return pending.Shown
local function place_mark(bufnr, old, row, col, signature, options)
  if old then
    -- Details of virtual lines are costly, and all that matters of those is the row.
    local wanted = { details = options.end_row ~= nil, hl_name = false }
    local at = vim.api.nvim_buf_get_extmark_by_id(bufnr, ns, old.mark, wanted)
    local details = at[3] or {}
    if
      old.signature == signature
      and at[1] == row
      and at[2] == col
      and details.end_row == options.end_row
      and details.end_col == options.end_col
      and not details.invalid
    then
      return old
    end
    options.id = old.mark
  end
  return { mark = vim.api.nvim_buf_set_extmark(bufnr, ns, row, col, options), signature = signature }
end

---@param bufnr integer
---@param old pending.Shown.Hunk?
---@param place pending.Place
---@param look pending.Config.Show
---@return pending.Shown.Hunk
local function show_hunk(bufnr, old, place, look)
  local kind = place.hunk.stale and 'stale' or place.above > 0 and 'below' or 'pending'
  local options = { ---@type vim.api.keyset.set_extmark
    end_row = place.end_row,
    end_col = place.end_col,
    priority = look.priority + 4096,
    right_gravity = true,
    end_right_gravity = false,
    invalidate = true,
    strict = false,
  }
  if place.end_row == place.start_row and place.end_col == place.start_col then
    options.end_right_gravity = true -- an insertion is not deleted by being empty
    options.invalidate = nil
  end
  if look.signs then
    options.sign_text = look.signs[kind]
    options.sign_hl_group = kind == 'stale' and 'PendingStale' or kind == 'below' and 'PendingBelow' or 'PendingSign'
  end
  if kind == 'pending' and look.style ~= 'none' then
    options.hl_group = 'PendingDelete'
  elseif kind == 'stale' then
    options.hl_group = 'PendingStale'
    options.virt_text = { { ' changed since: ' .. place.action.label, 'PendingStale' } }
  elseif kind == 'below' then
    options.virt_text = { { (' %d down: %s'):format(place.above, place.action.label), 'PendingBelow' } }
  end
  local signature = ('%s %d %s'):format(kind, place.above, place.action.label)
  local mark = place_mark(bufnr, old, place.start_row, place.start_col, signature, options)
  ---@cast mark pending.Shown.Hunk
  mark.action, mark.hunk, mark.above = place.action.id, place.hunk.id, place.above
  return mark
end

---Text and highlights of virtual lines and text, to compare.
---@param options vim.api.keyset.set_extmark
---@return string
local function signature_of(options)
  local out = { options.virt_lines_above and 'above' or '' }
  local function add(chunks)
    for _, chunk in ipairs(chunks) do
      out[#out + 1] = chunk[1]
      out[#out + 1] = chunk[2]
    end
    out[#out + 1] = '\n'
  end
  add(options.virt_text or {})
  for _, chunks in ipairs(options.virt_lines or {}) do
    add(chunks)
  end
  return table.concat(out, '\0')
end

---@param bufnr integer
---@param old pending.Shown?
---@param new pending.Change
---@param look pending.Config.Show
---@return pending.Shown
local function show_change(bufnr, old, new, look)
  local options = { priority = look.priority, strict = false } ---@type vim.api.keyset.set_extmark
  local lines = new.lines
  if #lines > look.max_lines then
    local more = #lines - look.max_lines
    lines = vim.list_slice(lines, 1, look.max_lines)
    lines[#lines + 1] = { { ('… %d more lines; :Pending diff shows all'):format(more), 'PendingLabel' } }
  end
  -- An empty virtual line needs something to be a line at all.
  lines = vim.tbl_map(function(chunks)
    return #chunks > 0 and chunks or { { ' ', 'PendingAdd' } }
  end, lines)
  if look.style == 'lines' then
    if #lines > 0 then
      options.virt_lines = lines
      options.virt_lines_above = new.above
    end
  else
    local text = {}
    for _, place in ipairs(new.places) do
      local after = place.hunk.after:gsub('%s+', ' ')
      text[#text + 1] = { after == '' and ' → (delete)' or ' → ' .. after, 'PendingAdd' }
    end
    options.virt_text = text
  end
  return place_mark(bufnr, old, new.row, 0, signature_of(options), options)
end

---A hunk's id is its own only within its action.
---@param place pending.Place
---@return string
local function key_of(place)
  return place.action.id .. ' ' .. place.hunk.id
end

---@param bufnr integer
---@param lines string[]
---@param old pending.Shown.Buffer
---@param here pending.Place[]
---@return pending.Shown.Buffer
local function render(bufnr, lines, old, here)
  local look = config.get().show
  local new = { hunks = {}, changes = {} } ---@type pending.Shown.Buffer
  local top = {} ---@type pending.Place[]
  for _, place in ipairs(here) do
    local key = key_of(place)
    new.hunks[key] = show_hunk(bufnr, old.hunks[key], place, look)
    if place.above == 0 and not place.hunk.stale then
      top[#top + 1] = place
    end
  end
  if look.style ~= 'none' then
    for _, c in ipairs(change.group(lines, vim.bo[bufnr].tabstop, top)) do
      local key = key_of(c.places[1])
      new.changes[key] = show_change(bufnr, old.changes[key], c, look)
    end
  end
  for kind, marks in pairs(old) do
    for key, mark in pairs(marks) do
      if not new[kind][key] then
        vim.api.nvim_buf_del_extmark(bufnr, ns, mark.mark)
      end
    end
  end
  return new
end

---Shows what the stack now says of a client's buffers.
---@param client_id integer
function M.update(client_id)
  require('pending.highlights').define()
  local before, after = shown[client_id] or {}, {}
  local touched = {} ---@type table<string, boolean>
  local seen = {} ---@type table<integer, boolean>
  for _, stack in pairs(require('pending.stack').of_client(client_id)) do
    for _, action in ipairs(stack.actions) do
      for _, file in ipairs(action.files) do
        touched[file.uri] = true
      end
    end
  end
  for uri, bufnr in pairs(require('pending.stack').buffers()) do
    if touched[uri] or before[bufnr] then
      seen[bufnr] = true
      local lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, true)
      local here = places(client_id, lines, uri)
      local new = render(bufnr, lines, before[bufnr] or { hunks = {}, changes = {} }, here)
      after[bufnr] = next(new.hunks) and new or nil
    end
  end
  for bufnr, old in pairs(before) do
    if not seen[bufnr] and vim.api.nvim_buf_is_valid(bufnr) then
      render(bufnr, {}, old, {})
    end
  end
  shown[client_id] = after
end

---@class pending.Spot a hunk where its mark is now
---@field client_id integer
---@field action string
---@field hunk string
---@field above integer
---@field row integer
---@field col integer
---@field end_row integer
---@field end_col integer

---The hunks shown in a buffer, in the order of the text.
---@param bufnr integer
---@return pending.Spot[]
function M.spots(bufnr)
  local out = {} ---@type pending.Spot[]
  for client_id, buffers in pairs(shown) do
    for _, s in pairs((buffers[bufnr] or { hunks = {} }).hunks) do
      local at = vim.api.nvim_buf_get_extmark_by_id(bufnr, ns, s.mark, { details = true })
      if at[1] and not at[3].invalid then
        out[#out + 1] = {
          client_id = client_id,
          action = s.action,
          hunk = s.hunk,
          above = s.above,
          row = at[1],
          col = at[2],
          end_row = at[3].end_row or at[1],
          end_col = at[3].end_col or at[2],
        }
      end
    end
  end
  table.sort(out, function(a, b)
    if a.row ~= b.row then
      return a.row < b.row
    elseif a.col ~= b.col then
      return a.col < b.col
    end
    return a.above < b.above
  end)
  return out
end

return M
