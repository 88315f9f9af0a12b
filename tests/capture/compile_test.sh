#!/usr/bin/env bash
# The capture headers compile without a warning, as C89 and as C++, and ask for no function of a C library.
# usage: compile_test.sh SOURCE_DIR COMPILER FLAG...     77: the compiler is absent, or cannot make this kind of code
set -euo pipefail
source=$1 compiler=$2
shift 2
command -v "$compiler" > /dev/null || { echo "skipped: no $compiler"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings=(-pedantic -Wall -Wextra -Wconversion -Werror)
echo 'int start(void); int start(void) { return 0; }' > "$work/empty.c"
"$compiler" "$@" -c "$work/empty.c" -o "$work/empty.o" 2> /dev/null || { echo "skipped: no $compiler $*"; exit 77; }
printf '#define D2C_IMPLEMENTATION\n#include "dp2trace_capture_ddraw.h"\n#include "dp2trace_capture_dp2.h"\n#include "dp2trace_capture_ring.h"\n#include "dp2trace_capture_text.h"\n#include "dp2trace_capture_wddm.h"\n' > "$work/one.c"
for level in -O0 -O2; do
  for extra in "" -DD2C_PORTABLE -ffreestanding; do
    "$compiler" "$@" "${warnings[@]}" $level $extra -I"$source/lib/capture" -c "$work/one.c" -o "$work/one.o"
    # Position-independent code of ELF names its table; __chkstk is not a library's.
    if nm -u "$work/one.o" | grep -vE '_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|^$' | grep -E ' U '; then
      echo "$compiler $* $level $extra: undefined symbols"
      exit 1
    fi
  done
done
