---What the plugin tells its user.
local M = {}

---@param text string
---@param level integer
local function say(text, level)
  vim.notify(text, level, { title = 'pending' })
end

---@param text string
function M.info(text)
  say(text, vim.log.levels.INFO)
end

---@param text string
function M.warn(text)
  say('pending: ' .. text, vim.log.levels.WARN)
end

---@param text string
function M.error(text)
  say('pending: ' .. text, vim.log.levels.ERROR)
end

return M
