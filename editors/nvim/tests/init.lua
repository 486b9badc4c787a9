-- What the tests start Neovim with: the plugin on the runtimepath, the size of the screen, nothing else.
local here = vim.fs.dirname(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)))
vim.opt.runtimepath:prepend(here)
package.path = here .. '/tests/lib/?.lua;' .. package.path
vim.o.columns, vim.o.lines = 100, 30
vim.o.shortmess = vim.o.shortmess .. 'I'
vim.o.laststatus = 2
vim.o.updatecount = 200
vim.g.pending = { cmd = { vim.env.PENDING_LSP_BIN } }
