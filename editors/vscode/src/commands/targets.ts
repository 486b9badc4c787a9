// What a command is about: a tree node, the diff in front, the cursor, or the top of a stack.
import * as vscode from 'vscode';
import type { Choice } from '../resolve/resolver';
import type { ResolveParams } from '../server/wire';
import type { Place, Stack, Stacks } from '../stack/stacks';
import type { Diff } from '../views/diff';
import type { Node } from '../views/tree';

export function ofNode(node: Node | undefined): Choice | undefined {
  switch (node?.kind) {
    case 'action':
      return { stack: node.stack, action: node.action };
    case 'file':
      return { stack: node.stack, action: node.action, hunks: node.file.hunks.map(({ id }) => id) };
    case 'hunk':
      return { stack: node.stack, action: node.action, hunks: [node.hunk.id] };
    default:
      return undefined;
  }
}

/** What a code action or lens of the server would have asked for. */
export function ofParams(stacks: Stacks, params: ResolveParams): Choice | undefined {
  const found = params.id === undefined ? undefined : stacks.find(params.id);
  return (
    found && {
      stack: found.stack,
      action: found.action,
      ...(params.hunks ? { hunks: params.hunks } : {}),
      ...(params.cascade ? { cascade: true } : {}),
    }
  );
}

export function ofDiff(stacks: Stacks, diff: Diff): Choice | undefined {
  const id = diff.shown();
  const found = id === undefined ? undefined : stacks.find(id);
  return found && { stack: found.stack, action: found.action };
}

export async function top(stacks: Stacks): Promise<Choice | undefined> {
  const stack = await pickStack(stacks.pending());
  const action = stack?.actions[0];
  return stack && action && { stack, action };
}

/** The only stack, that of the file in front, or the one the user picks. */
export async function pickStack(candidates: Stack[]): Promise<Stack | undefined> {
  const front = vscode.window.activeTextEditor?.document.uri.fsPath;
  const here = candidates.filter(({ root }) => front?.startsWith(`${vscode.Uri.parse(root).fsPath}/`));
  if (candidates.length < 2 || here.length === 1) {
    return here[0] ?? candidates[0];
  }
  const items = candidates.map((stack) => ({
    label: vscode.workspace.asRelativePath(vscode.Uri.parse(stack.root)),
    description: stack.actions[0]?.label ?? '',
    stack,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('In which folder?') }))?.stack;
}

/** The pending hunk at the cursor, or the first on its line; the uppermost action where several meet. */
export function hunkAtCursor(stacks: Stacks): Place | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return undefined;
  }
  const cursor = editor.selection.active;
  const places = stacks.in(editor.document.uri).sort((a, b) => a.above - b.above);
  return places.find((place) => rangeOf(place).contains(cursor)) ?? places.find((place) => place.hunk.range.start.line === cursor.line);
}

export function fileInFront(stacks: Stacks): Choice | undefined {
  const editor = vscode.window.activeTextEditor;
  const [first] = editor ? stacks.in(editor.document.uri).sort((a, b) => a.above - b.above) : [];
  return first && { stack: first.stack, action: first.action, hunks: first.file.hunks.map(({ id }) => id) };
}

export function rangeOf({ hunk }: Place): vscode.Range {
  const { start, end } = hunk.range;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
