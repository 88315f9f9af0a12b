#!/usr/bin/env bash
# Installs every package that the build and the tests need (Debian and Ubuntu).
# usage: scripts/setup.sh
set -euo pipefail

build_packages=(
  g++ cmake ninja-build pkg-config git ca-certificates
  libcli11-dev nlohmann-json3-dev libstb-dev doctest-dev libfmt-dev
  libzstd-dev libxxhash-dev libdeflate-dev libsnappy-dev libbrotli-dev zlib1g-dev
  libhwy-dev libtbb-dev libbenchmark-dev
)
# Each test that needs one of these is skipped, visibly, where it is absent.
test_packages=(
  clang libclang-rt-dev llvm mingw-w64 apitrace python3 python3-jsonschema libxml2-utils
  chromium nodejs npm slurm-wlm parallel
)

missing=()
if command -v dpkg-query > /dev/null; then
  for package in "${build_packages[@]}" "${test_packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2> /dev/null | grep -q "ok installed" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && exit 0
fi

if ! command -v apt-get > /dev/null; then
  echo "setup.sh: this system has no apt-get. Install the equivalents of these Debian packages by hand:" >&2
  printf '  %s\n' "${build_packages[@]}" >&2
  echo "and, for all tests to run:" >&2
  printf '  %s\n' "${test_packages[@]}" >&2
  exit 3
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "setup.sh: not root and no sudo. Missing packages: ${missing[*]}" >&2
    exit 3
  fi
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
if ! "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"; then
  # A test package that this release lacks must not keep the build from working.
  echo "setup.sh: not all packages can be installed together; trying the build packages alone" >&2
  "${as_root[@]}" apt-get install -q -y --no-install-recommends "${build_packages[@]}"
  for package in "${test_packages[@]}"; do
    "${as_root[@]}" apt-get install -q -y --no-install-recommends "$package" ||
      echo "setup.sh: $package is not available; the tests that need it are skipped" >&2
  done
fi
