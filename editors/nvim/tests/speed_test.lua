-- 500 hunks in one buffer are to stay within a frame. How long things take is reported; what decides is how much is
-- done, since a time says as much about the machine.
local t = require('harness')
local step, equal = t.step, t.equal

local FRAME = 16 -- ms

---The best of some runs, in time of the processor: what the machine does besides is not what is measured.
---@param run fun()
---@return number ms
local function best(run)
  local least = math.huge
  for _ = 1, 20 do
    local start = os.clock()
    run()
    least = math.min(least, (os.clock() - start) * 1e3)
  end
  return least
end

---@param what string
---@param ms number
local function report(what, ms)
  local verdict = ms < FRAME and 'within' or 'OVER'
  io.stdout:write(('# time: %s: %.2f ms, %s %d ms\n'):format(what, ms, verdict, FRAME))
end

---How often something sets or asks for marks while it runs.
---@param run fun()
---@return { set: integer, asked: integer }
local function marks(run)
  local count = { set = 0, asked = 0 }
  local set, ask = vim.api.nvim_buf_set_extmark, vim.api.nvim_buf_get_extmark_by_id
  vim.api.nvim_buf_set_extmark = function(...) ---@diagnostic disable-line: duplicate-set-field
    count.set = count.set + 1
    return set(...)
  end
  vim.api.nvim_buf_get_extmark_by_id = function(...) ---@diagnostic disable-line: duplicate-set-field
    count.asked = count.asked + 1
    return ask(...)
  end
  run()
  vim.api.nvim_buf_set_extmark, vim.api.nvim_buf_get_extmark_by_id = set, ask
  return count
end

step('500 hunks are shown', function()
  local lines = {}
  for i = 1, 500 do
    lines[i] = ('say(%d, "some words that make the line as long as lines are");\n'):format(i)
  end
  t.write('web/src/many.ts', table.concat(lines))
  t.open('web/src/many.ts')
  t.push('say($$$A)', 'tell($$$A)', 'web/src/many.ts')
  t.shows(500)
end)

step('a redraw asks for nothing, wherever the window is', function()
  for _, line in ipairs({ 1, 250, 500 }) do
    vim.api.nvim_win_set_cursor(0, { line, 0 })
    equal(
      'marks',
      marks(function()
        vim.cmd('redraw!')
      end),
      { set = 0, asked = 0 }
    )
    report(
      ('redraw at line %d'):format(line),
      best(function()
        vim.cmd('redraw!')
      end)
    )
  end
end)

step('what the server says is looked through once, and nothing is set when nothing has moved', function()
  local id = require('pending.client').get().id
  local count = marks(function()
    require('pending.ui').update(id)
  end)
  equal('marks', count, { set = 0, asked = 1000 }) -- the code and what comes in its place
  report(
    'update',
    best(function()
      require('pending.ui').update(id)
    end)
  )
end)

step('a keystroke sets nothing', function()
  local count = marks(function()
    t.keys('ggix<Esc>')
    vim.cmd('redraw')
  end)
  equal('marks', count, { set = 0, asked = 0 })
  report(
    'keystroke',
    best(function()
      t.keys('ggix<Esc>')
      vim.cmd('redraw')
    end)
  )
end)

step('a push is on the screen after one question or two', function()
  vim.cmd('silent edit!')
  vim.cmd('Pending discard')
  t.hears('Discarded')
  vim.cmd('Pending restart')
  t.hears('Restarted')
  local stack, ui, client = require('pending.stack'), require('pending.ui'), require('pending.client')
  local hear, update, execute = stack.on_did_change, ui.update, client.execute
  local heard, least, questions = nil, math.huge, 0
  stack.on_did_change = function(...)
    heard = vim.uv.hrtime()
    questions = 0
    return hear(...)
  end
  client.execute = function(c, command, ...)
    questions = questions + (command == 'list' and 1 or 0)
    return execute(c, command, ...)
  end
  ui.update = function(...)
    update(...)
    if heard and #t.spots() == 6 then
      vim.cmd('redraw')
      least = math.min(least, (vim.uv.hrtime() - heard) / 1e6)
      heard = nil
      -- One for the notification, and one if the diagnostics come while it is asked.
      assert(questions <= 2, ('%d questions until it is shown'):format(questions))
    end
  end
  t.open('web/src/board.ts')
  for _ = 1, 5 do
    t.push('console.log($$$A)', 'logger.debug($$$A)', 'web/src/board.ts')
    t.shows(6)
    vim.cmd('Pending discard')
    t.hears('Discarded')
    t.shows(0)
  end
  stack.on_did_change, ui.update, client.execute = hear, update, execute
  report('from the notification to the screen', least)
end)

t.run()
