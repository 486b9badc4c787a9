-- Texts of all kinds, and typing in and around what is pending.
local t = require('harness')
local step, equal = t.step, t.equal

local file = 'web/src/words.ts'

---Starts over with a file of these bytes.
---@param bytes string
local function fresh(bytes)
  t.write(file, bytes)
  t.open(file)
  vim.cmd('silent edit!')
  t.sync()
end

local function push()
  return t.push('say($A)', 'tell($A, now)', file)
end

local function apply()
  vim.cmd('Pending apply')
  t.hears('Applied')
  vim.cmd('silent write')
  t.shows(0)
end

step('keeps CRLF', function()
  fresh('say(1);\r\nconst a = 2;\r\nsay(\r\n  3\r\n);\r\n')
  equal('fileformat', vim.bo.fileformat, 'dos')
  push()
  t.shows(2)
  equal('marked', t.marked(), { 'say(1)', 'say(\n  3\n)' })
  equal('shown', t.virtual_lines(), { 'tell(1, now);', 'tell(3, now);' })
  apply()
  equal('file', t.disk(file), 'tell(1, now);\r\nconst a = 2;\r\ntell(3, now);\r\n')
end)

step('keeps old Mac line breaks', function()
  vim.o.fileformats = 'unix,dos,mac'
  fresh('say(1);\rconst a = 2;\rsay(3);\r')
  equal('fileformat', vim.bo.fileformat, 'mac')
  push()
  t.shows(2)
  apply()
  equal('file', t.disk(file), 'tell(1, now);\rconst a = 2;\rtell(3, now);\r')
  vim.o.fileformats = 'unix,dos'
end)

step('keeps a byte order mark', function()
  fresh('\239\187\191say(1);\n')
  equal('bomb', vim.bo.bomb, true)
  push()
  t.shows(1)
  equal('marked', t.marked(), { 'say(1)' })
  apply()
  equal('file', t.disk(file), '\239\187\191tell(1, now);\n')
end)

step('keeps a missing line break at the end', function()
  fresh('const a = 1;\nsay(a)')
  equal('endofline', vim.bo.endofline, false)
  vim.bo.fixendofline = false
  push()
  t.shows(1)
  equal('marked', t.marked(), { 'say(a)' })
  apply()
  equal('file', t.disk(file), 'const a = 1;\ntell(a, now)')
  vim.bo.fixendofline = true
end)

step('counts columns after emoji right', function()
  fresh('/* 👩‍👩‍👧‍👦 ẞ 📦 */ say("🎉"); say("ü");\n')
  push()
  t.shows(2)
  equal('marked', t.marked(), { 'say("🎉")', 'say("ü")' })
  -- Neovim 0.10 takes joined emoji apart wherever it shows them.
  local line = '/* 👩‍👩‍👧‍👦 ẞ 📦 */ tell("🎉", now); tell("ü", now);'
  equal('shown', vim.fn.strtrans(t.virtual_lines()[1]), vim.fn.strtrans(line))
  apply()
  equal('file', t.disk(file), '/* 👩‍👩‍👧‍👦 ẞ 📦 */ tell("🎉", now); tell("ü", now);\n')
end)

step('shows tabs as the buffer does, and nothing that could repaint the screen', function()
  fresh('if (x) {\n\tsay("a\\u202eb");\n}\n')
  t.push('say($A)', 'tell(\n\t"\226\128\174",\n\t$A)', file)
  t.shows(1)
  equal('first line', t.virtual_lines()[1], '        tell(')
  t.contains('second line', t.virtual_lines()[2], '<202e>')
  vim.cmd('Pending discard')
  t.hears('Discarded')
end)

step('shows whole lines that go and come', function()
  fresh('one();\nsay(1);\ntwo();\n')
  vim.cmd('Pending edit! say($A) => ')
  t.hears('1 replacement')
  t.shows(1)
  equal('marked', t.marked(), { 'say(1)' })
  equal('shown', t.virtual_lines(), { ';' })
  vim.cmd('Pending discard')
  t.hears('Discarded')
end)

step('knows files with unusual names', function()
  local names = { 'a b#%$HOME|.ts', '[slug].ts', "(group)/it's.ts", 'ü📦.ts' }
  for i, name in ipairs(names) do
    names[i] = 'web/odd/' .. name
    vim.fn.mkdir(vim.fs.dirname(t.path(names[i])), 'p')
    t.write(names[i], 'say(1);\nsay(2);\n')
  end
  t.push('say($A)', 'tell($A, now)', 'web/odd')
  t.eventually('it is pending', function()
    return #require('pending').actions() == 1
  end)
  vim.cmd('Pending list')
  equal('in the quickfix list', #vim.fn.getqflist(), 2 * #names)
  vim.cmd('cclose')
  local seen = {}
  for _ = 1, #names do
    vim.cmd('Pending next')
    seen[vim.api.nvim_buf_get_name(0)] = true
    t.shows(2)
    vim.cmd('Pending next')
    equal('line', vim.fn.line('.'), 2)
  end
  for _, name in ipairs(names) do
    assert(seen[t.path(name)], ('%s is not in %s'):format(name, vim.inspect(seen)))
  end
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { 'typed();' })
  equal(
    'moved',
    vim.tbl_map(function(spot)
      return spot.row
    end, t.spots()),
    { 1, 2 }
  )
  t.sync()
  vim.cmd('Pending diff')
  t.eventually('the diff is open', function()
    return #vim.api.nvim_list_tabpages() == 2
  end)
  for _ = 1, #names do
    t.keys(']f')
  end
  t.keys('q')
  vim.cmd('Pending apply')
  t.hears('Applied')
  for _, name in ipairs(names) do
    local bufnr = vim.fn.bufadd(t.path(name))
    t.contains(name, t.buffer(bufnr), 'tell(1, now);\ntell(2, now);')
    vim.api.nvim_buf_call(bufnr, function()
      vim.cmd('silent write')
    end)
  end
end)

step('says why it cannot go on to the next file', function()
  fresh('say(1);\n')
  t.push('const $A = $B', 'let $A = $B', 'web/src')
  t.eventually('it is pending', function()
    return #require('pending').actions() == 1
  end)
  vim.o.hidden = false
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { 'typed();' })
  vim.cmd('Pending next 3')
  t.hears('E37: No write since last change')
  vim.o.hidden = true
  vim.cmd('silent edit!')
  vim.cmd('Pending discard')
  t.hears('Discarded')
end)

step('moves with what is typed above, before and after', function()
  fresh('say(1);\nsay(2);\n')
  push()
  local first = t.shows(2)[1]
  t.keys('ggOabove();<Esc>')
  equal('moved at once', t.spots()[1].row, first.row + 1)
  equal('marked', t.marked(), { 'say(1)', 'say(2)' })
  t.keys('jIbefore; <Esc>A // after<Esc>')
  equal('marked at once', t.marked(), { 'say(1)', 'say(2)' })
  t.eventually('the new line shows what was typed', function()
    return t.virtual_lines()[1] == 'before; tell(1, now); // after'
  end)
  apply()
  equal('file', t.disk(file), 'above();\nbefore; tell(1, now); // after\ntell(2, now);\n')
end)

step('drops a hunk whose code is changed, and no other', function()
  fresh('say(1);\nsay(2);\n')
  push()
  t.shows(2)
  t.keys('gg0cwshout<Esc>')
  t.shows(1)
  equal('marked', t.marked(), { 'say(2)' })
  equal('pending', #t.pending()[1].files[1].hunks, 1)
  apply()
  equal('file', t.disk(file), 'shout(1);\ntell(2, now);\n')
end)

step('does not touch the marks that are right already', function()
  fresh('say(1);\nsay(2);\nconst a = 1;\n')
  push()
  t.shows(2)
  local set, calls = vim.api.nvim_buf_set_extmark, 0
  vim.api.nvim_buf_set_extmark = function(bufnr, ns, ...) ---@diagnostic disable-line: duplicate-set-field
    calls = calls + (ns == vim.api.nvim_get_namespaces().pending and 1 or 0)
    return set(bufnr, ns, ...)
  end
  local updates = 0
  local ui = require('pending.ui')
  local update = ui.update
  ui.update = function(...)
    updates = updates + 1
    return update(...)
  end
  t.keys('Gonothing();<Esc>ggOabove();<Esc>')
  t.eventually('the server has said where they are', function()
    return updates > 0
  end)
  vim.api.nvim_buf_set_extmark, ui.update = set, update
  equal('marks set', calls, 0)
  equal('marked', t.marked(), { 'say(1)', 'say(2)' })
  vim.cmd('Pending discard')
  t.hears('Discarded')
  vim.cmd('silent edit!')
end)

step('shows a replacement that is longer than the screen in part', function()
  fresh('say(1);\n')
  local long = {}
  for i = 1, 60 do
    long[i] = ('tell(%d);'):format(i)
  end
  t.push('say($A)', table.concat(long, '\n'), file)
  t.shows(1)
  equal('lines', #t.virtual_lines(), 41)
  t.contains('last', t.virtual_lines()[41], '20 more lines')
end)

t.run()
