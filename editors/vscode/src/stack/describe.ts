// How pending things are put in words; no vscode here, so that it can be tested alone.
import type { Action, ActionFile, Hunk } from '../server/wire';

const longest = 60;

/** Code in one short line. Control characters and direction overrides cannot repaint what is shown. */
export function inline(code: string): string {
  const line = code
    // eslint-disable-next-line no-control-regex -- these are what is to be shown
    .replaceAll(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

export function change(hunk: Hunk): string {
  if (hunk.after === '') {
    return `− ${inline(hunk.before)}`;
  }
  return hunk.before === '' ? `+ ${inline(hunk.after)}` : `${inline(hunk.before)} → ${inline(hunk.after)}`;
}

export function hunkCount(action: Action): number {
  return action.files.reduce((sum, file) => sum + file.hunks.length, 0);
}

/** What the menus' `when` clauses ask about. */
export function contextValue(kind: 'action' | 'file' | 'hunk', action: Action, above: number, stale = action.stale): string {
  const words: string[] = [kind, above === 0 ? 'top' : 'below'];
  if (above === 0 && !action.orphaned && action.state === 'pending' && !(kind === 'hunk' && stale)) {
    words.push('appliable');
  }
  if (hunkCount(action) > 0) {
    words.push('edits');
  }
  return words.join(' ');
}

export function fileName(file: ActionFile): { name: string; folder: string } {
  const cut = file.path.lastIndexOf('/');
  return { name: file.path.slice(cut + 1), folder: file.path.slice(0, Math.max(cut, 0)) };
}

/** Whose title a tab has: VS Code adds the number of files to it, and one title may begin like another. */
export function titled(label: string, titles: ReadonlyMap<string, string>): string | undefined {
  const fitting = [...titles.keys()].filter((title) => label === title || label.startsWith(`${title} (`));
  return titles.get(fitting.reduce((longest, title) => (title.length > longest.length ? title : longest), ''));
}
