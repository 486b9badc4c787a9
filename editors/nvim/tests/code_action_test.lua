-- Code actions that are previewed before they are applied, step by step as actions-preview.nvim and fzf-lua do it
-- (neither can be had here): codeAction/resolve, the edits on a copy of each file, then Neovim's own
-- apply_workspace_edit and the command.
local t = require('harness')
local step, equal = t.step, t.equal

local board, client_ts, format = 'web/src/board.ts', 'web/src/client.ts', 'web/src/format.ts'
local original = {}

---What the server asked the editor to edit, of its own.
local asked = 0

---@param text string
local function rewritten(text)
  return (text:gsub('console%.log%(', 'logger.debug('))
end

---@param name string
local function loaded(name)
  return vim.fn.bufnr(t.path(name))
end

local function push(...)
  return t.push('console.log($$$A)', 'logger.debug($$$A)', ...)
end

---@return vim.lsp.Client
local function client()
  return assert(require('pending.client').get())
end

---@param method string
---@param params table
local function request(method, params)
  local err, result, answered
  local function answer(...)
    err, result = ...
    answered = true
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client():request(method, params, answer, 0)
  else
    client().request(method, params, answer, 0)
  end
  t.eventually(method .. ' is answered', function()
    return answered
  end)
  assert(not err, vim.inspect(err))
  return result
end

---The code action whose title begins so, at the first pending hunk, resolved.
---@param title string
local function resolved(title)
  t.go_to('console.log(')
  local params = vim.lsp.util.make_range_params(0, client().offset_encoding)
  params.context = { diagnostics = {} } ---@diagnostic disable-line: inject-field
  local titles = {}
  for _, action in ipairs(request('textDocument/codeAction', params)) do
    if vim.startswith(action.title, title) then
      assert(not action.edit, 'it has an edit before it is resolved')
      return request('codeAction/resolve', action)
    end
    titles[#titles + 1] = action.title
  end
  error(('no code action %s among %s'):format(title, vim.inspect(titles)))
end

---The new texts of the files of a code action.
---@return table<string, string>
local function preview(action)
  local out = {}
  for _, change in ipairs(action.edit and action.edit.documentChanges or {}) do
    local bufnr = vim.uri_to_bufnr(change.textDocument.uri)
    equal('annotation, which Neovim 0.12 would fail on', change.edits[1].annotationId, nil)
    local copy = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_lines(copy, 0, -1, false, vim.api.nvim_buf_get_lines(bufnr, 0, -1, false))
    vim.lsp.util.apply_text_edits(change.edits, copy, client().offset_encoding)
    out[vim.uri_to_fname(change.textDocument.uri):sub(#t.root + 2)] = t.buffer(copy)
    vim.api.nvim_buf_delete(copy, { force = true })
  end
  return out
end

local function confirm(action)
  if action.edit then
    vim.lsp.util.apply_workspace_edit(action.edit, client().offset_encoding)
  end
  local run = client().commands[action.command.command]
  run(action.command, { client_id = client().id, bufnr = vim.api.nvim_get_current_buf() })
end

---Both open files are as they were, or as they are to be.
---@param text fun(text: string): string
local function both(text)
  for _, name in ipairs({ board, client_ts }) do
    equal(name, t.buffer(loaded(name)), text(original[name]))
  end
end

local function as_it_was(text)
  return text
end

local function start_over()
  for _, name in ipairs({ board, client_ts }) do
    t.write(name, original[name] .. '\n')
    vim.api.nvim_buf_call(loaded(name), function()
      vim.cmd('silent edit!')
    end)
  end
  t.write(format, original[format] .. '\n')
  t.sync()
  asked = 0
end

step('opens two files of three', function()
  for _, name in ipairs({ board, client_ts, format }) do
    original[name] = t.disk(name):gsub('\n$', '')
  end
  t.open(client_ts)
  t.open(board)
  local apply_edit = require('pending.apply_edit')
  local handle = apply_edit.handle
  apply_edit.handle = function(...)
    asked = asked + 1
    return handle(...)
  end
end)

step('previews the files that are open, and changes nothing by that', function()
  local heard = {}
  local watch = vim.api.nvim_create_autocmd('User', {
    pattern = 'PendingChanged',
    callback = function(event)
      table.insert(heard, event.data.cause)
    end,
  })
  push('web/src')
  t.shows(6)
  t.eventually('the push is told', function()
    return vim.tbl_contains(heard, 'push')
  end)
  heard = {}
  local ticks = { vim.b[loaded(board)].changedtick, vim.b[loaded(client_ts)].changedtick }
  for _, title in ipairs({ 'Apply: ', 'Apply only this change', 'Apply only this file', 'Apply: ' }) do
    assert(next(preview(resolved(title))), title .. ' has no preview')
  end
  equal('whole', preview(resolved('Apply: ')), {
    [board] = rewritten(original[board]),
    [client_ts] = rewritten(original[client_ts]),
  })
  local one = preview(resolved('Apply only this change'))
  equal('files of one change', vim.tbl_keys(one), { board })
  equal('calls left', select(2, one[board]:gsub('console%.log%(', '')), 5)
  equal('edit to discard', resolved('Discard: ').edit, nil)
  equal('edit to show', resolved('Show diff: ').edit, nil)
  both(as_it_was)
  equal('ticks', { vim.b[loaded(board)].changedtick, vim.b[loaded(client_ts)].changedtick }, ticks)
  equal('hunks pending', #t.pending()[1].files, 3)
  vim.api.nvim_del_autocmd(watch)
  equal('events', heard, {})
end)

step('applies it once when it is confirmed', function()
  local action = resolved('Apply: ')
  preview(action)
  confirm(action)
  t.contains('user is told', t.hears('Applied'), 'AST Edit: 9 replacements in 3 files')
  both(rewritten)
  equal('file that is not open', t.disk(format), rewritten(original[format]) .. '\n')
  equal('edits of the server', asked, 0)
  equal('pending', #t.pending(), 0)
  t.shows(0)
  confirm(action)
  t.hears('was applied already')
  both(rewritten)
  vim.cmd('silent undo')
  equal('after one undo', t.buffer(), original[board])
  start_over()
end)

step("applies it once with Neovim's own menu, one hunk too", function()
  push(board, client_ts)
  t.shows(6)
  for _, title in ipairs({ 'Apply only this change', 'Apply: ' }) do
    t.go_to('console.log(')
    vim.lsp.buf.code_action({
      apply = true,
      filter = function(action)
        return vim.startswith(action.title, title)
      end,
    })
    t.hears('Applied')
  end
  both(rewritten)
  equal('edits of the server', asked, 0)
  equal('pending', #t.pending(), 0)
  start_over()
end)

step('leaves a file alone that has changed since, and applies what is right for it', function()
  push(board, client_ts)
  t.shows(6)
  local action = resolved('Apply: ')
  equal('files', vim.tbl_count(preview(action)), 2)
  vim.api.nvim_buf_set_lines(loaded(client_ts), 0, 0, true, { '// typed', '// typed' })
  confirm(action)
  t.hears('Applied')
  equal('first file', t.buffer(), rewritten(original[board]))
  equal('second file', t.buffer(loaded(client_ts)), '// typed\n// typed\n' .. rewritten(original[client_ts]))
  equal('edits of the server', asked, 1)
  start_over()
end)

step('applies nothing when somebody else has decided meanwhile', function()
  push(board, client_ts)
  t.shows(6)
  local action = resolved('Apply: ')
  preview(action)
  t.agent('resolve', 'discard', '--reason', 'no')
  t.shows(0)
  confirm(action)
  t.hears('was discarded already')
  both(as_it_was)
end)

step('refuses what was on top when it was offered and is not any more', function()
  push(board, client_ts)
  t.shows(6)
  local action = resolved('Apply: ')
  preview(action)
  t.agent('edit', '-p', 'lastScan($A)', '-r', 'latestScan($A)', '-l', 'ts', '--push', board)
  t.eventually('two are pending', function()
    return #require('pending').actions() == 2
  end)
  confirm(action)
  t.hears('is not on top')
  both(as_it_was)
  equal('pending', #t.pending(), 2)
  t.agent('resolve', 'discard', '--reason', 'no')
  t.eventually('one is pending', function()
    return #require('pending').actions() == 1
  end)
end)

step('has no edit for a file that cannot be changed, and its command says why', function()
  vim.bo[loaded(client_ts)].modifiable = false
  local action = resolved('Apply: ')
  equal('edit', action.edit, nil)
  confirm(action)
  t.contains('reason', t.hears('client.ts'), "'modifiable' is off")
  both(as_it_was)
  vim.bo[loaded(client_ts)].modifiable = true
end)

step('saves the buffers that were clean, when asked to', function()
  require('pending').setup({ cmd = { t.bin }, save = 'touched' })
  asked = 0
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// unsaved' })
  t.sync()
  confirm(resolved('Apply: '))
  t.hears('Applied')
  t.eventually('the clean one is saved', function()
    return not vim.bo[loaded(client_ts)].modified
  end)
  equal('its file', t.disk(client_ts), rewritten(original[client_ts]) .. '\n')
  equal('the other', t.buffer(), '// unsaved\n' .. rewritten(original[board]))
  equal('its file', t.disk(board), original[board] .. '\n')
  equal('edits of the server', asked, 0)
  require('pending').setup({ cmd = { t.bin } })
  start_over()
end)

step('leaves the question to the command, when the server is set to ask', function()
  require('pending').setup({ cmd = { t.bin }, init_options = { confirm = true } })
  vim.cmd('Pending restart')
  t.hears('Restarted')
  push(board, client_ts)
  t.shows(6)
  local questions = 0
  vim.fn.confirm = function() ---@diagnostic disable-line: duplicate-set-field
    questions = questions + 1
    return 1
  end
  local action = resolved('Apply: ')
  equal('edit', action.edit, nil)
  confirm(action)
  t.hears('Applied')
  both(rewritten)
  equal('questions', questions, 1)
end)

step('refuses a disabled action, also when its command is run all the same', function()
  require('pending').setup({ cmd = { t.bin } })
  -- Neovim 0.10 does not know of disabled actions; here it says so and runs them.
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.textDocument.codeAction.disabledSupport = true
  local old = client()
  vim.lsp.stop_client(old.id)
  t.eventually('the server is gone', function()
    return not vim.lsp.get_client_by_id(old.id)
  end)
  local config = require('pending.client').config()
  config.capabilities, config.root_dir = capabilities, t.root
  for _, name in ipairs({ board, client_ts }) do
    vim.lsp.start(config, { bufnr = loaded(name) })
  end
  t.eventually('another is there', function()
    return #require('pending.client').all({ bufnr = 0 }) > 0
  end)
  start_over()
  push(board, client_ts)
  push(format)
  t.shows(6)
  local action = resolved('Apply: ')
  t.contains('reason', action.disabled.reason, '1 pending action above it')
  equal('edit', action.edit, nil)
  confirm(action)
  t.hears('is not on top')
  both(as_it_was)
  equal('pending', #t.pending(), 2)
  if vim.fn.has('nvim-0.12') == 1 then
    vim.lsp.buf.code_action({
      apply = true,
      filter = function(offered)
        return offered.title == action.title
      end,
    })
    t.hears('1 pending action above it')
  end
  equal('pending', #t.pending(), 2)
end)

t.run()
