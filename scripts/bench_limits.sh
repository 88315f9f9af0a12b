#!/usr/bin/env bash
# Measures what every verb takes of small files that ask for too much, with the limits that it has without options: seconds of processor
# time, memory and output. What a file below a megabyte takes beyond 20 s, 1 GiB or 1 GiB is marked.
# usage: scripts/bench_limits.sh [INPUT...]     kinds of tests/hostile/bombs.py, names of traces/hostile, or files; all kinds and traces unless given
set -euo pipefail
cd "$(dirname "$0")/.."
program=$PWD/build/release/apps/dp2trace/dp2trace
if [ ! -x "$program" ]; then
  cmake --preset release
  cmake --build --preset release --target dp2trace
fi
python3 -B tests/hostile/bombs.py --program "$program" --table "$@"
