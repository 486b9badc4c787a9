-- The ways to install that README.md shows, with its own words, each in a Neovim of its own. lazy.nvim cannot be had
-- here; what it does with a folder is what the second step does.
local t = require('harness')
local step, equal = t.step, t.equal

local here = vim.fs.dirname(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)))
local readme = vim.fn.readfile(vim.fs.dirname(vim.fs.dirname(here)) .. '/README.md')

---A repository with the plugin where ours has it.
local source = vim.fn.tempname()
local plugin = source .. '/editors/nvim'

---@type fun(...: string)
local function run(...)
  local done = vim.system({ ... }, { cwd = source, text = true }):wait()
  assert(done.code == 0, vim.inspect(done))
end

---The part of the README that a comment heads.
---@param comment string
---@return string
local function snippet(comment)
  local lines, inside = {}, false
  for _, line in ipairs(readme) do
    if inside and (line == '' or line == '```') then
      break
    elseif inside then
      table.insert(lines, line)
    end
    inside = inside or vim.startswith(line, comment)
  end
  assert(#lines > 0, comment .. ' is not in the README')
  return table.concat(lines, '\n')
end

---Starts a Neovim with an init.lua, opens a file in it, and returns what it says of the session.
---@param init string
---@return table
local function start(init)
  local path = vim.fn.tempname() .. '.lua'
  local lines = {
    'vim.fn.confirm = function() return 1 end',
    ('vim.g.pending = { cmd = { %q } }'):format(t.bin),
    init,
  }
  t.write(path, table.concat(lines, '\n'))
  local report = [[
    vim.cmd.helptags(vim.api.nvim_get_runtime_file('doc/pending.txt', false)[1]:match('.*/'))
    local ok = vim.wait(20000, function()
      return package.loaded['pending.client'] and #require('pending.client').all({ bufnr = 0 }) > 0
    end, 20)
    io.stdout:write('\nreport ', vim.json.encode({
      attached = ok,
      command = vim.fn.exists(':Pending'),
      help = #vim.fn.getcompletion(':Pending-apply', 'help'),
      errors = vim.v.errmsg,
    }), '\n')
    vim.cmd('qall!')
  ]]
  local script = vim.fn.tempname() .. '.lua'
  t.write(script, report)
  local done
  vim.system({
    vim.env.NVIM_BIN,
    '--headless',
    '-i',
    'NONE',
    '-u',
    path,
    t.path('web/src/board.ts'),
    '-c',
    'luafile ' .. script,
  }, { cwd = t.root, text = true }, function(result)
    done = result
  end)
  t.eventually('the other Neovim has ended', function()
    return done
  end)
  local answer = done.stdout:match('\nreport ([^\n]+)')
  assert(answer, vim.inspect(done))
  return vim.json.decode(answer)
end

local works = { attached = true, command = 2, help = 1, errors = '' }

step('makes a repository to install from', function()
  vim.fn.mkdir(source .. '/editors', 'p')
  run('cp', '-r', here, plugin)
  run('git', 'init', '-q')
  run('git', 'add', '-A')
  run('git', '-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'one')
end)

step('with no plugin manager', function()
  equal('report', start((snippet('-- no plugin manager'):gsub('~/src/pending%-lsp', source))), works)
end)

step('after the start, as managers that load late do it', function()
  local init = ([[
    vim.opt.loadplugins = false
    vim.api.nvim_create_autocmd('BufReadPost', { once = true, callback = function()
      vim.opt.runtimepath:append(%q)
      vim.cmd.source(%q)
    end })
  ]]):format(plugin, plugin .. '/plugin/pending.lua')
  equal('report', start(init), works)
end)

step('with a setup() that comes after the plugin, as lazy.nvim does opts', function()
  local init = ([[
    vim.g.pending = nil
    vim.opt.runtimepath:append(%q)
    vim.cmd.source(%q)
    require('pending').setup({ cmd = { %q }, init_options = { diagnostics = 'hint' } })
    vim.api.nvim_create_autocmd('LspAttach', { callback = function(event)
      local options = vim.lsp.get_client_by_id(event.data.client_id).config.init_options
      assert(options.diagnostics == 'hint' and options.codeActionEdit, vim.inspect(options))
    end })
  ]]):format(plugin, plugin .. '/plugin/pending.lua', t.bin)
  equal('report', start(init), works)
end)

if vim.fn.has('nvim-0.12') == 1 then
  step('with vim.pack', function()
    local init = snippet('-- vim.pack'):gsub('file:///home/me/src/pending%-lsp', 'file://' .. source)
    equal('report', start(init), works)
  end)
end

t.run()
