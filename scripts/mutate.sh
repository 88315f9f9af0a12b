#!/usr/bin/env bash
# Builds the program with AddressSanitizer and UndefinedBehaviorSanitizer and gives it traces that were changed at random.
# usage: scripts/mutate.sh [COUNT [ARGUMENT OF tests/hostile/mutate.py...]]     e.g. 100000 --groups 2 --seed 7 imports/*.dp2t; 1000 unless given
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-1000}
shift || true
cmake --preset asan
cmake --build --preset asan --target verb_server
python3 -B tests/hostile/mutate.py --server build/asan/tests/hostile/verb_server --count "$count" --jobs "$(nproc)" "$@"
