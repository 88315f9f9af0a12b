#!/usr/bin/env bash
# Tests the build for Windows (scripts/build_windows.sh tests) under Wine: unit tests, golden images with both renderers, the command line
# tests that are not about POSIX, the same bytes as the program of this system writes, and captures of 32-bit programs.
# A part whose tools are absent is skipped and says so.
# usage: scripts/test_windows.sh [unit | golden | cli | bytes | capture]...     all without
# exit code: 77: there is no Wine or no build
set -euo pipefail
cd "$(dirname "$0")/.."
parts=("$@")
[ $# -gt 0 ] || parts=(unit golden cli bytes capture)
build=$PWD/build/windows/x86_64-w64-mingw32
program=$build/apps/dp2trace/dp2trace.exe
native=${DP2TRACE_NATIVE:-$PWD/build/release/apps/dp2trace/dp2trace}
[ -e "$program" ] || {
  echo "test_windows.sh: skipped: there is no $program; scripts/build_windows.sh tests makes it" >&2
  exit 77
}
scripts/wine.sh "$program" --version || exit $?

# `dp2trace`, as the tests call it.
wrapper=$build/bin/dp2trace
mkdir -p "$build/bin"
printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$PWD/scripts/wine.sh" "$program" > "$wrapper"
chmod +x "$wrapper"

failed=()
part() {
  printf '\n== %s\n' "$1"
  shift
  local status=0
  "$@" || status=$?
  if [ "$status" -eq 77 ]; then
    echo "test_windows.sh: skipped: $1"
  elif [ "$status" -ne 0 ]; then
    failed+=("$*")
  fi
}

unit() {
  local status=0 tests=0
  while read -r test; do
    tests=$((tests + 1))
    scripts/wine.sh "$test" --minimal || {
      echo "failed: $test"
      status=1
    }
  done < <(find "$build/tests" -name '*_test.exe' | sort)
  echo "$tests programs with unit tests"
  [ "$tests" -gt 0 ] || status=77
  return "$status"
}
golden() { "$wrapper" golden check --manifest traces/manifest.json --renderer "$1" --results "$build/results-$1.jsonl" --force; }
cli() { python3 tests/cli/run_cli_tests.py --program "$wrapper" --windows; }
bytes() {
  [ -x "$native" ] || {
    echo "there is no $native to compare with"
    return 77
  }
  python3 tests/windows/same_bytes.py --native "$native" --windows "$wrapper"
}
capture() { tests/windows/capture_test.sh; }

for name in "${parts[@]}"; do
  case $name in
    unit | cli | bytes | capture) part "$name" "$name" ;;
    golden)
      part "golden, the fast renderer" golden fast
      part "golden, the reference renderer" golden reference
      ;;
    *)
      sed -n 's/^# usage: /usage: /p' "$0" >&2
      exit 2
      ;;
  esac
done
if [ ${#failed[@]} -ne 0 ]; then
  printf 'test_windows.sh: failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
