#!/usr/bin/env bash
# Sets up the machine, builds everything and runs all tests.
# usage: scripts/test.sh [ctest arguments]
set -euo pipefail
cd "$(dirname "$0")/.."
./scripts/setup.sh --tests
cmake --preset release
cmake --build --preset release
ctest --preset release --no-tests=error -j "$(nproc)" "$@"
