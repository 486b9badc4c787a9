import { scenario } from './scenario.mjs';

scenario('no server: the view and a message say what to do', { settings: { 'pendingLsp.server.path': '/nowhere/pending-lsp' } }, async ({ wb }) => {
  await (await wb.notification('was not found')).button('Open Setting').waitFor();
  await wb.showView();
  await wb.view.getByText('The pending-lsp server was not found.').waitFor();
  await wb.shot('missing');
});
