// VS Code's Refactor Preview as a review. The workbench applies what is ticked as soon as the user
// agrees, and the server must do the applying (it re-checks, journals, tells the agent). So the
// preview is shown on copies, and what got applied to those is what the user accepts.
import * as vscode from 'vscode';
import type { Requests } from '../server/requests';
import type { ActionFile } from '../server/wire';
import { change } from '../stack/describe';
import { accepted, type Piece } from './accepted';
import type { Choice } from './resolver';

const scheme = 'pending-lsp-review';

export class RefactorPreview implements vscode.Disposable {
  private readonly copies = new Copies();
  private readonly registration = vscode.workspace.registerFileSystemProvider(scheme, this.copies);
  private round = 0;

  constructor(private readonly requests: Requests) {}

  dispose(): void {
    this.registration.dispose();
    this.copies.dispose();
  }

  async choose(choice: Choice): Promise<string[] | undefined> {
    const { files = [] } = await this.requests.texts(choice.action.id, choice.stack.root);
    const texts = new Map(files.map((file) => [vscode.Uri.parse(file.uri).toString(), file.before]));
    const round = String(++this.round);
    const edit = new vscode.WorkspaceEdit();
    const shown: { uri: vscode.Uri; document: vscode.TextDocument; pieces: Piece[]; before: string }[] = [];
    try {
      for (const file of choice.action.files) {
        const before = texts.get(vscode.Uri.parse(file.uri).toString());
        const hunks = file.hunks.filter((hunk) => !hunk.stale && (choice.hunks?.includes(hunk.id) ?? true));
        if (before === undefined || hunks.length === 0) {
          continue;
        }
        const uri = vscode.Uri.from({ scheme, authority: round, path: `/${file.path}` });
        this.copies.put(uri, before);
        const document = await vscode.workspace.openTextDocument(uri);
        shown.push({ uri, document, before: document.getText(), pieces: add(edit, document, { ...file, hunks }, choice.action.label) });
      }
      if (!(await vscode.workspace.applyEdit(edit))) {
        return undefined;
      }
      const ids = shown.flatMap(({ document, pieces, before }) => accepted(before, pieces, document.getText()) ?? []);
      // Saved, or the workbench would open the changed copies in tabs.
      await Promise.all(shown.map(({ document }) => document.save()));
      return ids;
    } finally {
      for (const { uri } of shown) {
        this.copies.drop(uri);
      }
    }
  }
}

function add(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, file: ActionFile, label: string): Piece[] {
  return file.hunks.map((hunk) => {
    const { start, end } = hunk.range;
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    edit.replace(document.uri, range, hunk.after, { label, description: change(hunk), needsConfirmation: true });
    return { id: hunk.id, start: document.offsetAt(range.start), end: document.offsetAt(range.end), after: asIn(document, hunk.after) };
  });
}

/** The document has one kind of line end, and gives it to what is inserted. */
function asIn(document: vscode.TextDocument, text: string): string {
  return text.replaceAll(/\r\n|\r|\n/g, document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}

/** Just enough of a file system for copies that live during one review. */
class Copies implements vscode.FileSystemProvider {
  private readonly texts = new Map<string, Uint8Array>();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  put(uri: vscode.Uri, text: string): void {
    this.texts.set(uri.toString(), new TextEncoder().encode(text));
  }

  drop(uri: vscode.Uri): void {
    this.texts.delete(uri.toString());
  }

  dispose(): void {
    this.changed.dispose();
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.readFile(uri).byteLength };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const text = this.texts.get(uri.toString());
    if (!text) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return text;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.readFile(uri);
    this.texts.set(uri.toString(), content);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
