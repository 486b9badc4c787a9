---A lualine component: `lualine_x = { 'pending' }`.
local component = require('lualine.component'):extend()

function component:update_status()
  -- A percent sign in a label would be read as an item.
  return (require('pending').status():gsub('%%', '%%%%'))
end

return component
