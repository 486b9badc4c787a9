// Offers `pending-lsp mcp` to agents that speak MCP, for each folder.
import * as vscode from 'vscode';
import type { Server } from '../server/server';

export function registerMcp(server: Server, version: string): vscode.Disposable[] {
  if (!('lm' in vscode) || !('registerMcpServerDefinitionProvider' in vscode.lm) || !('McpStdioServerDefinition' in vscode)) {
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
    vscode.lm.registerMcpServerDefinitionProvider('pendingLsp.mcp', {
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
