if vim.g.loaded_pending then
  return
end
vim.g.loaded_pending = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('pending: Neovim 0.10 or later is needed', vim.log.levels.ERROR)
  return
end

vim.api.nvim_create_user_command('Pending', function(call)
  require('pending.commands').run(call)
end, {
  nargs = '*',
  bang = true,
  range = true,
  complete = function(lead, line)
    return require('pending.commands').complete(lead, line)
  end,
  desc = 'Review what an agent wants to change',
})

for name, command in pairs({
  apply = 'apply',
  discard = 'discard',
  ['apply-cascade'] = 'apply!',
  ['hunk-apply'] = 'hunk apply',
  ['hunk-discard'] = 'hunk discard',
  diff = 'diff',
  float = 'diff float',
  list = 'list',
  pick = 'pick',
  next = 'next',
  prev = 'prev',
  undo = 'undo',
}) do
  local subcommand, rest = command:match('^(%S+)%s*(.*)$')
  vim.keymap.set({ 'n', 'x' }, '<Plug>(pending-' .. name .. ')', function()
    require('pending.commands').map(subcommand, rest)
  end, { desc = 'Pending: ' .. command })
end

local group = vim.api.nvim_create_augroup('pending', {})

vim.api.nvim_create_autocmd({ 'LspAttach', 'LspDetach' }, {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and vim.tbl_get(client, 'server_capabilities', 'experimental', 'pendingLsp') then
      local on = event.event == 'LspAttach' and 'attached' or 'detached'
      require('pending.client')[on](client, event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('OptionSet', {
  group = group,
  pattern = { 'fileformat', 'endofline' },
  callback = function()
    if package.loaded['pending.client'] then
      require('pending.line_ends').changed(vim.api.nvim_get_current_buf())
    end
  end,
})

if vim.fn.has('nvim-0.11') == 1 then
  vim.lsp.enable('pending_lsp')
else
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    callback = function(event)
      require('pending.client').attach(event.buf)
    end,
  })
end
