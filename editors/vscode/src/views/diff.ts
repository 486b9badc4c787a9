// Native diff editors: the file as it is against the file as it would be.
import * as vscode from 'vscode';
import type { Requests } from '../server/requests';
import type { Action } from '../server/wire';
import type { Stack, Stacks } from '../stack/stacks';

const scheme = 'pending-lsp-after';

interface Address {
  id: string;
  root: string;
  uri: string;
}

export class Diff implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** Titles of multi-file diffs: the API has no type for their tabs. */
  private readonly titles = new Map<string, string>();
  private readonly subscriptions: vscode.Disposable[];
  private texts: { id: string; root: string; answer: ReturnType<Requests['texts']> } | undefined;

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
  async show(stack: Stack, action: Action, only?: string): Promise<void> {
    const files = only === undefined ? action.files : action.files.filter((file) => file.uri === only);
    const pairs = files.map((file) => {
      const left = vscode.Uri.parse(file.uri);
      return { left, right: addressed(left, { id: action.id, root: stack.root, uri: file.uri }), name: file.path };
    });
    const [first] = pairs;
    if (!first) {
      void vscode.window.showInformationMessage(vscode.l10n.t('"{0}" has no changes to show.', action.label));
    } else if (pairs.length === 1) {
      await vscode.commands.executeCommand('vscode.diff', first.left, first.right, vscode.l10n.t('{0} (pending)', first.name), { preview: true });
    } else {
      const title = vscode.l10n.t('Pending: {0}', action.label);
      this.titles.set(title, action.id);
      await vscode.commands.executeCommand('vscode.changes', title, pairs.map(({ left, right }) => [left, left, right]));
    }
  }

  /** The action whose diff is in front. */
  shown(): string | undefined {
    return this.idOf(vscode.window.tabGroups.activeTabGroup.activeTab);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = JSON.parse(uri.query) as Address;
    const wanted = vscode.Uri.parse(address.uri).toString();
    const { files = [] } = await this.ask(address);
    return files.find((file) => vscode.Uri.parse(file.uri).toString() === wanted)?.after ?? '';
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** One request serves all files of a diff. */
  private ask({ id, root }: Address): ReturnType<Requests['texts']> {
    if (this.texts?.id !== id || this.texts.root !== root) {
      this.texts = { id, root, answer: this.requests.texts(id, root) };
      this.texts.answer.catch(() => {
        this.texts = undefined;
      });
    }
    return this.texts.answer;
  }

  private refresh(): void {
    this.texts = undefined;
    this.closeResolved();
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === scheme && this.stacks.find((JSON.parse(document.uri.query) as Address).id)) {
        this.changed.fire(document.uri);
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
        return id !== undefined && !this.stacks.find(id);
      });
    if (gone.length > 0) {
      void vscode.window.tabGroups.close(gone, true);
    }
  }

  private tellMenus(): void {
    const id = this.shown();
    const found = id === undefined ? undefined : this.stacks.find(id);
    void vscode.commands.executeCommand('setContext', 'pendingLsp.inDiff', found !== undefined);
    void vscode.commands.executeCommand('setContext', 'pendingLsp.diffIsTop', found?.above === 0);
  }

  private idOf(tab: vscode.Tab | undefined): string | undefined {
    if (tab?.input instanceof vscode.TabInputTextDiff) {
      const { modified } = tab.input;
      return modified.scheme === scheme ? (JSON.parse(modified.query) as Address).id : undefined;
    }
    if (tab && tab.input === undefined) {
      return [...this.titles].find(([title]) => tab.label.startsWith(title))?.[1];
    }
    return undefined;
  }
}

function addressed(file: vscode.Uri, address: Address): vscode.Uri {
  return file.with({ scheme, query: JSON.stringify(address) });
}
