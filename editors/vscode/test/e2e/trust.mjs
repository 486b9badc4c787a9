import assert from 'node:assert/strict';
import { startHost } from './host.mjs';
import { applied, inWindow, label, pushAll, source } from './scenario.mjs';

const name = 'a folder that is not trusted: shown, not applied, not by agents either, until it is';

export const untrusted = {
  name,
  async run() {
    const host = await startHost({ trust: true });
    try {
      await inWindow(name, { on: host, open: undefined }, restricted);
    } finally {
      await host.stop();
    }
  },
};

async function restricted({ wb, agent }) {
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

  const next = await pushAll(agent);
  await wb.row(label).waitFor();
  await wb.palette('Workspaces: Manage Workspace Trust');
  await wb.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
  await wb.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ state: 'detached' });
  // The editor for trust covers the view.
  await wb.page.locator('.monaco-modal-editor-block .action-label[aria-label^="Close"]').first().click();
  await wb.page.locator('.workspace-trust-editor').waitFor({ state: 'detached' });
  await wb.rowButton(label, 'Apply');
  await wb.onDisk('src/board.ts', applied['src/board.ts']);
  assert.match((await agent.verdict(next)).out, /^applied by/);
}
