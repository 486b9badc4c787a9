---Before and after of an action's files, side by side in a tab with Neovim's own diff mode.
local M = {}

local scratch = require('pending.scratch')

---@class pending.Preview
---@field client_id integer
---@field folder? string
---@field id string the action
---@field label string
---@field files { uri: string, before: string, after: string }[]
---@field index integer the file shown
---@field left integer window
---@field right integer window
---@field buffers table<integer, integer> what is shown, by window
---@field origin integer tab page
---@field over boolean the action is resolved

---@type table<integer, pending.Preview> by tab page
local previews = {}

---@param p pending.Preview
---@return string
local function path(p)
  local name = vim.uri_to_fname(p.files[p.index].uri)
  local root = p.folder and vim.uri_to_fname(p.folder) .. '/'
  if root and vim.startswith(name, root) then
    return name:sub(#root + 1)
  end
  return vim.fn.fnamemodify(name, ':~:.')
end

---@param p pending.Preview
local function title(p)
  local function text(s)
    return (s:gsub('%%', '%%%%'))
  end
  local where = #p.files > 1 and (' (%d/%d)'):format(p.index, #p.files) or ''
  local keys = require('pending.config').get().preview.keys
  local hint = p.over and 'resolved' or keys.help and keys.help .. ' help' or ''
  vim.wo[p.left][0].winbar = text('before: ' .. path(p) .. where)
  vim.wo[p.right][0].winbar = text('after: ' .. p.label) .. '%=' .. text(hint)
end

---@param tab integer
local function close(tab)
  local p = previews[tab]
  previews[tab] = nil
  if not p or not vim.api.nvim_tabpage_is_valid(tab) then
    return
  end
  local current = vim.api.nvim_get_current_tabpage() == tab
  if #vim.api.nvim_list_tabpages() == 1 then
    vim.cmd('$tabnew') -- the last one cannot be closed
  end
  vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(tab))
  if current and vim.api.nvim_tabpage_is_valid(p.origin) then
    vim.api.nvim_set_current_tabpage(p.origin)
  end
end

---Both windows are there and show what was put in them: the user may have closed one, or gone to another buffer.
---@param p pending.Preview
---@return boolean
local function whole(p)
  for _, win in ipairs({ p.left, p.right }) do
    if not vim.api.nvim_win_is_valid(win) or vim.api.nvim_win_get_buf(win) ~= p.buffers[win] then
      return false
    end
  end
  return true
end

local show

---@param tab integer
---@param by integer
local function move(tab, by)
  local p = previews[tab]
  p.index = (p.index - 1 + by) % #p.files + 1
  show(tab)
end

---@param tab integer
---@param verb 'apply'|'discard'
local function resolve(tab, verb)
  local p = previews[tab]
  local client = vim.lsp.get_client_by_id(p.client_id)
  if not client then
    return require('pending.say').error('the server this came from is gone')
  end
  require('pending.resolve').send(verb, { id = p.id }, client, p.folder, function(ok)
    if ok then
      close(tab)
    end
  end)
end

---@param tab integer
---@param bufnr integer
local function map(tab, bufnr)
  local does = {
    apply = {
      'apply the action',
      function()
        resolve(tab, 'apply')
      end,
    },
    discard = {
      'discard the action',
      function()
        resolve(tab, 'discard')
      end,
    },
    next_file = {
      'next file',
      function()
        move(tab, vim.v.count1)
      end,
    },
    prev_file = {
      'previous file',
      function()
        move(tab, -vim.v.count1)
      end,
    },
    close = {
      'close',
      function()
        close(tab)
      end,
    },
  }
  local keys = require('pending.config').get().preview.keys
  does.help = {
    'this help',
    function()
      local lines = {}
      for name, what in pairs(does) do
        if keys[name] then
          lines[#lines + 1] = ('%-6s %s'):format(keys[name], what[1])
        end
      end
      table.sort(lines)
      scratch.float(scratch.create('pending://help', table.concat(lines, '\n'), ''), 'Preview')
    end,
  }
  for name, what in pairs(does) do
    if keys[name] then
      vim.keymap.set('n', keys[name], what[2], { buffer = bufnr, nowait = true, desc = 'Pending: ' .. what[1] })
    end
  end
end

---@param before string
---@param after string
---@return integer # the line of the new text to start on
local function first_change(before, after)
  local diff = vim.text and vim.text.diff or vim.diff -- renamed in 0.12
  local indices = diff(before, after, { result_type = 'indices' }) --[[@as integer[][] ]]
  return indices[1] and math.max(indices[1][3], 1) or 1
end

---@param tab integer
show = function(tab)
  local p = previews[tab]
  local file = p.files[p.index]
  local filetype = vim.filetype.match({ filename = vim.uri_to_fname(file.uri) }) or ''
  for _, side in ipairs({ { p.left, 'before', file.before }, { p.right, 'after', file.after } }) do
    local bufnr = scratch.create(('pending://%s/%s/%s'):format(p.id, side[2], path(p)), side[3], filetype)
    vim.b[bufnr].pending_client = p.client_id
    vim.api.nvim_win_call(side[1], function()
      vim.cmd.diffoff()
      vim.api.nvim_win_set_buf(side[1], bufnr)
      vim.cmd.diffthis()
    end)
    p.buffers[side[1]] = bufnr
    map(tab, bufnr)
  end
  title(p)
  local line = first_change(file.before, file.after)
  local count = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(p.right))
  vim.api.nvim_win_set_cursor(p.right, { math.min(line, count), 0 })
  vim.api.nvim_win_call(p.right, function()
    vim.cmd('normal! zvzz')
    vim.cmd.syncbind()
  end)
end

---One side alone is no preview; but what else the user has put there is left alone.
---@param tab integer
---@param p pending.Preview
local function widowed(tab, p)
  if previews[tab] ~= p then
    return
  end
  for win, bufnr in pairs(p.buffers) do
    if vim.api.nvim_win_is_valid(win) and vim.api.nvim_win_get_buf(win) == bufnr then
      return close(tab)
    end
  end
  previews[tab] = nil
end

---@param client vim.lsp.Client
---@param folder? string
---@param result table
local function open_tab(client, folder, result)
  for tab, p in pairs(previews) do
    if p.id == result.id and vim.api.nvim_tabpage_is_valid(tab) and whole(p) then
      return vim.api.nvim_set_current_tabpage(tab)
    end
  end
  local origin = vim.api.nvim_get_current_tabpage()
  vim.cmd('tab split')
  local tab = vim.api.nvim_get_current_tabpage()
  local left = vim.api.nvim_get_current_win()
  vim.cmd('rightbelow vsplit')
  local p = { ---@type pending.Preview
    client_id = client.id,
    folder = folder,
    id = result.id,
    label = result.label,
    files = result.files,
    index = 1,
    left = left,
    right = vim.api.nvim_get_current_win(),
    buffers = {},
    origin = origin,
    over = false,
  }
  previews[tab] = p
  show(tab)
  vim.api.nvim_create_autocmd('WinClosed', {
    pattern = { tostring(p.left), tostring(p.right) },
    once = true,
    callback = vim.schedule_wrap(function()
      widowed(tab, p)
    end),
  })
end

---Shows what an action would do; without an id the one at the cursor, else the top.
---@param id? string
---@param style? 'tab'|'float'
function M.open(id, style)
  local say = require('pending.say')
  local clients = require('pending.client')
  local client = clients.get()
  if not client then
    return say.warn('nothing is pending here')
  end
  local here = not id and require('pending.resolve').here()[1]
  id = id or here and here.action or nil
  local folder = clients.folder(client)
  local format = style == 'float' and 'diff' or 'texts'
  clients.execute(client, 'preview', { id = id, format = format, workspace = folder }, function(err, result)
    if err then
      return say.error(err.message)
    end
    if format == 'diff' then
      local bufnr = scratch.create(('pending://%s/diff'):format(result.id), result.diff, 'diff')
      vim.b[bufnr].pending_client = client.id
      scratch.float(bufnr, result.label)
    elseif #(result.files or {}) == 0 then
      say.warn('nothing to show: ' .. result.label .. ' has no text edits left')
    else
      open_tab(client, folder, result)
    end
  end)
end

---@param tab integer
---@param p pending.Preview
local function refresh(tab, p)
  local client = vim.lsp.get_client_by_id(p.client_id)
  if not client then
    return
  end
  local argument = { id = p.id, format = 'texts', workspace = p.folder }
  require('pending.client').execute(client, 'preview', argument, function(err, result)
    if err or previews[tab] ~= p or not whole(p) or #(result.files or {}) == 0 then
      return
    end
    local shown = p.files[p.index].uri
    p.files, p.index = result.files, math.min(p.index, #result.files)
    if p.files[p.index].uri ~= shown then
      return show(tab)
    end
    scratch.fill(p.buffers[p.left], scratch.lines(p.files[p.index].before))
    scratch.fill(p.buffers[p.right], scratch.lines(p.files[p.index].after))
    title(p)
  end)
end

---Keeps what is open in step with the stack. Nothing is closed under the eyes of who reads it.
function M.update()
  for tab, p in pairs(previews) do
    if not vim.api.nvim_tabpage_is_valid(tab) then
      previews[tab] = nil
    elseif whole(p) and not p.over then
      if require('pending.stack').action(p.client_id, p.id) then
        refresh(tab, p)
      else
        p.over = true
        title(p)
      end
    end
  end
end

return M
