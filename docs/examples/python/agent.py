#!/usr/bin/env python3
"""A whole agent in one file, with nothing but Python's standard library.

    agent.py edit WORKSPACE              propose an edit until somebody accepts it
    agent.py rename WORKSPACE EXT FILE…  a custom tool: rename files once somebody says so

It starts `pending-lsp`, which speaks LSP on its standard streams and joins it to
the editors that have the same workspace open. lsp/wire/PROTOCOL.md has the rest.
"""

import json
import os
import pathlib
import re
import subprocess
import sys


class Refused(Exception):
    """The server said no; kind says why, in one word."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.kind = (error.get("data") or {}).get("kind", "")


class Session:
    """One LSP session that is an agent: it has no workspace/applyEdit."""

    def __init__(self, workspace):
        self.process = subprocess.Popen(["pending-lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last_id = 0
        self.callbacks = {}  # by method, for the actions this session owns
        folder = pathlib.Path(workspace).resolve()
        self.request("initialize", {
            "processId": os.getpid(),
            "clientInfo": {"name": "python example", "version": "1"},
            "capabilities": {},
            "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}],
        })
        self.send({"method": "initialized", "params": {}})

    def command(self, name, **argument):
        return self.request("workspace/executeCommand", {"command": "pending-lsp." + name, "arguments": [argument]})

    def request(self, method, params):
        """Send a request and serve the server's own requests until the answer is here."""
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        while True:
            message = self.receive()
            if "method" in message:
                self.serve(message)
            elif message.get("id") == self.last_id:
                if "error" in message:
                    raise Refused(message["error"])
                return message["result"]

    def serve(self, message):
        if "id" not in message:
            return  # a notification we did not ask for
        callback = self.callbacks.get(message["method"])
        if callback is None:
            self.send({"id": message["id"], "error": {"code": -32601, "message": "method not found"}})
            return
        try:
            text = callback(message["params"]["reason"])
            self.send({"id": message["id"], "result": {"content": [{"type": "text", "text": text}]}})
        except OSError as error:  # the action stays pending
            self.send({"id": message["id"], "error": {"code": -32603, "message": str(error)}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("pending-lsp has ended")
            if line == b"\r\n":
                return json.loads(self.process.stdout.read(length))
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)

    def close(self):
        self.request("shutdown", None)
        self.send({"method": "exit"})
        self.process.stdin.close()
        self.process.wait()


def edit(session):
    """Preview, wait for the verdict, and react to the reason for a refusal."""
    logger = "logger.debug"
    while True:
        preview = session.command("astEdit", ops=[{"pat": "console.log($$$ARGS)", "out": logger + "($$$ARGS)"}], lang="typescript")
        details = preview["details"]
        if "actionId" not in details:
            print("nothing to do")
            return
        print(f"proposed {logger}: {details['totalReplacements']} replacements", flush=True)
        verdict = session.command("await", id=details["actionId"])
        print(f"{verdict['state']} by {verdict['by']['name']}: {verdict.get('reason', '')}", flush=True)
        if verdict["state"] == "applied":
            return
        # Here a real agent asks its model. This one knows one answer.
        better = re.search(r"use ([\w.]+)", verdict.get("reason", ""))
        if better is None:
            return
        logger = better[1]


def batch_rename_preview(session, workspace, extension, files):
    """A custom tool that does its own work, in callbacks, when it is resolved."""
    folder = pathlib.Path(workspace)

    def apply(reason):
        for name in files:
            (folder / name).rename((folder / name).with_suffix("." + extension))
        return f"Applied batch rename. Reason: {reason}"

    def reject(reason):
        return f"Discarded batch rename. Reason: {reason}"

    session.callbacks = {"pending-lsp/apply": apply, "pending-lsp/reject": reject}
    pushed = session.command(
        "push", label=f"Batch rename: {len(files)} files", sourceToolName="batch_rename_preview",
        details={"files": files}, callbacks={"apply": True, "reject": True},
    )
    print(f"Prepared rename plan for {len(files)} files. Call resolve to apply or discard.", flush=True)
    verdict = session.command("await", id=pushed["details"]["actionId"])
    print(verdict["result"]["content"][0]["text"], flush=True)


def main():
    mode, workspace, *rest = sys.argv[1:]
    session = Session(workspace)
    try:
        if mode == "edit":
            edit(session)
        else:
            batch_rename_preview(session, workspace, rest[0], rest[1:])
    except Refused as refused:
        sys.exit(f"refused ({refused.kind}): {refused}")
    session.close()


if __name__ == "__main__":
    main()
