// A whole agent in one file, with vscode-jsonrpc and nothing else.
//
//     agent edit WORKSPACE              propose an edit until somebody accepts it
//     agent rename WORKSPACE EXT FILE…  a custom tool: rename files once somebody says so
//
// It starts `pending-lsp`, which speaks LSP on its standard streams and joins it
// to the editors that have the same workspace open. lsp/wire/PROTOCOL.md has the
// rest.

import { spawn } from "node:child_process";
import { rename } from "node:fs/promises";
import { basename, join, parse, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createMessageConnection, type MessageConnection, ResponseError, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

interface ToolResult<Details = unknown> {
  content: { type: "text"; text: string }[];
  details?: Details;
  isError?: boolean;
}

interface Verdict {
  state: "applied" | "discarded" | "pending";
  reason?: string;
  by?: { name: string; editor: boolean };
  result?: ToolResult;
}

// connect opens an LSP session that is an agent: it has no workspace/applyEdit.
async function connect(workspace: string): Promise<{ session: MessageConnection; close(): Promise<void> }> {
  const server = spawn("pending-lsp", { stdio: ["pipe", "pipe", "inherit"] });
  const session = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  session.listen();
  await session.sendRequest("initialize", {
    processId: process.pid,
    clientInfo: { name: "typescript example", version: "1" },
    capabilities: {},
    workspaceFolders: [{ uri: pathToFileURL(resolve(workspace)).href, name: basename(resolve(workspace)) }],
  });
  await session.sendNotification("initialized", {});
  const ended = new Promise<void>((done) => server.on("exit", () => done()));
  const close = async () => {
    await session.sendRequest("shutdown");
    await session.sendNotification("exit");
    session.end();
    await ended;
  };
  return { session, close };
}

function command<Result>(session: MessageConnection, name: string, argument: object): Promise<Result> {
  return session.sendRequest("workspace/executeCommand", { command: `pending-lsp.${name}`, arguments: [argument] });
}

// edit previews, waits for the verdict, and reacts to the reason for a refusal.
async function edit(session: MessageConnection): Promise<void> {
  for (let logger = "logger.debug"; ; ) {
    const preview = await command<ToolResult<{ actionId?: string; totalReplacements: number }>>(session, "astEdit", {
      ops: [{ pat: "console.log($$$ARGS)", out: `${logger}($$$ARGS)` }],
      lang: "typescript",
    });
    const id = preview.details?.actionId;
    if (id === undefined) {
      console.log("nothing to do");
      return;
    }
    console.log(`proposed ${logger}: ${preview.details?.totalReplacements} replacements`);
    const verdict = await command<Verdict>(session, "await", { id });
    console.log(`${verdict.state} by ${verdict.by?.name}: ${verdict.reason ?? ""}`);
    // Here a real agent asks its model. This one knows one answer.
    const better = /use ([\w.]+)/.exec(verdict.reason ?? "");
    if (verdict.state === "applied" || better === null) {
      return;
    }
    logger = better[1];
  }
}

// batchRenamePreview is a custom tool that does its own work, in callbacks, when
// it is resolved.
async function batchRenamePreview(session: MessageConnection, workspace: string, extension: string, files: string[]): Promise<void> {
  const text = (text: string): ToolResult => ({ content: [{ type: "text", text }] });
  session.onRequest("pending-lsp/apply", async ({ reason }: { reason: string }) => {
    for (const name of files) {
      const { dir, name: stem } = parse(name);
      await rename(join(workspace, name), join(workspace, dir, `${stem}.${extension}`));
    }
    return text(`Applied batch rename. Reason: ${reason}`);
  });
  session.onRequest("pending-lsp/reject", ({ reason }: { reason: string }) => text(`Discarded batch rename. Reason: ${reason}`));
  const pushed = await command<ToolResult<{ actionId: string }>>(session, "push", {
    label: `Batch rename: ${files.length} files`,
    sourceToolName: "batch_rename_preview",
    details: { files },
    callbacks: { apply: true, reject: true },
  });
  console.log(`Prepared rename plan for ${files.length} files. Call resolve to apply or discard.`);
  const verdict = await command<Verdict>(session, "await", { id: pushed.details?.actionId });
  console.log(verdict.result?.content[0].text);
}

async function main([mode, workspace, ...rest]: string[]): Promise<void> {
  const { session, close } = await connect(workspace);
  if (mode === "edit") {
    await edit(session);
  } else {
    await batchRenamePreview(session, workspace, rest[0], rest.slice(1));
  }
  await close();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  // The kind of a refusal says why, in one word.
  const kind = error instanceof ResponseError ? ` (${(error.data as { kind?: string } | undefined)?.kind})` : "";
  console.error(`refused${kind}: ${String(error)}`);
  process.exit(1);
});
