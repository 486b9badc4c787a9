import * as vscode from 'vscode';
import type { Requests } from '../server/requests';
import type { LogEntry } from '../server/wire';
import type { Stacks } from '../stack/stacks';
import { pickStack } from './targets';

const icons: Record<LogEntry['cause'], string> = { push: 'arrow-up', apply: 'check', discard: 'discard', undo: 'history' };

export function logCommand(requests: Requests, stacks: Stacks): Record<string, () => unknown> {
  return {
    'pendingLsp.showLog': async () => {
      const stack = await pickStack(stacks.all());
      if (!stack) {
        return;
      }
      const entries = await requests.log(stack.root, 200);
      const title = vscode.l10n.t('Pending Edits: Log');
      if (entries.length === 0) {
        void vscode.window.showInformationMessage(vscode.l10n.t('Nothing has happened in this workspace yet.'));
        return;
      }
      const picked = await vscode.window.showQuickPick(entries.map(item), { title, matchOnDescription: true, matchOnDetail: true });
      const [file] = picked?.entry.files ?? [];
      if (file !== undefined) {
        await vscode.window.showTextDocument(vscode.Uri.joinPath(vscode.Uri.parse(stack.root), file));
      }
    },
  };
}

function item(entry: LogEntry): vscode.QuickPickItem & { entry: LogEntry } {
  const when = new Date(entry.time).toLocaleString(vscode.env.language);
  return {
    label: `$(${icons[entry.cause]}) ${entry.label.replaceAll('$(', String.raw`\$(`)}`,
    description: `${entry.cause} · ${entry.by.name}`,
    detail: [when, entry.reason, entry.files?.join(', ')].filter(Boolean).join(' · '),
    entry,
  };
}
