#!/usr/bin/env bash
# The numbers of lib/capture/README.md that a compiler or a count can tell.
# usage: numbers_test.sh SOURCE_DIR BITS COMPILER FLAG...     77: the compiler is absent, or cannot make this kind of code
set -euo pipefail
source=$1 bits=$2 compiler=$3
shift 3
command -v "$compiler" > /dev/null || { echo "skipped: no $compiler"; exit 77; }
echo 'int start(void); int start(void) { return 0; }' | "$compiler" "$@" -x c -c - -o /dev/null 2> /dev/null || { echo "skipped: no $compiler $*"; exit 77; }
page=$source/lib/capture/README.md
fail() { echo "README.md: $*"; exit 1; }

# size STRUCTURE HEADER...: the page says how many KB the structure has, where it is defined.
size() {
  local structure=$1 kb
  kb=$(sed -n "s/^static $structure [a-z]*;.*[^0-9]\([0-9]*\) KB in $bits-bit code.*/\1/p" "$page")
  [ -n "$kb" ] || fail "no size of $structure in $bits-bit code"
  shift
  { printf '#include "%s"\n' "$@"; echo "char is_rounded_up[sizeof($structure) > ($kb - 1) * 1024 && sizeof($structure) <= $kb * 1024 ? 1 : -1];"; } |
    "$compiler" "${flags[@]}" -I"$source/lib/capture" -I"$source/tests/capture" -x c -c - -o /dev/null || fail "$structure has not $kb KB in $bits-bit code"
}
flags=("$@")
size "struct d2c_hal" toy_hal.h dp2trace_capture_hal.h
size "struct d2c_umd" d3dumddi.h dp2trace_capture_umd.h

# says WORDS: the page has these words.
says() { tr '\n' ' ' < "$page" | grep -qF "$1" || fail "it does not say '$1'"; }
functions=$source/tests/capture/umd_functions.def
recorded=$(grep -c '^TEST_WRAPPED' "$functions")
left_out=$(grep -c '^TEST_NOT_WRAPPED' "$functions")
says "Of the $((recorded + left_out)) functions of the table $recorded are recorded"
says "The headers of mingw-w64 name $(grep -c '^struct _' "$source/tests/capture/hal_structures.h") of them and do not define them"
lines=$(awk '/^static struct d2c_hal recording/ { is_in = 1; n = 1 } /^```/ { is_in = 0 } is_in && /;/ { ++n } END { print n }' "$page")
words=(zero one two three four five six seven eight nine ten eleven twelve)
says "At its tables it takes ${words[lines]}"
