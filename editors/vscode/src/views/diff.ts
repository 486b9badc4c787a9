// Native diff editors: the file as it is against the file as it would be.
import * as vscode from 'vscode';
import type { Requests } from '../server/requests';
import type { Action } from '../server/wire';
import { titled } from '../stack/describe';
import type { Stacks } from '../stack/stacks';

// The right side is the server's pending-lsp:/ACTION/after/PATH under the path of the file: with
// another path the multi-file diff would show a renamed file.
const scheme = 'pending-lsp-after';

export class Diff implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** Titles of multi-file diffs and their actions: the API has no type for such tabs. */
  private readonly titles = new Map<string, string>();
  /** Which stack a shown action is on. */
  private readonly roots = new Map<string, string>();
  private readonly subscriptions: vscode.Disposable[];

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly requests: Requests,
    private readonly stacks: Stacks,
  ) {
    this.subscriptions = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      stacks.onChange(() => {
        this.refresh();
      }),
      vscode.window.tabGroups.onDidChangeTabs(() => {
        this.tellMenus();
      }),
      vscode.window.tabGroups.onDidChangeTabGroups(() => {
        this.tellMenus();
      }),
    ];
  }

  /** Shows one file's diff, or all files' in one editor. */
  async show(action: Action, only?: string): Promise<void> {
    const found = this.stacks.find(action.id);
    if (found) {
      this.roots.set(action.id, found.stack.root);
    }
    const files = only === undefined ? action.files : action.files.filter((file) => file.uri === only);
    const pairs = files.map(({ uri, path }) => {
      const left = vscode.Uri.parse(uri);
      return { left, right: left.with({ scheme, query: `${action.id}/after/${path}` }), name: path };
    });
    const [first] = pairs;
    if (!first) {
      void vscode.window.showInformationMessage(vscode.l10n.t('"{0}" has no changes to show.', action.label));
    } else if (pairs.length === 1) {
      await vscode.commands.executeCommand('vscode.diff', first.left, first.right, vscode.l10n.t('{0} (pending)', first.name), { preview: true });
    } else {
      const title = this.titleOf(action);
      await vscode.commands.executeCommand('vscode.changes', title, pairs.map(({ left, right }) => [left, left, right]));
    }
  }

  /** The action whose diff is in front. */
  shown(): string | undefined {
    return this.idOf(vscode.window.tabGroups.activeTabGroup.activeTab);
  }

  provideTextDocumentContent({ query }: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    return this.requests.content(vscode.Uri.from({ scheme: 'pending-lsp', path: `/${query}` }), token);
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private refresh(): void {
    this.closeResolved();
    for (const [title, id] of this.titles) {
      if (this.resolved(id)) {
        this.titles.delete(title);
        this.roots.delete(id);
      }
    }
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === scheme && this.stacks.find(actionOf(uri))) {
        this.changed.fire(uri);
      }
    }
    this.tellMenus();
  }

  /** A diff of something that is decided shows nothing true any more. */
  private closeResolved(): void {
    const gone = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter((tab) => {
        const id = this.idOf(tab);
        return id !== undefined && this.resolved(id);
      });
    if (gone.length > 0) {
      void vscode.window.tabGroups.close(gone, true);
    }
  }

  /** Not merely unknown: a server that has just restarted has told nothing yet. */
  private resolved(id: string): boolean {
    const root = this.roots.get(id);
    const known = this.stacks.all().some((stack) => root === undefined || stack.root === root);
    return known && !this.stacks.find(id);
  }

  private tellMenus(): void {
    const id = this.shown();
    const found = id === undefined ? undefined : this.stacks.find(id);
    void vscode.commands.executeCommand('setContext', 'pendingLsp.inDiff', found !== undefined);
    void vscode.commands.executeCommand('setContext', 'pendingLsp.diffIsTop', found?.above === 0);
  }

  /** No two actions get the same, whatever their labels: the buttons of one must not decide about another. */
  private titleOf({ id, label }: Action): string {
    const title = vscode.l10n.t('Pending: {0}', label);
    const own = [title, `${title} [${id}]`].find((candidate) => (this.titles.get(candidate) ?? id) === id) ?? title;
    this.titles.set(own, id);
    return own;
  }

  private idOf(tab: vscode.Tab | undefined): string | undefined {
    if (tab?.input instanceof vscode.TabInputTextDiff) {
      const { modified } = tab.input;
      return modified.scheme === scheme ? actionOf(modified) : undefined;
    }
    return tab && titled(tab.label, this.titles);
  }
}

function actionOf(uri: vscode.Uri): string {
  return uri.query.split('/')[0] ?? '';
}
