#!/usr/bin/env bash
# Installs what the build needs, with --tests what the tests need, with --windows what scripts/cross_packages.sh and tests of Windows programs need,
# with --web what scripts/build_web.sh needs (Debian and Ubuntu).
# usage: scripts/setup.sh [--tests] [--windows] [--web]
set -euo pipefail

build_packages=(
  g++ cmake ninja-build pkg-config git ca-certificates
  libcli11-dev libcpp-httplib-dev libtomlplusplus-dev nlohmann-json3-dev libstb-dev libfmt-dev
  libzstd-dev libxxhash-dev libdeflate-dev libsnappy-dev libbrotli-dev zlib1g-dev
  libhwy-dev cmark-gfm
)
# Machine code is made only for x86-64.
if [ "$(uname -m)" = x86_64 ]; then build_packages+=(libxbyak-dev); fi
# The tests do not build without these ...
required_test_packages=(doctest-dev python3)
# ... and each test that needs one of these is skipped, visibly, where it is absent. PACKAGE:COMMAND counts as installed where there is
# such a command, whoever installed it.
optional_test_packages=(
  clang:clang++ lld:ld.lld clang-format:clang-format libclang-rt-dev llvm mingw-w64:x86_64-w64-mingw32-g++ apitrace:apitrace
  python3-jsonschema python3-yaml libxml2-utils:xmllint chromium:chromium firefox-esr:firefox-esr nodejs:node npm:npm slurm-wlm:sbatch parallel:parallel man-db:man
  zsh:zsh fish:fish dpkg-dev:dpkg-shlibdeps file:file libbenchmark-dev zstd:zstd
)
# Compilers for Windows and 32-bit Linux, and apt-get source.
windows_packages=(g++-mingw-w64-x86-64 g++-mingw-w64-i686 g++-i686-linux-gnu dpkg-dev make)
# Runs the programs; 32-bit ones by the package of the other architecture.
optional_windows_packages=(wine:wine wine64 wine32:i386)

# WebAssembly.
web_packages=(
  clang-19 lld-19 llvm-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc dpkg-dev make
)

wanted=("${build_packages[@]}")
optional=()
for option in "$@"; do
  case "$option" in
    --tests)
      wanted+=("${required_test_packages[@]}")
      optional+=("${optional_test_packages[@]}")
      ;;
    --windows)
      wanted+=("${windows_packages[@]}")
      optional+=("${optional_windows_packages[@]}")
      ;;
    --web) wanted+=("${web_packages[@]}") ;;
    *)
      echo "usage: scripts/setup.sh [--tests] [--windows] [--web]" >&2
      exit 2
      ;;
  esac
done

is_installed() { dpkg-query -W -f='${Status}' "$1" 2> /dev/null | grep -q "ok installed"; }

missing=()
extra=()
if command -v dpkg-query > /dev/null; then
  for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  for entry in ${optional[@]+"${optional[@]}"}; do
    if [[ $entry == *:i386 ]]; then
      is_installed "$entry" || extra+=("$entry")
      continue
    fi
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
# Packages of i386 need its lists.
adds_i386=false
if [[ " ${extra[*]-} " == *:i386* ]] && ! dpkg --print-foreign-architectures | grep -qx i386; then
  "${as_root[@]}" dpkg --add-architecture i386
  adds_i386=true
fi
# A source of the user that is broken, or a mirror that is being synchronised, does not matter where the packages can be had all the same.
"${as_root[@]}" apt-get update -q ||
  echo "setup.sh: note: not every package source could be read; going on with what is known" >&2

# can_install PACKAGE...: found without installing. One call for all of them, since each takes a second.
can_install() { apt-get install -s -q --no-install-recommends "$@" > /dev/null 2>&1; }
install=(${missing[@]+"${missing[@]}"})
if [ ${#extra[@]} -ne 0 ] && can_install ${install[@]+"${install[@]}"} "${extra[@]}"; then
  install+=("${extra[@]}")
else
  for package in ${extra[@]+"${extra[@]}"}; do
    if can_install ${install[@]+"${install[@]}"} "$package"; then
      install+=("$package")
    else
      echo "setup.sh: $package cannot be installed here; the tests that need it are skipped" >&2
    fi
  done
fi
# A mirror without i386 must not break what comes after.
if "$adds_i386" && [[ " ${install[*]-} " != *:i386* ]]; then
  "${as_root[@]}" dpkg --remove-architecture i386
  "${as_root[@]}" apt-get update -q || true
fi
if [ ${#install[@]} -ne 0 ]; then
  "${as_root[@]}" apt-get install -q -y --no-install-recommends "${install[@]}"
fi
