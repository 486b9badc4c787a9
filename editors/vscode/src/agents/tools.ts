// Language-model tools for agents that run in VS Code.
import * as vscode from 'vscode';
import { Refused, textOf } from '../server/requests';
import type { Server } from '../server/server';
import type { ASTEditParams, ListResult, ResolveParams } from '../server/wire';
import { change, inline } from '../stack/describe';
import type { Stacks } from '../stack/stacks';

export function registerTools(server: Server, stacks: Stacks, lm = (vscode as { lm?: Partial<typeof vscode.lm> }).lm): vscode.Disposable[] {
  // Hosts built on VS Code may leave this API out, whatever version they report.
  if (!lm?.registerTool) {
    return [];
  }
  return [
    lm.registerTool<ASTEditParams>('pending_ast_edit', {
      prepareInvocation: ({ input }) => ({
        invocationMessage: vscode.l10n.t('Previewing {0}', input.ops.map(({ pat, out }) => `${inline(pat)} → ${inline(out)}`).join(', ')),
      }),
      invoke: ({ input }, token) => answer(async () => textOf(await server.requests.astEdit(input, token))),
    }),
    lm.registerTool<ResolveParams>('pending_resolve', {
      prepareInvocation: ({ input }) => confirmation(input, stacks),
      invoke: ({ input }, token) =>
        answer(async () => {
          if (input.action === 'apply' && !vscode.workspace.isTrusted) {
            throw new Error('The folder is not trusted in VS Code; only its user can change that. The action stays pending.');
          }
          // Named as an agent's, so that the server asks the user where they want to be asked.
          return textOf(await server.requests.resolve({ ...input, agent: 'agent' }, token));
        }),
    }),
    lm.registerTool<{ workspace?: string }>('pending_list', {
      invoke: ({ input }) => answer(async () => listed(await everything(server, stacks, input.workspace))),
    }),
  ];
}

function confirmation({ action, reason, id }: ResolveParams, stacks: Stacks): vscode.PreparedToolInvocation {
  const label = inline(target(id, stacks)?.label ?? vscode.l10n.t('the top of the stack'));
  const message = new vscode.MarkdownString().appendText(vscode.l10n.t('{0}\nReason: {1}', label, inline(reason)));
  return action === 'apply'
    ? {
        invocationMessage: vscode.l10n.t('Applying {0}', label),
        confirmationMessages: { title: vscode.l10n.t('Apply this pending edit?'), message },
      }
    : {
        invocationMessage: vscode.l10n.t('Discarding {0}', label),
        confirmationMessages: { title: vscode.l10n.t('Discard this pending edit?'), message },
      };
}

function target(id: string | undefined, stacks: Stacks) {
  return id === undefined ? stacks.pending()[0]?.actions[0] : stacks.find(id)?.action;
}

async function everything(server: Server, stacks: Stacks, workspace: string | undefined): Promise<ListResult['actions']> {
  const roots = workspace === undefined ? stacks.all().map(({ root }) => root) : [workspace];
  const lists = await Promise.all(roots.map((root) => server.requests.list(root)));
  return lists.flatMap((list) => list.actions);
}

function listed(actions: ListResult['actions']): string {
  if (actions.length === 0) {
    return 'Nothing is pending.';
  }
  return actions
    .map((action, above) => {
      const lines = action.files.flatMap((file) => file.hunks.map((hunk) => `  ${file.path}:${hunk.range.start.line + 1} ${change(hunk)}`));
      return [`${above + 1}. ${action.label} (id ${action.id}, by ${action.by.name}${action.stale ? ', stale' : ''})`, ...lines.slice(0, 100)].join('\n');
    })
    .join('\n');
}

/** A refusal is an answer the model can act on, not a crash of the tool. */
async function answer(work: () => Promise<string>): Promise<vscode.LanguageModelToolResult> {
  const result = (text: string) => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  try {
    return result(await work());
  } catch (error) {
    if (error instanceof Refused && error.data) {
      return result(`Refused (${error.data.kind}): ${error.message}${error.data.hint === undefined ? '' : `\nHint: ${error.data.hint}`}`);
    }
    throw error;
  }
}
