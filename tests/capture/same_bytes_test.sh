#!/usr/bin/env bash
# A recording is the same from 64-bit code with a C library, from 32-bit code without one, and with vectors and without.
# usage: same_bytes_test.sh SOURCE_DIR     77: this machine cannot make or run 32-bit programs
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source/tests/capture"
command -v gcc > /dev/null || { echo "skipped: no gcc"; exit 77; }
flags=(-std=c89 -O2 -I"$source/lib/capture")
of_32_bits=(-m32 -ffreestanding -fno-stack-protector -fno-pie -nostdlib -static -no-pie -DD2C_PORTABLE)
# compile NAME FLAG...: what does not know the size of the buffer.
compile() {
  for file in scenario implementation; do
    gcc "${flags[@]}" "${@:2}" -c "$file.c" -o "$work/$1-$file.o" || return
  done
}
# link NAME FLAG...
link() { gcc "${flags[@]}" "${@:2}" -DBUFFER_SIZE="$size" scenario_main.c "$work/$1-scenario.o" "$work/$1-implementation.o" -o "$work/$1"; }
compile wide
compile portable -DD2C_PORTABLE
compile narrow "${of_32_bits[@]}" || { echo "skipped: no 32-bit programs"; exit 77; }
for size in 0 100 4096 65536 1048624; do
  link wide
  link portable -DD2C_PORTABLE
  "$work/wide" > "$work/wide.dp2t"
  "$work/portable" | cmp - "$work/wide.dp2t"
  link narrow "${of_32_bits[@]}" || { echo "skipped: no 32-bit programs"; exit 77; }
  "$work/narrow" > "$work/narrow.dp2t" || { echo "skipped: 32-bit programs do not run"; exit 77; }
  cmp "$work/narrow.dp2t" "$work/wide.dp2t"
done
