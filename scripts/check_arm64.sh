#!/usr/bin/env bash
# Compiles the program for ARM64 (NEON kernels) and runs it under qemu-user: the golden images must match, and both renderers must draw random
# scenes alike.
# Needs aarch64-linux-gnu-g++ and qemu-aarch64 (packages g++-aarch64-linux-gnu, qemu-user-static); the libraries come from the Debian mirror
# of this machine into build/arm64, nothing is installed.
# usage: scripts/check_arm64.sh [SCENES]      200 scenes; exit code 77: a tool is absent
set -euo pipefail
cd "$(dirname "$0")/.."
scenes=${1:-200}
emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static || true)
for tool in aarch64-linux-gnu-g++ "${emulator:-qemu-aarch64}" apt-get dpkg; do
  command -v "$tool" > /dev/null || {
    echo "check_arm64.sh: skipped: there is no $tool" >&2
    exit 77
  }
done

build=$PWD/build/arm64
root=$build/sysroot
packages=(
  libhwy1 libhwy-dev libfmt9 libfmt-dev libxxhash0 libxxhash-dev libdeflate0 libdeflate-dev libzstd1 libzstd-dev
  libcpp-httplib0.11 libcpp-httplib-dev libssl3 libssl-dev
  zlib1g zlib1g-dev libsnappy1v5 libsnappy-dev libbrotli1 libbrotli-dev doctest-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libstb-dev
)
if [ ! -e "$root/complete" ]; then
  mkdir -p "$build/lists/partial" "$build/packages" "$root"
  : > "$build/status"
  options=(-q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::Lists="$build/lists" -o Dir::State::status="$build/status")
  apt-get "${options[@]}" update
  (cd "$build/packages" && apt-get "${options[@]}" download "${packages[@]}")
  for package in "$build"/packages/*.deb; do dpkg -x "$package" "$root"; done
  touch "$root/complete"
fi

export PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
cmake -S . -B "$build/release" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDP2TRACE_UNITE=ON \
  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc \
  -DCMAKE_FIND_ROOT_PATH="$root" -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu \
  -DCMAKE_CROSSCOMPILING_EMULATOR="$emulator;-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=$root/usr/lib/aarch64-linux-gnu"
cmake --build "$build/release" --target dp2trace random_scenes
OBJDUMP=aarch64-linux-gnu-objdump scripts/check_kernels.sh "$build/release/lib/fast/libdp2trace_fast.a"
emulate=("$emulator" -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$root/usr/lib/aarch64-linux-gnu")
"${emulate[@]}" "$build/release/apps/dp2trace/dp2trace" golden check --manifest traces/manifest.json
"${emulate[@]}" "$build/release/tests/renderers/random_scenes" "$scenes"
