#!/usr/bin/env bash
# A driver that records itself with the capture header and asks the library, as a program for Windows and for 32-bit Linux: the recording and
# what is made of it agree (tests/api/driver_test.c).
# usage: capture_test.sh     exit code 77: there is no library (scripts/build_windows.sh)
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tested=0

# try TARGET COMMAND...: COMMAND runs the program.
try() {
  local target=$1 api=build/windows/$1/lib/api
  shift
  if ! compgen -G "$api/*dp2trace*" > /dev/null; then
    echo "$target: skipped: there is no $api/dp2trace"
    return
  fi
  mkdir "$work/$target"
  cp "$api"/*dp2trace.{dll,so.*} "$work/$target" 2> /dev/null || true
  "$target-gcc" -std=c99 -O1 -Ilib/api -Ilib/capture -Itests/capture tests/api/driver_test.c tests/capture/toy_driver.c \
    -L"$api" -ldp2trace -o "$work/$target/driver.exe"
  echo "$target: a driver of $(file -b "$work/$target/driver.exe" | cut -d, -f1)"
  "$@" "$work/$target/driver.exe" || {
    echo "$target: failed with $?"
    exit 1
  }
  tested=$((tested + 1))
}

try x86_64-w64-mingw32 scripts/wine.sh
if [ -e /usr/lib/wine/wine ] || [ -e /usr/lib/wine/wine32 ]; then
  WINE=$(command -v wine) try i686-w64-mingw32 scripts/wine.sh
else
  echo "i686-w64-mingw32: skipped: Wine runs no 32-bit programs here (package wine32:i386)"
fi
runtime=/usr/i686-linux-gnu/lib
if [ -e "$runtime/ld-linux.so.2" ]; then
  try i686-linux-gnu "$runtime/ld-linux.so.2" --library-path "$runtime:build/windows/i686-linux-gnu/lib/api"
fi
[ "$tested" -gt 0 ] || exit 77
