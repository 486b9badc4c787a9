#!/usr/bin/env bash
# emacs.sh: installs Debian's Emacs and eglot if they are missing, and prints the path of emacs.
set -euo pipefail

if ! command -v emacs >/dev/null || ! emacs --batch -q -f package-initialize --eval "(require 'eglot)" >/dev/null 2>&1; then
  apt-get -qq update >&2
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install emacs-nox elpa-eglot >/dev/null
fi
command -v emacs
