---The highlight groups, linked to what a colour scheme has for diffs. See |pending-highlights|.
local M = {}

local links = {
  PendingAdd = 'DiffAdd',
  PendingAddText = 'DiffText',
  PendingDelete = 'DiffDelete',
  PendingSign = 'DiagnosticSignInfo',
  PendingBelow = 'Comment',
  PendingStale = 'DiagnosticWarn',
  PendingLabel = 'Comment',
}

local defined = false

function M.define()
  if defined then
    return
  end
  defined = true
  local function link()
    for name, target in pairs(links) do
      vim.api.nvim_set_hl(0, name, { link = target, default = true })
    end
  end
  link()
  vim.api.nvim_create_autocmd('ColorScheme', {
    group = vim.api.nvim_create_augroup('pending.highlights', {}),
    callback = link,
  })
end

return M
