import assert from 'node:assert/strict';
import { until } from './host.mjs';
import { label, pushAll, scenario, source } from './scenario.mjs';

scenario('an edit that another process pushes appears everywhere, and nothing is written', {}, async ({ wb, agent }) => {
  await wb.showView();
  await wb.view.getByText('Nothing is pending.').waitFor();
  await pushAll(agent);

  await wb.status.waitFor();
  assert.match(await wb.status.innerText(), new RegExp(`1: ${label}`));
  assert.match(await wb.status.getAttribute('aria-label'), /by pending-lsp command line .*\nAgents may apply without asking,/);
  await wb.lens('Apply').waitFor();
  await until(async () => (await wb.squiggles.count()) === 2, 'two squiggles');
  await until(async () => (await wb.text()).includes('→ logger.debug("started")'), 'an inlay hint');
  await until(async () => (await wb.badge.innerText()) === '1', 'the badge');
  await wb.rows.nth(5).waitFor();
  const rows = await wb.rows.allInnerTexts();
  assert.match(rows[0], new RegExp(`^${label}top`));
  assert.match(rows[1], /^board\.ts/);
  assert.match(rows[2], /console\.log\("stopped"\) → logger\.debug\("stopped"\)/);
  assert.match(rows[4], /^client\.ts/);
  await wb.shot('pushed');

  assert.equal(wb.read('src/board.ts'), source['src/board.ts']);
  assert.deepEqual(await wb.tabs.count(), 1);

  await wb.page.locator('.view-line span', { hasText: 'stopped' }).last().hover();
  const hover = wb.page.locator('.monaco-hover:visible', { hasText: 'logger.debug("stopped")' });
  await hover.waitFor();
  await wb.shot('hover');
});
