---workspace/applyEdit: all files or none. Neovim's own handler checks the version of the first file only, leaves
---earlier files changed when a later one fails, and says `applied` when it has skipped one.
local M = {}

---@class pending.Target
---@field bufnr integer
---@field edits lsp.TextEdit[]
---@field clean boolean it had no unsaved changes

---@class pending.Refusal
---@field reason string
---@field index integer of the change that failed, from 0

---@param bufnr integer
---@return string
local function name_of(bufnr)
  return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':~:.')
end

---Loads a buffer. A file that another Vim is editing is not loaded: whichever saved last would win.
---@param bufnr integer
---@return string? # why it cannot be
local function load(bufnr)
  -- Not an error that is thrown: Neovim prints a page about swap files before it throws that one.
  local before = vim.v.errmsg
  vim.v.errmsg = ''
  vim.cmd(('silent! call bufload(%d)'):format(bufnr))
  local err = vim.v.errmsg
  vim.v.errmsg = before
  local loaded = vim.api.nvim_buf_is_loaded(bufnr)
  if err:find('E325', 1, true) then
    if loaded then
      vim.api.nvim_buf_delete(bufnr, { unload = true, force = true })
    end
    return ('%s is being edited elsewhere: it has a swap file'):format(name_of(bufnr))
  elseif not loaded then
    return ('%s cannot be loaded: %s'):format(name_of(bufnr), err)
  end
end

---@param uri string
---@param version? integer the edit is for; without one the file is not open, and is loaded
---@return integer? bufnr
---@return string? refusal
function M.check(uri, version)
  local bufnr = vim.uri_to_bufnr(uri)
  local name = name_of(bufnr)
  local known = vim.api.nvim_buf_is_loaded(bufnr) and require('pending.versions').of(bufnr)
  if version then
    if not known then
      return nil, ('%s is not open any more'):format(name)
    elseif known ~= version then
      return nil, ('%s has changed since: the edit is for version %d and it is %d now'):format(name, version, known)
    end
  elseif not vim.api.nvim_buf_is_loaded(bufnr) then
    local refusal = load(bufnr)
    if refusal then
      return nil, refusal
    end
    vim.bo[bufnr].buflisted = true
  elseif vim.bo[bufnr].modified then
    return nil, ('%s has unsaved changes that the server has not seen'):format(name)
  end
  if not vim.bo[bufnr].modifiable then
    return nil, ("%s cannot be changed: 'modifiable' is off"):format(name)
  elseif vim.bo[bufnr].readonly then
    return nil, ("%s is opened read-only: 'readonly' is on"):format(name)
  end
  return bufnr
end

---Everything that can be known before anything is changed.
---@param edit lsp.WorkspaceEdit
---@return pending.Target[]?
---@return pending.Refusal?
local function preflight(edit)
  local changes = edit.documentChanges
  if not changes then
    changes = {}
    for uri, edits in pairs(edit.changes or {}) do
      table.insert(changes, { textDocument = { uri = uri }, edits = edits })
    end
  end
  local targets = {} ---@type pending.Target[]
  for i, change in ipairs(changes) do
    if change.kind then
      return nil, { reason = ('cannot %s files'):format(change.kind), index = i - 1 }
    end
    local version = change.textDocument.version
    local bufnr, refusal = M.check(change.textDocument.uri, version ~= vim.NIL and version or nil)
    if not bufnr then
      return nil, { reason = refusal or 'it cannot be changed', index = i - 1 }
    end
    targets[i] = { bufnr = bufnr, edits = change.edits, clean = not vim.bo[bufnr].modified }
  end
  return targets
end

---Takes back what was done before the failure.
---@param done pending.Target[]
local function take_back(done)
  for _, target in ipairs(done) do
    vim.api.nvim_buf_call(target.bufnr, function()
      vim.cmd('silent! undo')
    end)
  end
end

---Writes the buffers that had no unsaved changes, when that is set, after the server has seen the edit itself and not
---yet what autocommands make of it.
---@param targets pending.Target[]
function M.save(targets)
  if require('pending.config').get().save ~= 'touched' then
    return
  end
  for _, target in ipairs(targets) do
    if target.clean and vim.api.nvim_buf_is_loaded(target.bufnr) and vim.bo[target.bufnr].modified then
      local ok, err = pcall(vim.api.nvim_buf_call, target.bufnr, function()
        vim.cmd('silent update')
      end)
      if not ok then
        require('pending.say').error(('%s is changed but not saved: %s'):format(name_of(target.bufnr), err))
      end
    end
  end
end

---@param client vim.lsp.Client
---@param targets pending.Target[]
local function flush(client, targets)
  for _, target in ipairs(targets) do
    require('pending.client').flush(client, target.bufnr)
  end
end

---What the user is to be asked, when the edit wants that; one question, since it is all files or none.
---@param edit lsp.WorkspaceEdit
---@return string?
function M.question(edit)
  local label ---@type string?
  local changes = 0
  for _, annotation in pairs(edit.changeAnnotations or {}) do
    if annotation.needsConfirmation then
      label = annotation.label
      changes = changes + 1
    end
  end
  return label and ('%s\nApply %d changes in'):format(label, changes)
end

---@param edit lsp.WorkspaceEdit
---@param targets pending.Target[]
---@return boolean
local function confirmed(edit, targets)
  local question = M.question(edit)
  if not question then
    return true
  end
  local names = vim.tbl_map(function(target)
    return name_of(target.bufnr)
  end, targets)
  question = ('%s %s?'):format(question, table.concat(names, ', '))
  return vim.fn.confirm(question, '&Yes\n&No', 1, 'Question') == 1
end

---@param edit lsp.WorkspaceEdit
---@param client vim.lsp.Client
---@return lsp.ApplyWorkspaceEditResult
function M.apply(edit, client)
  local targets, refusal = preflight(edit)
  if targets and not confirmed(edit, targets) then
    return { applied = false, failureReason = 'the user said no' }
  elseif targets and edit.changeAnnotations then
    targets, refusal = preflight(edit) -- the question may have taken a while
  end
  if not targets then
    ---@cast refusal pending.Refusal
    return { applied = false, failureReason = refusal.reason, failedChange = refusal.index }
  end
  for i, target in ipairs(targets) do
    local ok, err = pcall(require('pending.buffer_edit').apply, target.bufnr, target.edits, client.offset_encoding)
    if not ok then
      take_back(vim.list_slice(targets, 1, i))
      flush(client, targets)
      local reason = ('%s: %s'):format(name_of(target.bufnr), tostring(err))
      return { applied = false, failureReason = reason, failedChange = i - 1 }
    end
  end
  flush(client, targets)
  vim.schedule(function()
    M.save(targets)
  end)
  return { applied = true }
end

---@param params lsp.ApplyWorkspaceEditParams
---@param ctx lsp.HandlerContext
---@return lsp.ApplyWorkspaceEditResult
function M.handle(params, ctx)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  local ok, result = pcall(M.apply, params.edit, client)
  if not ok then
    return { applied = false, failureReason = tostring(result) }
  end
  return result
end

return M
