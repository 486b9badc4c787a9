// Pending hunks in the text: gutter, background, overview ruler; inlay hints, lenses and hovers come from the server.
import * as vscode from 'vscode';
import type { Server } from '../server/server';
import { inline } from '../stack/describe';
import type { Place, Stacks } from '../stack/stacks';

const color = (id: string) => new vscode.ThemeColor(`pendingLsp.${id}`);

export class Decorations implements vscode.Disposable {
  private readonly top: vscode.TextEditorDecorationType;
  private readonly below: vscode.TextEditorDecorationType;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly stacks: Stacks,
  ) {
    // Typing at an edge of a hunk is not part of it, as the server sees it too.
    const rangeBehavior = vscode.DecorationRangeBehavior.ClosedClosed;
    this.top = vscode.window.createTextEditorDecorationType({
      rangeBehavior,
      backgroundColor: color('hunkBackground'),
      border: '1px solid',
      borderColor: color('hunkBorder'),
      borderRadius: '2px',
      overviewRulerColor: color('overviewRuler'),
      overviewRulerLane: vscode.OverviewRulerLane.Center,
      gutterIconPath: vscode.Uri.joinPath(context.extensionUri, 'media', 'gutter.svg'),
      gutterIconSize: '60%',
    });
    this.below = vscode.window.createTextEditorDecorationType({
      rangeBehavior,
      border: '1px dashed',
      borderColor: color('lowerHunkBorder'),
      borderRadius: '2px',
    });
    const update = () => {
      vscode.window.visibleTextEditors.forEach((editor) => {
        this.decorate(editor);
      });
    };
    this.subscriptions = [this.top, this.below, stacks.onChange(update), vscode.window.onDidChangeVisibleTextEditors(update)];
    update();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private decorate(editor: vscode.TextEditor): void {
    // Editors inside a diff have no column; the diff says it all.
    if (editor.document.uri.scheme !== 'file' || editor.viewColumn === undefined) {
      return;
    }
    const places = this.stacks.in(editor.document.uri).filter(({ action }) => action.state === 'pending');
    const after = !this.server.showsInlayHints;
    editor.setDecorations(
      this.top,
      places.filter(({ above }) => above === 0).map((place) => decoration(place, after)),
    );
    editor.setDecorations(
      this.below,
      places.filter(({ above }) => above > 0).map((place) => decoration(place, false)),
    );
  }
}

function decoration({ hunk }: Place, showAfter: boolean): vscode.DecorationOptions {
  const { start, end } = hunk.range;
  const options: vscode.DecorationOptions = { range: new vscode.Range(start.line, start.character, end.line, end.character) };
  if (showAfter && !hunk.stale) {
    const contentText = hunk.after === '' ? ' ⌫' : ` → ${inline(hunk.after)}`;
    options.renderOptions = { after: { contentText, color: new vscode.ThemeColor('editorInlayHint.foreground'), fontStyle: 'italic' } };
  }
  return options;
}
