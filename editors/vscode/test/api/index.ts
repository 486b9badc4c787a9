// Runs inside the extension host, as another extension would use ours; e2e/api.mjs starts it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as vscode from 'vscode';
import type { PendingLspApi } from '../../src/api';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
const file = vscode.Uri.joinPath(folder, 'src/client.ts');

export async function run(): Promise<void> {
  const api = await vscode.extensions.getExtension<PendingLspApi>('pending-lsp.pending-lsp')?.activate();
  assert.ok(api);
  assert.equal(api.version, 1);
  for (const test of [loadsFast, pushesData, pushesCallbacks, savesWhatFollowsFast, leavesNoTab, callsReject, keepsWhatFails, refusesWhatIsNotOnTop, offersTools, asksBeforeAnAgentApplies, restartsForASetting, offersMcp, hasWhatItsTextsName]) {
    await test(api);
    console.log(`passed: ${test.name}`);
  }
}

/** A report: what VS Code does before it calls activate, for the fastest of five times. */
function loadsFast(): void {
  const extension = vscode.extensions.getExtension('pending-lsp.pending-lsp');
  assert.ok(extension);
  const require = createRequire(__filename);
  const bundle = path.join(extension.extensionPath, 'dist/extension.js');
  const times = Array.from({ length: 5 }, () => {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- how a module is loaded anew
    delete require.cache[bundle];
    const began = performance.now();
    const loaded = require(bundle) as { activate?: unknown };
    assert.equal(typeof loaded.activate, 'function');
    return performance.now() - began;
  });
  console.log(`report: dist/extension.js loads in ${Math.min(...times).toFixed(1)} ms`);
}

async function pushesData(api: PendingLspApi): Promise<void> {
  const told = new Promise((resolve) => api.onDidChange(resolve));
  const { id, depth } = await attempt(() => api.push({ label: 'Say it', sourceToolName: 'api_test', edit: replaceFirstWord('logger') }));
  assert.equal(depth, 1);
  await told;
  await until(() => api.list().some((action) => action.id === id && action.sourceToolName === 'api_test'));
  assert.equal(await text(), 'console.log("sent");\n');
  assert.match(await api.resolve('apply', 'it was said', { id }), /Applied: Say it\. Reason: it was said/);
  await until(async () => (await onDisk()) === 'logger.log("sent");\n');
  await until(() => api.list().length === 0);
}

async function pushesCallbacks(api: PendingLspApi): Promise<void> {
  const reasons: string[] = [];
  const { id } = await api.push({
    label: 'Do it yourself',
    apply: (reason) => {
      reasons.push(reason);
      return { text: 'did it myself', details: { n: 1 }, edit: replaceFirstWord('console') };
    },
  });
  assert.match(await api.resolve('apply', 'go on', { id }), /did it myself/);
  assert.deepEqual(reasons, ['go on']);
  await until(async () => (await onDisk()) === 'console.log("sent");\n');
}

/** The next apply comes while the last one is being saved; an edit must not stay unsaved. */
async function savesWhatFollowsFast(api: PendingLspApi): Promise<void> {
  for (let n = 0; n < 50; n++) {
    const word = n % 2 === 0 ? 'logger' : 'console';
    await api.push({ label: `Edit ${n}`, edit: replaceFirstWord(word) });
    await api.resolve('apply', 'fast');
    // As soon as it is written, and VS Code has not been told yet.
    await until(async () => (await onDisk()) === `${word}.log("sent");\n`, 0);
  }
}

/** VS Code shows in a tab what is unsaved for most of a second, as here, where this host is busy. */
async function leavesNoTab(api: PendingLspApi): Promise<void> {
  const other = vscode.Uri.joinPath(folder, 'src/board.ts');
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === other.toString());
  assert.equal(tabs().length, 0);
  const busy = vscode.workspace.onDidChangeTextDocument(() => {
    busy.dispose();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  });
  const seen = vscode.window.tabGroups.onDidChangeTabs(() => {
    if (tabs().length > 0) {
      console.log('report: VS Code opened a tab for what was not saved yet');
      seen.dispose();
    }
  });
  const edit = new vscode.WorkspaceEdit();
  edit.insert(other, new vscode.Position(0, 0), '// ');
  const saved = new Promise((resolve) => vscode.workspace.onDidSaveTextDocument(resolve));
  await api.push({ label: 'Elsewhere', edit });
  await api.resolve('apply', 'slowly');
  await saved;
  await until(() => tabs().length === 0);
  seen.dispose();
}

async function callsReject(api: PendingLspApi): Promise<void> {
  const apply = () => ({ text: 'never' });
  await api.push({ label: 'Rejected', apply, reject: (reason) => `as you wish: ${reason}` });
  assert.match(await api.resolve('discard', 'not now'), /as you wish: not now/);
  await api.push({ label: 'No reject', apply });
  assert.match(await api.resolve('discard', 'nor now'), /Discarded: No reject\. Reason: nor now/);
}

async function keepsWhatFails(api: PendingLspApi): Promise<void> {
  const outcomes = [{ text: 'out of paper', isError: true }, { text: 'outside', edit: replaceFirstWord('x', vscode.Uri.file('/etc/hostname')) }, { text: 'printed' }];
  const { id } = await api.push({ label: 'Print', apply: () => outcomes.shift() ?? { text: 'never' } });
  const apply = () => api.resolve('apply', 'try', { id }).catch((error: unknown) => String(error));
  assert.match(await apply(), /out of paper/);
  assert.match(await apply(), /outside the workspace|leads out|not in the workspace/);
  assert.ok(api.list().some((action) => action.id === id));
  assert.match(await apply(), /printed/);
  await until(() => api.list().length === 0);
}

async function refusesWhatIsNotOnTop(api: PendingLspApi): Promise<void> {
  const lower = await api.push({ label: 'Lower', edit: replaceFirstWord('lower') });
  const upper = await api.push({ label: 'Upper', edit: replaceFirstWord('upper') });
  await assert.rejects(api.resolve('apply', 'no', { id: lower.id }), /not on top/);
  await assert.rejects(api.push({ label: '  ', edit: replaceFirstWord('x') }), /label is missing/);
  await api.resolve('discard', 'clean up', { id: upper.id });
  await api.resolve('discard', 'clean up', { id: lower.id });
}

async function offersTools(api: PendingLspApi): Promise<void> {
  const names = vscode.lm.tools.map(({ name }) => name);
  for (const name of ['pending_ast_edit', 'pending_list', 'pending_resolve']) {
    assert.ok(names.includes(name), `${name} in ${names.join(', ')}`);
  }
  const edited = await call('pending_ast_edit', { ops: [{ pat: 'console.log($$$A)', out: 'logger.info($$$A)' }], lang: 'typescript', path: ['src/client.ts'] });
  assert.match(edited, /1 replacement/);
  assert.match(await call('pending_list', {}), /1\. AST Edit: 1 replacement in 1 file .*\n {2}src\/client\.ts:1 console\.log\("sent"\) → logger\.info\("sent"\)/);
  assert.match(await call('pending_ast_edit', { ops: [{ pat: 'f((', out: 'x' }], lang: 'typescript' }), /^Refused \(invalidPattern\)/);
  assert.equal(await text(), 'console.log("sent");\n');
  assert.match(await call('pending_resolve', { action: 'apply', reason: 'x', id: 'nobody' }), /^Refused \(unknownAction\)/);
  assert.match(await call('pending_resolve', { action: 'discard', reason: 'not wanted' }), /Discarded: AST Edit.* not wanted/);
  assert.match(await call('pending_resolve', { action: 'apply', reason: 'x' }), /No pending action to resolve/);
  assert.deepEqual(api.list(), []);
}

/** The test outside, e2e/api.mjs, answers: no, then yes. */
async function asksBeforeAnAgentApplies(api: PendingLspApi): Promise<void> {
  const settings = vscode.workspace.getConfiguration('pendingLsp');
  const { id } = await api.push({ label: 'Ask me first', edit: replaceFirstWord('logger') });
  await until(async () => (await lenses()) > 0);
  await settings.update('approval', 'editor', vscode.ConfigurationTarget.Workspace);
  // Of two changes the second shows that the first has arrived.
  await settings.update('codeLens', false, vscode.ConfigurationTarget.Workspace);
  await until(async () => (await lenses()) === 0);
  assert.match(await call('pending_resolve', { action: 'apply', reason: 'may I?' }), /^Refused \(policy\)/);
  assert.equal(await text(), 'console.log("sent");\n');
  assert.match(await call('pending_resolve', { action: 'apply', reason: 'please', id }), /Applied: Ask me first/);
  await until(async () => (await onDisk()) === 'logger.log("sent");\n');
  await settings.update('approval', undefined, vscode.ConfigurationTarget.Workspace);
  await settings.update('codeLens', undefined, vscode.ConfigurationTarget.Workspace);
}

async function lenses(): Promise<number> {
  return (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', file)).length;
}

/** The test outside looks that nothing was complained about. */
async function restartsForASetting(api: PendingLspApi): Promise<void> {
  await api.push({ label: 'Outlives it', edit: replaceFirstWord('console') });
  await until(() => api.list().length === 1);
  const emptied = new Promise<void>((resolve) => {
    const listening = api.onDidChange(() => {
      if (api.list().length === 0) {
        listening.dispose();
        resolve();
      }
    });
  });
  const settings = vscode.workspace.getConfiguration('pendingLsp');
  await settings.update('workspace', 'folder', vscode.ConfigurationTarget.Workspace);
  await emptied;
  await until(() => api.list().length === 1);
  await api.resolve('apply', 'it did');
  await settings.update('workspace', undefined, vscode.ConfigurationTarget.Workspace);
  await until(async () => (await onDisk()) === 'console.log("sent");\n');
}

/** What VS Code got is started as an agent would, and answers with its tools. */
async function offersMcp(): Promise<void> {
  const definitions = () => (vscode.lm as unknown as { mcpServerDefinitions: readonly vscode.McpStdioServerDefinition[] }).mcpServerDefinitions;
  await until(() => definitions().some(({ label }) => label === 'pending-lsp'));
  const offered = definitions().find(({ label }) => label === 'pending-lsp');
  const extension = vscode.extensions.getExtension('pending-lsp.pending-lsp');
  assert.ok(offered && extension);
  const { command, args, env, cwd } = offered;
  assert.deepEqual({ command, args, env, cwd: cwd?.fsPath }, { command: path.join(extension.extensionPath, 'bin/pending-lsp'), args: ['mcp'], env: {}, cwd: folder.fsPath });

  const server = spawn(command, args, { cwd: folder.fsPath, env: { ...process.env, ...(env as NodeJS.ProcessEnv) }, stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  server.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'api test', version: '1' } } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list' });
  await until(() => said.includes('"ast_edit"'));
  server.stdin.end();
  await new Promise((resolve) => server.once('exit', resolve));
}

/** Buttons in the walkthrough and the empty view run commands, which must exist. */
async function hasWhatItsTextsName(): Promise<void> {
  const extension = vscode.extensions.getExtension('pending-lsp.pending-lsp');
  assert.ok(extension);
  const manifest = extension.packageJSON as { contributes: { commands: { command: string }[] } };
  const texts = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension.extensionUri, 'package.nls.json'));
  const named = [...new TextDecoder().decode(texts).matchAll(/\(command:([\w.]+)/g)].map((match) => match[1] ?? '');
  assert.ok(named.length >= 10, named.join());
  const known = new Set(await vscode.commands.getCommands());
  for (const command of [...named, ...manifest.contributes.commands.map(({ command }) => command)]) {
    assert.ok(known.has(command), command);
  }
}

async function call(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

function replaceFirstWord(word: string, uri = file): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const length = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString())?.getText().indexOf('.') ?? 'console'.length;
  edit.replace(uri, new vscode.Range(0, 0, 0, length), word);
  return edit;
}

async function text(): Promise<string> {
  return (await vscode.workspace.openTextDocument(file)).getText();
}

async function onDisk(): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

/** The server may be starting still. */
async function attempt<R>(work: () => Promise<R>): Promise<R> {
  for (let n = 0; ; n++) {
    try {
      return await work();
    } catch (error) {
      if (n === 100) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function until(check: () => boolean | Promise<boolean>, pause = 100): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await check())) {
    assert.ok(Date.now() < end, `waited too long for ${check.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
