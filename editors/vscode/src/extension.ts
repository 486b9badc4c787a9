// Puts the parts together.
import * as vscode from 'vscode';
import { CallbackRegistry } from './agents/callbacks';
import { registerMcp } from './agents/mcp';
import { registerTools } from './agents/tools';
import { createApi, type PendingLspApi } from './api';
import { logCommand } from './commands/log';
import { resolveCommands } from './commands/resolve';
import { showCommands } from './commands/show';
import { structuralEditCommand } from './commands/structuralEdit';
import { needsRestart } from './config';
import { Editing } from './resolve/editing';
import { RefactorPreview } from './resolve/refactorPreview';
import { Resolver } from './resolve/resolver';
import { middleware } from './server/middleware';
import { openPathSetting, Server } from './server/server';
import { Stacks } from './stack/stacks';
import { tellMenus } from './views/context';
import { Decorations } from './views/decorations';
import { Diff } from './views/diff';
import { Status } from './views/status';
import { Tree } from './views/tree';

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): PendingLspApi {
  const began = performance.now();
  const output = vscode.window.createOutputChannel('Pending Edits', { log: true });
  const editing = new Editing(output);
  const callbacks = new CallbackRegistry();
  const starting = () => server?.state === 'starting';
  server = new Server(context, output, middleware(editing.handleApplyEdit, starting), (client) => {
    callbacks.serve(client);
  });
  const stacks = new Stacks(server);
  const { requests } = server;
  const tree = new Tree(stacks);
  const diff = new Diff(requests, stacks);
  const preview = new RefactorPreview(requests);
  const resolver = new Resolver(requests, {
    showDiff: ({ action }) => diff.show(action),
    refactorPreview: (choice) => preview.choose(choice),
  });
  const started = server;
  const commands = {
    ...resolveCommands(stacks, resolver, requests, tree, diff),
    ...showCommands(stacks, diff),
    ...structuralEditCommand(server, stacks, diff),
    ...logCommand(requests, stacks),
    'pendingLsp.restart': () => started.restart(),
    // Behind buttons of the view and the walkthrough.
    'pendingLsp.setServerPath': openPathSetting,
    'pendingLsp.showOutput': () => {
      output.show();
    },
  };
  context.subscriptions.push(
    output,
    server,
    stacks,
    tree,
    diff,
    preview,
    new Status(server, stacks),
    new Decorations(context, server, stacks),
    tellMenus(server, stacks),
    server.onStackChange((change) => void editing.settled(change)),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (needsRestart(e)) {
        void started.restart();
      }
    }),
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
    ...registerTools(server, stacks),
    ...registerMcp(server, (context.extension.packageJSON as { version: string }).version),
  );
  if (vscode.workspace.workspaceFolders?.length) {
    void server.restart();
  }
  context.subscriptions.push(
    vscode.workspace.onDidChangeWorkspaceFolders(({ added }) => {
      // The first folder of an empty window; the client tells the server of any later one.
      if (added.length > 0 && vscode.workspace.workspaceFolders?.length === added.length) {
        void started.restart();
      }
    }),
  );
  output.info(`activated in ${(performance.now() - began).toFixed(1)} ms`);
  return createApi(server, stacks, callbacks);
}

export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
