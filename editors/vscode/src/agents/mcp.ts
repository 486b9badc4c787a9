// Offers `pending-lsp mcp` to agents that speak MCP, for each folder.
import * as vscode from 'vscode';
import type { Server } from '../server/server';

export function registerMcp(server: Server, version: string, lm = (vscode as { lm?: Partial<typeof vscode.lm> }).lm): vscode.Disposable[] {
  // Hosts built on VS Code may leave this API out, whatever version they report.
  if (!lm?.registerMcpServerDefinitionProvider || !('McpStdioServerDefinition' in vscode)) {
    return [];
  }
  const changed = new vscode.EventEmitter<void>();
  return [
    changed,
    server.onState(() => {
      changed.fire();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      changed.fire();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      changed.fire();
    }),
    lm.registerMcpServerDefinitionProvider('pendingLsp.mcp', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => definitions(server.command, version),
    }),
  ];
}

function definitions(command: string | undefined, version: string): vscode.McpStdioServerDefinition[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  // Its agents apply as they see fit, which a folder that is not trusted must not get.
  if (command === undefined || !vscode.workspace.isTrusted) {
    return [];
  }
  return folders.map((folder) => {
    const label = folders.length === 1 ? 'pending-lsp' : `pending-lsp (${folder.name})`;
    const definition = new vscode.McpStdioServerDefinition(label, command, ['mcp'], {}, version);
    definition.cwd = folder.uri;
    return definition;
  });
}
