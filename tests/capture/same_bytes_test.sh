#!/usr/bin/env bash
# A recording is the same from 64-bit code with a C library, from 32-bit code without one, and with vectors and without.
# usage: same_bytes_test.sh SOURCE_DIR     77: this machine cannot make or run 32-bit programs
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source/tests/capture"
files=(scenario_main.c scenario.c implementation.c)
command -v gcc > /dev/null || { echo "skipped: no gcc"; exit 77; }
for size in 0 100 4096 65536 1048624; do
  flags=(-std=c89 -O2 -I"$source/lib/capture" -DBUFFER_SIZE=$size)
  gcc "${flags[@]}" "${files[@]}" -o "$work/wide"
  gcc "${flags[@]}" -DD2C_PORTABLE "${files[@]}" -o "$work/portable"
  "$work/wide" > "$work/wide.dp2t"
  "$work/portable" | cmp - "$work/wide.dp2t"
  gcc -m32 -ffreestanding -fno-stack-protector -fno-pie -nostdlib -static -no-pie "${flags[@]}" -DD2C_PORTABLE "${files[@]}" \
    -o "$work/narrow" || { echo "skipped: no 32-bit programs"; exit 77; }
  "$work/narrow" > "$work/narrow.dp2t" || { echo "skipped: 32-bit programs do not run"; exit 77; }
  cmp "$work/narrow.dp2t" "$work/wide.dp2t"
done
