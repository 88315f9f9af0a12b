#!/usr/bin/env bash
# Builds the page that opens from a disk: the engine as WebAssembly, build/web/engine.wasm, and build/web/dp2trace.html, which the program of this
# system writes around it (build/release; it is built where it is not there). scripts/setup.sh --web installs what this needs. A second run
# does what has changed.
# usage: scripts/build_web.sh
# exit code: 77: a compiler or the sources of the packages are missing
set -euo pipefail
cd "$(dirname "$0")/.."
web=$PWD/build/web

command -v clang++-19 > /dev/null && [ -e /usr/lib/wasm32-wasi/libc.a ] && [ -e /usr/lib/llvm-19/lib/wasm32-wasi/libc++.a ] || {
  echo "build_web.sh: skipped: clang-19 with its libraries for wasm32-wasi is missing (scripts/setup.sh --web)" >&2
  exit 77
}
scripts/cross_packages.sh --sources || {
  echo "build_web.sh: skipped: the sources of the packages cannot be had" >&2
  exit 77
}
scripts/cross_packages.sh wasm32-wasi
cmake -S . -B "$web" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDP2TRACE_UNITE=ON -DDP2TRACE_BUILD_APPS=OFF -DDP2TRACE_BUILD_TESTS=OFF \
  -DCMAKE_TOOLCHAIN_FILE="$PWD/scripts/cmake/toolchains/wasm32-wasi.cmake"
cmake --build "$web" --target dp2trace_engine

program=build/release/apps/dp2trace/dp2trace
[ -x "$program" ] || {
  cmake --preset release
  cmake --build --preset release --target dp2trace
}
examples=()
for example in traces/scenes/{lit-textured-knot,stencil-shadow,bumpy-water,teapot-of-patches}.json tests/live/two-findings.json; do
  examples+=(--example "$example")
done
"$program" inspect --live --engine "$web/engine.wasm" "${examples[@]}" -o "$web/dp2trace.html" --force
ls -l "$web/engine.wasm" "$web/dp2trace.html"
