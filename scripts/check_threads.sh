#!/usr/bin/env bash
# Runs what has several threads under ThreadSanitizer: the scheduler of tiles, random scenes with the reference and the fast renderer, sessions of
# the library, recorders, traces that several threads lint together.
# usage: scripts/check_threads.sh [SCENES]      30 scenes
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset tsan
cmake --build --preset tsan --target fast_test random_scenes api_test capture_test lint_test
build/tsan/tests/unit/fast/fast_test -tc='Workers*'
build/tsan/tests/renderers/random_scenes "${1:-30}"
build/tsan/tests/unit/api/api_test
build/tsan/tests/capture/capture_test -tc='*threads*'
build/tsan/tests/unit/lint/lint_test -tc='*threads*'
