---Starts the server again when its daemon has died. What was pending is kept on disk and comes back with it.
local M = {}

---A server that dies again within this many milliseconds is not started once more.
local PATIENCE = 10000

---@type table<integer, boolean> clients that were told to stop
local stopping = {}

---@type table<string, integer> when a root's server was last started again
local last = {}

---One daemon serves all workspaces: what its death means is said once.
local said = -math.huge

---Notices when a client is told to stop, by whomever. The exit code does not tell: a session that loses its daemon
---while another one starts the next ends with 0.
---@param client vim.lsp.Client
function M.watch(client)
  if rawget(client, '_pending_watched') then
    return
  end
  local stop = client.stop
  client._pending_watched = true ---@diagnostic disable-line: inject-field
  client.stop = function(...) ---@diagnostic disable-line: duplicate-set-field
    stopping[client.id] = true
    return stop(...)
  end
end

---@param config vim.lsp.ClientConfig
---@param buffers integer[]
---@return integer? client_id
local function start(config, buffers)
  local client = require('pending.client')
  if #buffers == 0 then
    return client.start(config) -- one that a command had started
  end
  local id
  for _, bufnr in ipairs(buffers) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      id = client.start(config, bufnr) or id
    end
  end
  return id
end

---Called where only little is allowed: everything of substance is scheduled.
---@param client vim.lsp.Client
---@param signal integer
function M.on_exit(client, signal)
  local buffers = vim.tbl_keys(client.attached_buffers)
  local told = stopping[client.id] or signal == 15
  stopping[client.id] = nil
  vim.schedule(function()
    -- After Neovim's own cleaning up, which is scheduled too, or the dead client would be taken for a live one.
    vim.schedule(function()
      if vim.v.exiting ~= vim.NIL then
        return
      end
      require('pending.stack').forget(client.id)
      if told or not require('pending.config').get().restart then
        return
      end
      local say = require('pending.say')
      local root = client.config.root_dir or ''
      local now = vim.uv.now()
      if last[root] and now - last[root] < PATIENCE then
        return say.error('the server died again; :Pending restart starts it, :checkhealth pending may say why')
      end
      last[root] = now
      if start(client.config, buffers) and now - said > PATIENCE then
        said = now
        say.warn('the server died and was started again; what was pending is kept')
      end
    end)
  end)
end

---Stops the server of a client and starts it again, with what is set now.
---@param client vim.lsp.Client
function M.now(client)
  local buffers = vim.tbl_keys(client.attached_buffers)
  local own = require('pending.client').resolved()
  stopping[client.id] = true
  if vim.fn.has('nvim-0.11') == 1 then
    client:stop()
  else
    client.stop()
  end
  local waited = 0
  local timer = assert(vim.uv.new_timer())
  timer:start(
    50,
    50,
    vim.schedule_wrap(function()
      waited = waited + 50
      local gone = vim.lsp.get_client_by_id(client.id) == nil
      if not gone and waited < 5000 or not timer:is_active() then
        return
      end
      timer:close()
      last[client.config.root_dir or ''] = nil
      local config = client.config
      if config.name == own.name then
        config = vim.tbl_extend('force', config, { cmd = own.cmd, init_options = own.init_options })
      end
      start(config, buffers)
      require('pending.say').info('Restarted the server')
    end)
  )
end

return M
