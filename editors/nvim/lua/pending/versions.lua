---Which version of a buffer the server was told last. Neovim's own table is shared by all clients, and 0.10 sets it
---back to 0 when another one attaches, so it does not say what this server knows.
local M = {}

---@type table<integer, integer> by buffer
local told = {}

---@type table<integer, true> buffers that are listened to, whether the server has them open or not
local listening = {}

---Begins to follow a buffer that was just opened at the server.
---@param bufnr integer
function M.follow(bufnr)
  told[bufnr] = vim.lsp.util.buf_versions[bufnr] or 0
  if listening[bufnr] then
    return
  end
  listening[bufnr] = true
  vim.api.nvim_buf_attach(bufnr, false, {
    on_lines = function(_, _, tick)
      told[bufnr] = told[bufnr] and tick
      require('pending.code_action').changed(bufnr)
    end,
    on_reload = function()
      told[bufnr] = told[bufnr] and (vim.lsp.util.buf_versions[bufnr] or 0)
      require('pending.code_action').changed(bufnr)
    end,
    on_detach = function()
      told[bufnr], listening[bufnr] = nil, nil
      require('pending.code_action').changed(bufnr)
    end,
  })
end

---The server does not have it open any more.
---@param bufnr integer
function M.forget(bufnr)
  told[bufnr] = nil
end

---The version the server has, or will have once what was typed is sent.
---@param bufnr integer
---@return integer? # nil when the server does not have it open
function M.of(bufnr)
  return told[bufnr]
end

return M
