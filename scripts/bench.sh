#!/usr/bin/env bash
# Builds the benchmarks and prints the median and the spread of each. One benchmark at a time; the machine should do nothing else.
# usage: scripts/bench.sh [REGULAR-EXPRESSION]     e.g. scripts/bench.sh Decode
# environment: REPETITIONS (9)
set -euo pipefail
cd "$(dirname "$0")/.."
./scripts/setup.sh
cmake --preset release -B build/bench -DDP2TRACE_BUILD_TESTS=OFF -DDP2TRACE_BUILD_BENCHMARKS=ON
cmake --build build/bench
found=0
for program in build/bench/tests/bench/*_bench; do
  [ -x "$program" ] || continue
  found=1
  "$program" --benchmark_filter="${1:-.}" --benchmark_repetitions="${REPETITIONS:-9}" \
    --benchmark_report_aggregates_only=true --benchmark_counters_tabular=true 2>&1 |
    grep -E '_median|_cv|^Benchmark|^Run on|error' || true
done
if [ "$found" -eq 0 ]; then
  echo "bench.sh: no benchmark was built" >&2
  exit 1
fi
