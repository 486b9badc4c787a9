---What the plugin tells its user.
local M = {}

---@param text string
---@param level integer
local function say(text, level)
  vim.notify(text, level, { title = 'pending' })
end

---Good news, in one line that fits: the user goes on without having to press a key.
---@param text string
function M.info(text)
  text = text:gsub('%s*\n%s*', '; ')
  local room = math.max(vim.v.echospace, 40)
  if vim.api.nvim_strwidth(text) > room then
    text = vim.fn.strcharpart(text, 0, room - 1) .. '…'
  end
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
