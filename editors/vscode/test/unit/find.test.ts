import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { findServer } from '../../src/server/find';

describe('findServer', () => {
  let dir: string;
  const places = (change: Partial<Parameters<typeof findServer>[0]> = {}) => ({
    setting: '',
    extension: path.join(dir, 'extension'),
    searchPath: '',
    folder: path.join(dir, 'work'),
    ...change,
  });
  const program = async (...parts: string[]) => {
    const file = path.join(dir, ...parts);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '#!/bin/sh\n');
    await chmod(file, 0o755);
    return file;
  };

  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'find-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  test('the setting wins over the bundled server, and that over PATH', async () => {
    const set = await program('set', 'server');
    const bundled = await program('extension', 'bin', 'pending-lsp');
    const onPath = await program('bin', 'pending-lsp');
    const searchPath = ['relative', path.join(dir, 'empty'), path.dirname(onPath)].join(path.delimiter);
    assert.deepEqual(await findServer(places({ setting: set, searchPath })), { from: 'setting', command: set });
    assert.deepEqual(await findServer(places({ searchPath })), { from: 'bundle', command: bundled });
    await rm(bundled);
    assert.deepEqual(await findServer(places({ searchPath })), { from: 'path', command: onPath });
  });

  test('a setting that names nothing is not replaced by another server', async () => {
    await program('extension', 'bin', 'pending-lsp');
    const missing = path.join(dir, 'missing');
    assert.deepEqual(await findServer(places({ setting: missing })), { from: 'nowhere', tried: [missing] });
  });

  test('a setting may be relative to the folder, or name it', async () => {
    const inFolder = await program('work', 'tools', 'lsp');
    for (const setting of ['tools/lsp', ' ./tools/lsp ', '${workspaceFolder}/tools/lsp']) {
      assert.deepEqual(await findServer(places({ setting })), { from: 'setting', command: inFolder }, setting);
    }
  });

  test('a relative entry of PATH is not searched', async () => {
    await program('work', 'bin', 'pending-lsp');
    const here = process.cwd();
    process.chdir(path.join(dir, 'work'));
    try {
      assert.equal((await findServer(places({ searchPath: 'bin' }))).from, 'nowhere');
    } finally {
      process.chdir(here);
    }
  });

  test('a file that cannot be run is not a server', async () => {
    await chmod(await program('extension', 'bin', 'pending-lsp'), 0o644);
    const found = await findServer(places({ searchPath: '' }));
    assert.deepEqual(found, { from: 'nowhere', tried: [path.join(dir, 'extension', 'bin', 'pending-lsp'), 'PATH'] });
  });
});
