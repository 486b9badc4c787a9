---Runs the steps of one scenario in a Neovim that has the plugin, against a real server, with the command line as the
---agent. Prints TAP; stops at the first failure.
local M = {}

local PATIENCE = 20000 -- ms; a bound for a loaded machine, not an expectation

M.bin = assert(vim.env.PENDING_LSP_BIN, 'PENDING_LSP_BIN is not set')
M.root = assert(vim.uv.fs_realpath(vim.env.DEMO_DIR or error('DEMO_DIR is not set')))

---What Neovim told the user.
M.said = {} ---@type string[]

vim.notify = function(text) ---@diagnostic disable-line: duplicate-set-field
  table.insert(M.said, text)
end
vim.fn.confirm = function()
  error('Neovim asked for a confirmation')
end

---@param what string
---@param condition fun(): any
function M.eventually(what, condition)
  local value
  local ok = vim.wait(PATIENCE, function()
    value = condition()
    return value
  end, 5)
  if not ok then
    error('timed out waiting until ' .. what, 2)
  end
  return value
end

---Lets events come for a while; for what must not happen.
---@param ms integer
function M.rest(ms)
  vim.wait(ms, function()
    return false
  end, 10)
end

---@param what string
function M.equal(what, got, want)
  if not vim.deep_equal(got, want) then
    error(('%s:\n--- got\n%s\n--- want\n%s'):format(what, vim.inspect(got), vim.inspect(want)), 2)
  end
end

---@param what string
---@param text string
---@param part string
function M.contains(what, text, part)
  if not text:find(part, 1, true) then
    error(('%s: %q is not in\n%s'):format(what, part, text), 2)
  end
end

---Waits until the user is told something with `part` in it, and forgets what was said until then.
---@param part string
---@return string
function M.hears(part)
  return M.eventually(('the user is told "%s"'):format(part), function()
    for i, text in ipairs(M.said) do
      if text:find(part, 1, true) then
        M.said = vim.list_slice(M.said, i + 1)
        return text
      end
    end
  end)
end

---@param name string
---@return string
function M.path(name)
  return name:sub(1, 1) == '/' and name or M.root .. '/' .. name
end

---@param name string
---@return string
function M.disk(name)
  local f = assert(io.open(M.path(name), 'rb'))
  local text = f:read('a')
  f:close()
  return text
end

---@param name string
---@param text string
function M.write(name, text)
  local f = assert(io.open(M.path(name), 'wb'))
  f:write(text)
  f:close()
end

---@param bufnr? integer
---@return string
function M.buffer(bufnr)
  return table.concat(vim.api.nvim_buf_get_lines(bufnr or 0, 0, -1, true), '\n')
end

---The agent: another process, in the workspace unless another folder is given.
---@param arguments string[]
---@param cwd? string
---@return vim.SystemCompleted
function M.try(arguments, cwd)
  -- Not wait(): Neovim must go on serving, since the agent may be waiting for it.
  local done
  vim.system({ M.bin, unpack(arguments) }, { cwd = cwd or M.root, text = true }, function(result)
    done = result
  end)
  M.eventually('the agent is done', function()
    return done
  end)
  return done
end

---@return string
function M.agent(...)
  local arguments = { ... }
  local done = M.try(arguments)
  local ran = table.concat(arguments, ' ')
  assert(done.code == 0, ('pending-lsp %s: exit %d\n%s%s'):format(ran, done.code, done.stdout, done.stderr))
  return done.stdout
end

---Has the server know what was typed: Neovim holds didChange back for 150 ms, but never past a request.
function M.sync()
  for _, client in ipairs(require('pending.client').all()) do
    local answered = false
    require('pending.client').execute(client, 'peek', { workspace = client.workspace_folders[1].uri }, function()
      answered = true
    end)
    M.eventually('the server has answered', function()
      return answered
    end)
  end
end

---Pushes `from` => `to` on paths of the workspace.
---@param from string
---@param to string
function M.push(from, to, ...)
  M.sync()
  return M.agent('edit', '-p', from, '-r', to, '-l', 'typescript', '--push', ...)
end

---What the server has pending, asked by another process.
function M.pending()
  return vim.json.decode(M.agent('list', '--json')).actions
end

---Opens a file as a user does and waits until the server knows it.
---@param name string
function M.open(name)
  vim.cmd({ cmd = 'edit', args = { M.path(name) }, mods = { silent = true }, magic = { file = false, bar = false } })
  M.eventually(name .. ' is attached', function()
    return #require('pending.client').all({ bufnr = 0 }) > 0
  end)
end

---Hunks shown in a buffer.
---@param bufnr? integer
---@return pending.Spot[]
function M.spots(bufnr)
  return require('pending.ui').spots(bufnr or vim.api.nvim_get_current_buf())
end

---Waits until a buffer shows so many hunks.
---@param count integer
---@param bufnr? integer
---@return pending.Spot[]
function M.shows(count, bufnr)
  local spots
  return M.eventually(('the buffer shows %d hunks'):format(count), function()
    spots = M.spots(bufnr)
    local ns = vim.api.nvim_get_namespaces().pending
    local marks = ns and vim.api.nvim_buf_get_extmarks(bufnr or 0, ns, 0, -1, { limit = 1 }) or {}
    return #spots == count and (count > 0 or #marks == 0) and spots
  end)
end

---The text below the marks of the current buffer.
---@return string[]
function M.marked()
  return vim.tbl_map(function(s)
    return table.concat(vim.api.nvim_buf_get_text(0, s.row, s.col, s.end_row, s.end_col, {}), '\n')
  end, M.spots())
end

---The virtual lines shown in a buffer, top to bottom.
---@return string[]
function M.virtual_lines()
  local ns = vim.api.nvim_get_namespaces().pending
  local out = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, { details = true })) do
    for _, chunks in ipairs(mark[4].virt_lines or {}) do
      local text = ''
      for _, chunk in ipairs(chunks) do
        text = text .. chunk[1]
      end
      out[#out + 1] = text
    end
  end
  return out
end

---Typed keys, with all that comes with them.
---@param keys string
function M.keys(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, true, true), 'xt', false)
end

---Puts the cursor on the first place a text is.
---@param text string
function M.go_to(text)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local at = line:find(text, 1, true)
    if at then
      return vim.api.nvim_win_set_cursor(0, { i, at - 1 })
    end
  end
  error(text .. ' is not in the buffer', 2)
end

---A row of the screen as it was last drawn, without trailing spaces.
---@param row integer
---@return string
local function drawn(row)
  local cells = {}
  for column = 1, vim.o.columns do
    cells[column] = vim.fn.screenstring(row, column)
  end
  return (table.concat(cells):gsub('%s+$', ''))
end

---A row of the screen, without redrawing what nobody has asked to.
---@param row integer
---@return string
function M.row(row)
  vim.cmd('redraw')
  return drawn(row)
end

---The screen as text, without trailing spaces.
---@return string
function M.screen()
  vim.cmd('redraw!')
  local rows = {}
  for row = 1, vim.o.lines do
    rows[row] = drawn(row)
  end
  return table.concat(rows, '\n') .. '\n'
end

local function say(line)
  io.stdout:write(line, '\n')
  io.stdout:flush()
end

local steps = {}

---@param name string
---@param run fun()
function M.step(name, run)
  table.insert(steps, { name = name, run = run })
end

---Runs all steps and ends Neovim.
function M.run()
  say('\n1..' .. #steps)
  for i, step in ipairs(steps) do
    local ok, why = xpcall(step.run, debug.traceback)
    if not ok or vim.v.errmsg ~= '' then
      say(('not ok %d - %s'):format(i, step.name))
      local notes = { why or '', 'v:errmsg: ' .. vim.v.errmsg, 'Neovim said: ' .. vim.inspect(M.said), M.screen() }
      for _, text in ipairs(notes) do
        say('# ' .. text:gsub('\n', '\n# '))
      end
      vim.cmd('cquit!')
    end
    say(('ok %d - %s'):format(i, step.name))
  end
  vim.cmd('qall!')
end

return M
