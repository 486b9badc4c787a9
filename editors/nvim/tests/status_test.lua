-- What tells of the stack: the status line, lualine's component, the User autocommand; and edits that go stale.
local t = require('harness')
local step, equal = t.step, t.equal

local board = 'web/src/board.ts'
local status = require('pending').status
local heard = {}

local function push(...)
  return t.push('console.log($$$A)', 'logger.debug($$$A)', ...)
end

---Has a tool push an edit of its own: the text at a place becomes another.
---@param label string
---@param line integer from 0
---@param first integer
---@param last integer
---@param text string
local function push_raw(label, line, first, last, text)
  t.sync()
  local range = { start = { line = line, character = first }, ['end'] = { line = line, character = last } }
  local edit = { changes = { [vim.uri_from_bufnr(0)] = { { range = range, newText = text } } } }
  t.write('edit.json', vim.json.encode(edit))
  t.agent('push', '--label', label, 'edit.json')
end

step('opens a file', function()
  vim.api.nvim_create_autocmd('User', {
    pattern = 'PendingChanged',
    callback = function(event)
      table.insert(heard, event.data)
      heard[#heard].shown = #t.spots()
      heard[#heard].status = status()
    end,
  })
  vim.o.statusline = [[%{v:lua.require'pending'.status()}]]
  vim.o.winbar = [[[%{v:lua.require'pending'.status()}] ]]
  t.open(board)
end)

step('the status line and the window bar follow by themselves', function()
  push(board)
  t.shows(6)
  local line = 'pending: AST Edit: 6 replacements in 1 file'
  equal('status line', t.row(vim.o.lines - 1), line)
  equal('window bar', t.row(1), '[' .. line .. ']')
  push('web/src/client.ts')
  t.eventually('two are pending', function()
    return #require('pending').actions() == 2
  end)
  equal('status line', t.row(vim.o.lines - 1), 'pending: AST Edit: 2 replacements in 1 file +1')
  equal('other buffer', status(vim.api.nvim_create_buf(false, true)), status())
  t.go_to('console.log(')
  vim.cmd('Pending discard! both')
  t.hears('Reason: both')
  t.shows(0)
  equal('pending', #t.pending(), 0)
end)

step('the autocommand tells every change, when it is on the screen', function()
  local function come(cause)
    return t.eventually(cause .. ' is told', function()
      for i, event in ipairs(heard) do
        if event.cause == cause then
          heard = vim.list_slice(heard, i + 1)
          return event
        end
      end
    end)
  end
  heard = {}
  push(board)
  local event = come('push')
  equal('shown', event.shown, 6)
  equal('depth', { event.depth, event.hasPending }, { 1, true })
  equal('top', event.top.label, 'AST Edit: 6 replacements in 1 file')
  equal('workspace', event.workspace, vim.uri_from_fname(t.root))
  vim.cmd('Pending apply')
  event = come('apply')
  equal('depth', { event.depth, event.hasPending }, { 0, false })
  equal('status', event.status, '')
  t.hears('Applied')
  vim.cmd('silent write')
  vim.cmd('Pending undo')
  come('undo')
  t.hears('ndone')
  vim.cmd('silent write')
  push(board)
  come('push')
  vim.cmd('Pending discard')
  come('discard')
  t.hears('Discarded')
  t.shows(0)
end)

step('an edit whose text the user changes goes stale, is refused, and can be discarded', function()
  local line = assert(vim.fn.search([[console\.log("board stopped")]], 'w')) - 1
  push_raw('Louder', line, 17, 30, 'BOARD STOPPED')
  t.shows(1)
  equal('marked', t.marked(), { 'board stopped' })
  vim.api.nvim_win_set_cursor(0, { line + 1, 20 })
  t.keys('ix<Esc>')
  local text = t.buffer()
  t.eventually('it is stale', function()
    return status() == 'pending: Louder (stale)'
  end)
  local function marks()
    return vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_get_namespaces().pending, 0, -1, { details = true })
  end
  t.eventually('the sign says so', function()
    local all = marks()
    return #all == 1 and vim.trim(all[1][4].sign_text or '') == '?'
  end)
  t.contains('remark', marks()[1][4].virt_text[1][1], 'changed since: Louder')
  equal('lines shown', t.virtual_lines(), {})
  vim.cmd('Pending apply')
  t.hears('changed')
  equal('buffer', t.buffer(), text)
  equal('pending', #t.pending(), 1)
  vim.cmd('Pending discard')
  t.hears('Discarded: Louder')
  t.shows(0)
  vim.cmd('silent edit!')
end)

step('lualine shows a label as it is', function()
  local extended = 0
  package.loaded['lualine.component'] = {
    extend = function()
      extended = extended + 1
      return {}
    end,
  }
  local component = require('lualine.components.pending')
  equal('components', extended, 1)
  equal('nothing pending', component:update_status(), '')
  push_raw('100% %f', 0, 0, 0, '// new\n')
  t.eventually('it is pending', function()
    return #require('pending').actions() == 1
  end)
  -- lualine puts it into a status line, where a percent sign begins an item.
  local drawn = vim.api.nvim_eval_statusline(component:update_status(), {}).str
  equal('drawn', drawn, 'pending: 100% %f')
  vim.cmd('Pending discard')
  t.hears('Discarded')
end)

t.run()
