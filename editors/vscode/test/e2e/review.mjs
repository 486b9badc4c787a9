import assert from 'node:assert/strict';
import { until } from './host.mjs';
import { applied, label, pushAll, scenario, source } from './scenario.mjs';

const preview = { settings: { 'pendingLsp.review': 'refactorPreview' } };

async function openPreview(wb) {
  await wb.palette('Pending Edits: Apply Top');
  const panel = wb.page.locator('.bulk-edit-panel');
  await panel.locator('.monaco-list-row').first().waitFor();
  return { panel, boxes: panel.locator('.monaco-list-row input[type=checkbox], .monaco-list-row .monaco-checkbox') };
}

scenario('Refactor Preview: what is ticked is applied, the rest stays pending', preview, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.status.waitFor();
  const { panel } = await openPreview(wb);
  await wb.shot('refactor-preview');
  await panel.locator('.monaco-list-row', { hasText: 'client.ts' }).locator('[role=checkbox], input').first().click();
  await panel.locator('.monaco-button', { hasText: 'Apply' }).click();
  await wb.onDisk('src/client.ts', applied['src/client.ts']);
  assert.equal(wb.read('src/board.ts'), source['src/board.ts']);
  assert.match((await agent.run('list')).out, new RegExp(id));
  await until(async () => (await wb.tabs.count()) === 1, 'no more tabs than before');
});

scenario('Refactor Preview: with nothing ticked, or cancelled, all stays pending', preview, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.status.waitFor();
  const first = await openPreview(wb);
  await first.panel.locator('.monaco-button', { hasText: 'Apply' }).click();
  await wb.page.getByText('Nothing applied; it is still pending.').first().waitFor();
  const second = await openPreview(wb);
  await second.panel.locator('.monaco-button', { hasText: 'Discard' }).click();
  await second.panel.locator('.monaco-list-row').first().waitFor({ state: 'hidden' });
  assert.match((await agent.run('list')).out, new RegExp(id));
  assert.equal(wb.read('src/board.ts'), source['src/board.ts']);
  assert.equal(wb.read('src/client.ts'), source['src/client.ts']);
});

scenario('review in the diff: its toolbar applies, and it closes', { settings: { 'pendingLsp.review': 'diff' } }, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.lens('Apply').click();
  const diff = wb.page.locator('.multiDiffEntry, .multi-diff-root-floating-menu, .monaco-component.multiDiffEditor').first();
  await diff.waitFor();
  await wb.page.getByText('logger.debug').first().waitFor();
  await wb.shot('multi-diff');
  assert.equal(wb.read('src/board.ts'), source['src/board.ts']);
  await wb.page.locator('.editor-actions .action-label[aria-label^="Apply Top"]').click();
  await wb.onDisk('src/board.ts', applied['src/board.ts']);
  await wb.onDisk('src/client.ts', applied['src/client.ts']);
  assert.match((await agent.verdict(id)).out, /^applied by/);
  await until(async () => (await wb.tabs.count()) === 1, 'the diff to close');
});

scenario('the diff of one file, and from hunk to hunk', {}, async ({ wb, agent }) => {
  await pushAll(agent);
  await wb.showView();
  await wb.rowButton('board.ts', 'Show Diff');
  await wb.page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'logger.debug' }).first().waitFor();
  await wb.shot('diff');
  await wb.page.locator('.editor-actions .action-label[aria-label^="Discard Top"]').waitFor();
  await wb.palette('View: Close All Editors');

  const at = (text) => wb.page.locator('.statusbar-item', { hasText: text }).waitFor();
  await wb.palette('Pending Edits: Next Pending Hunk');
  await at('Ln 2, Col 3');
  await wb.palette('Pending Edits: Next Pending Hunk');
  await at('Ln 3, Col 3');
  await wb.palette('Pending Edits: Next Pending Hunk');
  await at('Ln 1, Col 1');
  await until(async () => (await wb.text()).includes('sent'), 'the other file');
  await wb.palette('Pending Edits: Previous Pending Hunk');
  await at('Ln 3, Col 3');
  assert.match((await agent.run('list')).out, new RegExp(label));
});

scenario('two diffs with one name: the buttons of each are its own', { settings: { 'workbench.editor.enablePreview': false } }, async ({ wb, agent }) => {
  const lower = await agent.push('console.log($$$A)', 'lower($$$A)', '-l', 'ts', '--label', 'Same name');
  const upper = await agent.push('console.log($$$A)', 'upper($$$A)', '-l', 'ts', '--label', 'Same name');
  const same = wb.rows.filter({ hasText: 'Same name' });
  await wb.showView();
  await same.nth(1).waitFor();
  const discard = wb.page.locator('.editor-actions .action-label[aria-label^="Discard Top"]');
  await wb.contextMenu(same.last(), 'Show Diff');
  await wb.page.getByText('lower').first().waitFor();
  // What lies below the top can be looked at, and not decided about.
  assert.equal(await discard.count(), 0);
  await wb.contextMenu(same.first(), 'Show Diff');
  await wb.page.locator('.modified .view-line', { hasText: 'upper' }).first().waitFor();
  await discard.click();
  await wb.answer('the upper one');
  assert.match((await agent.verdict(upper)).out, /the upper one/);
  assert.match((await agent.run('list')).out, new RegExp(lower));
  await until(async () => (await wb.page.locator('.tab', { hasText: 'Same name' }).count()) === 1, 'one of the diffs to close');
});
