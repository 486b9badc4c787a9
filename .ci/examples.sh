#!/usr/bin/env bash
# examples.sh: installs what the TypeScript example is compiled with, and prints the folder that holds node_modules.
set -euo pipefail

want=(typescript@5.9.3 @types/node@20.19.9 vscode-jsonrpc@8.2.1)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
home=$root/.cache/npm/examples-$(printf '%s\n' "${want[@]}" | cksum | cut -d ' ' -f 1)

if [[ ! -d $home ]]; then
  mkdir -p "$root/.cache/npm"
  build=$(mktemp -d "$root/.cache/npm/examples.XXXXXX") # moved into place whole, like Neovim
  trap 'rm -rf "$build"' EXIT
  npm install --prefix "$build" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error "${want[@]}" >&2
  mv -T "$build" "$home" 2>/dev/null || [[ -d $home ]]
fi
echo "$home"
