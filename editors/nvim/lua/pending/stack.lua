---What is pending, as the server last said, for every client and folder; and who wants to hear of changes.
local M = {}

---@class pending.Hunk
---@field id string
---@field range pending.Range
---@field before string
---@field after string
---@field stale? boolean

---@class pending.File
---@field uri string
---@field path string
---@field hunks pending.Hunk[]

---@class pending.Action
---@field id string
---@field label string
---@field sourceToolName string
---@field state 'pending'|'applying'
---@field stale boolean
---@field orphaned boolean
---@field createdAt string
---@field by { name: string, editor: boolean }
---@field files pending.File[]

---@class pending.Stack
---@field client_id integer
---@field workspace string the folder's URI
---@field encoding string
---@field actions pending.Action[] top first

---@type table<integer, table<string, pending.Stack>> by client, then by folder
local stacks = {}

---@class pending.Asking
---@field again boolean something happened since the question was sent
---@field causes table[] the notifications to pass on with the answer

---@type table<integer, pending.Asking> by client, while a question is under way
local asking = {}

---How long after the last keystroke to ask about a buffer that was ahead of the server.
local SETTLE = 100

---@type table<integer, uv.uv_timer_t>
local settling = {}

---@type table<string, string> by action and hunk: what its diagnostic said, to see when more than its place changes
local messages = {}

---A URI as Neovim would write it: servers escape other characters, and in capitals.
---@param uri string
---@return string
local function as_here(uri)
  return vim.uri_from_fname(vim.uri_to_fname(uri))
end

---The loaded buffers of files, by their URI.
---@return table<string, integer>
function M.buffers()
  local out = {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local file = vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].buftype == ''
    -- What the server does not have open it knows from the disk.
    local known = file and (require('pending.versions').of(bufnr) or not vim.bo[bufnr].modified)
    if known and vim.api.nvim_buf_get_name(bufnr) ~= '' then
      out[vim.uri_from_bufnr(bufnr)] = bufnr
    end
  end
  return out
end

---@return table<integer, integer?>
local function versions()
  local of, out = require('pending.versions').of, {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    out[bufnr] = of(bufnr)
  end
  return out
end

---@param client_id integer
---@param causes table[]
local function announce(client_id, causes)
  require('pending.ui').update(client_id)
  if package.loaded['pending.preview'] then
    require('pending.preview').update()
  end
  for _, cause in ipairs(causes) do
    vim.api.nvim_exec_autocmds('User', { pattern = 'PendingChanged', modeline = false, data = cause })
  end
  if #causes > 0 then
    vim.cmd.redrawstatus({ bang = true })
  end
end

---@return boolean
local function pending_anywhere()
  for _, by_folder in pairs(stacks) do
    for _, stack in pairs(by_folder) do
      if #stack.actions > 0 then
        return true
      end
    end
  end
  return false
end

---Asks what is pending. One question at a time: what happens meanwhile makes it ask once more.
---@param client_id integer
---@param cause? table the notification that says something has changed
function M.refresh(client_id, cause)
  local question = asking[client_id]
  if question then
    question.again = true
    table.insert(question.causes, cause)
    return
  end
  local client = vim.lsp.get_client_by_id(client_id)
  if not client then
    return
  end
  question = { again = false, causes = { cause } }
  asking[client_id] = question

  local folders = client.workspace_folders or {}
  local left = #folders
  local answer = {}
  local before = versions()
  local function done()
    asking[client_id] = nil
    if vim.lsp.get_client_by_id(client_id) then
      stacks[client_id] = answer
    end
    -- A buffer that has changed since is not what the answer is about: its marks stay until the next one.
    local after = versions()
    for bufnr, version in pairs(after) do
      question.again = question.again or (before[bufnr] ~= nil and before[bufnr] ~= version)
    end
    if not question.again then
      if not pending_anywhere() then
        messages = {}
      end
      return announce(client_id, question.causes)
    end
    M.refresh(client_id)
    vim.list_extend(asking[client_id] and asking[client_id].causes or {}, question.causes)
  end
  if left == 0 then
    return done()
  end
  for _, folder in ipairs(folders) do
    require('pending.client').execute(client, 'list', { workspace = folder.uri }, function(err, result)
      left = left - 1
      if not err and result then
        for _, action in ipairs(result.actions) do
          for _, file in ipairs(action.files) do
            file.uri = as_here(file.uri)
          end
        end
        answer[folder.uri] = {
          client_id = client_id,
          workspace = folder.uri,
          encoding = client.offset_encoding,
          actions = result.actions,
        }
      end
      if left == 0 then
        done()
      end
    end)
  end
end

---@param params table
---@param client_id integer
function M.on_did_change(params, client_id)
  require('pending.code_action').expire()
  M.refresh(client_id, params)
end

---Asks once typing has stopped for a moment.
---@param client_id integer
local function settle(client_id)
  local timer = settling[client_id] or assert(vim.uv.new_timer())
  settling[client_id] = timer
  timer:start(
    SETTLE,
    0,
    vim.schedule_wrap(function()
      M.refresh(client_id)
    end)
  )
end

---Where diagnostics only say that hunks have moved, they are moved here, without asking for everything anew.
---@param params lsp.PublishDiagnosticsParams
---@param client_id integer
function M.on_diagnostics(params, client_id)
  local uri = as_here(params.uri)
  local moved = {} ---@type table<string, pending.Range>
  local count, news = 0, false
  for _, diagnostic in ipairs(params.diagnostics) do
    local data = diagnostic.data
    if type(data) == 'table' and data.hunk then
      local id = data.action .. ' ' .. data.hunk
      moved[id] = diagnostic.range
      count = count + 1
      news = news or messages[id] ~= diagnostic.message
      messages[id] = diagnostic.message
    end
  end
  local bufnr = M.buffers()[uri]
  if not bufnr then
    return
  end
  local version = require('pending.versions').of(bufnr)
  if params.version and version and params.version ~= version then
    return settle(client_id)
  end
  local hunks = {} ---@type table<string, pending.Hunk>
  local known = 0
  for _, stack in pairs(stacks[client_id] or {}) do
    for _, action in ipairs(stack.actions) do
      for _, file in ipairs(action.files) do
        for _, hunk in ipairs(file.uri == uri and file.hunks or {}) do
          hunks[action.id .. ' ' .. hunk.id] = hunk
          known = known + 1
        end
      end
    end
  end
  news = news or known ~= count
  for id in pairs(hunks) do
    news = news or not moved[id]
  end
  if news then
    return M.refresh(client_id)
  end
  for id, hunk in pairs(hunks) do
    hunk.range = moved[id]
  end
  require('pending.ui').update(client_id)
end

---Forgets a client that is gone.
---@param client_id integer
function M.forget(client_id)
  stacks[client_id], asking[client_id] = nil, nil
  if settling[client_id] then
    settling[client_id]:close()
    settling[client_id] = nil
  end
  require('pending.code_action').expire()
  announce(client_id, { { hasPending = false, depth = 0, cause = 'gone' } })
end

---@param client_id integer
---@return table<string, pending.Stack>
function M.of_client(client_id)
  return stacks[client_id] or {}
end

---The stack of the workspace that a buffer belongs to.
---@param bufnr? integer
---@return pending.Stack?
function M.of(bufnr)
  local client_module = require('pending.client')
  local client = client_module.get(bufnr)
  local folder = client and client_module.folder(client, bufnr)
  return client and folder and (stacks[client.id] or {})[folder] or nil
end

---@param client_id integer
---@param id string
---@return pending.Action?
function M.action(client_id, id)
  for _, stack in pairs(stacks[client_id] or {}) do
    for _, action in ipairs(stack.actions) do
      if action.id == id then
        return action
      end
    end
  end
end

return M
