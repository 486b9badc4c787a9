// The life of the server process: found, started, restarted, missed.
import * as vscode from 'vscode';
import type { LanguageClient, Middleware } from 'vscode-languageclient/node';
import { config } from '../config';
import { findServer, type Found } from './find';
import { Requests } from './requests';
import type { Capability, DidChange } from './wire';

export type ServerState = 'starting' | 'running' | 'stopped' | 'missing';

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly stateChanged = new vscode.EventEmitter<ServerState>();
  private readonly stackChanged = new vscode.EventEmitter<DidChange>();
  private turn: Promise<void> = Promise.resolve();

  readonly requests = new Requests(() => this.client);
  readonly onState = this.stateChanged.event;
  readonly onStackChange = this.stackChanged.event;
  state: ServerState = 'starting';
  /** The program that runs; other programs may start more of it. */
  command: string | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly output: vscode.LogOutputChannel,
    private readonly middleware: Middleware,
    private readonly prepare: (client: LanguageClient) => void,
  ) {}

  get capability(): Capability | undefined {
    const experimental = this.client?.initializeResult?.capabilities.experimental as { pendingLsp?: Capability } | undefined;
    return experimental?.pendingLsp;
  }

  get showsInlayHints(): boolean {
    return this.client?.initializeResult?.capabilities.inlayHintProvider !== undefined;
  }

  /** Starts the server, or starts it anew; one at a time. */
  restart(): Promise<void> {
    this.become('starting');
    this.turn = this.turn.then(() => this.replace());
    return this.turn;
  }

  async stop(): Promise<void> {
    const old = this.client;
    this.client = undefined;
    vscode.Disposable.from(...this.subscriptions.splice(0)).dispose();
    await old?.dispose().catch((error: unknown) => {
      this.output.warn(String(error));
    });
  }

  dispose(): void {
    this.stateChanged.dispose();
    this.stackChanged.dispose();
  }

  private async replace(): Promise<void> {
    this.become('starting');
    await this.stop();
    const found = await findServer({
      setting: config.serverPath(),
      extension: this.context.extensionPath,
      searchPath: process.env.PATH ?? '',
      folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
    });
    if (found.from === 'nowhere') {
      this.command = undefined;
      this.become('missing');
      this.offer(found);
      return;
    }
    this.output.info(`server: ${found.command} (${found.from})`);
    this.command = found.command;
    try {
      await this.start(found.command);
    } catch (error) {
      this.output.error(String(error));
      this.become('stopped');
    }
  }

  private async start(command: string): Promise<void> {
    // A bundle of its own, most of this extension's code: loading it is not part of VS Code's start.
    const { createClient, nameOf } = await import('./languageClient');
    const client = createClient({ command, args: config.serverArguments() }, this.output, this.middleware);
    this.client = client;
    this.prepare(client);
    this.subscriptions.push(
      client.onNotification('pending-lsp/didChange', (change: DidChange) => {
        this.stackChanged.fire(change);
      }),
      client.onDidChangeState(({ newState }) => {
        // An old client's last words must not speak for the new one.
        if (this.client === client) {
          this.become(nameOf(newState));
        }
      }),
    );
    await client.start();
  }

  private become(state: ServerState): void {
    if (state !== this.state) {
      this.state = state;
      this.stateChanged.fire(state);
    }
  }

  private offer(found: Extract<Found, { from: 'nowhere' }>): void {
    const settings = vscode.l10n.t('Open Setting');
    const how = vscode.l10n.t('How to Install');
    const message = vscode.l10n.t('The pending-lsp server was not found (looked for: {0}).', found.tried.join(', '));
    void vscode.window.showWarningMessage(message, settings, how).then((picked) => {
      if (picked === settings) {
        return openPathSetting();
      }
      if (picked === how) {
        return vscode.commands.executeCommand('workbench.action.openWalkthrough', `${this.context.extension.id}#start`, false);
      }
      return undefined;
    });
  }
}

/** Shows pendingLsp.server.path where it can be changed: it is the machine's, and in a remote window that is the remote one. */
export function openPathSetting(): Thenable<unknown> {
  const place = vscode.env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  return vscode.commands.executeCommand(`workbench.action.${place}`, { query: 'pendingLsp.server.path' });
}
