import * as vscode from 'vscode';
import { config } from '../config';
import type { Server } from '../server/server';
import { inline } from '../stack/describe';
import type { Stacks } from '../stack/stacks';

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('pendingLsp.status', vscode.StatusBarAlignment.Left, 40);
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly stacks: Stacks,
  ) {
    this.item.name = 'Pending Edits';
    const update = () => {
      this.update();
    };
    this.subscriptions = [this.item, server.onState(update), stacks.onChange(update), vscode.workspace.onDidChangeConfiguration(update)];
    update();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private update(): void {
    const top = this.stacks.pending()[0]?.actions[0];
    const failed = this.server.state === 'missing' || this.server.state === 'stopped';
    this.item.backgroundColor = failed ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    if (failed) {
      this.item.text = `$(warning) ${vscode.l10n.t('Pending Edits')}`;
      this.item.tooltip = this.server.state === 'missing' ? vscode.l10n.t('The pending-lsp server was not found') : vscode.l10n.t('The pending-lsp server has stopped');
      this.item.command = this.server.state === 'missing' ? 'pendingLsp.edits.focus' : 'pendingLsp.restart';
      this.item.show();
    } else if (top) {
      this.item.text = `$(git-pull-request-draft) ${this.stacks.count()}: ${inline(top.label)}`;
      const what = vscode.l10n.t('Pending edits; the top of the stack is "{0}" by {1}', inline(top.label), top.by.name);
      this.item.tooltip = `${what}\n${policy()}`;
      this.item.command = 'pendingLsp.edits.focus';
      this.item.show();
    } else {
      this.item.hide();
    }
  }
}

function policy(): string {
  switch (config.asks()) {
    case 'always':
      return vscode.l10n.t('Agents ask before they apply.');
    case 'never':
      return vscode.l10n.t('Agents may apply without asking, unless another editor has it otherwise.');
    case 'byTool':
      return vscode.l10n.t('Whether agents ask before they apply depends on their tool; see the settings.');
  }
}
