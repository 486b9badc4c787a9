-- Reviewing: an agent in another process pushes, the user sees, applies, discards, takes back.
local t = require('harness')
local step, equal = t.step, t.equal

local board = 'web/src/board.ts'
local original, changed = nil, {}

---@param text string
local function rewritten(text)
  return (text:gsub('console%.log%(', 'logger.debug('))
end

local function push(...)
  return t.push('console.log($$$A)', 'logger.debug($$$A)', ...)
end

local function gone()
  t.shows(0)
  equal('pending', #t.pending(), 0)
end

step('loads next to nothing until there is a file', function()
  equal('status', require('pending').status(), '')
  -- Neovim 0.12 reads what is needed to start the server at once.
  local early = { ['pending.client'] = true, ['pending.config'] = true }
  for name in pairs(package.loaded) do
    assert(early[name] or not name:find('^pending%.'), name .. ' is loaded')
  end
end)

step('attaches by itself and tells the status line', function()
  vim.api.nvim_create_autocmd('User', {
    pattern = 'PendingChanged',
    callback = function(event)
      table.insert(changed, event.data)
    end,
  })
  t.open(board)
  original = t.buffer()
  equal('hunks', #t.spots(), 0)
end)

step('shows what is pushed where it would change the code, without taking the focus', function()
  vim.cmd('new')
  local focus = vim.api.nvim_get_current_win()
  local bufnr = vim.fn.bufnr(t.path(board))
  push(board)
  t.shows(6, bufnr)
  equal('window', vim.api.nvim_get_current_win(), focus)
  vim.cmd('close')
  for _, text in ipairs(t.marked()) do
    assert(text:find('^console%.log%(.*%)$'), text .. ' is marked')
  end
  equal(
    'first line shown',
    t.virtual_lines()[1],
    '    logger.debug("board started, refreshing every", refreshEvery, "ms");'
  )
  equal('buffer', t.buffer(), original)
  t.eventually('the autocommand has come', function()
    return #changed > 0
  end)
  equal('cause', changed[#changed].cause, 'push')
  equal('depth', changed[#changed].depth, 1)
  equal('status', require('pending').status(), 'pending: AST Edit: 6 replacements in 1 file')
  equal('diagnostics in the list', #vim.diagnostic.get(bufnr), 6)
end)

step('applies it, one step of undo after what was typed', function()
  t.keys('ggO// mine')
  vim.cmd('Pending apply looks right')
  t.hears('Reason: looks right')
  equal('buffer', t.buffer(), '// mine\n' .. rewritten(original))
  gone()
  equal('status', require('pending').status(), '')
  vim.cmd('silent undo')
  equal('after one undo', t.buffer(), '// mine\n' .. original)
  vim.cmd('silent undo')
  equal('after two', t.buffer(), original)
end)

step('discards with a reason that reaches the agent', function()
  push(board)
  t.shows(6)
  local verdict
  vim.system({ t.bin, 'await', t.pending()[1].id }, { cwd = t.root, text = true }, function(done)
    verdict = done
  end)
  vim.cmd('Pending discard these stay as they are')
  t.hears('Discarded: AST Edit: 6 replacements in 1 file. Reason: these stay as they are')
  t.eventually('the agent has its answer', function()
    return verdict
  end)
  equal('exit code', verdict.code, 1)
  t.contains('what the agent reads', verdict.stdout .. verdict.stderr, 'these stay as they are')
  gone()
  equal('buffer', t.buffer(), original)
end)

step('applies and discards single hunks', function()
  push(board)
  t.shows(6)
  t.go_to('console.log("board stopped")')
  vim.cmd('Pending hunk apply')
  t.shows(5)
  t.contains('buffer', t.buffer(), 'logger.debug("board stopped")')
  equal('calls left', select(2, t.buffer():gsub('console%.log%(', '')), 5)
  t.go_to('console.log("signed out")')
  vim.cmd('Pending hunk discard no')
  t.shows(4)
  t.contains('buffer', t.buffer(), 'console.log("signed out")')
  vim.cmd('1,20Pending hunk apply')
  t.shows(3)
  t.contains('buffer', t.buffer(), 'logger.debug("board started')
  vim.cmd('Pending discard')
  t.hears('Discarded')
  gone()
  vim.cmd('silent undo')
  vim.cmd('silent undo')
  equal('buffer after two undos', t.buffer(), original)
end)

step('goes from hunk to hunk, on into the next file', function()
  push('web/src')
  local first = t.shows(6)[1]
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd('Pending next')
  equal('cursor', vim.api.nvim_win_get_cursor(0), { first.row + 1, first.col })
  vim.cmd('Pending next 5')
  equal('buffer', vim.api.nvim_buf_get_name(0), t.path(board))
  vim.cmd('Pending next')
  equal('buffer', vim.api.nvim_buf_get_name(0), t.path('web/src/client.ts'))
  t.contains('line', vim.api.nvim_get_current_line(), 'console.log(')
  t.shows(2)
  vim.cmd('Pending prev')
  equal('buffer', vim.api.nvim_buf_get_name(0), t.path(board))
  local last = t.spots()[6]
  equal('cursor', vim.api.nvim_win_get_cursor(0), { last.row + 1, last.col })
  t.keys('2<Plug>(pending-prev)')
  equal('cursor', vim.api.nvim_win_get_cursor(0)[1], t.spots()[4].row + 1)
end)

step('lists all hunks in the quickfix list', function()
  vim.cmd('Pending list')
  local list = vim.fn.getqflist({ items = true, title = true })
  equal('title', list.title, 'Pending')
  equal('hunks', #list.items, 9)
  vim.cmd('cclose')
  vim.cmd('silent cc 1')
  t.contains('line', vim.api.nvim_get_current_line(), 'console.log(')
end)

step('lets an action be picked', function()
  local asked = {}
  local select = vim.ui.select
  vim.ui.select = function(items, options, choose) ---@diagnostic disable-line: duplicate-set-field
    table.insert(asked, options.format_item(items[1]))
    choose(options.kind == 'pending.decision' and items[3] or items[1])
  end
  vim.cmd('Pending pick')
  t.hears('Discarded')
  vim.ui.select = select
  t.contains('action', asked[1], 'AST Edit: 9 replacements in 3 files (9 hunks in 3 files, by pending-lsp')
  gone()
end)

step('refuses an action that is not on top, and resolves it with a bang', function()
  push(board)
  t.push('lastScan($A)', 'latestScan($A)', 'web/src/format.ts')
  t.eventually('two are pending', function()
    return #require('pending').actions() == 2
  end)
  t.shows(6)
  vim.api.nvim_win_set_cursor(0, { t.spots()[1].row + 1, t.spots()[1].col })
  equal('actions of the one below', t.spots()[1].above, 1)
  vim.cmd('Pending apply')
  t.hears('is not on top')
  equal('pending', #t.pending(), 2)
  equal('buffer', t.buffer(), original)
  vim.cmd('Pending apply! all of it')
  t.hears('Reason: all of it')
  gone()
  equal('buffer', t.buffer(), rewritten(original))
  t.contains('the other file', t.disk('web/src/format.ts'), 'latestScan')
end)

step('takes the last apply back', function()
  vim.cmd('silent write')
  vim.cmd('Pending undo')
  t.eventually('the buffer is as before', function()
    return t.buffer() == original
  end)
  t.hears('ndone')
end)

step('logs who did what and why', function()
  vim.cmd('Pending log')
  t.eventually('a float is open', function()
    return vim.api.nvim_win_get_config(0).relative ~= ''
  end)
  t.contains('log', t.buffer(), 'discard  AST Edit: 6 replacements in 1 file')
  t.contains('log', t.buffer(), 'these stay as they are')
  t.keys('q')
  equal('float', vim.api.nvim_win_get_config(0).relative, '')
end)

step('makes a preview of its own', function()
  vim.cmd('Pending edit! console.log($$$A) => logger.trace($$$A)')
  t.hears('6 replacements')
  t.shows(6)
  equal('shown', t.virtual_lines()[2], '    logger.trace("board stopped");')
  vim.cmd('Pending edit console.log( => x')
  t.hears('pattern')
  vim.cmd('Pending edit nonsense')
  t.hears('usage: :Pending edit PATTERN => REPLACEMENT')
end)

step('waits for somebody else', function()
  vim.cmd('Pending await')
  t.agent('resolve', 'discard', '--reason', 'not this way')
  t.hears('discarded by pending-lsp')
  gone()
end)

step('completes subcommands', function()
  equal('subcommands', vim.fn.getcompletion('Pending a', 'cmdline'), { 'apply', 'await', 'apply!' })
  equal('of hunk', vim.fn.getcompletion('Pending hunk ', 'cmdline'), { 'apply', 'discard' })
  equal('of diff', vim.fn.getcompletion('Pending diff f', 'cmdline'), { 'float' })
  vim.cmd('Pending nonsense')
  t.hears('no subcommand nonsense')
  vim.cmd('Pending apply')
  t.hears('nothing is pending here')
end)

t.run()
