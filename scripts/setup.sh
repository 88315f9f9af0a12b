#!/usr/bin/env bash
# Installs what the build needs and, with --tests, what the tests need (Debian and Ubuntu).
# usage: scripts/setup.sh [--tests]
set -euo pipefail

build_packages=(
  g++ cmake ninja-build pkg-config git ca-certificates
  libcli11-dev nlohmann-json3-dev libstb-dev libfmt-dev
  libzstd-dev libxxhash-dev libdeflate-dev libsnappy-dev libbrotli-dev zlib1g-dev
  libhwy-dev libtbb-dev
)
# The tests do not build without these ...
required_test_packages=(doctest-dev python3)
# ... and each test that needs one of these is skipped, visibly, where it is absent. PACKAGE:COMMAND counts as installed where there is
# such a command, whoever installed it.
optional_test_packages=(
  clang:clang++ clang-format:clang-format libclang-rt-dev llvm mingw-w64:x86_64-w64-mingw32-g++ apitrace:apitrace
  python3-jsonschema libxml2-utils:xmllint chromium:chromium firefox-esr:firefox-esr nodejs:node npm:npm slurm-wlm:sbatch parallel:parallel man-db:man
  zsh:zsh fish:fish dpkg-dev:dpkg-shlibdeps libbenchmark-dev
)

wanted=("${build_packages[@]}")
optional=()
case "${1:-}" in
  "") ;;
  --tests)
    wanted+=("${required_test_packages[@]}")
    optional=("${optional_test_packages[@]}")
    ;;
  *)
    echo "usage: scripts/setup.sh [--tests]" >&2
    exit 2
    ;;
esac

is_installed() { dpkg-query -W -f='${Status}' "$1" 2> /dev/null | grep -q "ok installed"; }

missing=()
extra=()
if command -v dpkg-query > /dev/null; then
  for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  for entry in ${optional[@]+"${optional[@]}"}; do
    package=${entry%%:*}
    command=${entry#"$package"}
    if [ -n "$command" ] && command -v "${command#:}" > /dev/null; then continue; fi
    is_installed "$package" || extra+=("$package")
  done
  [ $((${#missing[@]} + ${#extra[@]})) -eq 0 ] && exit 0
fi

if ! command -v apt-get > /dev/null; then
  echo "setup.sh: this system has no apt-get. Install the equivalents of these Debian packages by hand:" >&2
  printf '  %s\n' "${wanted[@]}" >&2
  if [ ${#optional[@]} -ne 0 ]; then
    echo "and, for all tests to run:" >&2
    printf '  %s\n' "${optional[@]%%:*}" >&2
  fi
  exit 3
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "setup.sh: not root and no sudo. Missing packages: ${missing[*]} ${extra[*]}" >&2
    exit 3
  fi
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q

# What cannot be had with the rest is found without installing: a simulation takes a second.
install=(${missing[@]+"${missing[@]}"})
for package in ${extra[@]+"${extra[@]}"}; do
  if apt-get install -s -q --no-install-recommends ${install[@]+"${install[@]}"} "$package" > /dev/null 2>&1; then
    install+=("$package")
  else
    echo "setup.sh: $package cannot be installed here; the tests that need it are skipped" >&2
  fi
done
if [ ${#install[@]} -ne 0 ]; then
  "${as_root[@]}" apt-get install -q -y --no-install-recommends "${install[@]}"
fi
