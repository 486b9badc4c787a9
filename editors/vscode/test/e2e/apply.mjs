import assert from 'node:assert/strict';
import { until } from './host.mjs';
import { applied, label, pushAll, scenario, source } from './scenario.mjs';

async function appliedEverywhere(wb, agent, id) {
  await wb.onDisk('src/board.ts', applied['src/board.ts']);
  await wb.onDisk('src/client.ts', applied['src/client.ts']);
  assert.match((await agent.verdict(id)).out, /^applied by/);
  await wb.status.waitFor({ state: 'hidden' });
  // Files that were not open were changed and saved without a tab.
  await until(async () => (await wb.tabs.count()) === 1, 'no more tabs than before');
}

scenario('apply from the light bulb, then one undo takes it back in all files', {}, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.lens('Apply').waitFor();
  await wb.goto(2, 5);
  await wb.shot('before-light-bulb');
  await wb.accept(`Apply: ${label}`);
  await appliedEverywhere(wb, agent, id);

  await wb.goto(1);
  await wb.page.keyboard.press('Control+Z');
  await until(async () => (await wb.text()).includes('console.log("stopped")'), 'the buffer to go back');
  await wb.page.locator('.tab.dirty').nth(1).waitFor();
  await wb.palette('File: Save All');
  await wb.onDisk('src/board.ts', source['src/board.ts']);
  await wb.onDisk('src/client.ts', source['src/client.ts']);
});

scenario('apply from the palette', {}, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.status.waitFor();
  await wb.palette('Pending Edits: Apply Top');
  await appliedEverywhere(wb, agent, id);
});

scenario('apply from a lens', {}, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.lens('Apply').click();
  await appliedEverywhere(wb, agent, id);
});

scenario('apply from the tree: a hunk, a file, the rest', {}, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.showView();
  await wb.rowButton('"stopped"', 'Apply');
  await wb.onDisk('src/board.ts', source['src/board.ts'].replace('console.log("stopped")', 'logger.debug("stopped")'));
  assert.equal(wb.read('src/client.ts'), source['src/client.ts']);
  await wb.row('"stopped"').waitFor({ state: 'detached' });
  await wb.rowButton('client.ts', 'Apply');
  await wb.onDisk('src/client.ts', applied['src/client.ts']);
  await wb.row('client.ts').waitFor({ state: 'detached' });
  await wb.rowButton('AST Edit', 'Apply');
  await appliedEverywhere(wb, agent, id);
});

scenario('apply the hunk at the cursor, and undo it with the command', {}, async ({ wb, agent }) => {
  await pushAll(agent);
  await wb.lens('Apply').waitFor();
  await wb.goto(3, 5);
  await wb.palette('Pending Edits: Apply This Hunk');
  await wb.onDisk('src/board.ts', source['src/board.ts'].replace('console.log("started")', 'logger.debug("started")'));
  await wb.palette('Pending Edits: Undo Last Applied');
  await wb.onDisk('src/board.ts', source['src/board.ts']);
});

scenario('unsaved work of the user is applied to, and left unsaved', {}, async ({ wb, agent }) => {
  await wb.goto(5);
  await wb.page.keyboard.type('// mine');
  const id = await pushAll(agent);
  await wb.lens('Apply').waitFor();
  await wb.palette('Pending Edits: Apply Top');
  await wb.onDisk('src/client.ts', applied['src/client.ts']);
  assert.match((await agent.verdict(id)).out, /^applied by/);
  await until(async () => (await wb.text()).includes('logger.debug("stopped")'), 'the buffer to change');
  assert.equal(wb.read('src/board.ts'), source['src/board.ts']);
  await wb.page.locator('.tab.dirty').first().waitFor();
});

scenario('nothing is saved when the setting says so', { settings: { 'pendingLsp.saveAfterApply': false } }, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.lens('Apply').click();
  assert.match((await agent.verdict(id)).out, /^applied by/);
  await wb.page.locator('.tab.dirty').nth(1).waitFor();
  assert.equal(wb.read('src/board.ts'), source['src/board.ts']);
  assert.equal(wb.read('src/client.ts'), source['src/client.ts']);
});
