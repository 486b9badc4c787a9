-- A daemon that dies, a server that is stopped and started again.
local t = require('harness')
local step, equal = t.step, t.equal

local board = 'web/src/board.ts'

local function push(...)
  return t.push('console.log($$$A)', 'logger.debug($$$A)', ...)
end

---The process that all sessions meet in.
---@return integer?
local function daemon()
  for name in vim.fs.dir('/proc') do
    local pid = tonumber(name)
    if pid and vim.uv.fs_readlink('/proc/' .. name .. '/exe') == t.bin then
      local f = io.open('/proc/' .. name .. '/cmdline')
      local words = f and vim.split(f:read('a'), '\0') or {}
      if f then
        f:close()
      end
      if words[2] == 'daemon' then
        return pid
      end
    end
  end
end

step('shows what is pending', function()
  t.open(board)
  push(board)
  t.shows(6)
end)

step('starts again when the daemon dies, says so once, and has what was pending', function()
  local before = require('pending.client').get().id
  local pid = assert(daemon(), 'no daemon is running')
  t.said = {}
  vim.uv.kill(pid, 9)
  t.hears('started again')
  t.eventually('a new client is attached', function()
    local client = require('pending.client').get()
    return client and client.id ~= before
  end)
  t.shows(6)
  equal('marked', #t.marked(), 6)
  for _, text in ipairs(t.said) do
    assert(not text:find('started again', 1, true), 'said twice')
  end
  vim.cmd('Pending apply after all')
  t.hears('Reason: after all')
  t.shows(0)
end)

step('stays down when it is set not to start again, and says nothing', function()
  require('pending').setup({ cmd = { t.bin }, restart = false })
  local before = require('pending.client').get().id
  t.said = {}
  vim.uv.kill(assert(daemon(), 'no daemon is running'), 9)
  t.eventually('it is gone', function()
    return not vim.lsp.get_client_by_id(before)
  end)
  t.rest(300)
  equal('clients', #require('pending.client').all(), 0)
  for _, text in ipairs(t.said) do
    assert(not text:find('started again', 1, true), text)
  end
  require('pending').setup({ cmd = { t.bin } })
  vim.cmd('Pending restart')
  t.hears('Started the server')
end)

step('is restarted by hand', function()
  local before = require('pending.client').get().id
  vim.cmd('Pending restart')
  t.hears('Restarted')
  t.eventually('a new client is attached', function()
    local client = require('pending.client').get()
    return client and client.id ~= before
  end)
  vim.cmd('silent edit!')
  push(board)
  t.shows(6)
  vim.cmd('Pending discard')
  t.hears('Discarded')
end)

step('stays stopped when the user stops it, also by force', function()
  push(board)
  for _, force in ipairs({ false, true }) do
    t.shows(6)
    vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// typed' })
    t.sync()
    local id = require('pending.client').get(0).id
    t.said = {}
    vim.lsp.stop_client(id, force)
    t.eventually('it is gone', function()
      return not vim.lsp.get_client_by_id(id)
    end)
    t.rest(300)
    equal('clients of the buffer', #require('pending.client').all({ bufnr = 0 }), 0)
    -- Neovim itself may say that a question of its own came too late.
    for _, text in ipairs(t.said) do
      assert(not text:find('started again', 1, true) and not text:find('died', 1, true), text)
    end
    t.shows(0)
    vim.cmd('silent edit!')
    t.open(board)
  end
end)

step('starts for a command when there is no file yet', function()
  for _, client in ipairs(require('pending.client').all()) do
    vim.lsp.stop_client(client.id)
  end
  vim.cmd('silent %bwipeout!')
  t.eventually('no client is left', function()
    return #require('pending.client').all() == 0
  end)
  vim.cmd('Pending log')
  t.eventually('a float is open', function()
    return vim.api.nvim_win_get_config(0).relative ~= ''
  end)
  t.contains('log', t.buffer(), 'push')
  t.keys('q')
  t.eventually('the stack is known', function()
    return require('pending').status() == 'pending: AST Edit: 6 replacements in 1 file'
  end)
  vim.cmd('Pending discard')
  t.hears('Discarded')
end)

step('is restarted also when it has no file, and with what is set now', function()
  local before = require('pending.client').get().id
  local cmd = { t.bin, 'serve' }
  require('pending').setup({ cmd = cmd, init_options = { codeLens = false } })
  vim.cmd('Pending restart')
  t.hears('Restarted')
  t.eventually('another is there', function()
    local client = require('pending.client').get()
    return client and client.id ~= before
  end)
  local config = require('pending.client').get().config
  equal('command', config.cmd, cmd)
  equal('code lenses', config.init_options.codeLens, false)
  t.agent('edit', '-p', 'console.log($$$A)', '-r', 'logger.debug($$$A)', '-l', 'ts', '--push', 'web/src')
  t.eventually('it knows of a push', function()
    return require('pending').status() == 'pending: AST Edit: 9 replacements in 3 files'
  end)
  vim.cmd('Pending discard')
  t.hears('Discarded')
end)

t.run()
