// The one module that loads vscode-languageclient; server.ts imports it when there is a server to start.
import type * as vscode from 'vscode';
import { ErrorAction, LanguageClient, State, type ErrorHandler, type Executable, type Middleware } from 'vscode-languageclient/node';
import { config } from '../config';
import type { ServerState } from './server';

export function createClient(run: Executable, output: vscode.LogOutputChannel, middleware: Middleware): LanguageClient {
  // A server that is killed while a diff opens leaves several messages unwritten. The library would give up
  // after three; but when the process is gone, that is told too, and then it starts anew.
  const unwritten: ErrorHandler = {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => standard.closed(),
  };
  const client = new LanguageClient(
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
      errorHandler: unwritten,
    },
  );
  const standard = client.createDefaultErrorHandler();
  return client;
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
