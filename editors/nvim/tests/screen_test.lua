-- Two screens as they are drawn, compared with golden files. PENDING_LSP_UPDATE=1 rewrites those.
local t = require('harness')
local step, equal = t.step, t.equal

local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))

---@param name string
local function golden(name)
  local path = ('%s/golden/%s.txt'):format(here, name)
  -- The statusline of a scratch buffer has the action's id.
  local got = t.screen():gsub('01%w+', function(id)
    return ('I'):rep(#id)
  end)
  if vim.env.PENDING_LSP_UPDATE == '1' then
    t.write(path, got)
  end
  local want = t.disk(path)
  if got ~= want then
    error(('the screen is not as in %s:\n%s'):format(path, vim.diff(want, got)))
  end
end

step('shows what is pending in the buffer', function()
  vim.o.signcolumn = 'yes'
  vim.o.statusline = [[ %f %m%=%{v:lua.require'pending'.status()} ]]
  t.open('web/src/board.ts')
  t.push('client', 'api', 'web/src/board.ts') -- one further down
  t.push('console.log($$$A)', 'logger.debug($$$A)', 'web/src')
  t.eventually('both are shown', function()
    return #require('pending').actions() == 2 and #t.virtual_lines() == 6
  end)
  vim.api.nvim_echo({ { '' } }, false, {})
  golden('buffer')
end)

step('shows the diff side by side', function()
  vim.o.statusline = ' %=%l,%c '
  vim.o.tabline = ' pending '
  vim.cmd('Pending diff')
  t.eventually('the tab is open', function()
    return #vim.api.nvim_list_tabpages() == 2
  end)
  t.keys(']f')
  golden('diff')
end)

step('goes round the files, and applies from inside', function()
  t.keys(']f')
  t.contains('window bar', vim.wo[vim.fn.win_getid(1)].winbar, 'format.ts (3/3)')
  t.keys(']f')
  t.contains('window bar', vim.wo[vim.fn.win_getid(1)].winbar, 'board.ts (1/3)')
  t.keys('[f')
  t.contains('window bar', vim.wo[vim.fn.win_getid(1)].winbar, 'format.ts (3/3)')
  t.keys('g?')
  t.contains('help', t.buffer(), 'ga     apply the action')
  t.keys('q')
  t.keys('ga')
  t.hears('Applied: AST Edit: 9 replacements in 3 files')
  t.eventually('the tab is closed', function()
    return #vim.api.nvim_list_tabpages() == 1
  end)
  t.contains('buffer', t.buffer(), 'logger.debug("board stopped")')
  equal('pending', #t.pending(), 1)
end)

step('follows the code and says when somebody else has decided', function()
  vim.cmd('Pending diff')
  t.eventually('the tab is open', function()
    return #vim.api.nvim_list_tabpages() == 2
  end)
  local right = vim.fn.win_getid(2)
  vim.api.nvim_buf_call(vim.fn.bufnr(t.path('web/src/board.ts')), function()
    vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// one more line' })
  end)
  t.eventually('the new line is in the preview', function()
    return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(right), 0, 1, true)[1] == '// one more line'
  end)
  local tab = vim.api.nvim_get_current_tabpage()
  t.agent('resolve', 'discard', '--reason', 'mine')
  t.eventually('the window bar says so', function()
    return vim.wo[right].winbar:find('resolved', 1, true)
  end)
  equal('tab page', vim.api.nvim_get_current_tabpage(), tab)
  t.keys('ga')
  t.hears('was discarded already')
  t.keys('q')
  equal('tab pages', #vim.api.nvim_list_tabpages(), 1)
end)

---@return integer left
---@return integer right
local function open_diff()
  local before = #vim.api.nvim_list_tabpages()
  vim.cmd('Pending diff')
  t.eventually('the tab is open', function()
    return #vim.api.nvim_list_tabpages() == before + 1
  end)
  return vim.fn.win_getid(1), vim.fn.win_getid(2)
end

step('closes with either window', function()
  t.push('statusLabel($$$A)', 'labelOf($$$A)', 'web/src/board.ts')
  t.eventually('it is pending', function()
    return #require('pending').actions() == 1
  end)
  for side = 1, 2 do
    local windows = { open_diff() }
    vim.api.nvim_win_close(windows[side], false)
    t.eventually('the tab is closed', function()
      return #vim.api.nvim_list_tabpages() == 1
    end)
  end
  equal('autocommands left', #vim.api.nvim_get_autocmds({ event = 'WinClosed' }), 0)
end)

step('is opened once for an action', function()
  open_diff()
  local tab = vim.api.nvim_get_current_tabpage()
  vim.cmd('tabprevious')
  vim.cmd('Pending diff')
  t.eventually('the tab is in front again', function()
    return vim.api.nvim_get_current_tabpage() == tab
  end)
  equal('tab pages', #vim.api.nvim_list_tabpages(), 2)
  t.keys('q')
end)

step('closes also when it is the only tab page', function()
  open_diff()
  vim.cmd('silent tabonly')
  t.keys('q')
  equal('tab pages', #vim.api.nvim_list_tabpages(), 1)
  equal('windows', #vim.api.nvim_tabpage_list_wins(0), 1)
  equal('diff mode', vim.wo.diff, false)
  t.open('web/src/board.ts')
end)

step('leaves what the user has put in one of its windows alone', function()
  local left, right = open_diff()
  vim.api.nvim_set_current_win(left)
  vim.cmd('silent edit ' .. vim.fn.fnameescape(t.path('web/src/format.ts')))
  local mine = vim.api.nvim_get_current_buf()
  local text = t.buffer(mine)
  vim.api.nvim_buf_call(vim.fn.bufnr(t.path('web/src/board.ts')), function()
    vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// another line' })
  end)
  t.eventually('the hunks have moved', function()
    local spot = t.spots(vim.fn.bufnr(t.path('web/src/board.ts')))[1]
    local hunk = require('pending').actions()[1].files[1].hunks[1]
    return hunk.range.start.line == spot.row
  end)
  t.sync()
  equal('buffer of the left window', vim.api.nvim_win_get_buf(left), mine)
  equal('its text', t.buffer(mine), text)
  vim.api.nvim_win_close(right, false)
  t.sync()
  equal('the left window is there', vim.api.nvim_win_is_valid(left), true)
  vim.cmd('tabclose')
end)

step('shows the unified diff in a float', function()
  vim.cmd('Pending discard')
  t.hears('Discarded')
  t.push('statusLabel($$$A)', 'labelOf($$$A)', 'web/src/format.ts', 'web/src/board.ts')
  t.eventually('it is pending', function()
    return #require('pending').actions() == 1
  end)
  vim.cmd('Pending diff float')
  t.eventually('a float is open', function()
    return vim.api.nvim_win_get_config(0).relative ~= ''
  end)
  t.contains('diff', t.buffer(), '+++ b/web/src/board.ts')
  equal('wrap elsewhere', vim.go.wrap, true)
  equal('syntax', vim.bo.syntax ~= '' or vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] ~= nil, true)
  t.keys('q')
  vim.cmd('Pending discard')
  t.hears('Discarded')
end)

t.run()
