import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { serverLanguage } from '../../src/commands/languages';
import { covers } from '../../src/stack/roots';

test('a root covers the folders in it, through symlinks, and no neighbours', () => {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'roots-')));
  try {
    mkdirSync(path.join(dir, 'repo/sub'), { recursive: true });
    mkdirSync(path.join(dir, 'repo2'));
    symlinkSync(path.join(dir, 'repo/sub'), path.join(dir, 'link'));
    const root = path.join(dir, 'repo');
    assert.ok(covers(root, [root]));
    assert.ok(covers(root, [path.join(dir, 'link')]));
    assert.ok(!covers(root, [path.join(dir, 'repo2'), dir]));
    assert.ok(!covers(root, []));
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('languages have other names in the server', () => {
  const known = ['tsx', 'javascript', 'bash', 'go'];
  assert.equal(serverLanguage('typescriptreact', known), 'tsx');
  assert.equal(serverLanguage('javascriptreact', known), 'javascript');
  assert.equal(serverLanguage('shellscript', known), 'bash');
  assert.equal(serverLanguage('go', known), 'go');
  assert.equal(serverLanguage('plaintext', known), undefined);
});
