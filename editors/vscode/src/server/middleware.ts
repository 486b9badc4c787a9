// Lenses and code actions of the server run our commands instead: those review, ask for a reason,
// explain refusals. Their raw commands stay as they are for whoever calls them.
import type * as vscode from 'vscode';
import type { Middleware, WorkspaceMiddleware } from 'vscode-languageclient/node';
import { config } from '../config';
import { Command, type PreviewResult, type ResolveParams } from './wire';

export function middleware(handleApplyEdit: NonNullable<WorkspaceMiddleware['handleApplyEdit']>, starting: () => boolean): Middleware {
  return {
    workspace: {
      handleApplyEdit,
      // Of the section, only what is the server's; it warns of names it does not know.
      configuration: ({ items }) => items.map(({ section }) => (section === 'pendingLsp' ? config.live() : null)),
      // A server about to be replaced because of the change could only fail to hear of it.
      didChangeConfiguration: async (_, next) => (starting() ? undefined : next(undefined)),
    },
    provideCodeActions: async (document, range, context, token, next) => {
      const actions = await next(document, range, context, token);
      return actions?.map((action) => {
        if ('command' in action && typeof action.command === 'object') {
          action.command = inEditor(action.command);
        }
        return action;
      });
    },
    provideCodeLenses: async (document, token, next) => {
      const lenses = await next(document, token);
      for (const lens of lenses ?? []) {
        if (lens.command) {
          lens.command = inEditor(lens.command);
        }
      }
      return lenses;
    },
  };
}

function inEditor(command: vscode.Command): vscode.Command {
  const [argument] = (command.arguments ?? []) as unknown[];
  if (command.command === Command.resolve) {
    return { ...command, command: 'pendingLsp.resolveInEditor', arguments: [argument as ResolveParams] };
  }
  if (command.command === Command.preview) {
    return { ...command, command: 'pendingLsp.showDiffOf', arguments: [(argument as Pick<PreviewResult, 'id'>).id] };
  }
  return command;
}
