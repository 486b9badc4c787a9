---Tells the server of line ends that change with an option. Neovim tells no server of those, and what it sends later
---would not fit the text that the server has.
local M = {}

local ends = { unix = '\n', dos = '\r\n', mac = '\r' }

---Gives the buffer a new version, or an edit for the text before would pass for one for the text now. A change of
---nothing does; it belongs to the last step of undo.
---@param bufnr integer
local function new_version(bufnr)
  local modified = vim.bo[bufnr].modified
  vim.api.nvim_buf_call(bufnr, function()
    vim.cmd('silent! undojoin')
    pcall(vim.api.nvim_buf_set_text, bufnr, 0, 0, 0, 0, { '' })
  end)
  if not modified then
    vim.bo[bufnr].modified = false
  end
end

---@param bufnr integer whose 'fileformat' or 'endofline' was set
function M.changed(bufnr)
  local versions = require('pending.versions')
  if not versions.of(bufnr) then
    return
  end
  new_version(bufnr)
  local line_end = ends[vim.bo[bufnr].fileformat]
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, true), line_end)
  if vim.bo[bufnr].endofline then
    text = text .. line_end
  end
  local clients = require('pending.client')
  for _, client in ipairs(clients.all({ bufnr = bufnr })) do
    clients.flush(client, bufnr)
    clients.notify(client, 'textDocument/didChange', {
      textDocument = { uri = vim.uri_from_bufnr(bufnr), version = versions.of(bufnr) },
      contentChanges = { { text = text } },
    })
  end
end

return M
