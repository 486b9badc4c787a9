import * as vscode from 'vscode';
import type { Server } from '../server/server';
import type { Stacks } from '../stack/stacks';

/** Keeps the keys that the `when` clauses in package.json ask about. */
export function tellMenus(server: Server, stacks: Stacks): vscode.Disposable {
  const set = (key: string, value: unknown) => void vscode.commands.executeCommand('setContext', `pendingLsp.${key}`, value);
  const update = () => {
    set('state', server.state);
    // Not the workbench's own isWorkspaceTrusted: in remote windows that one was seen to come late.
    set('trusted', vscode.workspace.isTrusted);
    set('hasPending', stacks.count() > 0);
    const front = vscode.window.activeTextEditor?.document.uri;
    set('fileHasHunks', front !== undefined && stacks.in(front).length > 0);
  };
  update();
  return vscode.Disposable.from(
    server.onState(update),
    stacks.onChange(update),
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
  );
}
