// What is pending, as last heard: one stack per workspace root, refreshed at every notification.
import * as vscode from 'vscode';
import type { Server } from '../server/server';
import type { Action, ActionFile, Hunk } from '../server/wire';
import { covers } from './roots';

export interface Stack {
  /** The workspace, as the server names it. */
  root: string;
  /** Top first. */
  actions: Action[];
}

export interface Place {
  stack: Stack;
  action: Action;
  /** 0 is the top. */
  above: number;
  file: ActionFile;
  hunk: Hunk;
}

export class Stacks implements vscode.Disposable {
  private readonly byRoot = new Map<string, Stack>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly again = new Set<string>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];

  readonly onChange = this.changed.event;

  constructor(private readonly server: Server) {
    this.subscriptions = [
      this.changed,
      server.onStackChange((change) => void this.refresh(change.workspace)),
      server.onState((state) => {
        if (state !== 'running' && this.byRoot.size > 0) {
          this.byRoot.clear();
          this.changed.fire();
        }
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.forgetLeftRoots();
      }),
    ];
  }

  all(): Stack[] {
    return [...this.byRoot.values()];
  }

  pending(): Stack[] {
    return this.all().filter((stack) => stack.actions.length > 0);
  }

  count(): number {
    return this.all().reduce((sum, stack) => sum + stack.actions.length, 0);
  }

  find(id: string): { stack: Stack; action: Action; above: number } | undefined {
    for (const stack of this.all()) {
      const above = stack.actions.findIndex((action) => action.id === id);
      const action = stack.actions[above];
      if (action) {
        return { stack, action, above };
      }
    }
    return undefined;
  }

  /** Everything pending in a document, by place. */
  in(uri: vscode.Uri): Place[] {
    const places: Place[] = [];
    const wanted = uri.toString();
    for (const stack of this.all()) {
      stack.actions.forEach((action, above) => {
        for (const file of action.files) {
          if (vscode.Uri.parse(file.uri).toString() === wanted) {
            places.push(...file.hunks.map((hunk) => ({ stack, action, above, file, hunk })));
          }
        }
      });
    }
    return places.sort((a, b) => a.hunk.range.start.line - b.hunk.range.start.line || a.hunk.range.start.character - b.hunk.range.start.character);
  }

  /** Asks for a stack again. Notifications that come meanwhile cost one more request, not one each. */
  refresh(root: string): Promise<void> {
    const current = this.running.get(root);
    if (current) {
      this.again.add(root);
      return current;
    }
    const task = this.load(root).finally(() => this.running.delete(root));
    this.running.set(root, task);
    return task;
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private async load(root: string): Promise<void> {
    do {
      this.again.delete(root);
      try {
        const { actions } = await this.server.requests.list(root);
        this.byRoot.set(root, { root, actions });
      } catch (error) {
        // The folder or the server may be gone by now; there is nothing to show then.
        this.server.output.debug(`list ${root}: ${String(error)}`);
        this.byRoot.delete(root);
      }
      this.changed.fire();
    } while (this.again.has(root));
  }

  private forgetLeftRoots(): void {
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
    for (const root of this.byRoot.keys()) {
      if (!covers(vscode.Uri.parse(root).fsPath, folders)) {
        this.byRoot.delete(root);
      }
    }
    this.changed.fire();
  }
}
