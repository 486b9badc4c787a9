import assert from 'node:assert/strict';
import { until } from './host.mjs';
import { label, pushAll, scenario, source } from './scenario.mjs';

scenario('typing beside hunks moves them, typing inside one drops it', {}, async ({ wb, agent }) => {
  const id = await pushAll(agent);
  await wb.showView();
  await wb.row('"stopped"').waitFor();
  await wb.goto(1);
  await wb.page.keyboard.type('// one\n// two\n');
  await wb.row('"stopped"').getByText(/^4$/).waitFor();
  await wb.goto(4, 17);
  await wb.page.keyboard.type('is ');
  // ast_edit matches what is there now: the hunk is not what was previewed any more.
  await wb.row('"stopped"').waitFor({ state: 'detached' });
  await wb.row('"started"').waitFor();
  await wb.palette('Pending Edits: Apply Top');
  await until(async () => /(?<!→ )logger\.debug\("started"\)/.test(await wb.text()), 'the apply');
  assert.match(await wb.text(), /console\.log\("s?is s?topped|console\.log\("[^"]*is [^"]*"\)/);
  assert.match((await agent.verdict(id)).out, /^applied by/);
});

scenario('an edit that went stale is refused with a message that helps', {}, async ({ wb, agent, folder }) => {
  const file = `file://${folder}/src/board.ts`;
  const { push } = await import('./lsp.mjs');
  await push(agent, folder, 'Rename the message', { changes: { [file]: [edit(1, 14, 23, '"halted"'), edit(2, 14, 23, '"begun"')] } });
  await wb.showView();
  await wb.row('Rename the message').waitFor();
  await wb.goto(2, 17);
  await wb.page.keyboard.type('XX');
  await wb.row('Rename the message').getByText(/stale/).waitFor();
  await wb.palette('Pending Edits: Apply Top');
  const message = await wb.notification('Rename the message');
  await wb.shot('stale');
  assert.equal(wb.read('src/board.ts'), source['src/board.ts']);
  assert.match(await message.item.innerText(), /the text under it was changed .*src\/board\.ts.*Nothing was written/s);
  assert.equal(await message.button('Apply Fresh Preview').count(), 0);
  await message.button('Apply What Still Matches').click();
  await until(async () => (await wb.text()).includes('"begun"'), 'the part that matches');
  assert.ok(!(await wb.text()).includes('"halted"'), label);
});

function edit(line, start, end, newText) {
  return { range: { start: { line, character: start }, end: { line, character: end } }, newText };
}
