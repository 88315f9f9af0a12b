#!/usr/bin/env bash
# The macros of dp2trace_capture_ddraw.h fit the structures of the public driver headers.
# usage: glue_test.sh SOURCE_DIR COMPILER     77: the compiler is absent
set -euo pipefail
command -v "$2" > /dev/null || { echo "skipped: no $2"; exit 77; }
"$2" -std=c89 -Wall -Wextra -Werror -I"$1/lib/capture" -c "$1/tests/capture/ddraw_glue.c" -o /dev/null
