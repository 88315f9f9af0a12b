#!/usr/bin/env bash
# Rewrites the generated pages (lib/*/*.md, lib/rules/pages/*.md, the tables of traces/README.md, traces/schema.json) and the expectations of the command
# line tests. Read `git diff` afterwards: what changed is what users will see.
# usage: scripts/update_pages.sh
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset release
cmake --build --preset release
DP2TRACE_UPDATE_PAGES=1 ctest --preset release -j "$(nproc)" -L unit > build/update_pages.log || true
program=build/release/apps/dp2trace/dp2trace
python3 tests/cli/run_cli_tests.py --program "$program" --update > /dev/null || true
python3 tests/cli/readme_test.py --program "$program" --update || true
git status --short
