---Choosing an action and what to do with it: in a picker that shows the diffs, when there is one, else with whatever
---serves vim.ui.select.
local M = {}

---@class pending.Pick
---@field action pending.Action
---@field above integer how many actions are above it on the stack
---@field text string
---@field diff string

---@class pending.Pick.Does what can be done with what is picked
---@field choose fun(item: pending.Pick)
---@field apply fun(item: pending.Pick)
---@field discard fun(item: pending.Pick)

---Pickers, whose names can be required where they are installed, and what opens them.
local pickers = {
  { 'telescope', 'pending.picker.telescope' },
  { 'fzf-lua', 'pending.picker.fzf_lua' },
  { 'snacks', 'pending.picker.snacks' },
}

---@param count integer
---@param what string
---@return string
local function counted(count, what)
  return ('%d %s%s'):format(count, what, count == 1 and '' or 's')
end

---@param action pending.Action
---@param above integer
---@return string
local function describe(action, above)
  local hunks = 0
  for _, file in ipairs(action.files) do
    hunks = hunks + #file.hunks
  end
  local flags = (action.stale and ', stale' or '') .. (action.orphaned and ', orphaned' or '')
  local where = counted(hunks, 'hunk') .. ' in ' .. counted(#action.files, 'file')
  return ('%d. %s (%s, by %s%s)'):format(above + 1, action.label, where, action.by.name, flags)
end

---@param client vim.lsp.Client
---@param folder? string
---@return pending.Pick.Does
local function doing(client, folder)
  local function resolve(verb, item)
    local options = { id = item.action.id, cascade = item.above > 0 }
    require('pending.resolve').send(verb, options, client, folder)
  end

  local function choose(item)
    local above = item.above
    local choices = {
      {
        title = 'Show the diff',
        run = function()
          require('pending.preview').open(item.action.id)
        end,
      },
      {
        title = above == 0 and 'Apply' or ('Apply, and the %d above it'):format(above),
        run = function()
          resolve('apply', item)
        end,
      },
      {
        title = above == 0 and 'Discard' or ('Discard, and the %d above it'):format(above),
        run = function()
          resolve('discard', item)
        end,
      },
    }
    vim.ui.select(choices, {
      prompt = item.action.label,
      kind = 'pending.decision',
      format_item = function(choice)
        return choice.title
      end,
    }, function(choice)
      if choice then
        choice.run()
      end
    end)
  end

  ---A key does it at once only where it does nothing else besides.
  local function at_once(verb)
    return function(item)
      if item.above > 0 then
        return choose(item)
      end
      resolve(verb, item)
    end
  end
  return { choose = choose, apply = at_once('apply'), discard = at_once('discard') }
end

---@param name string
---@param wanted boolean by the user
---@return boolean
local function there(name, wanted)
  local ok, plugin = pcall(require, name)
  -- snacks is many things; its picker is on when the user has said so.
  return ok and (wanted or name ~= 'snacks' or vim.tbl_get(plugin, 'config', 'picker', 'enabled') == true)
end

---The picker that is set, else the first that is there.
---@return string? name
---@return fun(items: pending.Pick[], does: pending.Pick.Does, title: string)? open
function M.picker()
  local wanted = require('pending.config').get().picker
  for _, picker in ipairs(pickers) do
    local name, ours = picker[1], picker[2]
    if (wanted == name or wanted == 'auto') and there(name, wanted == name) then
      return name, require(ours)
    end
  end
end

---@param items pending.Pick[]
---@param does pending.Pick.Does
local function select(items, does)
  vim.ui.select(items, {
    prompt = 'Pending actions',
    kind = 'pending.action',
    format_item = function(item)
      return item.text
    end,
  }, function(item)
    if item then
      does.choose(item)
    end
  end)
end

function M.pick()
  local clients = require('pending.client')
  local client = clients.get()
  local stack = require('pending.stack').of()
  local items = {} ---@type pending.Pick[]
  for above, action in ipairs(stack and stack.actions or {}) do
    items[above] = { action = action, above = above - 1, text = describe(action, above - 1), diff = '' }
  end
  if not client or #items == 0 then
    return require('pending.say').warn('nothing is pending here')
  end
  local folder = clients.folder(client)
  local does = doing(client, folder)
  local _, open = M.picker()
  if not open then
    return select(items, does)
  end
  local left = #items
  for _, item in ipairs(items) do
    clients.execute(client, 'preview', { id = item.action.id, workspace = folder }, function(err, result)
      item.diff = err and err.message or result.diff
      left = left - 1
      if left == 0 then
        open(items, does, 'Pending: Ctrl-A applies, Ctrl-X discards')
      end
    end)
  end
end

return M
