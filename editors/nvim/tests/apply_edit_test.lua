-- workspace/applyEdit: all files or none, nothing stale, and everything of the user's where it was.
local t = require('harness')
local step, equal = t.step, t.equal

local board, client_ts, format = 'web/src/board.ts', 'web/src/client.ts', 'web/src/format.ts'
local original = {}

local function push(...)
  return t.push('console.log($$$A)', 'logger.debug($$$A)', ...)
end

---@param text string
local function rewritten(text)
  return (text:gsub('console%.log%(', 'logger.debug('))
end

---@return vim.lsp.Client
local function client()
  return assert(require('pending.client').get())
end

---An edit of one character at the start of files, for their current versions.
---@param versions table<string, integer|false> by file; false for one that is not open
local function insertion(versions)
  local changes = {}
  for _, name in ipairs(vim.tbl_keys(versions)) do
    local zero = { line = 0, character = 0 }
    table.insert(changes, {
      textDocument = { uri = vim.uri_from_fname(t.path(name)), version = versions[name] or nil },
      edits = { { range = { start = zero, ['end'] = zero }, newText = 'x' } },
    })
  end
  table.sort(changes, function(a, b)
    return a.textDocument.uri < b.textDocument.uri
  end)
  return { documentChanges = changes }
end

---@param name string
local function version(name)
  return require('pending.versions').of(vim.fn.bufnr(t.path(name)))
end

step('opens two files', function()
  for _, name in ipairs({ board, client_ts, format }) do
    original[name] = t.disk(name):gsub('\n$', '')
  end
  t.open(client_ts)
  t.open(board)
end)

step('refuses when the second file has changed, and changes neither', function()
  local edit = insertion({ [board] = version(board), [client_ts] = version(client_ts) - 1 })
  local result = require('pending.apply_edit').apply(edit, client())
  equal('applied', result.applied, false)
  equal('failed change', result.failedChange, 1)
  t.contains('reason', result.failureReason, 'client.ts has changed since')
  equal('first file', t.buffer(vim.fn.bufnr(t.path(board))), original[board])
end)

step('refuses what the server knows as open and is not', function()
  local result = require('pending.apply_edit').apply(insertion({ [format] = 3 }), client())
  equal('applied', result.applied, false)
  t.contains('reason', result.failureReason, 'format.ts is not open any more')
end)

step("refuses the agent's apply while something typed is on its way to the server", function()
  push(board)
  t.shows(6)
  local refused
  local apply_edit = require('pending.apply_edit')
  local handle = apply_edit.handle
  -- The user types just when the request arrives; the server cannot know.
  apply_edit.handle = function(...)
    apply_edit.handle = handle
    vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// typed' })
    refused = handle(...)
    return refused
  end
  -- The server asks once more when it has seen what was typed.
  t.agent('resolve', 'apply', '--reason', 'now')
  equal('applied at first', refused.applied, false)
  t.contains('reason', refused.failureReason, 'board.ts has changed since')
  equal('buffer', t.buffer(), '// typed\n' .. rewritten(original[board]))
  t.shows(0)
  vim.cmd('silent edit!')
end)

step('refuses an edit that was made before the line ends changed', function()
  local here = vim.api.nvim_get_current_buf()
  t.eventually('it is open again', function()
    return version(board)
  end)
  t.keys('ix<Esc>')
  local typed = t.buffer()
  local edit = insertion({ [board] = version(board) })
  local steps = vim.fn.undotree().seq_last
  vim.bo.fileformat = 'dos'
  require('pending.line_ends').changed(here) -- not called by itself while Neovim is starting
  local result = require('pending.apply_edit').apply(edit, client())
  equal('applied', result.applied, false)
  t.contains('reason', result.failureReason, 'board.ts has changed since')
  equal('buffer', t.buffer(), typed)
  equal('steps of undo', vim.fn.undotree().seq_last, steps)
  vim.cmd('silent write')
  vim.bo.fileformat = 'unix'
  vim.bo.fileformat = 'dos'
  equal('modified', vim.bo.modified, false)
  require('pending.line_ends').changed(here)
  equal('modified when all is as before', vim.bo.modified, false)
  t.write(board, original[board] .. '\n')
  vim.cmd('silent edit!')
end)

step('keeps marks, folds, the cursor and the view of every window', function()
  vim.cmd('silent edit!')
  t.sync()
  vim.cmd('setlocal foldmethod=manual')
  vim.cmd('13,20fold')
  vim.cmd('13,20foldclose')
  vim.cmd('normal! 25Gmm')
  vim.cmd('normal! 14Gmn')
  vim.cmd('split')
  vim.cmd('normal! 30Gzt')
  local other = vim.fn.winsaveview()
  vim.cmd('wincmd p')
  vim.cmd('normal! 27G$')
  local line, column = vim.api.nvim_get_current_line(), vim.fn.col('.')
  local before = vim.fn.winsaveview()
  t.push('console.log($A)', 'logger.debug(\n  $A,\n)', board)
  local spots = t.shows(2)
  local above = vim.tbl_filter(function(s)
    return s.row < 26
  end, spots)
  vim.cmd('Pending apply')
  t.hears('Applied')
  local added = 2 * #above
  assert(added > 0, 'no hunk above the cursor')
  equal('line of the cursor', vim.api.nvim_get_current_line(), line)
  equal('column', vim.fn.col('.'), column)
  equal('top line', vim.fn.line('w0'), before.topline + (before.topline > above[1].row and added or 0))
  equal('mark', vim.api.nvim_buf_get_mark(0, 'm')[1], 25 + added)
  assert(vim.fn.foldclosed(13) == 13, 'the fold is open')
  vim.cmd('wincmd p')
  local here = vim.fn.winsaveview()
  local moved = #vim.tbl_filter(function(s)
    return s.row < 29
  end, spots) * 2
  equal('cursor of the other window', here.lnum, other.lnum + moved)
  vim.cmd('close')
  vim.cmd('silent undo')
  equal('undone at once', t.buffer(), original[board])
  vim.cmd('silent edit!')
  vim.cmd('silent! normal! zE')
end)

step('leaves the cursors where they are in code that only partly changes', function()
  local text = 'console.log("board stopped")'
  t.go_to(text)
  vim.cmd('normal! fpmp')
  local row = vim.fn.line('.')
  vim.cmd('split')
  vim.cmd('normal! $')
  vim.cmd('wincmd p')
  push(board)
  t.shows(6)
  vim.cmd('Pending apply')
  t.hears('Applied')
  local function under()
    return vim.api.nvim_get_current_line():sub(vim.fn.col('.'))
  end
  equal('after the cursor', under(), 'pped");')
  equal('mark', vim.api.nvim_buf_get_mark(0, 'p'), { row, vim.fn.col('.') - 1 })
  vim.cmd('wincmd p')
  equal('after the cursor of the other window', under(), ';')
  vim.cmd('close')
  vim.cmd('silent edit!')
end)

step('keeps a mark on a line that goes', function()
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { 'note(', '  1,', '  2,', ');' })
  vim.api.nvim_buf_set_mark(0, 'q', 3, 2, {})
  t.push('note($A, $B)', 'note($A)', board)
  t.shows(1)
  vim.cmd('Pending apply')
  t.hears('Applied')
  equal('first line', vim.fn.getline(1), 'note(1);')
  assert(vim.api.nvim_buf_get_mark(0, 'q')[1] > 0, 'the mark is gone')
  vim.cmd('silent edit!')
end)

step('changes a modified buffer, a loaded one and a file that is not open together', function()
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// 📦 unsaved', 'console.log("📦", 1);' })
  local unsaved = t.buffer()
  push('web/src')
  t.shows(7)
  vim.cmd('Pending apply')
  t.hears('Applied')
  equal('modified buffer', t.buffer(), rewritten(unsaved))
  equal('its file', t.disk(board), original[board] .. '\n')
  local loaded = vim.fn.bufnr(t.path(client_ts))
  equal('loaded buffer', t.buffer(loaded), rewritten(original[client_ts]))
  equal('its file', t.disk(client_ts), original[client_ts] .. '\n')
  equal('file that is not open', t.disk(format), rewritten(original[format]) .. '\n')
  equal('it is loaded', vim.fn.bufloaded(t.path(format)), 0)
  vim.cmd('silent undo')
  equal('one undo', t.buffer(), unsaved)
  vim.cmd('silent edit!')
  vim.api.nvim_buf_call(loaded, function()
    vim.cmd('silent edit!')
  end)
  t.write(format, original[format] .. '\n')
end)

step('saves only the buffers that were clean, when asked to', function()
  require('pending').setup({ cmd = { t.bin }, save = 'touched' })
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// unsaved' })
  push(board, client_ts)
  t.shows(6)
  vim.cmd('Pending apply')
  t.hears('Applied')
  local loaded = vim.fn.bufnr(t.path(client_ts))
  t.eventually('the clean one is saved', function()
    return not vim.bo[loaded].modified
  end)
  equal('its file', t.disk(client_ts), rewritten(original[client_ts]) .. '\n')
  equal('the other is modified', vim.bo.modified, true)
  equal('its file', t.disk(board), original[board] .. '\n')
  vim.cmd('silent edit!')
  t.write(client_ts, original[client_ts] .. '\n')
  vim.api.nvim_buf_call(loaded, function()
    vim.cmd('silent edit!')
  end)
  require('pending').setup({ cmd = { t.bin } })
end)

step('refuses a buffer that cannot be changed, and says so', function()
  push(board, client_ts)
  t.shows(6)
  local loaded = vim.fn.bufnr(t.path(client_ts))
  for option, value in pairs({ modifiable = false, readonly = true }) do
    local was = vim.bo[loaded][option]
    vim.bo[loaded][option] = value
    vim.cmd('Pending apply')
    t.contains('reason', t.hears('client.ts'), "'" .. option .. "' is")
    equal('first file', t.buffer(), original[board])
    equal('still pending', #t.pending(), 1)
    vim.bo[loaded][option] = was
  end
end)

step('takes back what it did when a later file fails', function()
  local buffer_edit = require('pending.buffer_edit')
  local apply, calls = buffer_edit.apply, 0
  buffer_edit.apply = function(...)
    calls = calls + 1
    if calls == 2 then
      error('out of luck')
    end
    return apply(...)
  end
  vim.cmd('Pending apply')
  t.hears('out of luck')
  buffer_edit.apply = apply
  assert(calls >= 2, 'the second file was not tried')
  equal('first file', t.buffer(), original[board])
  equal('modified', vim.bo.modified, false)
  equal('still pending', #t.pending(), 1)
  vim.cmd('Pending discard')
  t.hears('Discarded')
end)

---Opens a file in another Vim.
---@param name string
---@return fun() close
local function open_elsewhere(name)
  vim.o.directory = '.'
  local swap = t.path(vim.fs.dirname(name) .. '/.' .. vim.fs.basename(name) .. '.swp')
  local command = { vim.env.NVIM_BIN, '--headless', '-u', 'NONE', '-i', 'NONE', '--cmd', 'set directory=.' }
  local process = vim.system(vim.list_extend(command, { t.path(name) }), { stdin = true })
  t.eventually('the other has it open', function()
    return vim.uv.fs_stat(swap)
  end)
  return function()
    process:kill(9)
    t.eventually('the other is gone', function()
      return process:is_closing()
    end)
    vim.uv.fs_unlink(swap)
  end
end

step('changes nothing when another Vim edits one of the files', function()
  local close = open_elsewhere(format)
  local edit = insertion({ [board] = version(board), [format] = false })
  local result = require('pending.apply_edit').apply(edit, client())
  equal('applied', result.applied, false)
  equal('failed change', result.failedChange, 1)
  t.contains('reason', result.failureReason, 'format.ts is being edited elsewhere')
  equal('first file', t.buffer(), original[board])
  equal('it is loaded', vim.fn.bufloaded(t.path(format)), 0)
  close()
end)

step('takes also the files that are not open, when the server is set to that', function()
  require('pending').setup({ cmd = { t.bin }, init_options = { apply = 'editor' } })
  vim.cmd('silent bwipeout! ' .. vim.fn.fnameescape(t.path(client_ts)))
  vim.cmd('Pending restart')
  t.hears('Restarted')
  t.open(board)
  push('web/src')
  t.shows(6)
  vim.cmd('Pending apply')
  t.hears('Applied')
  for _, name in ipairs({ board, client_ts, format }) do
    local bufnr = vim.fn.bufnr(t.path(name))
    equal(name, t.buffer(bufnr), rewritten(original[name]))
    equal(name .. ' on disk', t.disk(name), original[name] .. '\n')
    equal(name .. ' listed', vim.bo[bufnr].buflisted, true)
  end
  equal('pending', #t.pending(), 0)
end)

step('applies to a modified buffer and a file that is not loaded, all or none with one that another Vim has', function()
  vim.cmd('silent %bwipeout!')
  t.open(board)
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// unsaved' })
  push('web/src')
  t.shows(6)
  local close = open_elsewhere(format)
  vim.cmd('Pending apply')
  t.contains('reason', t.hears('format.ts'), 'is being edited elsewhere: it has a swap file')
  equal('modified buffer', t.buffer(), '// unsaved\n' .. original[board])
  for _, name in ipairs({ board, client_ts, format }) do
    equal(name .. ' on disk', t.disk(name), original[name] .. '\n')
  end
  equal('the file with a swap file is loaded', vim.fn.bufloaded(t.path(format)), 0)
  equal('pending', #t.pending()[1].files, 3)
  t.shows(6)
  close()
  vim.cmd('Pending apply')
  t.hears('Applied')
  equal('modified buffer', t.buffer(), '// unsaved\n' .. rewritten(original[board]))
  for _, name in ipairs({ client_ts, format }) do
    equal(name, t.buffer(vim.fn.bufnr(t.path(name))), rewritten(original[name]))
  end
  equal('pending', #t.pending(), 0)
end)

step('asks once before it applies, when the server is set to that', function()
  require('pending').setup({ cmd = { t.bin }, init_options = { confirm = true } })
  vim.cmd('silent %bwipeout!')
  t.open(client_ts)
  t.open(board)
  vim.cmd('Pending restart')
  t.hears('Restarted')
  push(board, client_ts)
  t.shows(6)
  local asked, answer = {}, 2
  local confirm = vim.fn.confirm
  vim.fn.confirm = function(question) ---@diagnostic disable-line: duplicate-set-field
    table.insert(asked, question)
    return answer
  end
  vim.cmd('Pending apply')
  t.hears('the user said no')
  equal('buffer', t.buffer(), original[board])
  equal('questions', #asked, 1)
  t.contains('question', asked[1], 'Apply 8 changes in web/src/board.ts, web/src/client.ts?')
  answer = 1
  vim.cmd('Pending apply')
  t.hears('Applied')
  equal('buffer', t.buffer(), rewritten(original[board]))
  vim.fn.confirm = confirm
end)

t.run()
