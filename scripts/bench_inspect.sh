#!/usr/bin/env bash
# Measures what the page of a frame costs beside a fast replay of it, both in one thread and in one run. `ratio` is the cost of the page
# without the compression of pixels, by that of the replay: both meet the frame for the first time. Files go to memory where there is
# /dev/shm, since what creating them costs is the disk's business.
# usage: scripts/bench_inspect.sh [TRACE@FRAME]...     without any: 2,000 and 10,000 small draws, and captures where ../shared/corpus is
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/bench
./scripts/setup.sh
cmake --preset release -B "$build" -DDP2TRACE_BUILD_TESTS=OFF -DDP2TRACE_BUILD_BENCHMARKS=ON > /dev/null
cmake --build "$build" --target inspect_bench dp2trace
program=$build/apps/dp2trace/dp2trace
[ ! -d /dev/shm ] || export TMPDIR=/dev/shm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
traces=("$@")
if [ $# -eq 0 ]; then
  python3 tests/bench/small_draws.py "$work"
  for name in many same transform; do
    "$program" convert "$work/$name.json" "$work/$name.dp2t"
    traces+=("$work/$name.dp2t@2")
  done
  for capture in irrlicht-d3d9/22_MaterialViewer irrlicht-d3d9/02_Quake3Map irrlicht-d3d9/11_PerPixelLighting imgui-d3d9/demo sdl2-d3d9/testsprite2; do
    [ -f "../shared/corpus/$capture.trace" ] || continue
    "$program" import "../shared/corpus/$capture.trace" "$work/$(basename "$capture").dp2t" > /dev/null
    traces+=("$work/$(basename "$capture").dp2t@3")
  done
fi
"$build/tests/bench/inspect_bench" --benchmark_counters_tabular=true "${traces[@]}"
