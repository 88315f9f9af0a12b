#!/usr/bin/env bash
# The largest stack that a call of the recorder can need, from the frames of its functions and who calls whom: every path counts, whether
# it can be taken or not. The caller's callback is not in it.
# usage: stack_test.sh SOURCE_DIR LIMIT COMPILER FLAG...     LIMIT: bytes, of which a call needs less
# 77: the compiler is absent or cannot tell
set -euo pipefail
source=$1 limit=$2 compiler=$3
shift 3
command -v "$compiler" > /dev/null || { echo "skipped: no $compiler"; exit 77; }
command -v python3 > /dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '#define D2C_IMPLEMENTATION\n#include "dp2trace_capture_ddraw.h"\n#include "dp2trace_capture_dp2.h"\n' > one.c
"$compiler" "$@" -std=c89 -fcallgraph-info=su -I"$source/lib/capture" -c one.c -o one.o 2> errors ||
  { echo "skipped: no $compiler $* -fcallgraph-info"; exit 77; }
python3 - "$limit" << 'SCRIPT'
import re, sys

frames, calls = {}, {}
for line in open("one.ci"):
    if node := re.match(r'node: \{ title: "([^"]+)" label: "([^"]*)"', line):
        size = re.search(r"(\d+) bytes \(", node[2])
        frames[node[1]] = int(size[1]) if size else 0
    elif edge := re.match(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', line):
        calls.setdefault(edge[1], set()).add(edge[2])

# Structures lie in structures once: a function is at most twice on the stack.
def deepest(name, above=()):
    if above.count(name) == 2:
        return 0, ()
    below = [deepest(callee, above + (name,)) for callee in calls.get(name, ()) if callee != "__indirect_call"]
    size, path = max(below, default=(0, ()))
    return frames.get(name, 0) + size, (name.split(":")[-1],) + path

worst = (0, ())
for name in frames:
    short = name.split(":")[-1].lstrip("_")
    if short.startswith("d2c_") and "__" not in short:
        worst = max(worst, deepest(name))
size, path = worst
print(f"{size} bytes: {' > '.join(path)}")
sys.exit(size >= int(sys.argv[1]) or size == 0)
SCRIPT
