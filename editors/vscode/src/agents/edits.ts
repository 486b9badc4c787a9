import type * as vscode from 'vscode';
import type { WorkspaceEdit } from 'vscode-languageclient';

/** A text-only WorkspaceEdit as the server takes it. */
export function toWire(edit: vscode.WorkspaceEdit): WorkspaceEdit {
  return {
    changes: Object.fromEntries(
      edit.entries().map(([uri, edits]) => [
        uri.toString(),
        edits.map(({ range: { start, end }, newText }) => ({
          range: { start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } },
          newText,
        })),
      ]),
    ),
  };
}
