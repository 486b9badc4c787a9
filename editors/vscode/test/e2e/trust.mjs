import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { Agent, folder as makeFolder, startHost } from './host.mjs';
import { browser, keep, label, pushAll, source } from './scenario.mjs';
import { Workbench } from './workbench.mjs';

test('a folder that is not trusted: shown, not applied, not by agents either', { timeout: 150_000 }, async () => {
  const host = await startHost({ trust: true });
  const folder = makeFolder(source);
  const agent = new Agent(host, folder);
  let wb;
  try {
    wb = await Workbench.open(browser, host, folder);
    await wb.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    const id = await pushAll(agent);
    await wb.showView();
    await wb.row(label).waitFor();
    assert.equal(await wb.row(label).locator('.action-label[aria-label^="Apply"]:not(.disabled)').count(), 0);
    const { code, out } = await agent.run('resolve', 'apply', '--reason', 'now');
    assert.equal(code, 3, out);
    assert.match(out, /not trusted/);
    assert.equal(wb.read('src/board.ts'), source['src/board.ts']);
    await wb.rowButton(label, 'Discard');
    await wb.answer('not here');
    assert.match((await agent.verdict(id)).out, /not here/);
  } catch (error) {
    await keep('trust');
    throw error;
  } finally {
    await wb?.close();
    await host.stop();
    fs.rmSync(folder, { recursive: true });
  }
});
