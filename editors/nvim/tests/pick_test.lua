-- :Pending pick with each of the pickers. They cannot be had here: what stands in for them records what it is asked
-- to open and lets the test press the keys. That the pickers understand it was tried by hand (|pending-integrations|).
local t = require('harness')
local step, equal = t.step, t.equal

local board, format = 'web/src/board.ts', 'web/src/format.ts'

---@class Opened what a picker was asked to show
---@field title string
---@field texts string[]
---@field preview fun(n: integer): string
---@field press fun(key: 'enter'|'apply'|'discard', n: integer)

local opened ---@type Opened?

---@type table<string, table<string, any>> modules by picker
local stand_ins = {}

stand_ins['fzf-lua'] = {
  ['fzf-lua'] = {
    fzf_exec = function(texts, options)
      local keys = { enter = 'enter', apply = 'ctrl-a', discard = 'ctrl-x' }
      opened = {
        title = options.winopts.title,
        texts = texts,
        preview = function(n)
          return (options.preview({ texts[n] }):gsub('\27%[%d+m', ''))
        end,
        press = function(key, n)
          options.actions[keys[key]]({ texts[n] })
        end,
      }
    end,
  },
}

stand_ins.snacks = {
  snacks = {
    config = { picker = { enabled = true } },
    picker = {
      pick = function(options)
        local closed = 0
        local picker = {
          close = function()
            closed = closed + 1
          end,
        }
        opened = {
          title = options.title,
          texts = vim.tbl_map(function(item)
            return item.text
          end, options.items),
          preview = function(n)
            equal('filetype', options.items[n].preview.ft, 'diff')
            equal('previewer', options.preview, 'preview')
            return options.items[n].preview.text
          end,
          press = function(key, n)
            local keys = { apply = '<c-a>', discard = '<c-x>' }
            local name = key ~= 'enter' and options.win.input.keys[keys[key]][1]
            local run = name and options.actions[name] or options.confirm
            run(picker, options.items[n])
            equal('closed', closed, 1)
          end,
        }
      end,
    },
  },
}

local selected ---@type table?
local closed = 0
local default = {}
stand_ins.telescope = {
  telescope = {},
  ['telescope.actions'] = {
    close = function()
      closed = closed + 1
    end,
    select_default = {
      replace = function(_, run)
        default.run = run
      end,
    },
  },
  ['telescope.actions.state'] = {
    get_selected_entry = function()
      return selected
    end,
  },
  ['telescope.config'] = {
    values = {
      generic_sorter = function()
        return 'a sorter'
      end,
    },
  },
  ['telescope.finders'] = {
    new_table = function(options)
      return vim.tbl_map(options.entry_maker, options.results)
    end,
  },
  ['telescope.previewers'] = {
    new_buffer_previewer = function(options)
      return options
    end,
  },
  ['telescope.previewers.utils'] = {
    highlighter = function(bufnr, filetype)
      vim.bo[bufnr].syntax = filetype
    end,
  },
  ['telescope.pickers'] = {
    new = function(_, options)
      equal('sorter', options.sorter, 'a sorter')
      local entries = options.finder
      local maps = {}
      assert(options.attach_mappings(1, function(modes, key, run)
        equal('modes', modes, { 'i', 'n' })
        maps[key] = run
      end))
      return {
        find = function()
          opened = {
            title = options.prompt_title,
            texts = vim.tbl_map(function(entry)
              equal('ordinal', entry.ordinal, entry.display)
              return entry.display
            end, entries),
            preview = function(n)
              local bufnr = vim.api.nvim_create_buf(false, true)
              options.previewer.define_preview({ state = { bufnr = bufnr } }, entries[n])
              equal('syntax', vim.bo[bufnr].syntax, 'diff')
              return t.buffer(bufnr)
            end,
            press = function(key, n)
              selected, closed = entries[n], 0
              local run = { enter = default.run, apply = maps['<C-a>'], discard = maps['<C-x>'] }
              run[key]()
              equal('closed', closed, 1)
            end,
          }
        end,
      }
    end,
  },
}

---Opens the picker on what is pending.
---@return Opened
local function pick()
  opened = nil
  vim.cmd('Pending pick')
  return t.eventually('a picker is open', function()
    return opened
  end)
end

---@param count integer
local function left(count)
  t.eventually(('%d are pending'):format(count), function()
    return #require('pending').actions() == count
  end)
end

step('opens a file', function()
  t.open(board)
end)

for _, name in ipairs({ 'telescope', 'fzf-lua', 'snacks' }) do
  step(('shows the diffs in %s, and applies and discards there'):format(name), function()
    for module, stand_in in pairs(stand_ins[name]) do
      package.loaded[module] = stand_in
    end
    equal('picker', (require('pending.pick').picker()), name)
    t.push('lastScan($A)', 'latestScan($A)', format)
    t.push('console.log($$$A)', 'logger.debug($$$A)', board)
    left(2)
    local picker = pick()
    equal('title', vim.trim(picker.title), 'Pending: Ctrl-A applies, Ctrl-X discards')
    equal('entries', #picker.texts, 2)
    t.contains('first', picker.texts[1], '1. AST Edit: 6 replacements in 1 file (6 hunks in 1 file, by pending-lsp')
    t.contains('diff of the first', picker.preview(1), '+    logger.debug("board stopped");')
    t.contains('diff of the second', picker.preview(2), '+  const scan = latestScan(parcel);')

    -- Of one further down the key only asks.
    local select, titles = vim.ui.select, {}
    vim.ui.select = function(choices, options) ---@diagnostic disable-line: duplicate-set-field
      titles = vim.tbl_map(options.format_item, choices)
    end
    picker.press('apply', 2)
    t.eventually('it asks', function()
      return #titles > 0
    end)
    equal('choices', titles, { 'Show the diff', 'Apply, and the 1 above it', 'Discard, and the 1 above it' })
    vim.ui.select = select

    pick().press('discard', 1)
    t.hears('Discarded: AST Edit: 6 replacements in 1 file')
    left(1)
    local before = t.disk(format)
    pick().press('apply', 1)
    t.hears('Applied')
    left(0)
    t.contains('file', t.disk(format), 'latestScan(')
    t.write(format, before)

    vim.ui.select = function(choices) ---@diagnostic disable-line: duplicate-set-field
      titles = choices
      choices[1].run()
    end
    t.push('console.log($$$A)', 'logger.debug($$$A)', board)
    left(1)
    pick().press('enter', 1)
    t.eventually('the diff is open', function()
      return #vim.api.nvim_list_tabpages() == 2
    end)
    vim.cmd('normal q')
    vim.ui.select = select
    vim.cmd('Pending discard')
    t.hears('Discarded')
    left(0)
    for module in pairs(stand_ins[name]) do
      package.loaded[module] = nil
    end
  end)
end

step('takes the picker that is set, and vim.ui.select when told to', function()
  for _, name in ipairs({ 'telescope', 'fzf-lua', 'snacks' }) do
    for module, stand_in in pairs(stand_ins[name]) do
      package.loaded[module] = stand_in
    end
  end
  equal('by itself', (require('pending.pick').picker()), 'telescope')
  for _, name in ipairs({ 'telescope', 'fzf-lua', 'snacks' }) do
    require('pending').setup({ cmd = { t.bin }, picker = name })
    equal('set', (require('pending.pick').picker()), name)
  end
  require('pending').setup({ cmd = { t.bin } })
  for _, name in ipairs({ 'telescope', 'fzf-lua' }) do
    for module in pairs(stand_ins[name]) do
      package.loaded[module] = nil
    end
  end
  equal('snacks alone', (require('pending.pick').picker()), 'snacks')
  stand_ins.snacks.snacks.config.picker.enabled = nil
  equal('snacks without its picker', (require('pending.pick').picker()), nil)
  require('pending').setup({ cmd = { t.bin }, picker = 'snacks' })
  equal('set all the same', (require('pending.pick').picker()), 'snacks')
  require('pending').setup({ cmd = { t.bin }, picker = 'telescope' })
  equal('set and not there', (require('pending.pick').picker()), nil)
  require('pending').setup({ cmd = { t.bin }, picker = 'select' })
  equal('select', (require('pending.pick').picker()), nil)
end)

t.run()
