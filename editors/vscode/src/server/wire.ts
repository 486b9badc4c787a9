// What the server says beyond plain LSP; lsp/wire/PROTOCOL.md is the contract.
import type { Range } from 'vscode-languageclient';

export const Command = {
  astEdit: 'pending-lsp.astEdit',
  push: 'pending-lsp.push',
  resolve: 'pending-lsp.resolve',
  list: 'pending-lsp.list',
  preview: 'pending-lsp.preview',
  undo: 'pending-lsp.undo',
  log: 'pending-lsp.log',
  explainPattern: 'pending-lsp.explainPattern',
} as const;

export type Decision = 'apply' | 'discard';

export interface Hunk {
  id: string;
  range: Range;
  before: string;
  after: string;
  stale?: boolean;
}

export interface ActionFile {
  uri: string;
  path: string;
  hunks: Hunk[];
}

export interface Party {
  name: string;
  editor: boolean;
}

export interface Action {
  id: string;
  label: string;
  sourceToolName: string;
  state: 'pending' | 'applying';
  stale: boolean;
  orphaned: boolean;
  createdAt: string;
  by: Party;
  files: ActionFile[];
}

export interface ListResult {
  actions: Action[];
  hasPending: boolean;
  depth: number;
}

export interface ToolResult {
  content: { type: string; text: string }[];
  details?: unknown;
  isError?: boolean;
}

export interface ResolveParams {
  action: Decision;
  reason: string;
  id?: string;
  hunks?: string[];
  cascade?: boolean;
  allowPartial?: boolean;
  /** An agent for which this editor resolves. */
  agent?: string;
  workspace?: string;
}

export interface ResolveDetails {
  files: { path: string; hunks: number; via: 'editor' | 'disk'; saved: boolean }[];
  newMatches?: number;
}

export interface PreviewResult {
  id: string;
  label: string;
  files?: { uri: string; before: string; after: string }[];
}

export interface PushDetails {
  actionId: string;
  depth: number;
}

export interface ASTEditParams {
  ops: { pat: string; out: string }[];
  lang?: string;
  path?: string | string[];
  label?: string;
  limit?: number;
  workspace?: string;
}

export interface ASTEditDetails {
  actionId?: string;
  depth: number;
  totalReplacements: number;
  filesTouched: number;
}

export interface ExplainResult {
  problems?: string[];
  suggestions?: string[];
  matches?: { start: number; end: number; text: string }[];
}

export interface LogEntry {
  time: string;
  cause: 'push' | 'apply' | 'discard' | 'undo';
  actionId: string;
  label: string;
  sourceToolName: string;
  reason?: string;
  by: Party;
  files?: string[];
  hunks: number;
}

export interface DidChange {
  workspace: string;
  hasPending: boolean;
  depth: number;
  cause: string;
  actionId?: string;
}

export interface ErrorData {
  kind: string;
  paths?: string[];
  hint?: string;
}

export interface Capability {
  version: string;
  languages: string[];
}
