-- An agent at work while the user is typing: keys go to a second Neovim, as a terminal would send them.
local t = require('harness')
local step, equal = t.step, t.equal

local board = 'web/src/board.ts'
local original
local child ---@type integer

local function lua(code, ...)
  return vim.fn.rpcrequest(child, 'nvim_exec_lua', code, { ... })
end

---@param keys string
local function type_in(keys)
  vim.fn.rpcrequest(child, 'nvim_input', keys)
end

local function mode()
  return vim.fn.rpcrequest(child, 'nvim_get_mode').mode
end

local function text()
  return table.concat(vim.fn.rpcrequest(child, 'nvim_buf_get_lines', 0, 0, -1, true), '\n')
end

---@param count integer
local function shows(count)
  t.eventually(('it shows %d hunks'):format(count), function()
    return lua([[return #require('pending.ui').spots(vim.api.nvim_get_current_buf())]]) == count
  end)
end

step('starts another Neovim', function()
  original = t.disk(board):gsub('\n$', '')
  local init = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/init.lua'
  child = vim.fn.jobstart(
    { vim.env.NVIM_BIN, '--embed', '--headless', '-i', 'NONE', '-u', init },
    { rpc = true, cwd = t.root }
  )
  type_in((':edit %s<CR>'):format(board))
  t.eventually('it is attached', function()
    return lua([[return #require('pending.client').all({ bufnr = 0 }) > 0]])
  end)
end)

step('a push while a command is typed leaves the command alone', function()
  type_in(':echo "half')
  t.agent('edit', '-p', 'console.log($$$A)', '-r', 'logger.debug($$$A)', '-l', 'ts', '--push', board)
  shows(6)
  equal('mode', mode(), 'c')
  equal('command line', vim.fn.rpcrequest(child, 'nvim_eval', 'getcmdline()'), 'echo "half')
  type_in('<Esc>')
  equal('mode', mode(), 'n')
end)

step('an apply while text is inserted is a step of undo between what was typed', function()
  type_in('Go// one')
  t.eventually('it is typed', function()
    return text() == original .. '\n// one'
  end)
  t.agent('resolve', 'apply', '--reason', 'while you type')
  equal('mode', mode(), 'i')
  type_in(' two<Esc>')
  local applied = original:gsub('console%.log%(', 'logger.debug(')
  t.eventually('the rest is typed', function()
    return text() == applied .. '\n// one two'
  end)
  equal('mode', mode(), 'n')
  for _, want in ipairs({ applied .. '\n// one', original .. '\n// one', original }) do
    type_in('u')
    t.eventually('one step is undone', function()
      return text() == want
    end)
  end
  shows(0)
end)

step("an apply goes with 'fileformat' and 'endofline' when they are changed", function()
  local words = 'web/src/words.ts'
  -- The test's own Neovim is still starting, when options are not watched.
  for options, want in pairs({
    ['fileformat=unix'] = 'tell(\n  1,\n  now\n);\ntell(\n  2,\n  now\n)\n',
    ['noendofline nofixendofline'] = 'tell(\r\n  1,\r\n  now\r\n);\r\ntell(\r\n  2,\r\n  now\r\n)',
  }) do
    t.write(words, 'say(1);\r\nsay(\r\n  2\r\n)\r\n')
    type_in((':silent edit! %s<CR>'):format(words))
    t.eventually('it is attached', function()
      return lua([[return vim.bo.fileformat == 'dos' and #require('pending.client').all({ bufnr = 0 }) > 0]])
    end)
    t.agent('edit', '-p', 'say($A)', '-r', 'tell(\n  $A,\n  now\n)', '-l', 'ts', '--push', words)
    shows(2)
    type_in((':set %s<CR>'):format(options))
    local resolve = { 'resolve', 'apply', '--reason', options }
    local done = t.try(resolve)
    if done.code ~= 0 then
      t.contains('refusal', done.stderr, 'Its preview is fresh now') -- with other line breaks
      done = t.try(resolve)
    end
    equal('exit code', done.code, 0)
    type_in(':silent write<CR>')
    t.eventually('it is written', function()
      return t.disk(words) == want
    end)
    shows(0)
  end
end)

step('nothing waits for a key, and nothing went wrong', function()
  equal('blocking', vim.fn.rpcrequest(child, 'nvim_get_mode').blocking, false)
  equal('error', vim.fn.rpcrequest(child, 'nvim_get_vvar', 'errmsg'), '')
  vim.fn.jobstop(child)
end)

t.run()
