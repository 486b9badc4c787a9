import assert from 'node:assert/strict';
import { scenario, source } from './scenario.mjs';

scenario('a structural edit of the user: matches are counted, the diff shown, nothing written', {}, async ({ wb, agent }) => {
  await wb.status.waitFor({ state: 'hidden' });
  await wb.showView();
  await wb.view.getByText('Nothing is pending.').waitFor();
  await wb.goto(1);
  await wb.palette('Pending Edits: New Structural Edit');
  await wb.input.waitFor();
  await wb.input.fill('console.log($$$A)');
  await wb.page.locator('.quick-input-widget:visible', { hasText: 'Matches in this file: 2' }).waitFor();
  await wb.page.keyboard.press('Enter');
  await wb.page.locator('.quick-input-widget:visible', { hasText: 'rewrite' }).waitFor();
  await wb.answer('logger.info($$$A)');
  await wb.page.getByText('logger.info').first().waitFor();
  assert.match((await agent.run('list')).out, /3 replacements in 2 files/);
  assert.equal(wb.read('src/board.ts'), source['src/board.ts']);
});
