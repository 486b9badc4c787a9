---:checkhealth pending
local M = {}

local PROTOCOL = 1

---@param config pending.Config
---@return boolean
local function check_server(config)
  local health = vim.health
  local bin = config.cmd[1]
  local path = vim.fn.exepath(bin)
  if path == '' then
    health.error(bin .. ' is not executable', {
      'Install the server and have it in your $PATH, or name it: '
        .. "require('pending').setup({ cmd = { '/path/to/pending-lsp' } })",
    })
    return false
  end
  local ok, process = pcall(vim.system, { path, 'version' }, { text = true })
  local result = ok and process:wait(5000)
  if not result or result.code ~= 0 then
    health.error(path .. ' does not run', { result and vim.trim(result.stderr or '') or 'It cannot be started' })
    return false
  end
  health.ok(('%s: %s'):format(path, vim.trim(result.stdout)))
  return true
end

---Where the server looks for the daemon; see its protocol document.
---@return string
local function default_socket()
  local uid = vim.uv.getuid()
  local runtime = vim.env.XDG_RUNTIME_DIR or ''
  if runtime == '' then
    runtime = '/run/user/' .. uid
    local found = vim.uv.fs_lstat(runtime)
    if not found or found.type ~= 'directory' or found.uid ~= uid then
      return ('%s/pending-lsp-%d/v%d.sock'):format(vim.env.TMPDIR or '/tmp', uid, PROTOCOL)
    end
  end
  return ('%s/pending-lsp/v%d.sock'):format(runtime, PROTOCOL)
end

---@param config pending.Config
local function check_daemon(config)
  local health = vim.health
  local remote = table.concat(config.cmd, ' '):match('%-remote[= ](%S+)') or 'auto'
  if remote == 'none' then
    return health.info('the server is set to work without a daemon, so agents cannot meet it')
  end
  local socket = remote:match('^unix;(.*)') or default_socket()
  if not vim.uv.fs_stat(socket) then
    return health.info('no daemon is running; the first session starts one')
  end
  local pipe = assert(vim.uv.new_pipe(false))
  local hello = vim.json.encode({ protocol = PROTOCOL, version = 'Neovim checkhealth', pid = vim.uv.os_getpid() })
  local answer ---@type string?
  pipe:connect(socket, function(err)
    if err then
      answer = err
      return
    end
    pipe:read_start(function(read_err, chunk)
      answer = answer or read_err or chunk or 'it closed the connection'
    end)
    pipe:write(hello .. '\n')
  end)
  vim.wait(2000, function()
    return answer ~= nil
  end, 10)
  pipe:close()
  local ok, said = pcall(vim.json.decode, answer or '')
  if not ok then
    health.warn(('no daemon answers on %s (%s)'):format(socket, answer or 'no answer'), { ':Pending restart' })
  elseif said.error then
    health.error(('the daemon on %s refuses: %s'):format(socket, vim.inspect(said.error)))
  else
    health.ok(('daemon %s, process %s, on %s'):format(said.version, said.pid, socket))
  end
end

---@param client vim.lsp.Client
local function check_client(client)
  local health = vim.health
  local capability = assert(require('pending.client').capability(client))
  local buffers = vim.tbl_count(client.attached_buffers)
  local plural = buffers == 1 and '' or 's'
  health.ok(('client %d (%s), attached to %d buffer%s'):format(client.id, client.name, buffers, plural))
  if capability.protocolVersion == PROTOCOL then
    health.ok(('protocol version %d, server %s'):format(PROTOCOL, capability.version))
  else
    health.error(
      ('the server speaks protocol version %s, this plugin %d'):format(capability.protocolVersion, PROTOCOL),
      { 'Update whichever is older' }
    )
  end
  health.info('position encoding: ' .. client.offset_encoding)
  for folder, stack in pairs(require('pending.stack').of_client(client.id)) do
    health.info(('workspace %s: %d pending'):format(vim.uri_to_fname(folder), #stack.actions))
  end
  local options = client.config.init_options
  if not (type(options) == 'table' and options.didChange) then
    health.warn('this client does not ask for pending-lsp/didChange, so what is pending is shown a little later', {
      'Leave the starting to the plugin, or add init_options = { didChange = true }',
    })
  end
  if client.handlers['workspace/applyEdit'] == nil then
    health.warn('another handler applies edits: it may not refuse those for a text that has changed')
  end
end

function M.check()
  local health = vim.health
  local configuration = require('pending.config')
  local config = configuration.get()

  health.start('pending: Neovim')
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.10') == 1 then
    health.ok('Neovim ' .. version)
  else
    health.error('Neovim 0.10 or later is needed, this is ' .. version)
  end

  health.start('pending: configuration')
  if #configuration.problems == 0 then
    health.ok('no problems')
  end
  for _, problem in ipairs(configuration.problems) do
    health.error(problem, { ':help pending-config' })
  end

  health.start('pending: server')
  local runs = check_server(config)
  if runs then
    check_daemon(config)
  end

  health.start('pending: sessions')
  local clients = require('pending.client').all()
  for _, client in ipairs(clients) do
    check_client(client)
  end
  if #clients == 0 then
    local why = not config.autostart and 'autostart is off; :Pending restart starts it'
      or not runs and 'the server does not run'
      or 'open a file of a repository, or use :Pending restart'
    health.info('no session yet: ' .. why)
  end

  health.start('pending: tips')
  if config.show.signs and vim.o.signcolumn == 'auto' then
    health.info("'signcolumn' is auto: the text moves when the first sign appears; try 'yes' or 'auto:1-2'")
  end
  if config.save == 'none' then
    health.info("an apply leaves buffers unsaved; save = 'touched' writes those that had no unsaved changes")
  end
  health.info((':Pending pick opens %s'):format((require('pending.pick').picker()) or 'vim.ui.select'))
  health.info("status line: %{v:lua.require'pending'.status()}")
end

return M
