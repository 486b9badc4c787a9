// The one door through which people in this editor decide.
import * as vscode from 'vscode';
import { config } from '../config';
import { Refused, textOf, type Requests } from '../server/requests';
import type { Action, Decision, ResolveDetails, ResolveParams } from '../server/wire';
import { hunkCount } from '../stack/describe';
import type { Stack } from '../stack/stacks';
import { nextSteps, type Step } from './advice';

/** What is decided about. */
export interface Choice {
  stack: Stack;
  action: Action;
  /** Only these hunks. */
  hunks?: string[];
  /** Everything above it too. */
  cascade?: boolean;
}

export interface Reviewer {
  showDiff(choice: Choice): Promise<void>;
  /** Hunks the user accepts, or undefined when the user backs out. */
  refactorPreview(choice: Choice): Promise<string[] | undefined>;
}

export class Resolver {
  constructor(
    private readonly requests: Requests,
    private readonly reviewer: Reviewer,
  ) {}

  /** Applies, after the review that the settings ask for unless it has happened. */
  async apply(choice: Choice, reviewed = false): Promise<boolean> {
    if (!vscode.workspace.isTrusted) {
      await this.askForTrust();
      return false;
    }
    // With a cascade there is no one preview to show; an action without edits has none at all.
    const reviewable = !reviewed && !choice.cascade && hunkCount(choice.action) > 0;
    switch (reviewable ? config.review() : 'none') {
      case 'diff':
        await this.reviewer.showDiff(choice);
        return false;
      case 'refactorPreview': {
        const accepted = await this.reviewer.refactorPreview(choice);
        if (!accepted || accepted.length === 0) {
          vscode.window.setStatusBarMessage(vscode.l10n.t('Nothing applied; it is still pending.'), 5000);
          return false;
        }
        const all = accepted.length === hunkCount(choice.action);
        return this.send('apply', all ? choice : { ...choice, hunks: accepted }, vscode.l10n.t('Applied in VS Code'));
      }
      case 'none':
        return this.send('apply', choice, vscode.l10n.t('Applied in VS Code'));
    }
  }

  async discard(choice: Choice): Promise<boolean> {
    let reason = vscode.l10n.t('Discarded in VS Code');
    if (config.askReason()) {
      const given = await vscode.window.showInputBox({
        title: vscode.l10n.t('Discard: {0}', choice.action.label),
        prompt: vscode.l10n.t('Why? The agent is told. May be left empty.'),
        placeHolder: reason,
      });
      if (given === undefined) {
        return false;
      }
      reason = given.trim() || reason;
    }
    return this.send('discard', choice, reason);
  }

  private async send(action: Decision, choice: Choice, reason: string, allowPartial = false): Promise<boolean> {
    const params: ResolveParams = { action, reason, id: choice.action.id, workspace: choice.stack.root };
    if (choice.hunks) {
      params.hunks = choice.hunks;
    }
    if (choice.cascade) {
      params.cascade = true;
    }
    if (allowPartial) {
      params.allowPartial = true;
    }
    const title = action === 'apply' ? vscode.l10n.t('Applying {0}', choice.action.label) : vscode.l10n.t('Discarding {0}', choice.action.label);
    try {
      const result = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => this.requests.resolve(params));
      const text = textOf(result);
      const { newMatches = 0 } = (result.details ?? {}) as Partial<ResolveDetails>;
      if (result.isError) {
        void vscode.window.showWarningMessage(text);
      } else if (newMatches > 0) {
        // Matches that nobody previewed were left alone: worth more than a line that goes away.
        void vscode.window.showInformationMessage(text);
      } else {
        vscode.window.setStatusBarMessage(`$(check) ${(text.split('\n')[0] ?? '').replaceAll('$(', String.raw`\$(`)}`, 5000);
      }
      return !result.isError;
    } catch (error) {
      await this.explain(error, action, choice, reason);
      return false;
    }
  }

  /** Says why it was refused, and offers what helps. */
  private async explain(error: unknown, action: Decision, choice: Choice, reason: string): Promise<void> {
    const kind = error instanceof Refused ? error.data?.kind : undefined;
    // Only a structural edit is made anew; other edits are data.
    const steps = nextSteps(kind, action, choice.action.sourceToolName === 'ast_edit');
    const titles: Record<Step, string> = {
      retry: vscode.l10n.t('Apply Fresh Preview'),
      partial: vscode.l10n.t('Apply What Still Matches'),
      diff: vscode.l10n.t('Show Diff'),
      cascade: action === 'apply' ? vscode.l10n.t('Apply Down To Here') : vscode.l10n.t('Discard Down To Here'),
    };
    const message = error instanceof Error ? error.message : String(error);
    const picked = await vscode.window.showWarningMessage(message, ...steps.map((step) => titles[step]));
    switch (steps.find((step) => titles[step] === picked)) {
      case 'retry':
        await this.send(action, choice, reason);
        break;
      case 'partial':
        await this.send(action, choice, reason, true);
        break;
      case 'diff':
        await this.reviewer.showDiff(choice);
        break;
      case 'cascade':
        await this.send(action, { stack: choice.stack, action: choice.action, cascade: true }, reason);
        break;
      case undefined:
    }
  }

  private async askForTrust(): Promise<void> {
    const manage = vscode.l10n.t('Manage Workspace Trust');
    const picked = await vscode.window.showWarningMessage(
      vscode.l10n.t('Pending edits are shown but not applied in a folder that is not trusted.'),
      manage,
    );
    if (picked === manage) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
  }
}
