#!/usr/bin/env bash
# inspector.sh: installs the official MCP inspector, and prints the path of its CLI mode.
# Its web client wants a newer Node than Debian bookworm's 20; the CLI mode runs there.
set -euo pipefail

want=0.22.0
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
home=$root/.cache/npm/inspector-$want
path=node_modules/@modelcontextprotocol/inspector/cli/build/cli.js

if [[ ! -f $home/$path ]]; then
  mkdir -p "$root/.cache/npm"
  build=$(mktemp -d "$root/.cache/npm/inspector.XXXXXX") # moved into place whole, like Neovim
  trap 'rm -rf "$build"' EXIT
  npm install --prefix "$build" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error "@modelcontextprotocol/inspector@$want" >&2
  node "$build/$path" --help >/dev/null
  mv -T "$build" "$home" 2>/dev/null || [[ -f $home/$path ]]
fi
echo "$home/$path"
