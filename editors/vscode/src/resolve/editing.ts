// The server's edits on their way into the editor, and to disk afterwards.
import * as vscode from 'vscode';
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult, WorkspaceEdit } from 'vscode-languageclient';
import type { WorkspaceMiddleware } from 'vscode-languageclient';
import { config } from '../config';
import type { DidChange } from '../server/wire';

type Next = (params: ApplyWorkspaceEditParams) => unknown;

export class Editing {
  /**
   * Files that were clean before an edit, with the version it made: nobody's own unsaved work is
   * written. One that the next edit of a cascade finds not saved yet counts as clean too.
   */
  private readonly toSave = new Map<string, number>();
  /** Those of them that were in no tab. */
  private readonly tabless = new Set<string>();

  constructor(private readonly output: vscode.LogOutputChannel) {}

  readonly handleApplyEdit: NonNullable<WorkspaceMiddleware['handleApplyEdit']> = async (params, next) => {
    if (!vscode.workspace.isTrusted) {
      return { applied: false, failureReason: vscode.l10n.t('the folder is not trusted in VS Code') };
    }
    const clean = urisOf(params.edit).filter((uri) => {
      const document = open(uri);
      return !document?.isDirty || document.version === this.toSave.get(uri);
    });
    const fresh = clean.filter((uri) => tabsOf(uri).length === 0);
    const result = (await (next as Next)(params)) as ApplyWorkspaceEditResult;
    if (result.applied) {
      for (const uri of clean) {
        this.toSave.set(uri, open(uri)?.version ?? 0);
      }
      for (const uri of fresh) {
        this.tabless.add(uri);
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
    // What a failed apply put back was clean before, and is so again.
    if (cause !== 'restore' && !config.saveAfterApply()) {
      this.toSave.clear();
      this.tabless.clear();
      return;
    }
    await Promise.all([...this.toSave].map(([uri, version]) => this.save(uri, version)));
  }

  private async save(uri: string, version: number): Promise<void> {
    // Only documents in memory can be unsaved; nothing is opened for this. isDirty is not asked: the
    // end of an earlier save clears it, also when the text has changed again meanwhile.
    const document = open(uri);
    if (document?.version === version && !(await document.save())) {
      this.output.warn(`not saved: ${uri}`);
    }
    if (this.toSave.get(uri) === version) {
      this.toSave.delete(uri);
      await this.closeTabs(uri);
    }
  }

  /** What is unsaved for most of a second, VS Code shows in a tab: not wanted once it is saved. */
  private async closeTabs(uri: string): Promise<void> {
    if (this.tabless.delete(uri) && !open(uri)?.isDirty) {
      await vscode.window.tabGroups.close(tabsOf(uri).filter((tab) => !tab.isActive), true);
    }
  }
}

function urisOf(edit: WorkspaceEdit): string[] {
  const named = edit.documentChanges?.flatMap((change) => ('textDocument' in change ? [change.textDocument.uri] : [])) ?? Object.keys(edit.changes ?? {});
  return named.map((uri) => vscode.Uri.parse(uri).toString());
}

function tabsOf(uri: string): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri);
}

function open(uri: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
}
