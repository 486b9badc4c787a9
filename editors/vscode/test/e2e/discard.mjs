import assert from 'node:assert/strict';
import { label, pushAll, scenario, source } from './scenario.mjs';

scenario('discard with a reason that the agent reads', {}, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.lens('Discard').click();
  await wb.answer('keep console for now');
  const { code, out } = await agent.verdict(id);
  assert.equal(code, 1);
  assert.match(out, /discarded by .*keep console for now/);
  await wb.status.waitFor({ state: 'hidden' });
  assert.equal(wb.read('src/board.ts'), source['src/board.ts']);

  await wb.palette('Pending Edits: Show Log');
  await wb.page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: 'keep console for now' }).waitFor();
});

scenario('escape at the reason keeps it pending; an empty reason is one', {}, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.status.waitFor();
  await wb.palette('Pending Edits: Discard Top');
  await wb.page.locator('.quick-input-widget:visible', { hasText: 'The agent is told' }).waitFor();
  await wb.page.keyboard.press('Escape');
  await wb.showView();
  await wb.row(label).waitFor();
  assert.match((await agent.run('list')).out, new RegExp(id));
  await wb.rowButton(label, 'Discard');
  await wb.answer('');
  assert.match((await agent.verdict(id)).out, /Discarded in VS Code/);
});

scenario('the file in front is applied, a hunk and a file are discarded, by command', {}, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.lens('Apply').waitFor();
  await wb.goto(2, 5);
  await wb.palette('Pending Edits: Discard This Hunk');
  await wb.answer('not this');
  await wb.showView();
  await wb.row('"started"').waitFor();
  await wb.row('"stopped"').waitFor({ state: 'detached' });
  await wb.goto(1);
  await wb.palette('Pending Edits: Apply This File');
  await wb.onDisk('src/board.ts', source['src/board.ts'].replace('console.log("started")', 'logger.debug("started")'));
  await wb.row('board.ts').waitFor({ state: 'detached' });
  await wb.quickOpen('client.ts');
  await wb.lens('Apply').waitFor();
  await wb.palette('Pending Edits: Discard This File');
  await wb.answer('nor that');
  assert.match((await agent.verdict(id)).out, /nor that/);
  assert.equal(wb.read('src/client.ts'), source['src/client.ts']);
});
