// Looking: diffs, and from hunk to hunk.
import * as vscode from 'vscode';
import type { Range } from 'vscode-languageclient';
import type { Stacks } from '../stack/stacks';
import type { Diff } from '../views/diff';
import type { Node } from '../views/tree';
import { hunkAtCursor, rangeOf, top } from './targets';

export function showCommands(stacks: Stacks, diff: Diff): Record<string, (...args: never[]) => unknown> {
  return {
    'pendingLsp.showDiff': async (node?: Node) => {
      if (node && node.kind !== 'stack') {
        await diff.show(node.action, node.kind === 'action' ? undefined : node.file.uri);
        return;
      }
      const choice = hunkAtCursor(stacks) ?? (await top(stacks));
      if (choice) {
        await diff.show(choice.action);
      }
    },
    // Behind the server's lens, see editorCommands.
    'pendingLsp.showDiffOf': async (id: string) => {
      const found = stacks.find(id);
      if (found) {
        await diff.show(found.action);
      }
    },
    'pendingLsp.openHunk': async (uri: string, { start, end }: Range) => {
      const selection = new vscode.Range(start.line, start.character, end.line, end.character);
      await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection, preview: true });
    },
    'pendingLsp.nextHunk': () => step(stacks, diff, 1),
    'pendingLsp.previousHunk': () => step(stacks, diff, -1),
  };
}

async function step(stacks: Stacks, diff: Diff, by: 1 | -1): Promise<void> {
  if (diff.shown() !== undefined) {
    await vscode.commands.executeCommand(`workbench.action.compareEditor.${by === 1 ? 'next' : 'previous'}Change`);
    return;
  }
  const editor = vscode.window.activeTextEditor;
  // One hunk per place, whichever action it is of, in the order of the tree.
  const uris = [...new Set(stacks.pending().flatMap((stack) => stack.actions.flatMap((action) => action.files.map((file) => vscode.Uri.parse(file.uri).toString()))))].sort();
  const here = editor?.document.uri.toString() ?? '';
  const at = uris.indexOf(here);
  const cursor = editor?.selection.start ?? new vscode.Position(0, 0);
  if (at >= 0) {
    const ranges = rangesIn(stacks, here);
    const next = by === 1 ? ranges.find(({ start }) => start.isAfter(cursor)) : ranges.findLast(({ start }) => start.isBefore(cursor));
    if (next) {
      return reveal(here, next);
    }
  }
  const from = at < 0 && by === -1 ? 0 : at;
  const uri = uris[(from + by + uris.length) % uris.length];
  const range = uri === undefined ? undefined : rangesIn(stacks, uri).at(by === 1 ? 0 : -1);
  if (uri !== undefined && range) {
    await reveal(uri, range);
  }
}

function rangesIn(stacks: Stacks, uri: string): vscode.Range[] {
  return stacks.in(vscode.Uri.parse(uri)).map(rangeOf);
}

async function reveal(uri: string, range: vscode.Range): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection: new vscode.Range(range.start, range.start), preview: true });
}
