#!/usr/bin/env bash
# Fills triangles with dp2trace and with Mesa's llvmpipe, side by side in one run, with one and with two threads: medians of some runs.
# usage: scripts/bench_peer.sh PEER_DIR [RUNS [PROGRAM]]      3 runs, build/release/apps/dp2trace/dp2trace
# PEER_DIR holds gl_fill.c and side_by_side.py. Needs cc, python3 and OSMesa (libosmesa6-dev); is skipped visibly (exit code 77) without.
set -euo pipefail
cd "$(dirname "$0")/.."
peer=${1:-../shared/tools/peer}
runs=${2:-3}
program=${3:-build/release/apps/dp2trace/dp2trace}
skip() {
  echo "bench_peer.sh: skipped: $1" >&2
  exit 77
}
[ -f "$peer/gl_fill.c" ] || skip "there is no peer in $peer"
[ -x "$program" ] || skip "there is no $program"
command -v cc > /dev/null || skip "there is no C compiler"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 "$peer/gl_fill.c" -lOSMesa -lm -o "$work/gl_fill" 2> "$work/cc.log" || skip "gl_fill.c does not link: is libosmesa6-dev installed?"
program=$(realpath "$program")
for threads in 1 2; do
  for run in $(seq "$runs"); do
    python3 "$peer/side_by_side.py" "$program" "$work/gl_fill" "$threads" --threads "$threads" > "$work/$threads.$run.txt"
  done
done
nproc=$(nproc)
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $nproc cores, load $(cut -d' ' -f1 /proc/loadavg), medians of $runs runs"
# Lines of the peer's output differ only in their numbers: the median of each number.
for threads in 1 2; do
  echo "threads: $threads"
  python3 - "$work/$threads".*.txt << 'PYTHON'
import re
import statistics
import sys

NUMBER = re.compile(r"\d+\.\d+|\d+")
runs = [open(path).read().splitlines() for path in sys.argv[1:]]
for lines in zip(*runs):
    columns = list(zip(*[[float(n) for n in NUMBER.findall(line)] for line in lines]))
    medians = iter(statistics.median(column) for column in columns)
    print(NUMBER.sub(lambda match: "%g" % round(next(medians), 3), lines[0]))
PYTHON
done
