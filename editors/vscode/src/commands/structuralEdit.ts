// New Structural Edit…: the user proposes, with the matches in the file in front counted while typing.
import * as vscode from 'vscode';
import { Refused, textOf, type Requests } from '../server/requests';
import type { Server } from '../server/server';
import type { ASTEditDetails } from '../server/wire';
import type { Stacks } from '../stack/stacks';
import type { Diff } from '../views/diff';
import { serverLanguage } from './languages';
import { pickStack } from './targets';

export function structuralEditCommand(server: Server, stacks: Stacks, diff: Diff): Record<string, () => unknown> {
  return {
    'pendingLsp.structuralEdit': async () => {
      const stack = await pickStack(stacks.all());
      const lang = stack && (await pickLanguage(server));
      const pat = lang && (await askPattern(server.requests, lang));
      const out = pat && (await askRewrite(pat));
      if (!stack || !lang || !pat || out === undefined) {
        return;
      }
      try {
        const title = vscode.l10n.t('Searching for {0}', pat);
        const result = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_, token) =>
          server.requests.astEdit({ ops: [{ pat, out }], lang, workspace: stack.root }, token),
        );
        const { actionId } = result.details as ASTEditDetails;
        if (actionId === undefined) {
          void vscode.window.showInformationMessage(textOf(result));
          return;
        }
        await stacks.refresh(stack.root);
        const found = stacks.find(actionId);
        if (found) {
          await diff.show(found.action);
        }
      } catch (error) {
        void vscode.window.showWarningMessage(problem(error));
      }
    },
  };
}

async function pickLanguage(server: Server): Promise<string | undefined> {
  const languages = server.capability?.languages ?? [];
  const front = vscode.window.activeTextEditor?.document;
  const known = front && serverLanguage(front.languageId, languages);
  return known ?? vscode.window.showQuickPick(languages, { placeHolder: vscode.l10n.t('Which language?') });
}

/** Counts matches in the file in front; the whole workspace is searched when the edit is made. */
function askPattern(requests: Requests, lang: string): Promise<string | undefined> {
  const front = vscode.window.activeTextEditor?.document;
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('New Structural Edit ({0}): pattern', lang);
  box.placeholder = 'console.log($$$ARGS)';
  box.prompt = vscode.l10n.t('$NAME stands for one node, $$$NAME for any number');
  let current = new vscode.CancellationTokenSource();
  const count = async (pat: string) => {
    current.cancel();
    current = new vscode.CancellationTokenSource();
    const { token } = current;
    if (pat.trim() === '') {
      box.validationMessage = undefined;
      return;
    }
    // Not at every key; a cancelled request would still reach the server.
    await new Promise((resolve) => setTimeout(resolve, 150));
    if (!live(token)) {
      return;
    }
    let message: vscode.InputBoxValidationMessage;
    try {
      const snippet = front ? { snippet: front.getText() } : {};
      const { matches = [], problems = [] } = await requests.explain({ pat, lang, ...snippet }, token);
      message = problems[0]
        ? { message: problems[0], severity: vscode.InputBoxValidationSeverity.Warning }
        : { message: vscode.l10n.t('Matches in this file: {0}', matches.length), severity: vscode.InputBoxValidationSeverity.Info };
    } catch (error) {
      message = { message: problem(error), severity: vscode.InputBoxValidationSeverity.Warning };
    }
    if (live(token)) {
      box.validationMessage = message;
    }
  };
  return new Promise((resolve) => {
    box.onDidChangeValue((pat) => void count(pat));
    box.onDidAccept(() => {
      resolve(box.value.trim() || undefined);
      box.hide();
    });
    box.onDidHide(() => {
      current.cancel();
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

function askRewrite(pat: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('New Structural Edit: rewrite'),
    prompt: vscode.l10n.t('What {0} becomes; empty deletes it', pat),
    value: pat,
    ignoreFocusOut: true,
  });
}

function problem(error: unknown): string {
  const hint = error instanceof Refused ? error.data?.hint : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return hint === undefined ? message : `${message} ${hint}`;
}

function live(token: vscode.CancellationToken): boolean {
  return !token.isCancellationRequested;
}
