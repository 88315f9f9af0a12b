#!/usr/bin/env bash
# Measures what builds cost, in seconds of processor time, which other work on the machine hardly changes: what demo.sh builds, what test.sh builds,
# and a change of one rule's text and of one file of raster up to the linked program. Nothing comes from a cache of compiled units. Beside it
# stands what a fixed file costs that includes much of the standard library: figures of two machines compare by it.
# usage: scripts/bench_build.sh [measure|demo|test|rule|raster...]     all unless given; test takes what demo has built into account; builds in build/bench
set -euo pipefail
cd "$(dirname "$0")/.."
export CCACHE_DISABLE=1 CMAKE_C_COMPILER_LAUNCHER= CMAKE_CXX_COMPILER_LAUNCHER=
build=build/bench
rule=lib/rules/dp2_draw.def
source=lib/raster/primitive/rasterizer.cpp
[ $# -gt 0 ] || set -- measure demo test rule raster

# Prints what a command and all that it starts take: user seconds, and all seconds of processor time. Its output goes to a file.
measure() {
  python3 - "$@" << 'PYTHON'
import resource, subprocess, sys
with open("build/bench.log", "wb") as log:
    subprocess.run(sys.argv[2:], check=True, stdout=log, stderr=log)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{sys.argv[1]:52} {used.ru_utime:8.1f} {used.ru_utime + used.ru_stime:8.1f}", flush=True)
PYTHON
}

# Standard headers that most units include, and one instantiation of each.
write_fixed_file() {
  printf '#include <%s>\n' algorithm filesystem functional map memory optional regex string variant vector
  cat << 'SOURCE'
std::map<std::string, std::vector<std::variant<int, std::string>>> values;
std::regex pattern("a[0-9]+(b|c)*");
void Sort(std::vector<std::string>& names) { std::ranges::sort(names); }
SOURCE
}

# Changes a file, builds, and puts it back.
measure_change() {
  local name=$1 file=$2 script=$3 copy
  copy=$(mktemp)
  cp -p "$file" "$copy"
  trap 'cp "$copy" "$file"; rm -f "$copy"' EXIT
  sed -i "$script" "$file"
  if cmp -s "$file" "$copy"; then
    echo "bench_build.sh: nothing to change in $file" >&2
    exit 1
  fi
  measure "$name" cmake --build "$build" --target dp2trace
  cp "$copy" "$file"
  rm -f "$copy"
  trap - EXIT
}

mkdir -p build
printf '%-52s %8s %8s\n' work user all
for name in "$@"; do
  case $name in
    measure)
      write_fixed_file > build/fixed.cpp
      measure 'the fixed file, five times' sh -c 'for i in 1 2 3 4 5; do c++ -std=c++20 -O2 -c build/fixed.cpp -o build/fixed.o; done'
      ;;
    demo)
      rm -rf "$build"
      cmake --preset release -B "$build" > /dev/null
      measure 'what demo.sh builds' cmake --build "$build" --target installable
      ;;
    test)
      measure 'what test.sh builds beyond' cmake --build "$build"
      ;;
    rule)
      measure 'no change' cmake --build "$build" --target dp2trace
      measure_change 'one changed rule text, to the linked program' "$rule" '0,/garbage or faults/s//garbage, or faults/'
      ;;
    raster)
      cmake --build "$build" --target dp2trace > /dev/null
      measure_change 'one changed file of raster, to the linked program' "$source" '$a // changed'
      ;;
    *)
      sed -n 's/^# usage: //p' "$0" >&2
      exit 2
      ;;
  esac
done
