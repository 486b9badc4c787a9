std = 'luajit'
max_line_length = 120
globals = { 'vim' }
self = false
-- Tests stand in for what would wait for a person.
files['tests'] = { globals = { 'print' } }
