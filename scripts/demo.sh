#!/usr/bin/env bash
# Sets up the machine, builds the program and shows what it does with a trace of the repository.
# usage: scripts/demo.sh
set -euo pipefail
cd "$(dirname "$0")/.."
./scripts/setup.sh
cmake --preset release
cmake --build --preset release --target installable

trace=traces/scenes/teapot-of-patches.json
out=build/demo
mkdir -p "$out"
show() {
  printf '\n$ %s\n' "$*"
  PATH="$PWD/build/release/apps/dp2trace:$PATH" "$@"
}
show dp2trace convert "$trace" "$out/teapot.dp2t"
show dp2trace info "$out/teapot.dp2t"
show dp2trace lint "$out/teapot.dp2t"
show dp2trace replay "$out/teapot.dp2t" -o "$out"
printf '\nThe picture lies in %s/frame-000001.png, the report in %s/report.json.\n' "$out" "$out"
