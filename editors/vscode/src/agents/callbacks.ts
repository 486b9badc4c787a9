// Actions that other extensions pushed: the server asks here when one is decided.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ToolResult } from '../server/wire';
import { toWire } from './edits';

export interface Outcome {
  /** For the person and the agent. */
  text: string;
  isError?: boolean;
  details?: unknown;
  /** Carried out by the server, like an edit of its own. */
  edit?: vscode.WorkspaceEdit;
}

export interface Callbacks {
  apply: (reason: string, hunks: readonly string[] | undefined) => Outcome | Promise<Outcome>;
  reject?: (reason: string) => string | undefined | Promise<string | undefined>;
}

export class CallbackRegistry {
  private readonly byId = new Map<string, Callbacks>();
  private pushing: Promise<unknown> = Promise.resolve();

  /** Registers under the id that the push will answer with. */
  async during(callbacks: Callbacks, push: () => Promise<string>): Promise<string> {
    const pushed = push().then((id) => {
      this.byId.set(id, callbacks);
      return id;
    });
    this.pushing = Promise.allSettled([this.pushing, pushed]);
    return pushed;
  }

  serve(client: LanguageClient): void {
    // A new connection: the server calls what was pushed before orphaned.
    this.byId.clear();
    client.onRequest('pending-lsp/apply', async ({ id, reason, hunks }: { id: string; reason: string; hunks?: string[] }) => {
      const outcome = await (await this.find(id)).apply(reason, hunks);
      // With an error, a part or an edit that may be refused, it can be asked to apply again.
      if (!hunks && !outcome.isError && !outcome.edit) {
        this.byId.delete(id);
      }
      return {
        ...said(outcome.text),
        ...(outcome.isError ? { isError: true } : {}),
        ...(outcome.details === undefined ? {} : { details: outcome.details }),
        ...(outcome.edit ? { edit: toWire(outcome.edit) } : {}),
      };
    });
    client.onRequest('pending-lsp/reject', async ({ id, reason }: { id: string; reason: string }) => {
      const text = await (await this.find(id)).reject?.(reason);
      this.byId.delete(id);
      return said(text ?? '');
    });
  }

  private async find(id: string): Promise<Callbacks> {
    // Somebody may decide before the answer to the push is here.
    if (!this.byId.has(id)) {
      await this.pushing;
    }
    const found = this.byId.get(id);
    if (!found) {
      throw new Error(`no callbacks for action ${id}`);
    }
    return found;
  }
}

function said(text: string): ToolResult {
  return { content: text === '' ? [] : [{ type: 'text', text }] };
}
