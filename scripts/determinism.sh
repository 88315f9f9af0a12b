#!/usr/bin/env bash
# Builds the program with GCC and Clang, unoptimised and fully optimised, and checks traces/manifest.json with each: the hashes are
# committed, so all four must reach the same bits.
# usage: scripts/determinism.sh
set -euo pipefail
cd "$(dirname "$0")/.."
./scripts/setup.sh --tests
failed=0
for compiler in g++ clang++; do
  if ! command -v "$compiler" > /dev/null; then
    echo "determinism.sh: skipped: there is no $compiler" >&2
    continue
  fi
  for level in 0 3; do
    build=build/determinism/$compiler-O$level
    cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O$level" \
      -DDP2TRACE_BUILD_TESTS=OFF > /dev/null
    cmake --build "$build" --target dp2trace > /dev/null
    echo "== $compiler -O$level"
    "$build/apps/dp2trace/dp2trace" golden check --manifest traces/manifest.json --results "$build/results.jsonl" --force || failed=1
  done
done
exit "$failed"
