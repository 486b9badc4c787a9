#!/usr/bin/env bash
# helix.sh: fetches Helix from Debian sid, which moves, and prints the path of a wrapper that runs it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
home=$root/.cache/helix

if [[ ! -x $home/hx ]]; then
  mkdir -p "$root/.cache"
  build=$(mktemp -d "$root/.cache/helix.XXXXXX")
  trap 'rm -rf "$build"' EXIT
  "$root/.ci/get-debian-prefix.sh" sid "$build" hx >&2
  cat >"$build/hx" <<'END'
#!/usr/bin/env bash
p=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
loader=("$p"/usr/lib/*/ld-linux-*.so.*)
lib=$(dirname "${loader[0]}")
export HELIX_RUNTIME=$p/usr/lib/hx/runtime
exec "${loader[0]}" --library-path "$lib:$p/lib/$(basename "$lib")" "$p/usr/lib/hx/hx" "$@"
END
  chmod +x "$build/hx"
  "$build/hx" --version >&2
  mv -T "$build" "$home" 2>/dev/null || [[ -x $home/hx ]]
fi
command -v tmux >/dev/null || { apt-get -qq update >&2 && DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install tmux >/dev/null; }
echo "$home/hx"
