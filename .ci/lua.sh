#!/usr/bin/env bash
# lua.sh lint|fmt: checks or formats the Neovim plugin with StyLua and luacheck, installed once under .tools.
# lua-language-server is in none of the registries this project may use.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
stylua=2.5.2
home=$root/.tools/lua-$stylua

if [[ ! -d $home ]]; then
  mkdir -p "$root/.tools"
  build=$(mktemp -d "$root/.tools/lua.XXXXXX") # moved into place whole, like Neovim
  trap 'rm -rf "$build"' EXIT
  npm install --prefix "$build" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error "@johnnymorganz/stylua@$stylua" >&2
  "$here/get-debian-prefix.sh" bookworm "$build/luacheck" lua-check >&2
  mv -T "$build" "$home" 2>/dev/null || [[ -d $home ]]
fi

luacheck() {
  local p=$home/luacheck arch loader
  arch=$(uname -m)-linux-gnu
  for loader in "$p/lib/$arch"/ld-linux-*.so.*; do break; done
  LUA_PATH="$p/usr/share/lua/5.1/?.lua;$p/usr/share/lua/5.1/?/init.lua" LUA_CPATH="$p/usr/lib/$arch/lua/5.1/?.so" \
    "$loader" --library-path "$p/usr/lib/$arch:$p/lib/$arch" "$p/usr/bin/lua5.1" "$p/usr/bin/luacheck" "$@"
}

export STYLUA=$home/node_modules/@johnnymorganz/stylua
cd "$root/editors/nvim"
case ${1-} in
  fmt) node "$here/stylua.cjs" --write lsp plugin lua tests ;;
  lint)
    node "$here/stylua.cjs" lsp plugin lua tests
    luacheck --quiet lsp plugin lua tests
    ;;
  *) echo "usage: ${0##*/} lint|fmt" >&2; exit 2 ;;
esac
