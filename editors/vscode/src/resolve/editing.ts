// The server's edits on their way into the editor, and to disk afterwards.
import * as vscode from 'vscode';
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult, WorkspaceEdit } from 'vscode-languageclient';
import type { WorkspaceMiddleware } from 'vscode-languageclient';
import { config } from '../config';
import type { DidChange } from '../server/wire';

type Next = (params: ApplyWorkspaceEditParams) => unknown;

export class Editing {
  /** Files that were clean before an edit; nobody's own unsaved work is written with it. */
  private readonly toSave = new Set<string>();

  constructor(private readonly output: vscode.LogOutputChannel) {}

  readonly handleApplyEdit: NonNullable<WorkspaceMiddleware['handleApplyEdit']> = async (params, next) => {
    if (!vscode.workspace.isTrusted) {
      return { applied: false, failureReason: vscode.l10n.t('the folder is not trusted in VS Code') };
    }
    const clean = urisOf(params.edit).filter((uri) => !isDirty(uri));
    const result = (await (next as Next)(params)) as ApplyWorkspaceEditResult;
    if (result.applied) {
      for (const uri of clean) {
        this.toSave.add(uri);
      }
      return result;
    }
    return { ...result, failureReason: result.failureReason ?? vscode.l10n.t('a file changed meanwhile, or cannot be edited') };
  };

  /** Saves once the server has seen the result: format-on-save before that would look like a failed edit. */
  async settled({ cause }: DidChange): Promise<void> {
    if (cause !== 'apply' && cause !== 'undo' && cause !== 'restore') {
      return;
    }
    const uris = [...this.toSave];
    this.toSave.clear();
    // What a failed apply put back was clean before, and is so again.
    if (cause !== 'restore' && !config.saveAfterApply()) {
      return;
    }
    await Promise.all(uris.map((uri) => this.save(uri)));
  }

  private async save(uri: string): Promise<void> {
    // Only documents in memory can be unsaved; nothing is opened for this.
    const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri);
    if (document?.isDirty && !(await document.save())) {
      this.output.warn(`not saved: ${uri}`);
    }
  }
}

function urisOf(edit: WorkspaceEdit): string[] {
  const named = edit.documentChanges?.flatMap((change) => ('textDocument' in change ? [change.textDocument.uri] : [])) ?? Object.keys(edit.changes ?? {});
  return named.map((uri) => vscode.Uri.parse(uri).toString());
}

function isDirty(uri: string): boolean {
  return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === uri);
}
