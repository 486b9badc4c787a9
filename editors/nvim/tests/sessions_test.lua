-- Several workspaces, other language servers, code actions and lenses, questions.
local t = require('harness')
local step, equal = t.step, t.equal

local board = 'web/src/board.ts'
local other = vim.fs.dirname(t.root) .. '/other'

local function push(...)
  return t.push('console.log($$$A)', 'logger.debug($$$A)', ...)
end

step('keeps the workspaces of two tab pages apart', function()
  assert(vim.system({ 'git', 'init', '-q', other }):wait().code == 0)
  t.write(other .. '/a.ts', 'console.log(1);\n')
  t.open(board)
  vim.cmd('tabnew')
  t.open(other .. '/a.ts')
  equal('clients', #require('pending.client').all(), 2)
  local done = t.try({ 'edit', '-p', 'console.log($A)', '-r', 'x($A)', '-l', 'ts', '--push' }, other)
  equal('exit code', done.code, 0)
  t.shows(1)
  equal('status here', require('pending').status(), 'pending: AST Edit: 1 replacement in 1 file')
  vim.cmd('tabprevious')
  equal('status there', require('pending').status(), '')
  push(board)
  t.shows(6)
  vim.cmd('Pending apply')
  t.hears('6 replacements')
  vim.cmd('tabnext')
  equal('buffer', t.buffer(), 'console.log(1);')
  vim.cmd('Pending apply')
  t.hears('1 replacement')
  equal('buffer', t.buffer(), 'x(1);')
  vim.cmd('silent write | tabclose')
  vim.cmd('silent edit!')
end)

---Another server, inside this Neovim: it has a code action with an edit to resolve and a command, and tells what it is
---sent. What its command does is ask for an edit, as ours does.
---@param seen table<string, any[]> params by method
---@return integer client_id
local function start_other(seen)
  local zero = { line = 0, character = 0 }
  local range = { start = zero, ['end'] = zero }
  local function edit(text)
    -- No version, nothing to check: Neovim's own handler is to take it as it is.
    return { changes = { [vim.uri_from_bufnr(0)] = { { range = range, newText = text } } } }
  end
  return assert(vim.lsp.start({
    name = 'other',
    root_dir = t.root,
    cmd = function(dispatchers)
      local closing, requests = false, 0
      local answers = {
        initialize = {
          capabilities = {
            textDocumentSync = 1,
            codeActionProvider = { resolveProvider = true },
            executeCommandProvider = { commands = { 'other.apply' } },
          },
        },
        ['textDocument/codeAction'] = {
          { title = 'Other', kind = 'refactor', command = { title = 'Other', command = 'other.apply' } },
        },
      }
      return {
        request = function(method, params, callback)
          seen[method] = seen[method] or {}
          table.insert(seen[method], params)
          local answer = answers[method] or vim.NIL
          if method == 'codeAction/resolve' then
            answer = vim.tbl_extend('force', params, { edit = edit('// resolved\n') })
          end
          vim.schedule(function()
            if method == 'workspace/executeCommand' then
              dispatchers.server_request('workspace/applyEdit', { edit = edit('// asked for\n') })
            end
            callback(nil, answer)
          end)
          requests = requests + 1
          return true, requests
        end,
        notify = function(method, params)
          seen[method] = seen[method] or {}
          table.insert(seen[method], params)
          return true
        end,
        is_closing = function()
          return closing
        end,
        terminate = function()
          closing = true
          dispatchers.on_exit(0, 15)
        end,
      }
    end,
  }))
end

---Takes the code action at the cursor whose title begins so, and says what else there was.
---@param title string
---@return string[] titles
local function take(title)
  local titles = {}
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      titles[#titles + 1] = action.title
      return vim.startswith(action.title, title)
    end,
  })
  t.eventually('the code actions are there', function()
    return #titles > 0
  end)
  return titles
end

step("leaves what is Neovim's and other clients' alone", function()
  equal('handler', vim.lsp.handlers['workspace/applyEdit'], require('vim.lsp.handlers')['workspace/applyEdit'])
  for name in pairs(vim.lsp.commands) do
    assert(not name:find('pending', 1, true), name .. ' is there for all clients')
  end
end)

step('lives beside another client', function()
  vim.cmd('silent edit!')
  local original = t.buffer()
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// typed' })
  t.sync()
  local seen, asked, heard = {}, 0, 0
  local apply_edit, stack = require('pending.apply_edit'), require('pending.stack')
  local handle, on_diagnostics = apply_edit.handle, stack.on_diagnostics
  apply_edit.handle = function(...)
    asked = asked + 1
    return handle(...)
  end
  local id = start_other(seen)
  t.eventually('the other has the file', function()
    return seen['textDocument/didOpen']
  end)
  equal('ours', require('pending.client').get().name, 'pending_lsp')
  -- Neovim 0.10 has just set the version that all clients share back to 0.
  push(board)
  t.shows(6)

  t.go_to('console.log(')
  local titles = take('Other')
  assert(vim.tbl_contains(titles, 'Other') and #titles > 2, vim.inspect(titles))
  t.eventually("the other's edits are there", function()
    return vim.startswith(t.buffer(), '// asked for\n// resolved\n// typed\n')
  end)
  equal('commands sent to the other', #seen['workspace/executeCommand'], 1)
  equal('edits through our handler', asked, 0)
  equal('pending', #t.pending(), 1)

  t.go_to('console.log(')
  take('Apply: ')
  t.hears('Applied')
  local applied = original:gsub('console%.log%(', 'logger.debug(')
  equal('buffer', t.buffer(), '// asked for\n// resolved\n// typed\n' .. applied)
  equal('commands sent to the other', #seen['workspace/executeCommand'], 1)
  equal('resolves sent to the other', #seen['codeAction/resolve'], 1)

  -- Diagnostics that look like ours and are not.
  stack.on_diagnostics = function(...)
    heard = heard + 1
    return on_diagnostics(...)
  end
  vim.lsp.handlers['textDocument/publishDiagnostics'](nil, {
    uri = vim.uri_from_bufnr(0),
    diagnostics = {},
  }, { method = 'textDocument/publishDiagnostics', client_id = id })
  equal('diagnostics of the other that reach us', heard, 0)
  apply_edit.handle, stack.on_diagnostics = handle, on_diagnostics
  vim.cmd('silent edit!')
  t.sync()
  vim.lsp.stop_client(id, true)
  t.eventually('the other is gone', function()
    return not vim.lsp.get_client_by_id(id)
  end)
  equal('ours', #require('pending.client').all({ bufnr = 0 }), 1)
  push(board)
  t.shows(6)
  vim.cmd('Pending discard')
  t.hears('Discarded')
end)

step('shows the diff when a code action asks for it', function()
  push(board)
  t.shows(6)
  t.go_to('console.log(')
  local asked
  vim.lsp.buf.code_action({
    filter = function(action)
      asked = asked or (action.command and action.command.command == 'pending-lsp.preview')
      return action.command and action.command.command == 'pending-lsp.preview'
    end,
    apply = true,
  })
  t.eventually('a tab with the diff is open', function()
    return #vim.api.nvim_list_tabpages() == 2
  end)
  assert(asked)
  vim.cmd('normal q')
  equal('tab pages', #vim.api.nvim_list_tabpages(), 1)
end)

step('tells what came of a code lens', function()
  t.shows(6)
  local lens = vim.lsp.codelens
  if lens.enable then
    lens.enable(true, { bufnr = 0 })
  else
    lens.refresh({ bufnr = 0 })
  end
  local lenses = t.eventually('the lenses are there', function()
    local all = lens.get(lens.enable and { bufnr = 0 } or 0)
    return #all >= 3 and all
  end)
  local first = lenses[1].lens or lenses[1]
  vim.api.nvim_win_set_cursor(0, { first.range.start.line + 1, 0 })
  local select, titles = vim.ui.select, {}
  vim.ui.select = function(items, options, choose) ---@diagnostic disable-line: duplicate-set-field
    for i, item in ipairs(items) do
      titles[i] = options.format_item(item)
      if titles[i]:find('Discard', 1, true) then
        return choose(item, i)
      end
    end
  end
  lens.run()
  t.contains('user is told', t.hears('Discarded'), 'Discarded in the editor')
  vim.ui.select = select
  t.shows(0)
  push(board)
  t.shows(6)
end)

step('asks once more when something happens while it asks, and passes on both', function()
  local client = require('pending.client')
  local stack = require('pending.stack')
  local id = client.get().id
  local execute, asked, causes = client.execute, 0, {}
  client.execute = function(c, command, ...)
    asked = asked + (command == 'list' and 1 or 0)
    return execute(c, command, ...)
  end
  local watch = vim.api.nvim_create_autocmd('User', {
    pattern = 'PendingChanged',
    callback = function(event)
      table.insert(causes, event.data.cause)
    end,
  })
  stack.refresh(id, { cause = 'one' })
  stack.refresh(id, { cause = 'two' })
  stack.refresh(id, { cause = 'three' })
  t.eventually('all are passed on', function()
    return #causes == 3
  end)
  client.execute = execute
  vim.api.nvim_del_autocmd(watch)
  table.sort(causes)
  equal('causes', causes, { 'one', 'three', 'two' })
  equal('asked', asked, 2)
end)

step('waits with what is about an older text until typing stops', function()
  local stack = require('pending.stack')
  local client = require('pending.client').get()
  local refresh, asked = stack.refresh, 0
  stack.refresh = function(...)
    asked = asked + 1
    return refresh(...)
  end
  local version = require('pending.versions').of(vim.api.nvim_get_current_buf())
  local old = { uri = vim.uri_from_bufnr(0), version = version - 1, diagnostics = {} }
  stack.on_diagnostics(old, client.id)
  stack.on_diagnostics(old, client.id)
  equal('asked at once', asked, 0)
  equal('hunks', #t.spots(), 6)
  t.eventually('it has asked', function()
    return asked > 0
  end)
  t.rest(300)
  equal('asked', asked, 1)
  stack.refresh = refresh
  t.shows(6)
end)

step('shows nothing in a changed buffer that it has left', function()
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// typed' })
  vim.lsp.buf_detach_client(0, require('pending.client').get().id)
  t.shows(0)
  vim.cmd('silent edit!')
  t.open(board)
  t.shows(6)
end)

step("asks before an agent's apply, when the server is set to that", function()
  vim.cmd('Pending discard')
  t.hears('Discarded')
  t.shows(0)
  vim.cmd('silent %bwipeout!')
  for _, client in ipairs(require('pending.client').all()) do
    vim.lsp.stop_client(client.id)
  end
  require('pending').setup({ cmd = { t.bin }, init_options = { approval = 'editor' } })
  t.eventually('no client is left', function()
    return #require('pending.client').all() == 0
  end)
  t.open(board)
  local original = t.buffer()
  push(board)
  t.shows(6)
  local select, answer, asked = vim.ui.select, 2, {}
  vim.ui.select = function(items, options, choose) ---@diagnostic disable-line: duplicate-set-field
    table.insert(asked, options.prompt)
    choose(items[answer], answer)
  end
  local apply = { 'resolve', 'apply', '--reason', 'it is safe' }
  local done = t.try(apply)
  equal('exit code when refused', done.code, 3)
  t.contains('question', asked[1], 'wants to apply "AST Edit: 6 replacements in 1 file": it is safe')
  equal('buffer', t.buffer(), original)
  equal('pending', #t.pending(), 1)
  answer = 1
  equal('exit code', t.try(apply).code, 0)
  equal('questions', #asked, 2)
  equal('pending', #t.pending(), 0)
  vim.ui.select = select
end)

t.run()
