// What other extensions get from `vscode.extensions.getExtension('pending-lsp.pending-lsp').activate()`.
import * as vscode from 'vscode';
import { CallbackRegistry, type Callbacks } from './agents/callbacks';
import { toWire } from './agents/edits';
import { textOf } from './server/requests';
import type { Server } from './server/server';
import type { Action, Decision, PushDetails } from './server/wire';
import type { Stacks } from './stack/stacks';

export interface PendingAction extends Partial<Callbacks> {
  /** What it does, in a few words. */
  label: string;
  /** Default `custom_tool`. */
  sourceToolName?: string;
  details?: unknown;
  /** What is shown; without `apply` it is also what is done. Text edits only. */
  edit?: vscode.WorkspaceEdit;
  /** Needed when several folders are open. */
  folder?: vscode.Uri;
}

export interface PendingLspApi {
  readonly version: 1;
  readonly onDidChange: vscode.Event<void>;
  /** Everything pending in this window: stack after stack, each top first. */
  list(): readonly Action[];
  /** Nothing is written until somebody applies it. Rejects with the server's message when refused. */
  push(action: PendingAction): Promise<{ id: string; depth: number }>;
  /** Decides about the top of the stack; with an id, only if that is the top. Resolves to what was said. */
  resolve(action: Decision, reason: string, target?: { id?: string; folder?: vscode.Uri }): Promise<string>;
}

export function createApi(server: Server, stacks: Stacks, callbacks: CallbackRegistry): PendingLspApi {
  const workspace = (folder: vscode.Uri | undefined) => (folder ? { workspace: folder.toString() } : {});
  return {
    version: 1,
    onDidChange: stacks.onChange,
    list: () => stacks.all().flatMap((stack) => stack.actions),
    async push({ label, sourceToolName, details, edit, folder, apply, reject }) {
      let depth = 0;
      const send = async () => {
        const result = await server.requests.push({
          label,
          ...(sourceToolName === undefined ? {} : { sourceToolName }),
          ...(details === undefined ? {} : { details }),
          ...(edit ? { edit: toWire(edit) } : {}),
          // Without a reject of its own too: the registry hears of the end of the action by it.
          ...(apply ? { callbacks: { apply: true, reject: true } } : {}),
          ...workspace(folder),
        });
        const pushed = result.details as PushDetails;
        depth = pushed.depth;
        return pushed.actionId;
      };
      const id = apply ? await callbacks.during({ apply, ...(reject ? { reject } : {}) }, send) : await send();
      return { id, depth };
    },
    async resolve(action, reason, { id, folder } = {}) {
      if (action === 'apply' && !vscode.workspace.isTrusted) {
        throw new Error(vscode.l10n.t('Pending edits are shown but not applied in a folder that is not trusted.'));
      }
      return textOf(await server.requests.resolve({ action, reason, ...(id === undefined ? {} : { id }), ...workspace(folder) }));
    },
  };
}
