#!/usr/bin/env bash
# Builds with Clang, ASan and UBSan: runs the unit tests, damaged and hostile traces, then every fuzz target over its kept inputs and for a
# while.
# usage: scripts/check_sanitized.sh [SECONDS]     of each fuzz target, 10 unless given
# exit code: 77 there is no clang++
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10}
if ! command -v clang++ > /dev/null; then
  echo "check_sanitized.sh: skipped: there is no clang++" >&2
  exit 77
fi
cmake --preset fuzz -DDP2TRACE_BUILD_TESTS=ON
cmake --build --preset fuzz --target unit_tests roundtrip_tests fuzzers dp2trace verb_server
# What needs a header, a compiler or an installation beside the library is of the ordinary build, and so are files whose time and memory are
# measured, and the thousands of runs that compare the traces with their script.
ctest --test-dir build/fuzz -L '^(unit|roundtrip|hostile)$' -E '^(headers|api: |capture: |json_schema|patch_schema|manifest_schema|json_write_samples|hostile: many|hostile: huge-frames|import: captures that ask|traces are what)' --output-on-failure -j "$(nproc)"
./scripts/fuzz.sh "$seconds"
