import * as vscode from 'vscode';

export type Review = 'none' | 'diff' | 'refactorPreview';

const section = 'pendingLsp';

function get<T>(key: string, fallback: T): T {
  return vscode.workspace.getConfiguration(section).get<T>(key, fallback);
}

/** Null unless the user has set it: a default must not speak for them beside other editors. */
function approval(): unknown {
  const all = get<string | null>('approval', null);
  const tools = get('approvalByTool', {});
  return Object.keys(tools).length === 0 ? all : { default: all ?? 'anyone', tools };
}

export const config = {
  serverPath: () => get('server.path', ''),
  serverArguments: () => get<string[]>('server.arguments', []),
  review: () => get<Review>('review', 'none'),
  saveAfterApply: () => get('saveAfterApply', true),
  askReason: () => get('askReason', true),
  workspace: () => get<'root' | 'folder'>('workspace', 'root'),
  /** Whether agents ask first, as far as this editor says. */
  asks: (): 'always' | 'never' | 'byTool' => {
    if (Object.keys(get('approvalByTool', {})).length > 0) {
      return 'byTool';
    }
    return get<string | null>('approval', null) === 'editor' ? 'always' : 'never';
  },
  /** What the server reads, and takes anew while it runs. */
  live: () => ({
    approval: approval(),
    diagnostics: get('diagnostics', 'information'),
    codeLens: get('codeLens', true),
    inlayHints: get('inlayHints', true),
  }),
};

/** Settings that the server reads only when it starts. */
export function needsRestart(e: vscode.ConfigurationChangeEvent): boolean {
  return ['server', 'workspace'].some((key) => e.affectsConfiguration(`${section}.${key}`));
}
