import assert from 'node:assert/strict';
import fs from 'node:fs';
import { Agent, folder as makeFolder, until } from './host.mjs';
import { applied, browser, host, keep, label, pushAll, scenario, scenarios, source } from './scenario.mjs';
import { Workbench } from './workbench.mjs';

scenario('only the top can be decided; down to here takes what is above along', {}, async ({ wb, agent }) => {
  const lower = await pushAll(agent);
  const upper = await agent.push('board', 'panel', '-l', 'ts');
  await wb.showView();
  await until(async () => (await wb.badge.innerText()) === '2', 'the badge');
  await wb.goto(2, 5);
  const actions = await wb.actions();
  // A disabled action is left out of the menu as long as others are offered.
  assert.deepEqual(
    (await actions.allInnerTexts()).filter((title) => title.startsWith('Apply')),
    ['Apply the 2 actions down to: AST Edit: 3 replacements in 2 files'],
  );
  await wb.page.keyboard.press('Escape');
  // The Refactor menu shows what it cannot take.
  await wb.palette('Refactor...');
  await wb.page.locator('.action-widget').getByText('Show Disabled').click();
  const disabled = wb.page.locator('.action-widget .monaco-list-row', { hasText: `Apply: ${label}` });
  await disabled.waitFor();
  await wb.shot('disabled');
  assert.match(await disabled.getAttribute('class'), /option-disabled/);
  await disabled.click({ force: true });
  assert.equal(await wb.badge.innerText(), '2');
  await wb.page.keyboard.press('Escape');
  await wb.row('AST Edit: 3 replacements').hover();
  await wb.shot('stack');
  await wb.contextMenu(wb.row('AST Edit: 3 replacements'), 'Apply Down To Here');
  await wb.onDisk('src/client.ts', applied['src/client.ts']);
  await wb.onDisk('src/board.ts', applied['src/board.ts'].replace('board', 'panel'));
  for (const id of [lower, upper]) {
    assert.match((await agent.verdict(id)).out, /^applied by/);
  }
});

scenarios.push({ name: 'two folders have two stacks', run: twoFolders });

async function twoFolders() {
  const [one, two] = [makeFolder(source), makeFolder(source)];
  const file = `${one}/both.code-workspace`;
  fs.writeFileSync(file, JSON.stringify({ folders: [{ path: one }, { path: two }] }));
  const wb = await Workbench.open(browser, host, file);
  try {
    const [first, second] = [new Agent(host, one), new Agent(host, two)];
    const kept = await pushAll(first);
    const id = await pushAll(second);
    await wb.showView();
    await until(async () => (await wb.badge.innerText()) === '2', 'the badge');
    const name = two.slice(two.lastIndexOf('/') + 1);
    await wb.row(name).waitFor();
    await wb.palette('Pending Edits: Apply Top');
    await wb.pick(name);
    assert.match((await second.verdict(id)).out, /^applied by/);
    await until(() => fs.readFileSync(`${two}/src/client.ts`, 'utf8') === applied['src/client.ts'], 'the second folder on disk');
    assert.equal(fs.readFileSync(`${one}/src/client.ts`, 'utf8'), source['src/client.ts']);
    assert.match((await first.run('list')).out, new RegExp(kept));
  } catch (error) {
    await keep('two folders', wb).catch(console.error);
    throw error;
  } finally {
    await wb.close();
    fs.rmSync(one, { recursive: true });
    fs.rmSync(two, { recursive: true });
  }
}
