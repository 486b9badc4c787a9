import assert from 'node:assert/strict';
import fs from 'node:fs';
import { until } from './host.mjs';
import { applied, host, inWindow, label, pushAll } from './scenario.mjs';

/** Processes of this host's server, by what they are. */
function servers(kind) {
  return fs
    .readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        const args = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        // The bundled one: an agent's is elsewhere.
        return args[0].startsWith(host.dir) && args[0].endsWith('/pending-lsp') && (args[1] === 'daemon') === (kind === 'daemon');
      } catch {
        return false;
      }
    })
    .map(Number);
}

const name = 'the server is killed: it comes back by itself, and the stack with it';

/** Not beside other windows: the daemon is everybody's. */
export const killed = { name, run: () => inWindow(name, {}, revived) };

async function revived({ wb, agent }) {
  const id = await pushAll(agent);
  await wb.status.waitFor();
  await wb.palette('Pending Edits: Show Diff');
  const diff = wb.page.locator('.tab', { hasText: `Pending: ${label}` });
  await diff.waitFor();
  const before = servers('session');
  assert.ok(before.length > 0);
  for (const pid of [...before, ...servers('daemon')]) {
    process.kill(pid, 'SIGKILL');
  }
  await until(() => servers('session').some((pid) => !before.includes(pid)), 'a new server');
  await wb.showView();
  await wb.row(label).waitFor();
  await wb.palette('Pending Edits: Restart Server');
  await wb.row(label).waitFor();
  // What it shows is still pending, and so it stays until that is decided.
  assert.ok(await diff.isVisible());
  await wb.palette('Pending Edits: Apply Top');
  await wb.onDisk('src/board.ts', applied['src/board.ts']);
  await diff.waitFor({ state: 'detached' });
  assert.match((await agent.verdict(id)).out, /^applied by/);
}
