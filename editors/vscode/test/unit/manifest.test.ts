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

  test('colours stand out from their background, most in high contrast', () => {
    const backgrounds: Record<string, [string, number]> = { dark: ['#1f1f1f', 3], light: ['#ffffff', 3], highContrast: ['#000000', 4.5], highContrastLight: ['#ffffff', 4.5] };
    for (const [theme, [background, least]] of Object.entries(backgrounds)) {
      for (const { id, defaults } of contributes.colors) {
        const color = defaults[theme] ?? '';
        // See-through colours are shades of a theme's own, beside squiggle and gutter mark.
        if (color.length === 7) {
          assert.ok(contrast(color, background) >= least, `${id} in ${theme}: ${contrast(color, background)}`);
        }
      }
      const [gutter = ''] = /#[0-9a-f]{6}/.exec(readFileSync(path.join(root, 'media/gutter.svg'), 'utf8')) ?? [];
      assert.ok(contrast(gutter, background) >= 3, `the gutter mark in ${theme}: ${contrast(gutter, background)}`);
    }
  });

  test('every tool is registered', () => {
    for (const { name } of contributes.languageModelTools) {
      assert.ok(sources.includes(`'${name}'`), name);
    }
  });
});

/** WCAG 2's contrast ratio of two opaque colours. */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
