#!/usr/bin/env bash
# The samples of append functions compile with the public headers.
# usage: samples_test.sh SOURCE_DIR COMPILER     77: the compiler is absent
set -euo pipefail
command -v "$2" > /dev/null || { echo "skipped: no $2"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile() { "$2" -std=c89 -Wall -Wextra -Werror "${@:3}" -I"$1/lib/capture" -I"$1/tests/capture/vmhal9x" -c "$sample" -o "$work/sample.o"; }
count=0
for sample in "$1"/lib/capture/samples/*.c; do
  compile "$@"
  count=$((count + 1))
done
for sample in "$1"/lib/capture/samples/*.c; do # as a driver in C++ would have them
  "${2/%gcc/g++}" -x c++ -std=c++98 -pedantic -Wall -Wextra -Werror -I"$1/lib/capture" -I"$1/tests/capture/vmhal9x" -c "$sample" -o "$work/sample.o"
done
sample=$1/lib/capture/samples/append_log.c compile "$@" -DSAMPLE_USER_MODE
[ "$count" -ge 4 ]
lines=$(grep -c . "$1/lib/capture/samples/vmhal9x.c")
grep -q "in its $lines lines" "$1/lib/capture/README.md" || { echo "README.md does not say that vmhal9x.c has $lines lines"; exit 1; }
