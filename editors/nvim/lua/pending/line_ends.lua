---Tells the server of line ends that change with an option. Neovim tells no server of those, and what it sends later
---would not fit the text that the server has.
local M = {}

local ends = { unix = '\n', dos = '\r\n', mac = '\r' }

---@param bufnr integer whose 'fileformat' or 'endofline' was set
function M.changed(bufnr)
  local version = require('pending.versions').of(bufnr)
  if not version then
    return
  end
  local line_end = ends[vim.bo[bufnr].fileformat]
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, true), line_end)
  if vim.bo[bufnr].endofline then
    text = text .. line_end
  end
  local clients = require('pending.client')
  for _, client in ipairs(clients.all({ bufnr = bufnr })) do
    clients.flush(client, bufnr)
    clients.notify(client, 'textDocument/didChange', {
      textDocument = { uri = vim.uri_from_bufnr(bufnr), version = version },
      contentChanges = { { text = text } },
    })
  end
end

return M
