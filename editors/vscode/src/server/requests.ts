// Typed requests; every one goes through here, so that a stopped server has one message.
import * as vscode from 'vscode';
import type { LanguageClient, ResponseError, TextDocumentContentResult } from 'vscode-languageclient/node';
import {
  Command,
  type ASTEditParams,
  type ErrorData,
  type ExplainResult,
  type ListResult,
  type LogEntry,
  type PreviewResult,
  type ResolveParams,
  type ToolResult,
} from './wire';

/** A refusal by the server, with what it said about it. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly data: ErrorData | undefined,
  ) {
    super(message);
  }
}

/** Cancels nothing. Without a token the client would count its absence as a second parameter. */
const never = new vscode.CancellationTokenSource().token;

export class Requests {
  constructor(private readonly client: () => LanguageClient | undefined) {}

  list = (workspace: string) => this.send<ListResult>(Command.list, { workspace });
  resolve = (params: ResolveParams, token?: vscode.CancellationToken) => this.send<ToolResult>(Command.resolve, params, token);
  texts = (id: string, workspace: string) => this.send<PreviewResult>(Command.preview, { id, format: 'texts', workspace });
  undo = (workspace: string) => this.send<ToolResult>(Command.undo, { workspace });
  log = async (workspace: string, limit: number) =>
    (await this.send<{ entries: LogEntry[] }>(Command.log, { workspace, limit })).entries;
  astEdit = (params: ASTEditParams, token?: vscode.CancellationToken) => this.send<ToolResult>(Command.astEdit, params, token);
  push = (params: object) => this.send<ToolResult>(Command.push, params);
  explain = (params: { pat: string; lang: string; snippet?: string }, token?: vscode.CancellationToken) =>
    this.send<ExplainResult>(Command.explainPattern, params, token);

  /** The text of one of the server's virtual documents. */
  content = async (uri: vscode.Uri, token: vscode.CancellationToken) =>
    (await this.attempt((client) => client.sendRequest<TextDocumentContentResult>('workspace/textDocumentContent', { uri: uri.toString() }, token))).text;

  private send<R>(command: string, argument: object, token = never): Promise<R> {
    return this.attempt((client) => client.sendRequest<R>('workspace/executeCommand', { command, arguments: [argument] }, token));
  }

  private async attempt<R>(request: (client: LanguageClient) => Promise<R>): Promise<R> {
    const client = this.client();
    if (!client?.isRunning()) {
      throw new Refused(vscode.l10n.t('pending-lsp is not running.'), undefined);
    }
    try {
      return await request(client);
    } catch (error) {
      if (!answered(error)) {
        throw error;
      }
      // jsonrpc's word for a connection that ended meanwhile would tell nobody what that means here.
      const message =
        error.code === connectionEnded
          ? vscode.l10n.t('The server stopped before it answered. What it had not done is still pending; look before you try again.')
          : error.message;
      throw new Refused(message, error.data);
    }
  }
}

/** ErrorCodes.PendingResponseRejected, without loading the client for it. */
const connectionEnded = -32097;

function answered(error: unknown): error is ResponseError<ErrorData | undefined> {
  return error instanceof Error && typeof (error as Partial<ResponseError>).code === 'number';
}

export function textOf(result: ToolResult): string {
  return result.content.map((part) => part.text).join('\n');
}
