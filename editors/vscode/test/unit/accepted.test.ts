import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accepted, type Piece } from '../../src/resolve/accepted';

const before = 'log(1)\nlog(2)\nlog(3)\n';

function pieces(text: string, ...changes: [string, string][]): Piece[] {
  return changes.map(([from, after]) => ({ id: from, start: text.indexOf(from), end: text.indexOf(from) + from.length, after }));
}

function applied(text: string, chosen: readonly Piece[]): string {
  return chosen.toReversed().reduce((sum, { start, end, after }) => sum.slice(0, start) + after + sum.slice(end), text);
}

describe('accepted', () => {
  const all = pieces(before, ['log(1)', 'trace(1)'], ['log(2)', ''], ['log(3)', 'log(3, 3)']);

  test('every choice of pieces is recognized', () => {
    for (let bits = 0; bits < 8; bits++) {
      const chosen = all.filter((_, i) => bits & (1 << i));
      assert.deepEqual(accepted(before, all, applied(before, chosen)), chosen.map(({ id }) => id));
    }
  });

  test('a text that no choice makes is not recognized', () => {
    assert.equal(accepted(before, all, `${before}more`), undefined);
    assert.equal(accepted(before, all, before.replace('log(2)', 'log(4)')), undefined);
  });

  test('a piece that begins like its original needs a second look', () => {
    const text = 'aab';
    const grow = [
      { id: 'x', start: 0, end: 1, after: 'aa' },
      { id: 'y', start: 1, end: 2, after: '' },
    ];
    for (const chosen of [[], grow.slice(0, 1), grow.slice(1), grow]) {
      const result = applied(text, chosen);
      const found = accepted(text, grow, result);
      assert.ok(found);
      // Ambiguous choices are allowed as long as they make the same text.
      assert.equal(applied(text, grow.filter(({ id }) => found.includes(id))), result);
    }
  });

  test('many ambiguous pieces take no exponential time', () => {
    const text = 'a'.repeat(400);
    const many = Array.from({ length: 400 }, (_, i) => ({ id: String(i), start: i, end: i + 1, after: 'aa' }));
    const result = 'a'.repeat(600);
    assert.equal(accepted(text, many, result)?.length, 200);
    assert.equal(accepted(text, many, `${result}b`), undefined);
  });
});
