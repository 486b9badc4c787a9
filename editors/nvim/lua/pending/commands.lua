---:Pending and its subcommands.
local M = {}

---@class pending.Call
---@field rest string what follows the subcommand
---@field words string[]
---@field bang boolean
---@field first? integer lines, when a range was given
---@field last? integer

---@class pending.Command
---@field run fun(call: pending.Call)
---@field complete? string[]

local function say()
  return require('pending.say')
end

---Runs a server command in the workspace of the current buffer, and hands on what succeeded.
---@param command string
---@param argument table
---@param callback fun(result: any)
local function ask(command, argument, callback)
  local clients = require('pending.client')
  local bufnr = vim.api.nvim_get_current_buf()
  clients.ensure(bufnr, function(client)
    argument.workspace = clients.folder(client, bufnr)
    clients.execute(client, command, argument, function(err, result)
      if err then
        local hint = type(err.data) == 'table' and err.data.hint
        return say().error(err.message .. (hint and '\n' .. hint or ''))
      end
      callback(result)
    end)
  end)
end

---@param result table a tool result
local function text_of(result)
  return result.content and result.content[1] and result.content[1].text or ''
end

---@param verb 'apply'|'discard'
---@return fun(call: pending.Call)
local function resolve(verb)
  return function(call)
    require('pending.resolve').action(verb, { reason = call.rest, cascade = call.bang })
  end
end

---Neovim's names of languages that the server calls otherwise.
local languages = { typescriptreact = 'tsx', javascriptreact = 'jsx', sh = 'bash', cs = 'csharp', terraform = 'hcl' }

---@param call pending.Call
local function edit(call)
  local pat, out = call.rest:match('^(.-)%s+=>%s*(.*)$')
  if not pat or pat == '' then
    return say().error('usage: :Pending edit PATTERN => REPLACEMENT')
  end
  local filetype = vim.bo.filetype
  local argument = { ops = { { pat = pat, out = out } } }
  if filetype ~= '' then
    argument.lang = languages[filetype] or filetype
  end
  if call.bang then
    argument.path = vim.api.nvim_buf_get_name(0)
  end
  ask('astEdit', argument, function(result)
    if not result.details.actionId then
      return say().warn(text_of(result))
    end
    say().info(result.details.fileReplacements and text_of(result):match('^[^\n]*') or text_of(result))
  end)
end

local function log()
  ask('log', { limit = 200 }, function(result)
    local lines = {}
    for _, entry in ipairs(result.entries or {}) do
      local time = entry.time:gsub('T', ' '):gsub('%..*$', ''):gsub('Z$', '')
      local reason = entry.reason and entry.reason ~= '' and ': ' .. entry.reason or ''
      local by = entry.by and entry.by.name or 'somebody'
      lines[#lines + 1] = ('%s  %-8s %s (%s)%s'):format(time, entry.cause, entry.label, by, reason:gsub('\n', ' '))
    end
    if #lines == 0 then
      return say().info('Nothing has happened yet')
    end
    local scratch = require('pending.scratch')
    scratch.float(scratch.create('pending://log', table.concat(lines, '\n'), ''), 'Log (UTC)')
  end)
end

local function await()
  local stack = require('pending.stack').of()
  local top = stack and stack.actions[1]
  if not top then
    return say().warn('nothing is pending here')
  end
  ask('await', { id = top.id }, function(result)
    local by = result.by and result.by.name or 'somebody'
    local reason = result.reason and result.reason ~= '' and ': ' .. result.reason or ''
    say().info(('%s: %s by %s%s'):format(top.label, result.state, by, reason))
  end)
end

---@type table<string, pending.Command>
M.commands = {
  apply = { run = resolve('apply') },
  discard = { run = resolve('discard') },
  hunk = {
    complete = { 'apply', 'discard' },
    run = function(call)
      local verb = call.words[1]
      if verb ~= 'apply' and verb ~= 'discard' then
        return say().error('usage: :Pending hunk apply|discard [reason]')
      end
      local reason = call.rest:match('^%S+%s+(.*)$')
      require('pending.resolve').hunks(verb, { reason = reason }, call.first, call.last)
    end,
  },
  diff = {
    complete = { 'tab', 'float' },
    run = function(call)
      local style = call.words[1] or 'tab'
      if style ~= 'tab' and style ~= 'float' then
        return say().error('usage: :Pending diff [tab|float]')
      end
      require('pending.preview').open(nil, style)
    end,
  },
  list = {
    run = function()
      require('pending.jump').quickfix()
    end,
  },
  pick = {
    run = function()
      require('pending.pick').pick()
    end,
  },
  next = {
    run = function(call)
      require('pending.jump').go(1, tonumber(call.words[1]) or 1)
    end,
  },
  prev = {
    run = function(call)
      require('pending.jump').go(-1, tonumber(call.words[1]) or 1)
    end,
  },
  undo = {
    run = function()
      ask('undo', {}, function(result)
        say().info(require('pending.resolve').summary(result))
      end)
    end,
  },
  log = { run = log },
  edit = { run = edit },
  await = { run = await },
  restart = {
    run = function()
      local client = require('pending.client').get()
      if client then
        return require('pending.restart').now(client)
      end
      require('pending.client').ensure(vim.api.nvim_get_current_buf(), function()
        say().info('Started the server')
      end)
    end,
  },
}

---@return string[]
local function names()
  local out = vim.tbl_keys(M.commands)
  table.sort(out)
  return out
end

---@param call vim.api.keyset.create_user_command.command_args
function M.run(call)
  local name, rest = call.args:match('^(%S*)%s*(.-)%s*$')
  local bang = call.bang
  -- `:Pending apply!` reads better than `:Pending! apply`; both work.
  if name:sub(-1) == '!' then
    name, bang = name:sub(1, -2), true
  end
  if name == '' then
    name = 'pick'
  end
  local command = M.commands[name]
  if not command then
    return say().error(('no subcommand %s; there are %s'):format(name, table.concat(names(), ', ')))
  end
  command.run({
    rest = rest,
    words = vim.split(rest, '%s+', { trimempty = true }),
    bang = bang,
    first = call.range > 0 and call.line1 or nil,
    last = call.range > 0 and call.line2 or nil,
  })
end

---A <Plug> map: as the command, with a count or the visual lines.
---@param name string
---@param rest string
function M.map(name, rest)
  local mode = vim.fn.mode()
  local first, last
  if mode:match('^[vV\22]') then
    first, last = vim.fn.line('v'), vim.fn.line('.')
    if first > last then
      first, last = last, first
    end
    vim.cmd('normal! \27')
  end
  if (name == 'next' or name == 'prev') and vim.v.count > 0 then
    rest = tostring(vim.v.count)
  end
  M.run({ args = name .. ' ' .. rest, bang = false, range = first and 2 or 0, line1 = first, line2 = last })
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local before = line:sub(1, #line - #lead)
  local words = vim.split(before:gsub('^.-Pending!?%s*', ''), '%s+', { trimempty = true })
  local candidates = {}
  if #words == 0 then
    candidates = names()
    vim.list_extend(candidates, { 'apply!', 'discard!', 'edit!' })
  elseif #words == 1 then
    local command = M.commands[(words[1]:gsub('!$', ''))]
    candidates = command and command.complete or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
