#!/usr/bin/env bash
# Measures the peak resident memory of the program while it converts a large trace: below 64 MiB for 1 GiB of events of at most 4 MiB.
# usage: scripts/bench_memory.sh [MIB]     size of the trace, 1024 unless given; needs about three times that on disk, in build/memory
set -euo pipefail
cd "$(dirname "$0")/.."
mib=${1:-1024}
limit_kib=$((64 * 1024))
program=$PWD/build/release/apps/dp2trace/dp2trace
if [ ! -x "$program" ]; then
  cmake --preset release
  cmake --build --preset release --target dp2trace
fi
folder=build/memory
mkdir -p "$folder"
trap 'rm -rf "$folder"' EXIT

# Runs the program and prints the peak of its resident memory. /proc shows VmHWM only while the process lives; the children of a
# Python process report theirs when they end.
peak_kib() {
  python3 - "$@" << 'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
}

# The trace as JSON: surface updates whose payload is a little below 4 MiB, every one different and not compressible.
generate() {
  python3 - "$mib" << 'PYTHON'
import base64, random, sys
size = 4 * 1024 * 1024 - 1024
source = random.Random(1)
out = sys.stdout
out.write('[\n{"event":"header","generator":"scripts/bench_memory.sh"}')
for number in range(int(sys.argv[1]) * 1024 * 1024 // size):
    data = base64.b64encode(source.randbytes(size)).decode()
    out.write(f',\n{{"event":"surface_update","handle":{number + 1},"data":"{data}"}}')
out.write("\n]\n")
PYTHON
}

failed=0
measure() {
  local what=$1
  shift
  local peak
  peak=$(peak_kib "$@")
  printf '%-28s %6d KiB\n' "$what" "$peak"
  [ "$peak" -le "$limit_kib" ] || failed=1
}
generate > "$folder/a.json"
measure "JSON to container, zstd" "$program" convert "$folder/a.json" "$folder/a.dp2t"
measure "info of the container" "$program" info "$folder/a.dp2t"
measure "dump of the container" "$program" dump "$folder/a.dp2t"
measure "lint of the container" "$program" lint "$folder/a.dp2t"
measure "container to container, raw" "$program" convert "$folder/a.dp2t" "$folder/b.dp2t" --compression none
rm "$folder/a.json"
measure "container to JSON" "$program" convert "$folder/b.dp2t" "$folder/b.json"
if [ "$failed" -ne 0 ]; then
  echo "bench_memory.sh: more than $limit_kib KiB" >&2
  exit 1
fi
