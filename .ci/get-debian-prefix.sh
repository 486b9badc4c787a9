#!/usr/bin/env bash
# get-debian-prefix.sh SUITE DIR PKG...
# Unpacks PKGs and all they depend on (libc too) from another SUITE of this machine's own Debian mirror
# into DIR. The system's apt and dpkg state is neither read nor changed, so a newer editor can live
# beside an older system. Start a program in it through the prefix's own loader:
#   DIR/usr/lib/<arch>/ld-linux-*.so.* --library-path DIR/usr/lib/<arch>:DIR/lib/<arch> DIR/usr/bin/PROGRAM
set -euo pipefail

(($# >= 3)) || { echo "usage: ${0##*/} SUITE DIR PKG..." >&2; exit 2; }
suite=$1 dir=$2
shift 2

state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT

# Debian's main archive is the one whose path ends in /debian, in either format of source files.
mirror=$(grep -rhv '^ *#' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
  grep -oE '[a-z+]+://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ') || true
[[ -n $mirror ]] || { echo "${0##*/}: no Debian mirror in this machine's apt sources" >&2; exit 1; }

mkdir -p "$dir" "$state"/lists/partial "$state"/cache/archives/partial
: >"$state/status" # nothing counts as installed: every dependency is unpacked
cat >"$state/mirror.sources" <<SOURCES
Types: deb
URIs: $mirror
Suites: $suite
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES

apt=(apt-get -qq -y --no-install-recommends
  -o Dir::Etc::sourcelist="$state/mirror.sources" -o Dir::Etc::sourceparts=-
  -o Dir::State::lists="$state/lists" -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache"
  -o Acquire::Languages=none -o Acquire::Retries=3
  -o APT::Sandbox::User=root -o APT::Keep-Downloaded-Packages=true)
"${apt[@]}" update
"${apt[@]}" --download-only install "$@" >/dev/null
for deb in "$state"/cache/archives/*.deb; do
  dpkg-deb -x "$deb" "$dir"
done
