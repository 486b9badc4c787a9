import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextSteps } from '../../src/resolve/advice';
import type { Action, Hunk } from '../../src/server/wire';
import { change, contextValue, fileName, inline, titled } from '../../src/stack/describe';

function hunk(before: string, after: string): Hunk {
  return { id: 'h', range: { start: { line: 0, character: 0 }, end: { line: 0, character: before.length } }, before, after };
}

function action(change: Partial<Action> = {}): Action {
  return {
    id: 'a',
    label: 'A',
    sourceToolName: 'ast_edit',
    state: 'pending',
    stale: false,
    orphaned: false,
    createdAt: '2026-01-01T00:00:00Z',
    by: { name: 'agent', editor: false },
    files: [{ uri: 'file:///a.ts', path: 'a.ts', hunks: [hunk('x', 'y')] }],
    ...change,
  };
}

describe('inline', () => {
  test('many lines become one', () => {
    assert.equal(inline('  f(\n\ta,\r\n  b)\n'), 'f( a, b)');
  });
  test('long code is cut between characters, not inside one', () => {
    assert.equal(inline('x'.repeat(60)), 'x'.repeat(60));
    assert.equal(inline('x'.repeat(61)), `${'x'.repeat(60)}…`);
    assert.equal(inline(`${'x'.repeat(59)}😀😀`), `${'x'.repeat(59)}…`);
  });
  test('what would repaint the screen is made visible', () => {
    assert.equal(inline('a\u202eb\u001b[2Jc\u200bd'), 'a\ufffdb\ufffd[2Jc\ufffdd');
  });
});

test('a change is put in words', () => {
  assert.equal(change(hunk('a', 'b')), 'a → b');
  assert.equal(change(hunk('a', '')), '− a');
  assert.equal(change(hunk('', 'b')), '+ b');
});

test('a file is named apart from its folder', () => {
  assert.deepEqual(fileName({ uri: '', path: 'a/b/c.ts', hunks: [] }), { name: 'c.ts', folder: 'a/b' });
  assert.deepEqual(fileName({ uri: '', path: 'c.ts', hunks: [] }), { name: 'c.ts', folder: '' });
});

describe('contextValue', () => {
  test('only the top can be applied or discarded', () => {
    assert.equal(contextValue('action', action(), 0), 'action top appliable edits');
    assert.equal(contextValue('file', action(), 1), 'file below edits');
  });
  test('an orphan can be discarded only', () => {
    assert.equal(contextValue('action', action({ orphaned: true, files: [] }), 0), 'action top');
  });
  test('nothing more can be done while it is being applied', () => {
    assert.equal(contextValue('action', action({ state: 'applying' }), 0), 'action top edits');
  });
  test('a stale action can be applied again, its stale hunk cannot', () => {
    assert.equal(contextValue('action', action({ stale: true }), 0), 'action top appliable edits');
    assert.equal(contextValue('hunk', action({ stale: true }), 0, true), 'hunk top edits');
    assert.equal(contextValue('hunk', action({ stale: true }), 0, false), 'hunk top appliable edits');
  });
});

test('a tab is known by its title, not by how that begins', () => {
  const titles = new Map([
    ['Rename', '1'],
    ['Rename all', '2'],
    ['Rename (again)', '3'],
  ]);
  assert.equal(titled('Rename (2 files)', titles), '1');
  assert.equal(titled('Rename all (2 files)', titles), '2');
  assert.equal(titled('Rename (again) (2 files)', titles), '3');
  assert.equal(titled('Rename', titles), '1');
  assert.equal(titled('Renamed', titles), undefined);
  assert.equal(titled('', new Map()), undefined);
});

test('a refusal comes with what helps', () => {
  assert.deepEqual(nextSteps('stale', 'apply', true), ['diff', 'retry']);
  assert.deepEqual(nextSteps('stale', 'apply', false), ['diff', 'partial']);
  assert.deepEqual(nextSteps('stale', 'discard', true), []);
  assert.deepEqual(nextSteps('notTop', 'apply', true), ['cascade']);
  assert.deepEqual(nextSteps('emptyStack', 'apply', true), []);
  assert.deepEqual(nextSteps(undefined, 'apply', true), []);
});
