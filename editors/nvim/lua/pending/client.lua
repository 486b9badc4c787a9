---The client of the server: how it is started, found, asked, and started again.
local M = {}

local NAME = 'pending_lsp'
local modern = vim.fn.has('nvim-0.11') == 1

---@param client vim.lsp.Client
---@return table? # what the server said of itself
function M.capability(client)
  return vim.tbl_get(client, 'server_capabilities', 'experimental', 'pendingLsp')
end

---Passes a message to Neovim's own handler, then to ours.
local function also(method, ours)
  return function(err, params, ctx, config)
    vim.lsp.handlers[method](err, params, ctx, config)
    if params then
      ours(params, ctx)
    end
  end
end

---@return table<string, function>
local function handlers()
  return {
    ['workspace/applyEdit'] = function(_, params, ctx)
      return require('pending.apply_edit').handle(params, ctx)
    end,
    ['pending-lsp/didChange'] = function(_, params, ctx)
      require('pending.stack').on_did_change(params, ctx.client_id)
    end,
    ['textDocument/publishDiagnostics'] = also('textDocument/publishDiagnostics', function(params, ctx)
      require('pending.stack').on_diagnostics(params, ctx.client_id)
    end),
  }
end

---What the server's code actions and lenses do here instead of there.
---@return table<string, function>
local function commands()
  return {
    ['pending-lsp.preview'] = function(command)
      local argument = command.arguments and command.arguments[1] or {}
      require('pending.preview').open(argument.id)
    end,
    ['pending-lsp.resolve'] = function(command, ctx)
      require('pending.code_action').run(command, assert(vim.lsp.get_client_by_id(ctx.client_id)))
    end,
  }
end

---What vim.lsp.start gets, without the root.
---@return table
function M.config()
  local config = require('pending.config').get()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  -- Neovim 0.10 does not declare what its own handler does not look at; ours does.
  capabilities.workspace.workspaceEdit.changeAnnotationSupport = { groupsOnLabel = true }
  return {
    name = NAME,
    cmd = config.cmd,
    capabilities = capabilities,
    init_options = vim.tbl_extend('keep', { didChange = true }, config.init_options, {
      inlayHints = false, -- the plugin shows the new code itself
      codeActionEdit = true,
    }),
    handlers = handlers(),
    commands = commands(),
    on_init = function(client)
      require('pending.restart').watch(client)
    end,
    on_exit = function(_, signal, client_id)
      local client = vim.lsp.get_client_by_id(client_id)
      if client then
        require('pending.restart').on_exit(client, signal)
      end
    end,
  }
end

---The same, with what the user has added with vim.lsp.config().
---@return table
function M.resolved()
  return modern and vim.lsp.config[NAME] or M.config()
end

---The root a buffer's file belongs to: its repository, else the current directory when the file is in it.
---@param bufnr integer
---@return string?
function M.root(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  local cwd = vim.uv.cwd()
  local from = name ~= '' and name or cwd
  local root = from and vim.fs.root(from, require('pending.config').get().root_markers)
  if root or not cwd or cwd == vim.uv.os_homedir() then
    return root
  end
  if name == '' or vim.startswith(vim.fs.normalize(name), vim.fs.normalize(cwd) .. '/') then
    return cwd
  end
end

---The root when the server is to be started for a buffer by itself.
---@param bufnr integer
---@return string?
function M.wanted_root(bufnr)
  local config = require('pending.config').get()
  local file = vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) ~= ''
  if file and config.autostart and vim.fn.executable(config.cmd[1]) == 1 then
    return M.root(bufnr)
  end
end

---@param config table
---@param bufnr? integer to attach to; none without it
---@return integer? client_id
function M.start(config, bufnr)
  if bufnr then
    return vim.lsp.start(config, { bufnr = bufnr })
  elseif modern then
    return vim.lsp.start(config, { attach = false })
  end
  return vim.lsp.start_client(config)
end

---Starts the server for a buffer, when it is a file in a workspace. For Neovim 0.10; later ones do it themselves.
---@param bufnr integer
function M.attach(bufnr)
  local root = M.wanted_root(bufnr)
  if root then
    M.start(vim.tbl_extend('force', M.config(), { root_dir = root }), bufnr)
  end
end

---Called for every client of our server, whoever started it.
---@param client vim.lsp.Client
---@param bufnr integer
function M.attached(client, bufnr)
  require('pending.versions').follow(bufnr)
  require('pending.code_action').watch(client)
  for method, handler in pairs(handlers()) do
    -- A client that the user started with a configuration of their own has none of these.
    client.handlers[method] = client.handlers[method] or handler
  end
  for name, command in pairs(commands()) do
    client.commands[name] = client.commands[name] or command
  end
  local look = require('pending.config').get().diagnostics
  if look == false then
    look = { virtual_text = false, virtual_lines = false, signs = false, underline = false }
  end
  if type(look) == 'table' then
    vim.diagnostic.config(look, vim.lsp.diagnostic.get_namespace(client.id))
  end
  require('pending.stack').refresh(client.id)
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.detached(client, bufnr)
  require('pending.versions').forget(bufnr)
  vim.schedule(function()
    require('pending.ui').update(client.id)
  end)
end

---@param client vim.lsp.Client
---@param path string
---@return boolean
local function holds(client, path)
  for _, folder in ipairs(client.workspace_folders or {}) do
    local root = vim.uri_to_fname(folder.uri)
    if path == root or vim.startswith(path, root .. '/') then
      return true
    end
  end
  return false
end

---All clients of our server.
---@param filter? vim.lsp.get_clients.Filter
---@return vim.lsp.Client[]
function M.all(filter)
  return vim.tbl_filter(M.capability, vim.lsp.get_clients(filter))
end

---The client that a buffer belongs to: attached to it, else of the workspace it shows, else of the current directory.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.get(bufnr)
  bufnr = (bufnr and bufnr ~= 0) and bufnr or vim.api.nvim_get_current_buf()
  local own = vim.b[bufnr].pending_client
  local client = own and vim.lsp.get_client_by_id(own)
  if client then
    return client
  end
  local clients = M.all({ bufnr = bufnr })
  if clients[1] then
    return clients[1]
  end
  local name = vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) or ''
  local path = name ~= '' and name or vim.uv.cwd() or ''
  for _, candidate in ipairs(M.all()) do
    if holds(candidate, path) then
      return candidate
    end
  end
end

---The folder of a client that a buffer is in, for commands that must say which workspace they mean.
---@param client vim.lsp.Client
---@param bufnr? integer
---@return string? uri
function M.folder(client, bufnr)
  local folders = client.workspace_folders or {}
  local path = vim.api.nvim_buf_get_name(bufnr or 0)
  for _, folder in ipairs(folders) do
    if vim.startswith(path, vim.uri_to_fname(folder.uri) .. '/') then
      return folder.uri
    end
  end
  return folders[1] and folders[1].uri
end

---Calls back with the client of a buffer, which is started first if there is none.
---@param bufnr integer
---@param callback fun(client: vim.lsp.Client)
function M.ensure(bufnr, callback)
  local client = M.get(bufnr)
  if client then
    return callback(client)
  end
  local config = require('pending.config').get()
  local say = require('pending.say')
  if vim.fn.executable(config.cmd[1]) == 0 then
    return say.error(('%s is not executable; see :checkhealth pending'):format(config.cmd[1]))
  end
  local root = M.root(bufnr)
  if not root then
    return say.error('no workspace here: the file is in no repository and not below the current directory')
  end
  local start = vim.tbl_extend('force', M.resolved(), { root_dir = root })
  local then_call = start.on_init
  start.on_init = function(started, result)
    for _, call in ipairs(type(then_call) == 'table' and then_call or { then_call }) do
      call(started, result)
    end
    vim.schedule(function()
      callback(started)
    end)
  end
  local file = vim.bo[bufnr].buftype == '' and vim.api.nvim_buf_get_name(bufnr) ~= ''
  M.start(start, file and bufnr or nil)
end

---Sends the changes of a buffer that Neovim holds back, so that the server sees them before what is sent next.
---@param client vim.lsp.Client
---@param bufnr integer
function M.flush(client, bufnr)
  local ok, tracking = pcall(require, 'vim.lsp._changetracking')
  if ok then -- else they are sent a little later by themselves
    pcall(tracking.flush, client, bufnr)
  end
end

---@param client vim.lsp.Client
---@param method string
---@param params table
function M.notify(client, method, params)
  if modern then
    client:notify(method, params)
  else
    client.notify(method, params)
  end
end

---Runs one of the server's commands.
---@param client vim.lsp.Client
---@param command string without the prefix
---@param argument table
---@param callback fun(err: lsp.ResponseError?, result: any)
function M.execute(client, command, argument, callback)
  local params =
    { command = 'pending-lsp.' .. command, arguments = { next(argument) and argument or vim.empty_dict() } }
  local function answer(err, result)
    callback(err, result)
  end
  local sent
  if modern then
    sent = client:request('workspace/executeCommand', params, answer)
  else
    sent = client.request('workspace/executeCommand', params, answer)
  end
  if not sent then
    callback({ code = -32603, message = 'the server is not running' }, nil)
  end
end

return M
