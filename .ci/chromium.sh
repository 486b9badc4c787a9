#!/usr/bin/env bash
# chromium.sh: installs Debian's Chromium and a font if it is missing, and prints its path.
set -euo pipefail

if ! command -v chromium >/dev/null; then
  apt-get -qq update >&2
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install chromium fonts-dejavu-core >/dev/null
fi
command -v chromium
