#!/usr/bin/env bash
# Installs the library into an empty folder and builds and runs the example against what lies there: by pkg-config shared and static, after
# the folder was moved, and by the CMake package.
# usage: installed_test.sh CMAKE BUILD SOURCE FOLDER     77: there is no pkg-config or C compiler, or the build has sanitizers
set -euo pipefail
cmake=$1 build=$2 tests=$3/tests folder=$4
command -v pkg-config > /dev/null || { echo "skipped: no pkg-config"; exit 77; }
command -v cc > /dev/null || { echo "skipped: no cc"; exit 77; }
! grep -q '^CMAKE_CXX_FLAGS:.*-fsanitize=' "$build/CMakeCache.txt" || { echo "skipped: the library needs a sanitizer"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
for component in library capture; do
  "$cmake" --install "$build" --prefix "$folder/first" --component "$component" > /dev/null
done
mv "$folder/first" "$folder/prefix"
prefix=$folder/prefix
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name dp2trace.pc)")
libdir=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH
pkg-config --exists dp2trace
files=("$tests/api/driver_test.c" "$tests/capture/toy_driver.c" "-I$tests/capture")
warnings=(-std=c99 -pedantic -Wall -Wextra -Werror)

# shellcheck disable=SC2046 # words of pkg-config
cc "${warnings[@]}" "${files[@]}" $(pkg-config --cflags --libs dp2trace) -o "$folder/shared"
LD_LIBRARY_PATH=$libdir "$folder/shared"
LD_LIBRARY_PATH=$libdir ldd "$folder/shared" | grep "libdp2trace.so.0 => $(realpath "$libdir")" > /dev/null ||
  LD_LIBRARY_PATH=$libdir ldd "$folder/shared" | grep "libdp2trace.so.0 => $libdir" > /dev/null

# shellcheck disable=SC2046
cc "${warnings[@]}" "${files[@]}" $(pkg-config --cflags --libs --static dp2trace | sed 's/-ldp2trace/-l:libdp2trace.a/') -o "$folder/static"
"$folder/static"

"$cmake" -S "$tests/api/consumer" -B "$folder/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DTESTS="$tests" > "$folder/log" ||
  { cat "$folder/log"; exit 1; }
"$cmake" --build "$folder/consumer" >> "$folder/log" || { cat "$folder/log"; exit 1; }
"$folder/consumer/with_dp2trace"
"$folder/consumer/with_dp2trace_static"
