-- Neovim with no plugin at all against the real server: what any LSP client gets.
-- Run by e2e_test.go as `nvim -u NONE -i NONE -l plain_lsp.lua`, with PENDING_LSP_BIN the server and
-- DEMO_DIR a repository it may change. Prints TAP; stops at the first failure.

local bin = assert(vim.env.PENDING_LSP_BIN, 'PENDING_LSP_BIN is not set')
local root = assert(vim.uv.fs_realpath(vim.env.DEMO_DIR or error('DEMO_DIR is not set')))

local APPLY = 'refactor.rewrite.pending.apply'
local DISCARD = 'refactor.rewrite.pending.discard'
local PATIENCE = 20000 -- ms; a bound for a loaded machine, not an expectation

local client ---@type integer
local said = {} -- what Neovim told the user, to explain a failure
vim.notify = function(msg) ---@diagnostic disable-line: duplicate-set-field
  said[#said + 1] = msg
end
print = function(...) ---@diagnostic disable-line: lowercase-global
  said[#said + 1] = table.concat({ ... }, ' ')
end
vim.fn.confirm = function()
  error('Neovim asked for a confirmation')
end

-- Without typed keys Neovim would merge several applyEdits into one undo step, so they are counted too.
local applied = 0
local apply_edit = vim.lsp.handlers['workspace/applyEdit']
vim.lsp.handlers['workspace/applyEdit'] = function(...)
  applied = applied + 1
  return apply_edit(...)
end

-- An Ex command without its message, which would end up in the middle of the TAP.
local function ex(command, ...)
  vim.cmd({ cmd = command, args = { ... }, mods = { silent = true } })
end

---@param what string
---@param condition fun(): any
local function eventually(what, condition)
  if not vim.wait(PATIENCE, condition, 20) then
    error('timed out waiting until ' .. what, 2)
  end
end

---@param what string
local function equal(what, got, want)
  if not vim.deep_equal(got, want) then
    error(('%s:\n--- got\n%s\n--- want\n%s'):format(what, vim.inspect(got), vim.inspect(want)), 2)
  end
end

local function path(name)
  return root .. '/' .. name
end

local function disk(name)
  local f = assert(io.open(path(name), 'rb'))
  local text = f:read('a')
  f:close()
  return text
end

local function buffer()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'
end

-- The other process: an agent with the command line.
local function agent(...)
  local done = vim.system({ bin, ... }, { cwd = root, text = true }):wait(PATIENCE)
  local ran = table.concat({ ... }, ' ')
  assert(done.code == 0, ('pending-lsp %s: exit %d\n%s%s'):format(ran, done.code, done.stdout, done.stderr))
  return done.stdout
end

-- The code actions that may be taken at the cursor, of all kinds.
local function offered()
  local params = vim.lsp.util.make_range_params(0, vim.lsp.get_client_by_id(client).offset_encoding)
  params.context = { diagnostics = {} } ---@diagnostic disable-line: inject-field
  local answers = assert(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, PATIENCE))
  return vim.tbl_filter(function(action)
    return not action.disabled
  end, answers[client].result)
end

local function push(...)
  offered() -- Neovim holds didChange back for 150 ms, but never past a request
  return agent('edit', '-p', 'console.log($$$A)', '-r', 'logger.debug($$$A)', '-l', 'typescript', '--push', ...)
end

-- What push turns a text into, found without the server: no call spans a nested console.log.
local function rewritten(text)
  return (text:gsub('console%.log%(', 'logger.debug('))
end

local function marks()
  return vim.tbl_filter(function(d)
    return d.source == 'pending-lsp'
  end, vim.diagnostic.get(0))
end

local function marked()
  eventually('the buffer has a pending-lsp diagnostic', function()
    return #marks() > 0
  end)
  return marks()
end

-- An action is popped last, so once it is gone every file has been written.
---@param left? integer pending actions, none unless given
local function settled(left)
  eventually('the diagnostics are gone', function()
    return #marks() == 0
  end)
  eventually('the action is popped', function()
    return #vim.json.decode(agent('list', '--json')).actions == (left or 0)
  end)
end

local function go_to_first_mark()
  local first = marked()[1]
  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
end

-- Takes the code action of the given kind where the first diagnostic is, as a user would.
local function choose(kind)
  go_to_first_mark()
  local seen = {}
  local took
  vim.lsp.buf.code_action({
    context = { only = { kind } },
    filter = function(action)
      seen[#seen + 1] = action
      if took or action.kind ~= kind or action.disabled then
        return false
      end
      took = action
      return true
    end,
    apply = true,
  })
  if not vim.wait(PATIENCE, function()
    return took
  end, 20) then
    error(('no code action of kind %s to choose; offered: %s'):format(kind, vim.inspect(seen)), 2)
  end
end

local function open(name)
  ex('edit', path(name))
  vim.bo.filetype = 'typescript'
  client = assert(vim.lsp.start({ name = 'pending-lsp', cmd = { bin }, root_dir = root }))
  eventually('the server has initialized', function()
    local c = vim.lsp.get_client_by_id(client)
    return c and c.initialized and vim.lsp.buf_is_attached(0, client)
  end)
end

local steps = {}
local function step(name, run)
  steps[#steps + 1] = { name = name, run = run }
end

local board, original = 'web/src/board.ts', nil

step('attaches without a plugin', function()
  open(board)
  original = buffer()
  assert(original:find('console.log(', 1, true), 'the sample has nothing to rewrite')
  equal('diagnostics before anything is pending', marks(), {})
end)

step("shows another process's edit where it would change the code", function()
  push(board)
  for _, d in ipairs(marked()) do
    local line = vim.api.nvim_buf_get_lines(0, d.lnum, d.lnum + 1, true)[1]
    assert(
      line:find('console.log(', d.col + 1, true) == d.col + 1,
      ('the diagnostic %d:%d is on %q'):format(d.lnum, d.col, line)
    )
  end
  local _, calls = original:gsub('console%.log%(', '')
  equal('diagnostics', #marks(), calls)
  equal('the buffer while pending', buffer(), original)
end)

step('applies it through the buffer', function()
  choose(APPLY)
  eventually('the buffer holds the new text', function()
    return buffer() == rewritten(original)
  end)
  settled()
  equal('the file, which is open and so not written', disk(board), original)
  equal('applyEdits asked of the editor', applied, 1)
end)

step('undoes it in one step', function()
  ex('undo')
  equal('the buffer after undo', buffer(), original)
  equal('modified after undo', vim.bo.modified, false)
  ex('redo')
  equal('the buffer after redo', buffer(), rewritten(original))
  ex('undo')
end)

step('discards the next and changes nothing', function()
  push(board)
  choose(DISCARD)
  settled()
  equal('the buffer', buffer(), original)
  equal('the file', disk(board), original)
end)

step('offers only the top of the stack', function()
  local above = 'web/src/format.ts'
  push(board)
  push(above)
  go_to_first_mark()
  for _, action in ipairs(offered()) do
    local resolves = action.command.arguments[1]
    assert(not resolves.action or resolves.cascade, 'the action below is offered alone: ' .. action.title)
  end
  open(above)
  go_to_first_mark()
  assert(#offered() > 0, 'no code action of the top')
  choose(DISCARD)
  settled(1)
  vim.cmd('silent bwipeout')
  equal('the buffer shown again', vim.api.nvim_buf_get_name(0), path(board))
  choose(DISCARD)
  settled()
end)

step('applies an unsaved buffer and closed files together', function()
  local closed = { 'web/src/client.ts', 'web/src/format.ts' }
  local before = {}
  for _, name in ipairs(closed) do
    before[name] = disk(name)
  end
  local unsaved = { '// 📦 unsaved', 'console.log("📦", 1);' }
  vim.api.nvim_buf_set_lines(0, 0, 0, true, unsaved)
  vim.bo.undolevels = vim.bo.undolevels -- closes the undo step, as the next typed key would
  local edited = buffer()

  push('web/src')
  equal('the first diagnostic, on the unsaved line', marked()[1].lnum, 1)
  choose(APPLY)
  eventually('the buffer holds the new text', function()
    return buffer() == rewritten(edited)
  end)
  settled()
  for _, name in ipairs(closed) do
    equal(name .. ' on disk', disk(name), rewritten(before[name]))
    equal(name .. ' loaded into the editor', vim.fn.bufloaded(path(name)), 0)
  end
  equal('the open file on disk', disk(board), original)
  equal('applyEdits asked of the editor', applied, 2)

  ex('undo')
  equal('the buffer after one undo', buffer(), edited)
  ex('redo')
  ex('write')
  equal('the open file, saved', disk(board), rewritten(edited))
end)

local function say(line)
  io.stdout:write(line, '\n')
  io.stdout:flush()
end

say('1..' .. #steps)
for i, s in ipairs(steps) do
  local ok, why = xpcall(s.run, debug.traceback)
  if not ok then
    say(('not ok %d - %s'):format(i, s.name))
    for _, text in ipairs({ why, 'Neovim said: ' .. vim.inspect(said) }) do
      say('# ' .. text:gsub('\n', '\n# '))
    end
    vim.cmd.cquit()
  end
  say(('ok %d - %s'):format(i, s.name))
end
