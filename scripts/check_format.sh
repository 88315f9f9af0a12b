#!/usr/bin/env bash
# Checks that every C++ file is as .clang-format says; with --fix makes it so.
# usage: scripts/check_format.sh [--fix]
# exit code: 0 formatted, 1 not, 77 there is no clang-format
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(--dry-run -Werror)
[ "${1:-}" != --fix ] || mode=(-i)
if ! command -v clang-format > /dev/null; then
  echo "check_format.sh: skipped: there is no clang-format" >&2
  exit 77
fi
# Releases differ in details: the tree follows the one of Debian 12.
version=$(clang-format --version | sed -E 's/.*version ([0-9]+).*/\1/')
if [ "$version" != 14 ]; then
  echo "check_format.sh: skipped: clang-format $version, not 14" >&2
  exit 77
fi
git ls-files '*.cpp' '*.h' | xargs -P "$(nproc)" -n 50 clang-format "${mode[@]}"
