---Which version of a buffer the server was told last. Neovim's own table is shared by all clients, and 0.10 sets it
---back to 0 when another one attaches, so it does not say what this server knows.
local M = {}

---@type table<integer, integer> by buffer
local told = {}

---Begins to follow a buffer that was just opened at the server.
---@param bufnr integer
function M.follow(bufnr)
  local known = told[bufnr] ~= nil
  told[bufnr] = vim.lsp.util.buf_versions[bufnr] or 0
  if known then
    return
  end
  vim.api.nvim_buf_attach(bufnr, false, {
    on_lines = function(_, _, tick)
      if not told[bufnr] then
        return true
      end
      told[bufnr] = tick
    end,
    on_reload = function()
      told[bufnr] = vim.lsp.util.buf_versions[bufnr] or 0
    end,
    on_detach = function()
      told[bufnr] = nil
    end,
  })
end

---The version the server has, or will have once what was typed is sent.
---@param bufnr integer
---@return integer? # nil when the server does not have it open
function M.of(bufnr)
  return told[bufnr]
end

return M
