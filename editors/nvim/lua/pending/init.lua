---Review what a coding agent wants to change, before it does.
local M = {}

---Not needed unless something is to be other than the default; see |pending-config|.
---@param opts? table parts of |pending.Config|
function M.setup(opts)
  require('pending.config').set(opts)
end

---What is pending where a buffer belongs, for a status line or window bar; empty when nothing is.
---@param bufnr? integer
---@return string
function M.status(bufnr)
  -- A status line must not load the plugin before there is anything to say.
  if not package.loaded['pending.stack'] then
    return ''
  end
  local stack = require('pending.stack').of(bufnr)
  local top = stack and stack.actions[1]
  if not top then
    return ''
  end
  local more = #stack.actions > 1 and (' +%d'):format(#stack.actions - 1) or ''
  local state = top.state == 'applying' and ' (applying)' or top.stale and ' (stale)' or ''
  return ('pending: %s%s%s'):format(top.label, state, more)
end

---The stack of pending actions where a buffer belongs, top first.
---@param bufnr? integer
---@return pending.Action[]
function M.actions(bufnr)
  local stack = require('pending.stack').of(bufnr)
  return stack and vim.deepcopy(stack.actions) or {}
end

return M
