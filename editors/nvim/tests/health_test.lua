-- :checkhealth, the help, the configuration.
local t = require('harness')
local step, equal = t.step, t.equal

---@return string
local function health()
  vim.cmd('silent checkhealth pending')
  local text = t.buffer()
  vim.cmd('silent bwipeout!')
  return text
end

step('says that there is no session yet', function()
  local text = health()
  t.contains('report', text, t.bin .. ': pending-lsp ')
  t.contains('report', text, 'no daemon is running')
  t.contains('report', text, 'no session yet')
  assert(not text:find('ERROR'), text)
end)

step('describes the session and the daemon', function()
  t.open('web/src/board.ts')
  t.push('console.log($$$A)', 'logger.debug($$$A)', 'web/src/board.ts')
  t.shows(6)
  local text = health()
  t.contains('report', text, 'OK daemon ')
  t.contains('report', text, 'protocol version 1')
  t.contains('report', text, ('workspace %s: 1 pending'):format(t.root))
  assert(not text:find('ERROR') and not text:find('WARNING'), text)
end)

step('reports on the client, its capabilities, and gives tips', function()
  vim.o.signcolumn = 'auto'
  local text = health()
  local client = assert(require('pending.client').get())
  t.contains('Neovim', text, 'OK Neovim ' .. tostring(vim.version()))
  t.contains('client', text, ('client %d (pending_lsp), attached to 1 buffer'):format(client.id))
  t.contains('capabilities', text, 'position encoding: ' .. client.offset_encoding)
  t.contains('tips', text, "'signcolumn' is auto: the text moves")
  t.contains('tips', text, "save = 'touched' writes those")
  t.contains('tips', text, ':Pending pick opens vim.ui.select')
  vim.o.signcolumn = 'yes'
  text = health()
  assert(not text:find("'signcolumn' is auto", 1, true), text)

  local capability = client.server_capabilities.experimental.pendingLsp
  local version, options, handler =
    capability.protocolVersion, client.config.init_options, client.handlers['workspace/applyEdit']
  capability.protocolVersion = 2
  client.config.init_options = {}
  client.handlers['workspace/applyEdit'] = nil
  text = health()
  t.contains('protocol', text, 'ERROR the server speaks protocol version 2, this plugin 1')
  t.contains('options', text, 'WARNING this client does not ask for pending-lsp/didChange')
  t.contains('handler', text, 'WARNING another handler applies edits')
  capability.protocolVersion, client.config.init_options = version, options
  client.handlers['workspace/applyEdit'] = handler
end)

step('looks at the daemon that the server would', function()
  local socket = vim.fn.tempname()
  require('pending').setup({ cmd = { t.bin, '--remote', 'unix;' .. socket } })
  t.contains('none', health(), 'no daemon is running')

  -- One of another protocol, one that hangs up, and what a daemon that was killed leaves.
  local answer ---@type string?
  local server = assert(vim.uv.new_pipe(false))
  assert(server:bind(socket))
  server:listen(8, function()
    local peer = assert(vim.uv.new_pipe(false))
    server:accept(peer)
    peer:read_start(function(_, chunk)
      if chunk and answer then
        peer:write(answer)
      elseif chunk then
        peer:close()
      end
    end)
  end)
  answer = '{"protocol":2,"error":"speak protocol 2"}\n'
  t.contains('refuses', health(), ('ERROR the daemon on %s refuses: "speak protocol 2"'):format(socket))
  answer = nil
  t.contains('hangs up', health(), ('WARNING no daemon answers on %s (it closed the connection)'):format(socket))
  server:close()
  t.write(socket, '')
  t.contains('nobody', health(), ('WARNING no daemon answers on %s (EC'):format(socket))

  require('pending').setup({ cmd = { t.bin, '-remote=none' } })
  t.contains('none wanted', health(), 'set to work without a daemon')
  local autostart = { cmd = { t.bin }, autostart = false }
  require('pending').setup(autostart)
  t.contains('daemon', health(), 'OK daemon ')
end)

step('says why there is no session', function()
  local client = assert(require('pending.client').get())
  vim.lsp.stop_client(client.id)
  t.eventually('it is gone', function()
    return #require('pending.client').all() == 0
  end)
  t.contains('session', health(), 'no session yet: autostart is off; :Pending restart starts it')
  vim.cmd('silent edit!')
  t.rest(300)
  equal('clients', #vim.lsp.get_clients(), 0)
  vim.cmd('Pending restart')
  t.hears('Started the server')
  t.shows(6)
  require('pending').setup({ cmd = { t.bin } })
end)

step('leaves the drawing of diagnostics to the user only when told to', function()
  vim.diagnostic.config({ virtual_text = { prefix = 'all:' } })
  local function drawn()
    for _, ns in pairs(vim.api.nvim_get_namespaces()) do
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, { details = true })) do
        for _, chunk in ipairs(mark[4].virt_text or {}) do
          local prefix = chunk[1]:match('%a+:')
          if prefix then
            return prefix
          end
        end
      end
    end
    return 'nothing'
  end
  for _, case in ipairs({
    { look = nil, want = 'nothing' },
    { look = true, want = 'all:' },
    { look = { virtual_text = { prefix = 'ours:' } }, want = 'ours:' },
    { look = false, want = 'nothing' },
  }) do
    require('pending').setup({ cmd = { t.bin }, diagnostics = case.look })
    local before = require('pending.client').get().id
    vim.cmd('Pending restart')
    t.hears('Restarted')
    t.eventually('the diagnostics of another client are in the list', function()
      local client = require('pending.client').get()
      local ns = client and client.id ~= before and vim.lsp.diagnostic.get_namespace(client.id)
      return ns and #vim.diagnostic.get(0, { namespace = ns }) == 6
    end)
    equal('drawn with ' .. vim.inspect(case.look), drawn(), case.want)
  end
  vim.diagnostic.config({ virtual_text = true })
  require('pending').setup({ cmd = { t.bin } })
  t.shows(6)
end)

step('finds mistakes in the configuration, and goes on with the defaults', function()
  require('pending').setup({ cmd = { 'no-such-program' }, sve = 'touched', show = { colour = 1 } })
  t.hears('unknown option show.colour; unknown option sve')
  local text = health()
  t.contains('report', text, 'ERROR unknown option sve')
  t.contains('report', text, 'ERROR no-such-program is not executable')
  require('pending').setup({ cmd = { t.bin }, save = 'all' })
  t.hears([[save: "all" is not one of: none, touched]])
  equal('save', require('pending.config').get().save, 'none')
  require('pending').setup({ cmd = { t.bin } })
end)

step('has help for every command, option and highlight group', function()
  local here = vim.fs.dirname(vim.api.nvim_get_runtime_file('plugin/pending.lua', false)[1])
  local doc = vim.fs.dirname(here) .. '/doc/pending.txt'
  local copy = vim.fn.tempname()
  vim.fn.mkdir(copy .. '/doc', 'p')
  vim.fn.writefile(vim.fn.readfile(doc), copy .. '/doc/pending.txt')
  vim.cmd('helptags ' .. copy .. '/doc') -- fails when a tag is there twice
  local tags = {}
  for _, line in ipairs(vim.fn.readfile(copy .. '/doc/tags')) do
    tags[line:match('^[^\t]+')] = true
  end
  local text = table.concat(vim.fn.readfile(doc), '\n')
  for name in pairs(require('pending.commands').commands) do
    assert(tags[':Pending-' .. name], 'no help for :Pending ' .. name)
  end
  for name in pairs(require('pending.config').get()) do
    assert(tags['pending-config-' .. name], 'no help for ' .. name)
  end
  for _, name in ipairs(vim.fn.getcompletion('Pending', 'highlight')) do
    assert(tags['hl-' .. name], 'no help for ' .. name)
  end
  for _, map in ipairs(vim.api.nvim_get_keymap('n')) do
    if map.lhs:find('^<Plug>%(pending') then
      t.contains('maps in the help', text, map.lhs)
    end
  end
  for tag in text:gmatch('|([^|%s]+)|') do
    local known = tags[tag] or #vim.fn.getcompletion(tag, 'help') > 0
    assert(known, ('the help points to |%s|, which is not there'):format(tag))
  end
end)

step('shows the new code at the end of the line instead, or only signs', function()
  local ns = vim.api.nvim_get_namespaces().pending
  local function texts()
    local out = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, { details = true })) do
      for _, chunk in ipairs(mark[4].virt_text or {}) do
        out[#out + 1] = chunk[1]
      end
    end
    return out
  end
  require('pending').setup({ cmd = { t.bin }, show = { style = 'eol' } })
  require('pending.ui').update(require('pending.client').get().id)
  equal('virtual lines', t.virtual_lines(), {})
  equal('second text', texts()[2], ' → logger.debug("board stopped")')
  require('pending').setup({ cmd = { t.bin }, show = { style = 'none' } })
  require('pending.ui').update(require('pending.client').get().id)
  equal('texts', texts(), {})
  equal('marks', #t.spots(), 6)
end)

t.run()
