import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Agent, folder as makeFolder, startHost } from './host.mjs';
import { Workbench, launch } from './workbench.mjs';

export let host;
export let browser;

export async function start() {
  [host, browser] = await Promise.all([startHost(), launch()]);
}

export async function stop() {
  await Promise.all([browser?.close(), host?.stop()]);
}

export const source = {
  'src/board.ts': 'export function board() {\n  console.log("stopped");\n  console.log("started");\n}\n',
  'src/client.ts': 'console.log("sent");\n',
};
export const applied = Object.fromEntries(Object.entries(source).map(([name, text]) => [name, text.replaceAll('console.log', 'logger.debug')]));
export const label = 'AST Edit: 3 replacements in 2 files';

/** An agent's edit that changes all of source. */
export const pushAll = (agent) => agent.push('console.log($$$A)', 'logger.debug($$$A)', '-l', 'ts');

/** What can run beside others on one host. */
export const scenarios = [];

/** A test with a folder, an agent in it, and a window on it. */
export function scenario(name, { files = source, open = 'src/board.ts', settings } = {}, run) {
  scenarios.push({ name, run: () => inWindow(name, { files, open, settings }, run) });
}

export async function inWindow(name, { files = source, open = 'src/board.ts', settings, on = host }, run) {
  const folder = makeFolder(files, settings);
  let wb;
  try {
    wb = await Workbench.open(browser, on, folder, open);
    await run({ wb, agent: new Agent(on, folder), folder });
  } catch (error) {
    await keep(name, wb).catch(console.error);
    throw error;
  } finally {
    await wb?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** What a person needs to see why it failed: the window, and what it had to say. */
export async function keep(name, wb) {
  const dir = process.env.E2E_SHOTS ?? path.join(os.tmpdir(), 'pending-lsp-e2e');
  fs.mkdirSync(dir, { recursive: true });
  const file = path.join(dir, `failed ${name.replaceAll(/\W+/g, ' ')}.png`);
  await wb?.page.screenshot({ path: file });
  console.error(`${name} failed: see ${file}`);
  for (const said of (await wb?.notifications()) ?? []) {
    console.error(`  it said: ${said}`);
  }
}
