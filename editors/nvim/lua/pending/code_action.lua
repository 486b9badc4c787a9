---Code actions that come with their edit, so that others can preview it before they apply it. Neovim's own function
---applies those, and it looks at the version of the first file only: with an older edit it would change the wrong
---places. So an edit that does not fit is not handed out, and one that has been is emptied when a file of it or the
---stack changes. The command that goes with it then does all the work, through |pending.apply_edit|.
local M = {}

---@class pending.Offer
---@field edit lsp.WorkspaceEdit in the hands of whoever asked
---@field targets pending.Target[]
---@field left table<integer, true> buffers that have not changed since
---@field void boolean one has

---@type pending.Offer[]
local offers = {}

---@param offer pending.Offer
local function empty(offer)
  offer.edit.documentChanges = nil
end

---@param edit lsp.WorkspaceEdit
---@return pending.Target[]? # nil when it cannot be applied now, and the command is to say why
local function targets(edit)
  local apply_edit = require('pending.apply_edit')
  if not edit.documentChanges or apply_edit.question(edit) then
    return -- only our own handler asks the user
  end
  local out = {}
  for i, change in ipairs(edit.documentChanges) do
    local document = change.textDocument
    if type(document.version) ~= 'number' then
      return -- not open: to look at it would be to load it
    end
    local bufnr = apply_edit.check(document.uri, document.version)
    if not bufnr then
      return
    end
    out[i] = { bufnr = bufnr, edits = change.edits, clean = not vim.bo[bufnr].modified }
  end
  return out
end

---Plain text edits: Neovim 0.12 fails on annotated ones when it is not given the annotations, and pickers do not.
---@param edit lsp.WorkspaceEdit
local function strip_annotations(edit)
  edit.changeAnnotations = nil
  for _, change in ipairs(edit.documentChanges) do
    for _, text_edit in ipairs(change.edits) do
      text_edit.annotationId = nil
    end
  end
end

---@param action lsp.CodeAction resolved
local function hand_out(action)
  local fits = targets(action.edit)
  if fits then
    local left = {} ---@type table<integer, true>
    for _, target in ipairs(fits) do
      left[target.bufnr] = true
    end
    strip_annotations(action.edit)
    table.insert(offers, { edit = action.edit, targets = fits, left = left, void = false })
  else
    action.edit = nil
  end
end

---Looks at what the server answers to codeAction/resolve, whoever asks.
---@param client vim.lsp.Client
function M.watch(client)
  local rpc = client.rpc
  if rpc.pending_watched then ---@diagnostic disable-line: undefined-field
    return
  end
  rpc.pending_watched = true ---@diagnostic disable-line: inject-field
  local request = rpc.request
  rpc.request = function(method, params, callback, ...) ---@diagnostic disable-line: duplicate-set-field
    if method ~= 'codeAction/resolve' then
      return request(method, params, callback, ...)
    end
    return request(method, params, function(err, action, ...)
      if type(action) == 'table' and action.edit then
        hand_out(action)
      end
      return callback(err, action, ...)
    end, ...)
  end
end

---A buffer has changed: by an edit that is being applied, or by something else.
---@param bufnr integer
function M.changed(bufnr)
  for _, offer in ipairs(offers) do
    if offer.left[bufnr] and not offer.void then
      empty(offer)
      offer.void = true
      -- When it is being applied, the command comes before anything else does.
      vim.schedule(function()
        offers = vim.tbl_filter(function(other)
          return other ~= offer
        end, offers)
      end)
    end
    offer.left[bufnr] = nil
  end
end

---The stack has changed: what was offered may have been decided about.
function M.expire()
  for _, offer in ipairs(offers) do
    empty(offer)
  end
  offers = {}
end

---The server's command of a code action or lens, run here to tell what came of it.
---@param command lsp.Command
---@param client vim.lsp.Client
function M.run(command, client)
  local apply_edit = require('pending.apply_edit')
  local applied = {} ---@type pending.Target[]
  for _, offer in ipairs(offers) do
    if not next(offer.left) then
      vim.list_extend(applied, offer.targets)
    end
  end
  local argument = vim.deepcopy(command.arguments[1])
  if #applied == 0 then
    argument.offered = nil -- or the server would wait for the edit
  end
  for _, target in ipairs(applied) do
    require('pending.client').flush(client, target.bufnr)
  end
  require('pending.resolve').ask(argument, client, function(ok)
    if ok then
      apply_edit.save(applied)
    end
  end)
end

return M
