#!/usr/bin/env bash
# A process records into a ring in a file and ends in a fault: the next one writes all that was recorded, and after a good end there is nothing to write.
# usage: ring_boot_test.sh SOURCE_DIR COMPILER     77: the compiler is absent
set -euo pipefail
command -v "$2" > /dev/null || { echo "skipped: no $2"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$1/tests/capture"
"$2" -std=c99 -Wall -Wextra -Werror -O1 -I"$1/lib/capture" ring_main.c scenario.c implementation.c -o "$work/ring"
ulimit -c 0
"$work/ring" direct > "$work/direct.dp2t"
if "$work/ring" crash "$work/memory" > "$work/nothing"; then echo "the process did not end in a fault"; exit 1; fi
[ ! -s "$work/nothing" ]
"$work/ring" end "$work/memory" > "$work/left.dp2t"
size=$(stat -c %s "$work/left.dp2t")
[ "$size" -gt 200000 ]
cmp -n "$size" "$work/left.dp2t" "$work/direct.dp2t"
"$work/ring" start "$work/memory" > "$work/nothing"
[ ! -s "$work/nothing" ]
