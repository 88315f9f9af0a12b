#!/usr/bin/env bash
# The same buffers, as xxd, hexdump, od and WinDbg print them, are one trace, and it draws.
# usage: check_dumps.sh PROGRAM
set -euo pipefail
program=$1
cd "$(dirname "$0")/dumps"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for dump in *.txt; do
  "$program" import-hex "$dump" "$work/$dump.json"
  cmp "$work/$dump.json" "$work/c-array.txt.json" || { echo "$dump is another trace"; exit 1; }
done
grep -q '"TRIANGLELIST"' "$work/xxd.txt.json"
"$program" replay "$work/xxd.txt.json" -o "$work/pictures" > "$work/report"
grep -q '"draws":1\|1 draw' "$work/report" || { cat "$work/report"; exit 1; }
