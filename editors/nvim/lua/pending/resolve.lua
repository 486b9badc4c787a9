---Applying and discarding, as commands, maps and the preview ask for it.
local M = {}

---@class pending.Resolve
---@field reason? string
---@field id? string the action; the one at the cursor, else the top
---@field hunks? string[] only these
---@field cascade? boolean what is above it first
---@field allow_partial? boolean apply what still matches of a stale action

---What to type when a refusal has a way round.
---@param verb string
---@param err lsp.ResponseError
---@return string
local function hint(verb, err)
  local kind = type(err.data) == 'table' and err.data.kind
  return kind == 'notTop' and (' (:Pending %s! resolves all of them)'):format(verb) or ''
end

---What was done, in few words.
---@param result table
---@return string
function M.summary(result)
  local text = result.content and result.content[1] and result.content[1].text or 'Done'
  local details = result.details or {}
  local notes, buffers, disk = {}, 0, 0
  for _, file in ipairs(details.files or {}) do
    if file.via == 'editor' then
      buffers = buffers + 1
    else
      disk = disk + 1
    end
  end
  if details.newMatches and details.newMatches > 0 then
    notes[#notes + 1] = ('%d new matches left alone'):format(details.newMatches)
  end
  if buffers > 0 then
    notes[#notes + 1] = ('%d in buffers'):format(buffers)
  end
  if disk > 0 then
    notes[#notes + 1] = ('%d on disk'):format(disk)
  end
  local first = text:match('^[^\n]*')
  return #notes > 0 and ('[%s] %s'):format(table.concat(notes, ', '), first) or first
end

---Sends what the server calls a resolve, and tells what came of it.
---@param argument table
---@param client vim.lsp.Client
---@param callback? fun(ok: boolean)
function M.ask(argument, client, callback)
  local say = require('pending.say')
  require('pending.client').execute(client, 'resolve', argument, function(err, result)
    if err then
      say.error(err.message .. hint(argument.action, err))
    else
      local tell = result.isError and say.error or say.info
      tell(M.summary(result))
    end
    if callback then
      callback(err == nil and not result.isError)
    end
  end)
end

---@param verb 'apply'|'discard'
---@param options pending.Resolve
---@param client vim.lsp.Client
---@param folder? string
---@param callback? fun(ok: boolean)
function M.send(verb, options, client, folder, callback)
  local reason = options.reason
  if not reason or reason == '' then
    reason = verb == 'apply' and 'Applied in Neovim' or 'Discarded in Neovim'
  end
  M.ask({
    action = verb,
    reason = reason,
    id = options.id,
    hunks = options.hunks,
    cascade = options.cascade or nil,
    allowPartial = options.allow_partial or nil,
    workspace = folder,
  }, client, callback)
end

---The hunks of one action at the cursor or in lines of the current buffer: of the topmost action that has any there.
---@param first? integer
---@param last? integer
---@return pending.Spot[]
function M.here(first, last)
  local cursor = vim.api.nvim_win_get_cursor(0)
  local row, col = cursor[1] - 1, cursor[2]
  local found, on_line = {}, {}
  for _, spot in ipairs(require('pending.ui').spots(vim.api.nvim_get_current_buf())) do
    if first and last then
      if spot.row <= last - 1 and spot.end_row >= first - 1 then
        found[#found + 1] = spot
      end
    elseif spot.row <= row and row <= spot.end_row then
      on_line[#on_line + 1] = spot
      local after_start = row > spot.row or col >= spot.col
      local before_end = row < spot.end_row or col < spot.end_col or (col == spot.end_col and col == spot.col)
      if after_start and before_end then
        found[#found + 1] = spot
      end
    end
  end
  -- With the cursor on none, those of its line are meant.
  if #found == 0 then
    found = on_line
  end
  table.sort(found, function(a, b)
    return a.above < b.above
  end)
  return vim.tbl_filter(function(spot)
    return spot.action == found[1].action
  end, found)
end

---Resolves the action at the cursor, else the top of the stack.
---@param verb 'apply'|'discard'
---@param options pending.Resolve
function M.action(verb, options)
  local say = require('pending.say')
  local clients = require('pending.client')
  local client = clients.get()
  local stack = require('pending.stack').of()
  local top = stack and stack.actions[1]
  if not client or not top then
    return say.warn('nothing is pending here')
  end
  local here = not options.id and M.here()[1]
  options.id = options.id or (here and here.action) or top.id
  M.send(verb, options, client, clients.folder(client))
end

---Resolves the hunks at the cursor, or in a range of lines.
---@param verb 'apply'|'discard'
---@param options pending.Resolve
---@param first? integer
---@param last? integer
function M.hunks(verb, options, first, last)
  local spots = M.here(first, last)
  if #spots == 0 then
    return require('pending.say').warn('no pending hunk here')
  end
  local clients = require('pending.client')
  local client = vim.lsp.get_client_by_id(spots[1].client_id)
  if not client then
    return
  end
  options.id = spots[1].action
  options.hunks = vim.tbl_map(function(spot)
    return spot.hunk
  end, spots)
  M.send(verb, options, client, clients.folder(client))
end

return M
