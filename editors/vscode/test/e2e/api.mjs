import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { folder as makeFolder } from './host.mjs';
import { browser, host, scenarios, source } from './scenario.mjs';

const tests = path.resolve(import.meta.dirname, '../../dist/api');

scenarios.push({ name: 'in the extension host: what other extensions and language models get', run });

async function run() {
  const folder = makeFolder(source);
  const context = await browser.newContext();
  const page = await context.newPage();
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
    assert.equal(await code, 0, log.join('\n'));
    assert.equal(log.filter((line) => line.includes('passed: ')).length, 8, log.join('\n'));
    log.filter((line) => line.includes('report: ')).forEach((line) => console.log(line));
  } catch (error) {
    throw new Error(log.slice(-40).join('\n'), { cause: error });
  } finally {
    await context.close();
    fs.rmSync(folder, { recursive: true });
  }
}
