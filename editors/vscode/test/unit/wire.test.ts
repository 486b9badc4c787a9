// src/server/wire.ts says in TypeScript what lsp/wire/PROTOCOL.md says in tables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

// The tests run from dist/unit.
const root = path.resolve(__dirname, '../..');
const source = readFileSync(path.join(root, 'src/server/wire.ts'), 'utf8');
const protocol = readFileSync(path.join(root, '../../lsp/wire/PROTOCOL.md'), 'utf8');

const renamed: Record<string, string> = { DidChange: 'DidChangeParams', ExplainResult: 'ExplainPatternResult' };
/** Described inside the tables of others. */
const inner = ['ActionFile', 'Party'];

test('every member of a message is in the protocol', () => {
  const interfaces = [...source.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => ({ name, body }));
  assert.ok(interfaces.length > 10);
  for (const { name, body } of interfaces.filter((one) => !inner.includes(one.name))) {
    const [, table] = new RegExp(`<!-- wire:${renamed[name] ?? name} -->\\n(.*?)\\n\\n`, 's').exec(protocol) ?? [];
    assert.ok(table, `a table for ${name}`);
    const known = [...table.matchAll(/^\| `(\w+)`/gm)].map((row) => row[1]);
    const members = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map((member) => member[1]);
    assert.deepEqual(members.filter((member) => !known.includes(member)), [], name);
  }
});

test('every command is in the protocol', () => {
  const commands = [...source.matchAll(/'(pending-lsp\.\w+)'/g)].map((match) => match[1] ?? '');
  assert.ok(commands.length > 5);
  for (const command of commands) {
    assert.ok(protocol.includes(`\`${command}\``), command);
  }
});
