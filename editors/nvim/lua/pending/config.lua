---What can be set, with its defaults. Set it with `require('pending').setup{}` or in `vim.g.pending`; neither is
---needed.
local M = {}

---@class pending.Config
---@field cmd string[] the server
---@field autostart boolean attach to every file in a workspace
---@field root_markers string[] what marks the root of a workspace
---@field init_options table what the server can be set to: `workspace`, `apply`, `approval`, …
---@field save 'none'|'touched' after an apply: write nothing, or the buffers it changed that had no unsaved changes
---@field picker 'auto'|'telescope'|'fzf-lua'|'snacks'|'select' what |:Pending-pick| opens; "select" is vim.ui.select
---@field restart boolean start the server again when its daemon dies
---@field diagnostics boolean|vim.diagnostic.Opts how to show the server's diagnostics; they are always in the list
---@field show pending.Config.Show
---@field preview pending.Config.Preview

---@class pending.Config.Show
---@field style 'lines'|'eol'|'none' the replacement below the code, at the end of the line, or not at all
---@field signs { pending: string, below: string, stale: string }|false
---@field max_lines integer lines of one replacement that are shown
---@field priority integer of signs and highlights

---@class pending.Config.Preview
---@field keys table<string, string|false> what apply, discard, next_file, prev_file, close and help are on

---@type pending.Config
local defaults = {
  cmd = { 'pending-lsp' },
  autostart = true,
  root_markers = { '.git', '.jj', '.hg', '.svn' },
  init_options = {},
  save = 'none',
  picker = 'auto',
  restart = true,
  diagnostics = { virtual_text = false, virtual_lines = false, signs = false, underline = false },
  show = {
    style = 'lines',
    signs = { pending = '▎', below = '▏', stale = '?' },
    max_lines = 40,
    priority = 20,
  },
  preview = {
    keys = { apply = 'ga', discard = 'gd', next_file = ']f', prev_file = '[f', close = 'q', help = 'g?' },
  },
}

---@type pending.Config?
local current

---The first thing wrong with a configuration, if there is one.
---@param config table
---@return string?
local function complaint(config)
  local function expect(name, value, ...)
    for _, wanted in ipairs({ ... }) do
      if type(value) == wanted or value == wanted then
        return
      end
    end
    return ('%s: %s is not one of: %s'):format(name, vim.inspect(value), table.concat({ ... }, ', '))
  end
  local show, preview = config.show, config.preview
  return expect('cmd', config.cmd, 'table')
    or expect('autostart', config.autostart, 'boolean')
    or expect('root_markers', config.root_markers, 'table')
    or expect('init_options', config.init_options, 'table')
    or expect('save', config.save, 'none', 'touched')
    or expect('picker', config.picker, 'auto', 'telescope', 'fzf-lua', 'snacks', 'select')
    or expect('restart', config.restart, 'boolean')
    or expect('diagnostics', config.diagnostics, 'boolean', 'table')
    or expect('show', show, 'table')
    or expect('show.style', show.style, 'lines', 'eol', 'none')
    or (show.signs ~= false and expect('show.signs', show.signs, 'table') or nil)
    or expect('show.max_lines', show.max_lines, 'number')
    or expect('show.priority', show.priority, 'number')
    or expect('preview', preview, 'table')
    or expect('preview.keys', preview.keys, 'table')
end

---Names in `given` that mean nothing, so that a typing error is noticed.
---@param given table
---@param known table
---@param prefix string
---@return string[]
local function unknown(given, known, prefix)
  local out = {}
  for name, value in pairs(given) do
    local inner = known[name]
    if inner == nil then
      out[#out + 1] = prefix .. name
    elseif type(value) == 'table' and type(inner) == 'table' and (name == 'show' or name == 'preview') then
      vim.list_extend(out, unknown(value, inner, prefix .. name .. '.'))
    end
  end
  table.sort(out)
  return out
end

---What is wrong with what the user has set, for |:checkhealth|.
---@type string[]
M.problems = {}

---@param given? table
function M.set(given)
  given = vim.tbl_deep_extend('force', type(vim.g.pending) == 'table' and vim.g.pending or {}, given or {})
  local config = vim.tbl_deep_extend('force', defaults, given)
  M.problems = vim.tbl_map(function(name)
    return ('unknown option %s'):format(name)
  end, unknown(given, defaults, ''))
  local wrong = complaint(config)
  if wrong then
    table.insert(M.problems, wrong)
    config = vim.deepcopy(defaults)
  end
  if current and vim.fn.has('nvim-0.11') == 1 then
    vim.lsp.config('pending_lsp', {}) -- has Neovim ask again for what it keeps of |lsp-config|
  end
  current = config
  if #M.problems > 0 then
    vim.notify('pending: ' .. table.concat(M.problems, '; '), vim.log.levels.WARN)
  end
end

---@return pending.Config
function M.get()
  if not current then
    M.set()
  end
  return current --[[@as pending.Config]]
end

return M
