#!/usr/bin/env bash
# What fills events from the structures of drivers fits the public headers, or our stand-in for them (d3dumddi.h).
# usage: glue_test.sh SOURCE_DIR COMPILER SOURCE FLAG...     77: the compiler is absent, or cannot make this kind of code
set -euo pipefail
source=$1 compiler=$2 file=$3
shift 3
command -v "$compiler" > /dev/null || { echo "skipped: no $compiler"; exit 77; }
echo 'int start(void); int start(void) { return 0; }' | "$compiler" "$@" -x c -c - -o /dev/null 2> /dev/null || { echo "skipped: no $compiler $*"; exit 77; }
"$compiler" "$@" -O2 -Wall -Wextra -Werror -I"$source/lib/capture" -c "$source/tests/capture/$file" -o /dev/null
