import fs from 'node:fs';
import { scenario } from './scenario.mjs';

const nowhere = { 'pendingLsp.server.path': '/nowhere/pending-lsp' };

scenario('no server: a message and the view say what to do; with its path set it starts', { settings: nowhere }, async ({ wb, folder }) => {
  await (await wb.notification('was not found (looked for: /nowhere/pending-lsp)')).button('Open Setting').click();
  await wb.page.locator('.settings-editor .settings-tree-container', { hasText: 'Path of the pending-lsp program' }).waitFor();
  await wb.showView();
  await wb.view.getByText('The pending-lsp server was not found.').waitFor();
  await wb.shot('missing');
  await wb.view.getByText('How to Install').click();
  await wb.page.locator('.gettingStartedContainer', { hasText: 'go install ./cmd/pending-lsp' }).waitFor();

  fs.writeFileSync(`${folder}/.vscode/settings.json`, JSON.stringify({ 'pendingLsp.server.path': process.env.PENDING_LSP }));
  await wb.view.getByText('Nothing is pending.').waitFor();
});
