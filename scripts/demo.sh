#!/usr/bin/env bash
# Sets up the machine, builds the program and shows what it does with a trace of the repository.
# usage: scripts/demo.sh
set -euo pipefail
cd "$(dirname "$0")/.."
./scripts/setup.sh
cmake --preset release
cmake --build --preset release --target dp2trace

trace=tests/cli/inputs/triangle.json
out=build/demo
mkdir -p "$out"
show() {
  printf '\n$ %s\n' "$*"
  PATH="$PWD/build/release/apps/dp2trace:$PATH" "$@"
}
show dp2trace convert "$trace" "$out/triangle.dp2t"
show dp2trace info "$out/triangle.dp2t"
show dp2trace lint "$out/triangle.dp2t"
PATH="$PWD/build/release/apps/dp2trace:$PATH" dp2trace dump "$out/triangle.dp2t" > "$out/triangle.txt"
printf '\n$ dp2trace dump %s > %s\n' "$out/triangle.dp2t" "$out/triangle.txt"
cat "$out/triangle.txt"
printf '\nThe result lies in %s: the trace as a container (triangle.dp2t) and as text (triangle.txt).\n' "$out"
