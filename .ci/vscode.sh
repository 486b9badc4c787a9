#!/usr/bin/env bash
# vscode.sh check|e2e: the VS Code extension. check: lint, types, unit tests, bundle. e2e: the .vsix,
# with the server inside, in a real workbench that Chromium shows. CHROME names one that is there.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../editors/vscode"
stamp=node_modules/.package-lock.json
if [[ ! -e $stamp || package-lock.json -nt $stamp ]]; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --engine-strict=false
fi
case ${1:-} in
  check)
    npm run --silent lint
    npm run --silent typecheck
    npm test --silent
    npm run --silent build
    ;;
  e2e)
    CHROME=${CHROME:-$(../../.ci/chromium.sh)} npm run --silent e2e
    ;;
  *)
    echo "vscode.sh: check or e2e?" >&2
    exit 2
    ;;
esac
