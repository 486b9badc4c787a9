import { pushAll, scenario } from './scenario.mjs';

scenario('the walkthrough opens from the empty view, and its steps tick themselves off', {}, async ({ wb, agent }) => {
  await wb.showView();
  await wb.view.getByText('How It Works').click();
  const page = wb.page.locator('.gettingStartedContainer');
  await page.getByText('Review what agents want to change').first().waitFor();
  const step = (title) => page.locator('.getting-started-step', { hasText: title });
  const ticked = (id) => page.locator(`[data-done-step-id="pending-lsp.pending-lsp#start#${id}"].complete`).waitFor();
  await step('Propose an edit').click();
  await page.getByText('New Structural Edit…').first().waitFor();
  await wb.shot('walkthrough');
  await pushAll(agent);
  await ticked('propose');
  await step('Apply or discard it').click();
  await page.getByText('Show Diff', { exact: true }).first().click();
  await wb.page.locator('.modified .view-line', { hasText: 'logger.debug' }).first().waitFor();
});
