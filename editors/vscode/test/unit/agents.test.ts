import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { registerMcp } from '../../src/agents/mcp';
import { registerTools } from '../../src/agents/tools';
import type { Server } from '../../src/server/server';
import type { Stacks } from '../../src/stack/stacks';

const server = {} as Server;
const top = { id: '01A', label: 'Rename \u202eboard' };
const stacks = { pending: () => [{ actions: [top] }], find: () => undefined } as unknown as Stacks;

test('a host without the APIs for agents gets none, and no error', () => {
  assert.deepEqual(registerTools(server, stacks), []);
  assert.deepEqual(registerTools(server, stacks, {}), []);
  assert.deepEqual(registerMcp(server, '1.0.0'), []);
  assert.deepEqual(registerMcp(server, '1.0.0', {}), []);
});

test('the user is asked by the name of what is on top, with the reason', async () => {
  const tools = new Map<string, vscode.LanguageModelTool<unknown>>();
  const registerTool: typeof vscode.lm.registerTool = (name, tool) => {
    tools.set(name, tool);
    return { dispose: () => undefined };
  };
  assert.equal(registerTools(server, stacks, { registerTool }).length, 3);
  const ask = async (input: object) => tools.get('pending_resolve')?.prepareInvocation?.({ input }, {} as vscode.CancellationToken);
  const apply = await ask({ action: 'apply', reason: 'it\u0007 is right' });
  assert.equal(apply?.confirmationMessages?.title, 'Apply this pending edit?');
  assert.equal(said(apply), 'Rename \ufffdboard\nReason: it\ufffd is right');
  assert.equal((await ask({ action: 'discard', reason: 'no' }))?.confirmationMessages?.title, 'Discard this pending edit?');
  const unknown = await ask({ action: 'apply', reason: 'x', id: '01B' });
  assert.equal(said(unknown), 'the top of the stack\nReason: x');
});

function said(prepared: vscode.PreparedToolInvocation | null | undefined): string | undefined {
  const message = prepared?.confirmationMessages?.message;
  return typeof message === 'object' ? message.value : message;
}
