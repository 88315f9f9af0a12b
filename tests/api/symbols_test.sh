#!/usr/bin/env bash
# The shared library shows the functions of dp2trace.h, all of them under a version, and nothing else; and has no text that needs relocating.
# usage: symbols_test.sh LIBRARY HEADER     77: there is no nm
set -euo pipefail
command -v nm > /dev/null || { echo "skipped: no nm"; exit 77; }
shown=$(nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sort)
all=$(grep -oE '^DP2TRACE_API .*' "$2" | grep -oE 'dp2trace_[a-z_]+\(' | tr -d '(' | sort)
diff <(sed 's/@.*//' <<< "$shown") <(echo "$all")
if grep -v '@@DP2TRACE_' <<< "$shown"; then echo "no version"; exit 1; fi
if readelf -d "$1" | grep TEXTREL; then exit 1; fi
readelf -d "$1" | grep 'SONAME.*libdp2trace.so.0' > /dev/null
