// The Pending Edits view: stacks (when there are several), actions, files, hunks.
import * as vscode from 'vscode';
import type { Action, ActionFile, Hunk } from '../server/wire';
import { change, contextValue, fileName, hunkCount, inline } from '../stack/describe';
import type { Stack, Stacks } from '../stack/stacks';

export type Node =
  | { kind: 'stack'; stack: Stack }
  | { kind: 'action'; stack: Stack; action: Action; above: number }
  | { kind: 'file'; stack: Stack; action: Action; above: number; file: ActionFile }
  | { kind: 'hunk'; stack: Stack; action: Action; above: number; file: ActionFile; hunk: Hunk };

/** What is unfolded from the start; a thousand files at once would be a wall, and slow. */
const few = 20;

export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: vscode.Disposable[];
  private shown = '';

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly stacks: Stacks) {
    this.view = vscode.window.createTreeView('pendingLsp.edits', { treeDataProvider: this, showCollapseAll: true });
    this.subscriptions = [
      this.view,
      this.changed,
      stacks.onChange(() => {
        this.refresh();
      }),
    ];
  }

  get selected(): Node | undefined {
    return this.view.selection[0];
  }

  getChildren(node?: Node): Node[] {
    switch (node?.kind) {
      case undefined: {
        const pending = this.stacks.pending();
        return pending.length === 1 && this.stacks.all().length === 1
          ? pending.flatMap(actionsOf)
          : pending.map((stack) => ({ kind: 'stack', stack }));
      }
      case 'stack':
        return actionsOf(node.stack);
      case 'action':
        return node.action.files.map((file) => ({ ...node, kind: 'file', file }));
      case 'file':
        return node.file.hunks.map((hunk) => ({ ...node, kind: 'hunk', hunk }));
      case 'hunk':
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'stack':
        return stackItem(node.stack);
      case 'action':
        return actionItem(node.action, node.above);
      case 'file':
        return fileItem(node.action, node.above, node.file);
      case 'hunk':
        return hunkItem(node.action, node.above, node.file, node.hunk);
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** Only when something differs: VS Code forgets all nodes at a refresh, and a click on one is lost then. */
  private refresh(): void {
    const shown = JSON.stringify(this.stacks.all());
    if (shown === this.shown) {
      return;
    }
    this.shown = shown;
    const count = this.stacks.count();
    this.view.badge = count === 0 ? undefined : { value: count, tooltip: vscode.l10n.t('{0} pending', count) };
    this.changed.fire(undefined);
  }
}

function actionsOf(stack: Stack): Node[] {
  return stack.actions.map((action, above) => ({ kind: 'action', stack, action, above }));
}

function stackItem(stack: Stack): vscode.TreeItem {
  const uri = vscode.Uri.parse(stack.root);
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Expanded);
  item.id = stack.root;
  item.iconPath = new vscode.ThemeIcon('root-folder');
  item.contextValue = 'stack';
  return item;
}

function actionItem(action: Action, above: number): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const unfold = above === 0 && action.files.length <= few ? Expanded : Collapsed;
  const item = new vscode.TreeItem(action.label, action.files.length === 0 ? None : unfold);
  item.id = action.id;
  item.description = [above === 0 ? vscode.l10n.t('top') : '', action.by.name, stateOf(action)].filter(Boolean).join(' · ');
  item.iconPath = iconOf(action, above);
  item.contextValue = contextValue('action', action, above);
  const tip = new vscode.MarkdownString();
  tip.appendText(action.label);
  tip.appendMarkdown('\n\n');
  tip.appendText(
    vscode.l10n.t('{0} changes in {1} files, proposed by {2} with {3}', hunkCount(action), action.files.length, action.by.name, action.sourceToolName),
  );
  if (above > 0) {
    tip.appendMarkdown('\n\n');
    tip.appendText(vscode.l10n.t('Actions above must be resolved first: {0}', above));
  }
  item.tooltip = tip;
  return item;
}

function stateOf(action: Action): string {
  if (action.state === 'applying') {
    return vscode.l10n.t('applying');
  }
  if (action.orphaned) {
    return vscode.l10n.t('owner gone, can only be discarded');
  }
  return action.stale ? vscode.l10n.t('stale') : '';
}

function iconOf(action: Action, above: number): vscode.ThemeIcon {
  if (action.state === 'applying') {
    return new vscode.ThemeIcon('sync~spin');
  }
  if (action.stale || action.orphaned) {
    return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
  return above === 0
    ? new vscode.ThemeIcon('git-pull-request-draft', new vscode.ThemeColor('pendingLsp.overviewRuler'))
    : new vscode.ThemeIcon('layers');
}

function fileItem(action: Action, above: number, file: ActionFile): vscode.TreeItem {
  const { name, folder } = fileName(file);
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(name, above === 0 && hunkCount(action) <= few ? Expanded : Collapsed);
  item.id = `${action.id} ${file.path}`;
  item.resourceUri = vscode.Uri.parse(file.uri);
  item.iconPath = vscode.ThemeIcon.File;
  item.description = [folder, String(file.hunks.length)].filter(Boolean).join(' · ');
  item.contextValue = contextValue('file', action, above);
  return item;
}

function hunkItem(action: Action, above: number, file: ActionFile, hunk: Hunk): vscode.TreeItem {
  const item = new vscode.TreeItem(change(hunk));
  item.id = `${action.id} ${hunk.id}`;
  item.description = String(hunk.range.start.line + 1);
  if (hunk.stale) {
    item.description += ` · ${vscode.l10n.t('stale')}`;
  }
  item.contextValue = contextValue('hunk', action, above, hunk.stale);
  item.accessibilityInformation = {
    label: vscode.l10n.t('line {0}: {1} becomes {2}', hunk.range.start.line + 1, inline(hunk.before), inline(hunk.after)),
  };
  item.command = { command: 'pendingLsp.openHunk', title: vscode.l10n.t('Go to Hunk'), arguments: [file.uri, hunk.range] };
  return item;
}
