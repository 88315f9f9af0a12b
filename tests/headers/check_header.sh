#!/bin/sh
# check_header.sh COMPILER PRINT_CHECKS HEADER: compiles the checks of one header; 77 where the compiler is not installed.
set -eu
compiler=$1
print_checks=$2
header=$3

if ! command -v "$compiler" >/dev/null; then
  echo "skipped: $compiler is not installed"
  exit 77
fi
source=$(mktemp --suffix=.cpp)
trap 'rm -f "$source"' EXIT
"$print_checks" "$header" >"$source"
"$compiler" -std=c++20 -fsyntax-only -w "$source"
echo "$(grep -c static_assert "$source") checks hold; $(grep -c 'left out' "$source" || true) names left out"
