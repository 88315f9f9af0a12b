#!/usr/bin/env bash
# Builds what users of Windows get, on Debian with mingw-w64 (scripts/setup.sh --windows): dp2trace.exe for x86_64, which needs libraries of
# only the system, dp2trace.dll with its import library for x86_64 and i686, libdp2trace for 32-bit Linux, headers, examples and the manual,
# in build/windows/dp2trace-VERSION-windows.zip. A second run does what has changed.
# usage: scripts/build_windows.sh [program | zip | tests]     program: only the x86_64 program; zip (the usual): all of the above;
#                                                             tests: the program, and the unit tests for test_windows.sh
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-zip}
case $what in
  program | zip | tests) ;;
  *)
    sed -n 's/^# usage: /usage: /p' "$0" >&2
    exit 2
    ;;
esac
windows=$PWD/build/windows

# configure TARGET OPTION...
configure() {
  local target=$1
  shift
  scripts/cross_packages.sh "$target"
  cmake -S . -B "$windows/$target" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDP2TRACE_UNITE=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/scripts/cmake/toolchains/$target.cmake" -DCMAKE_INSTALL_DOCDIR=doc -DCMAKE_INSTALL_DATADIR=doc "$@"
}
library_only=(-DDP2TRACE_BUILD_APPS=OFF -DDP2TRACE_BUILD_TESTS=OFF)

# only_system_libraries FILE: fails where the file needs a DLL that is not part of Windows.
only_system_libraries() {
  local needed
  needed=$("${2:-x86_64}-w64-mingw32-objdump" -p "$1" | sed -n 's/.*DLL Name: //p' | tr 'A-Z' 'a-z' |
    grep -vxE '(kernel32|user32|shell32|advapi32|msvcrt|ntdll|bcrypt|ws2_32)\.dll|api-ms-win-[a-z0-9-]*\.dll' || true)
  [ -z "$needed" ] || {
    echo "build_windows.sh: $1 needs $needed" >&2
    exit 1
  }
}

configure x86_64-w64-mingw32
program=$windows/x86_64-w64-mingw32/apps/dp2trace/dp2trace.exe
cmake --build "$windows/x86_64-w64-mingw32" --target dp2trace
only_system_libraries "$program"
if [ "$what" = tests ]; then
  cmake --build "$windows/x86_64-w64-mingw32" --target unit_tests rule_traces
fi
[ "$what" = zip ] || exit 0

cmake --build "$windows/x86_64-w64-mingw32" --target dp2trace_shared dp2trace_static
for target in i686-w64-mingw32 i686-linux-gnu; do
  configure "$target" "${library_only[@]}"
  cmake --build "$windows/$target" --target dp2trace_shared dp2trace_static
done
only_system_libraries "$windows/x86_64-w64-mingw32/lib/api/dp2trace.dll"
only_system_libraries "$windows/i686-w64-mingw32/lib/api/dp2trace.dll" i686

# The manual comes from the program: of this system where it is there, else by Wine.
manual=$windows/manual
rm -rf "$manual"
if [ -x build/release/apps/dp2trace/dp2trace ]; then
  build/release/apps/dp2trace/dp2trace manual "$manual"
else
  scripts/wine.sh "$program" manual "$manual"
fi
install -m 644 -D "$manual/manual.txt" "$windows/x86_64-w64-mingw32/manual.txt"

projects="$windows/x86_64-w64-mingw32;dp2trace;ALL;/"
projects+=";$windows/i686-w64-mingw32;dp2trace;library;/i686-windows;$windows/i686-linux-gnu;dp2trace;library;/i686-linux"
(cd "$windows" && cpack -G ZIP --config x86_64-w64-mingw32/CPackConfig.cmake -D CPACK_INSTALL_CMAKE_PROJECTS="$projects")
ls -l "$windows"/dp2trace-*.zip
