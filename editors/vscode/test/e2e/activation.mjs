import assert from 'node:assert/strict';
import { scenario } from './scenario.mjs';

scenario('how long VS Code says it took to load and activate: a report', {}, async ({ wb }) => {
  await wb.showView();
  await wb.view.getByText('Nothing is pending.').waitFor();
  await wb.palette('Developer: Show Running Extensions');
  const row = wb.page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: 'Pending Edits' });
  await row.waitFor();
  const [, ms] = /Activation: (\d+) ?ms/.exec(await row.innerText()) ?? [];
  assert.ok(ms, await row.innerText());
  console.log(`VS Code counts ${ms} ms from loading to activated, its own work and that of others beside it included`);
});
