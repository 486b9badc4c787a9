// The one module that loads vscode-languageclient; server.ts imports it when there is a server to start.
import type * as vscode from 'vscode';
import { LanguageClient, State, type Executable, type Middleware } from 'vscode-languageclient/node';
import { config } from '../config';
import type { ServerState } from './server';

export function createClient(run: Executable, output: vscode.LogOutputChannel, middleware: Middleware): LanguageClient {
  return new LanguageClient(
    'pendingLsp',
    'Pending Edits',
    { run, debug: run },
    {
      // No language of its own: every file on disk may have something pending.
      documentSelector: [{ scheme: 'file' }],
      outputChannel: output,
      diagnosticCollectionName: 'pending-lsp',
      initializationOptions: {
        apply: 'editor',
        didChange: true,
        workspace: config.workspace(),
        ...config.live(),
      },
      middleware,
    },
  );
}

export function nameOf(state: State): ServerState {
  switch (state) {
    case State.Running:
      return 'running';
    case State.Starting:
      return 'starting';
    default:
      return 'stopped';
  }
}
