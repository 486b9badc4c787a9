#!/usr/bin/env bash
# ast-grep.sh: installs the ast-grep that the engine is compared with, and prints the path of its binary.
set -euo pipefail

want=0.51.1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
home=$root/.cache/npm/ast-grep-$want
bin=$home/node_modules/.bin/ast-grep

if [[ ! -x $bin ]]; then
  mkdir -p "$root/.cache/npm"
  build=$(mktemp -d "$root/.cache/npm/ast-grep.XXXXXX") # moved into place whole, like Neovim
  trap 'rm -rf "$build"' EXIT
  # The postinstall script only links the platform's binary over the Node shim: the path of the
  # binary itself, below, needs neither.
  npm install --prefix "$build" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error "@ast-grep/cli@$want" >&2
  native=("$build"/node_modules/@ast-grep/cli-*/ast-grep)
  ln -sfn "../${native[0]#"$build"/node_modules/}" "$build/node_modules/.bin/ast-grep"
  got=$("$build/node_modules/.bin/ast-grep" --version)
  [[ $got == "ast-grep $want" ]] || { echo "${0##*/}: got '$got', the tests need ast-grep $want" >&2; exit 1; }
  mv -T "$build" "$home" 2>/dev/null || [[ -x $bin ]]
fi
echo "$bin"
