#!/usr/bin/env bash
# Runs what draws with several threads under ThreadSanitizer: the scheduler of tiles, and random scenes with the reference and the fast renderer.
# usage: scripts/check_threads.sh [SCENES]      30 scenes
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset tsan
cmake --build --preset tsan --target fast_test random_scenes
build/tsan/tests/unit/fast/fast_test -tc='Workers*'
build/tsan/tests/renderers/random_scenes "${1:-30}"
