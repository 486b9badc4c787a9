// package.json promises commands, settings, strings and keys; the code must keep them.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

interface Manifest {
  contributes: {
    commands: { command: string; title: string; icon?: string }[];
    menus: Record<string, { command: string }[]>;
    keybindings: { command: string; key: string; when?: string }[];
    configuration: { properties: Record<string, { scope?: string; markdownDescription?: string }> };
    colors: { id: string; defaults: Record<string, string> }[];
    languageModelTools: { name: string }[];
  };
}

// The tests run from dist/unit.
const root = path.resolve(__dirname, '../..');
const text = readFileSync(path.join(root, 'package.json'), 'utf8');
const { contributes } = JSON.parse(text) as Manifest;
const strings = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(root, 'src', name), 'utf8'))
  .join('\n');

describe('package.json', () => {
  test('every string is there, and none is left over', () => {
    const used = [...text.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1] ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(strings).sort());
  });

  test('every command has code', () => {
    for (const { command } of contributes.commands) {
      assert.ok(sources.includes(`'${command}'`), command);
    }
  });

  test('menus and keys name commands that exist, and keys do not work everywhere', () => {
    const known = new Set(contributes.commands.map(({ command }) => command));
    for (const { command } of [...Object.values(contributes.menus).flat(), ...contributes.keybindings]) {
      assert.ok(known.has(command), command);
    }
    for (const { key, when } of contributes.keybindings) {
      assert.match(when ?? '', /pendingLsp\.hasPending/, key);
    }
  });

  test('every setting is read', () => {
    for (const key of Object.keys(contributes.configuration.properties)) {
      // vscode-languageclient itself reads the trace.
      assert.ok(key === 'pendingLsp.trace.server' || sources.includes(`'${key.replace('pendingLsp.', '')}'`), key);
    }
  });

  test('colours are set for every kind of theme', () => {
    for (const { id, defaults } of contributes.colors) {
      assert.deepEqual(Object.keys(defaults).sort(), ['dark', 'highContrast', 'highContrastLight', 'light'], id);
    }
  });

  test('every tool is registered', () => {
    for (const { name } of contributes.languageModelTools) {
      assert.ok(sources.includes(`'${name}'`), name);
    }
  });
});
