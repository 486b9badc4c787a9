-- For vim.lsp.enable, Neovim 0.11 and later. vim.lsp.config('pending_lsp', …) changes it.
local config = require('pending.client').config()

config.root_dir = function(bufnr, found)
  local root = require('pending.client').wanted_root(bufnr)
  if root then
    found(root)
  end
end

return config
