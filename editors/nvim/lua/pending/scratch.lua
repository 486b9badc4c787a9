---Buffers that show something and belong to no file.
local M = {}

---@param text string
---@return string[]
function M.lines(text)
  local lines = vim.split(text, '\r?\n')
  if #lines > 1 and lines[#lines] == '' then
    table.remove(lines)
  end
  return lines
end

---@param bufnr integer
---@param lines string[]
function M.fill(bufnr, lines)
  if vim.deep_equal(vim.api.nvim_buf_get_lines(bufnr, 0, -1, true), lines) then
    return
  end
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, true, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
end

---Colours without 'filetype', which would have language servers and other plugins attach.
---@param bufnr integer
---@param filetype string
local function colour(bufnr, filetype)
  local language = vim.treesitter.language.get_lang(filetype)
  if not language or not pcall(vim.treesitter.start, bufnr, language) then
    vim.bo[bufnr].syntax = filetype
  end
end

---@param name string
---@param text string
---@param filetype string
---@return integer bufnr
function M.create(name, text, filetype)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  pcall(vim.api.nvim_buf_set_name, bufnr, name) -- taken when one action is shown twice
  M.fill(bufnr, M.lines(text))
  vim.bo[bufnr].undolevels = -1
  colour(bufnr, filetype)
  return bufnr
end

---Opens a float in the middle of the screen.
---@param bufnr integer
---@param title string
---@return integer win
function M.float(bufnr, title)
  local lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, true)
  local width = #title + 4
  for _, line in ipairs(lines) do
    width = math.max(width, vim.api.nvim_strwidth(line) + 1)
  end
  width = math.max(20, math.min(width, vim.o.columns - 4))
  local height = math.max(1, math.min(#lines, vim.o.lines - 6))
  local win = vim.api.nvim_open_win(bufnr, true, {
    relative = 'editor',
    row = math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2),
    width = width,
    height = height,
    style = 'minimal',
    border = 'rounded',
    title = ' ' .. title .. ' ',
  })
  vim.wo[win][0].wrap = false -- not the global value too
  for _, key in ipairs({ 'q', '<Esc>' }) do
    vim.keymap.set('n', key, function()
      if vim.api.nvim_win_is_valid(win) then
        vim.api.nvim_win_close(win, true)
      end
    end, { buffer = bufnr, nowait = true })
  end
  return win
end

return M
