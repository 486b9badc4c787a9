#!/usr/bin/env bash
# nvim.sh [trixie|sid]: makes a Neovim and prints the path of a wrapper that runs it. trixie's is 0.10.4, the
# oldest supported and the default; sid's is whatever is latest there. bookworm's own is 0.7.2, which has no
# vim.lsp.start; the others run here from a private prefix.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
suite=${1:-trixie}
case $suite in
  trixie) want=0.10.4 ;;
  sid) want='[0-9]*' ;; # it moves
  *) echo "usage: ${0##*/} [trixie|sid]" >&2; exit 2 ;;
esac
cache=$(dirname "$here")/.cache
home=$cache/nvim-$suite

if [[ -x $home/nvim ]]; then
  echo "$home/nvim"
  exit 0
fi

mkdir -p "$cache"
# Built elsewhere and moved into place whole: an interrupted run leaves nothing that looks finished.
build=$(mktemp -d "$cache/nvim-$suite.XXXXXX")
trap 'rm -rf "$build"' EXIT
chmod 755 "$build"
"$here/get-debian-prefix.sh" "$suite" "$build/prefix" neovim >&2

cat >"$build/nvim" <<'WRAPPER'
#!/usr/bin/env bash
p=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)/prefix
arch=$(uname -m)-linux-gnu
for loader in "$p/usr/lib/$arch"/ld-linux-*.so.*; do break; done
export VIM=$p/usr/share/nvim VIMRUNTIME=$p/usr/share/nvim/runtime
exec "$loader" --library-path "$p/usr/lib/$arch:$p/lib/$arch" "$p/usr/bin/nvim" "$@"
WRAPPER
chmod 755 "$build/nvim"

got=$("$build/nvim" --version | sed -n '1s/^NVIM v//p')
# shellcheck disable=SC2053 # a pattern on purpose
[[ $got == $want ]] || { echo "${0##*/}: the mirror has Neovim '$got', the tests need $want" >&2; exit 1; }

# mv -T fails when another run was first; its result is as good as ours.
mv -T "$build" "$home" 2>/dev/null || [[ -x $home/nvim ]]
echo "$home/nvim"
