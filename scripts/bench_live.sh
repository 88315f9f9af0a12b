#!/usr/bin/env bash
# Measures the engine of the live page beside the program that serves the same page: one thread, vectors of 128 bits, the same questions in one run.
# `first` is the time from nothing to the first frame, `film` all frames of the strip, `frame` and `history` one of each, `findings` what lint finds.
# usage: scripts/bench_live.sh [TRACE]...     without any: captures where ../shared/corpus is
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/bench
./scripts/setup.sh
./scripts/build_web.sh
cmake --preset release -B "$build" -DDP2TRACE_BUILD_TESTS=OFF > /dev/null
cmake --build "$build" --target dp2trace
program=$build/apps/dp2trace/dp2trace
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
traces=("$@")
if [ $# -eq 0 ]; then
  for capture in irrlicht-d3d9/02_Quake3Map irrlicht-d3d9/22_MaterialViewer irrlicht-d3d9/11_PerPixelLighting imgui-d3d9/demo; do
    [ -f "../shared/corpus/$capture.trace" ] || continue
    "$program" import "../shared/corpus/$capture.trace" "$work/$(basename "$capture").dp2t" > /dev/null
    traces+=("$work/$(basename "$capture").dp2t")
  done
fi
isa=portable
[ "$(uname -m)" != x86_64 ] || isa=sse4
node tests/bench/live_bench.mjs "$program" build/web/engine.wasm "$isa" 5 "${traces[@]}"
