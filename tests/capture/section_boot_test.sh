#!/usr/bin/env bash
# The sample of a mapped file, run as two starts of a driver: the second recording is in the file, and nothing of the first.
# usage: section_boot_test.sh SOURCE_DIR COMPILER     77: the compiler is absent
set -euo pipefail
command -v "$2" > /dev/null || { echo "skipped: no $2"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/windows.h" << 'END'
#include <stddef.h>
typedef void* PVOID;
typedef unsigned short WCHAR, *LPWSTR;
typedef unsigned int ULONG;
typedef size_t ULONG_PTR;
#define APIENTRY
END
echo 'PVOID APIENTRY EngMapFile(LPWSTR path, ULONG size, ULONG_PTR* file);' > "$work/winddi.h"
cd "$1/tests/capture"
"$2" -std=c99 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -I"$work" -I"$1/lib/capture" section_main.c scenario.c implementation.c -o "$work/section"
"$work/section" long "$work/twice"
[ "$(tr -d '\0' < "$work/twice" | wc -c)" -gt 200000 ] # the first recording is there, and larger
"$work/section" short "$work/twice"
"$work/section" short "$work/once"
cmp "$work/once" "$work/twice"
