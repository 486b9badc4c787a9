import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { folder as makeFolder } from './host.mjs';
import { browser, host, keep, scenarios, source } from './scenario.mjs';
import { Workbench } from './workbench.mjs';

const tests = path.resolve(import.meta.dirname, '../../dist/api');

const name = 'in the extension host: what other extensions and language models get';

scenarios.push({ name, run });

async function run() {
  const folder = makeFolder(source);
  const context = await browser.newContext();
  const page = await context.newPage();
  const wb = new Workbench(page, host, folder);
  const log = [];
  try {
    const code = new Promise((resolve) => page.exposeFunction('codeAutomationExit', resolve));
    await page.exposeFunction('codeAutomationLog', (_, args) => log.push(args.join(' ')));
    const remote = (file) => `vscode-remote://127.0.0.1:${host.port}${file}`;
    const payload = [
      ['extensionDevelopmentPath', remote(tests)],
      ['extensionTestsPath', remote(`${tests}/index.js`)],
    ];
    await page.goto(host.url({ folder, payload: JSON.stringify(payload) }));
    const asked = answer(wb, { 'may I?': 'Keep pending', please: 'Apply' });
    assert.equal(await Promise.race([code, asked.then(() => code)]), 0, log.join('\n'));
    assert.equal(log.filter((line) => line.includes('passed: ')).length, 13, log.join('\n'));
    // A restart for a setting's sake is nobody's trouble.
    assert.deepEqual((await wb.notifications()).filter((text) => text.includes('Pending Edits')), []);
    log.filter((line) => line.includes('report: ')).forEach((line) => console.log(line));
  } catch (error) {
    await keep(name, wb).catch(console.error);
    throw new Error(log.slice(-40).join('\n'), { cause: error });
  } finally {
    await context.close();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Presses a button of each notification that has such a text, as it comes. */
async function answer(wb, buttons) {
  for (const [text, button] of Object.entries(buttons)) {
    await (await wb.notification(text, 100_000)).button(button).click();
  }
}
