import assert from 'node:assert/strict';
import fs from 'node:fs';
import { until } from './host.mjs';
import { applied, label, pushAll, scenario, source } from './scenario.mjs';

scenario('an agent that applies asks the user, as the setting is by then', { settings: {} }, async ({ wb, agent, folder }) => {
  const id = await pushAll(agent);
  // Both settings are taken at once, and one of them can be seen.
  await until(async () => (await wb.problems()).includes('3'), 'three problems');
  fs.writeFileSync(`${folder}/.vscode/settings.json`, JSON.stringify({ 'pendingLsp.approval': 'editor', 'pendingLsp.diagnostics': 'off' }));
  await until(async () => !(await wb.problems()).includes('3'), 'the new settings');

  const asks = agent.run('resolve', 'apply', '--reason', 'tests pass');
  await (await wb.notification(`wants to apply "${label}": tests pass`)).button('Keep pending').click();
  const refused = await asks;
  assert.equal(refused.code, 3, refused.out);
  assert.match(refused.out, /did not approve it.*kind: policy/s);
  assert.equal(wb.read('src/board.ts'), source['src/board.ts']);

  const again = agent.run('resolve', 'apply', '--reason', 'they do');
  await (await wb.notification(`wants to apply "${label}": they do`)).button('Apply').click();
  assert.equal((await again).code, 0, (await again).out);
  for (const [name, text] of Object.entries(applied)) {
    await wb.onDisk(name, text);
  }
  assert.equal((await agent.verdict(id)).code, 0);
  assert.match((await agent.run('log')).out, /apply .*, approved by .*: they do\n.*decline .*, declined by .*: tests pass\n/);
});
