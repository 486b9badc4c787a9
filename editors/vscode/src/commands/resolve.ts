import * as vscode from 'vscode';
import type { Choice, Resolver } from '../resolve/resolver';
import type { Requests } from '../server/requests';
import { textOf } from '../server/requests';
import type { ResolveParams } from '../server/wire';
import type { Stacks } from '../stack/stacks';
import type { Diff } from '../views/diff';
import type { Node, Tree } from '../views/tree';
import { fileInFront, hunkAtCursor, ofDiff, ofNode, ofParams, pickStack, top } from './targets';

export function resolveCommands(stacks: Stacks, resolver: Resolver, requests: Requests, tree: Tree, diff: Diff): Record<string, (...args: never[]) => unknown> {
  const apply = async (choice: Choice | undefined, reviewed = false) => (choice ? resolver.apply(choice, reviewed) : nothing());
  const discard = async (choice: Choice | undefined) => (choice ? resolver.discard(choice) : nothing());
  const atCursor = (): Choice | undefined => {
    const place = hunkAtCursor(stacks);
    return place && { stack: place.stack, action: place.action, hunks: [place.hunk.id] };
  };
  return {
    // From the toolbar of a diff it has been reviewed there.
    'pendingLsp.applyTop': async () => {
      const shown = ofDiff(stacks, diff);
      return apply(shown ?? (await top(stacks)), shown !== undefined);
    },
    'pendingLsp.discardTop': async () => discard(ofDiff(stacks, diff) ?? (await top(stacks))),
    'pendingLsp.apply': (node?: Node) => {
      const choice = ofNode(node ?? tree.selected);
      return choice ? resolver.apply(choice) : chooseFirst();
    },
    'pendingLsp.discard': (node?: Node) => {
      const choice = ofNode(node ?? tree.selected);
      return choice ? resolver.discard(choice) : chooseFirst();
    },
    'pendingLsp.applyHunk': () => apply(atCursor()),
    'pendingLsp.discardHunk': () => discard(atCursor()),
    'pendingLsp.applyFile': () => apply(fileInFront(stacks)),
    'pendingLsp.discardFile': () => discard(fileInFront(stacks)),
    'pendingLsp.applyDownTo': async (node?: Node) => {
      const choice = ofNode(node) ?? (await pickAction(stacks));
      return choice && resolver.apply({ stack: choice.stack, action: choice.action, cascade: true });
    },
    // Behind the server's lenses and code actions, see editorCommands.
    'pendingLsp.resolveInEditor': (params: ResolveParams) => {
      const choice = ofParams(stacks, params);
      return params.action === 'apply' ? apply(choice) : discard(choice);
    },
    'pendingLsp.undo': async () => {
      const stack = await pickStack(stacks.all());
      if (stack) {
        await undo(requests, stack.root);
      }
    },
  };
}

function nothing(): false {
  void vscode.window.showInformationMessage(vscode.l10n.t('Nothing is pending here.'));
  return false;
}

/** Also said when the view changed under the mouse: VS Code hands over no node then. */
function chooseFirst(): false {
  void vscode.window.showInformationMessage(vscode.l10n.t('Choose in the view what to decide about; it may just have changed.'));
  return false;
}

async function pickAction(stacks: Stacks): Promise<Choice | undefined> {
  const items = stacks
    .pending()
    .flatMap((stack) => stack.actions.map((action, above) => ({ label: action.label, description: above === 0 ? vscode.l10n.t('top') : '', choice: { stack, action } })));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Apply everything down to, and including') });
  return picked?.choice;
}

async function undo(requests: Requests, workspace: string): Promise<void> {
  try {
    const text = textOf(await requests.undo(workspace));
    vscode.window.setStatusBarMessage((text.split('\n')[0] ?? '').replaceAll('$(', String.raw`\$(`), 5000);
  } catch (error) {
    void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
  }
}
