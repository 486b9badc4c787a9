-- Every <Plug> map does what its command does; ranges and completion of the command.
local t = require('harness')
local step, equal = t.step, t.equal

local board, format = 'web/src/board.ts', 'web/src/format.ts'
local original
local tried = {} ---@type table<string, true>

local function push(...)
  return t.push('console.log($$$A)', 'logger.debug($$$A)', ...)
end

---@param count integer
local function left(count)
  t.eventually(('%d are pending'):format(count), function()
    return #require('pending').actions() == count
  end)
end

---@param name string
local function press(name)
  tried[name] = true
  t.keys(('<Plug>(pending-%s)'):format(name))
end

step('opens a file', function()
  t.open(board)
  original = t.buffer()
end)

step('next and prev take a count', function()
  push(board)
  local spots = t.shows(6)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  press('next')
  equal('line', vim.fn.line('.'), spots[1].row + 1)
  t.keys('3<Plug>(pending-next)')
  equal('line', vim.fn.line('.'), spots[4].row + 1)
  t.keys('2<Plug>(pending-prev)')
  equal('line', vim.fn.line('.'), spots[2].row + 1)
  press('prev')
  equal('line', vim.fn.line('.'), spots[1].row + 1)
  t.keys('<C-o>')
  equal('line after a jump back', vim.fn.line('.'), spots[2].row + 1)
end)

step('hunks at the cursor, and those in Visual mode', function()
  t.go_to('console.log("board stopped")')
  press('hunk-apply')
  t.shows(5)
  t.contains('buffer', t.buffer(), 'logger.debug("board stopped")')
  t.go_to('console.log("signed out")')
  press('hunk-discard')
  t.shows(4)
  local spots = t.spots()
  vim.api.nvim_win_set_cursor(0, { spots[2].row + 1, 0 })
  t.keys('V' .. (spots[1].row + 1) .. 'G<Plug>(pending-hunk-apply)')
  t.shows(2)
  equal('mode', vim.fn.mode(), 'n')
  t.keys('ggVG<Plug>(pending-hunk-discard)')
  t.shows(0)
  left(0)
  equal('calls left', select(2, t.buffer():gsub('console%.log%(', '')), 3)
  vim.cmd('silent edit!')
end)

step('apply, discard and undo', function()
  push(board)
  t.shows(6)
  press('discard')
  t.hears('Discarded')
  left(0)
  push(board)
  t.shows(6)
  press('apply')
  t.hears('Applied')
  left(0)
  equal('calls left', select(2, t.buffer():gsub('console%.log%(', '')), 0)
  press('undo')
  t.hears('ndone')
  t.eventually('the buffer is as it was', function()
    return t.buffer() == original
  end)
  vim.cmd('silent edit!')
end)

step('apply with all that is above', function()
  push(board)
  t.push('lastScan($A)', 'latestScan($A)', format)
  left(2)
  t.shows(6)
  t.go_to('console.log(')
  press('apply-cascade')
  t.hears('Applied')
  left(0)
  t.contains('other file', t.disk(format), 'latestScan(')
  vim.cmd('silent edit!')
end)

step('diff, float, list and pick', function()
  push(board)
  t.shows(6)
  press('diff')
  t.eventually('a tab is open', function()
    return #vim.api.nvim_list_tabpages() == 2
  end)
  t.keys('q')
  press('float')
  t.eventually('a float is open', function()
    return vim.api.nvim_win_get_config(0).relative ~= ''
  end)
  t.keys('<Esc>')
  equal('float', vim.api.nvim_win_get_config(0).relative, '')
  press('list')
  equal('quickfix', #vim.fn.getqflist(), 6)
  vim.cmd('cclose')
  local select, kinds = vim.ui.select, {}
  vim.ui.select = function(_, options) ---@diagnostic disable-line: duplicate-set-field
    table.insert(kinds, options.kind)
  end
  press('pick')
  vim.cmd('Pending')
  equal('picked', kinds, { 'pending.action', 'pending.action' })
  vim.ui.select = select
end)

step('every map was tried', function()
  for _, map in ipairs(vim.api.nvim_get_keymap('n')) do
    local name = map.lhs:match('^<Plug>%(pending%-(.*)%)$')
    assert(not name or tried[name], ('%s was not tried'):format(map.lhs))
  end
end)

step('completes every subcommand, and what follows it', function()
  local commands = vim.tbl_keys(require('pending.commands').commands)
  local offered = vim.fn.getcompletion('Pending ', 'cmdline')
  for _, name in ipairs(commands) do
    assert(vim.tbl_contains(offered, name), name .. ' is not offered')
  end
  equal('offered', #offered, #commands + 3) -- apply! discard! edit!
  equal('after a range', vim.fn.getcompletion('1,2Pending hu', 'cmdline'), { 'hunk' })
  equal('of hunk', vim.fn.getcompletion('Pending hunk d', 'cmdline'), { 'discard' })
  equal('of diff', vim.fn.getcompletion('Pending diff ', 'cmdline'), { 'tab', 'float' })
  equal('of a reason', vim.fn.getcompletion('Pending apply a', 'cmdline'), {})
end)

step('says how a command is used', function()
  for command, usage in pairs({
    ['hunk'] = 'usage: :Pending hunk apply|discard [reason]',
    ['hunk nonsense'] = 'usage: :Pending hunk apply|discard [reason]',
    ['diff nonsense'] = 'usage: :Pending diff [tab|float]',
    ['edit a'] = 'usage: :Pending edit PATTERN => REPLACEMENT',
    ['nonsense'] = 'no subcommand nonsense',
  }) do
    vim.cmd('Pending ' .. command)
    t.hears(usage)
  end
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd('Pending hunk apply')
  t.hears('no pending hunk here')
  vim.cmd('Pending discard')
  t.hears('Discarded')
  t.shows(0)
  for _, command in ipairs({ 'apply', 'discard', 'next', 'prev', 'list', 'pick', 'await' }) do
    vim.cmd('Pending ' .. command)
    t.hears('nothing is pending here')
  end
  vim.cmd('Pending diff')
  t.hears('No pending action to resolve')
end)

t.run()
