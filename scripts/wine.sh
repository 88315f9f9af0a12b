#!/usr/bin/env bash
# Runs a program for Windows under Wine, in a prefix of this repository: build/windows/wine.
# usage: scripts/wine.sh PROGRAM.exe [ARGUMENT...]     exit code 77: there is no Wine
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
wine=""
for candidate in "${WINE:-}" "$(command -v wine64 || true)" /usr/lib/wine/wine64 "$(command -v wine || true)"; do
  if [ -n "$candidate" ] && [ -x "$candidate" ]; then
    wine=$candidate
    break
  fi
done
[ -n "$wine" ] || {
  echo "wine.sh: there is no Wine (scripts/setup.sh --windows installs it)" >&2
  exit 77
}
export WINEPREFIX=$root/build/windows/wine WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES="mscoree,mshtml=" LC_ALL=C.UTF-8 HOME=${HOME:-/tmp}
mkdir -p "$root/build/windows"
exec "$wine" "$@"
