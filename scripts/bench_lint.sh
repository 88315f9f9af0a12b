#!/usr/bin/env bash
# Measures `lint` on clean traces with one thread and with two, and on one with a million findings: time, command bytes a second, and peak of
# resident memory, which may not pass 256 MiB. Writes build/lint_bench, about four times the size of the clean trace. Takes real-time priority
# where the system grants it.
# usage: scripts/bench_lint.sh [MIB]     size of the command streams of the clean trace, 1024 unless given
set -euo pipefail
cd "$(dirname "$0")/.."
mib=${1:-1024}
limit_kib=$((256 * 1024))
program=$PWD/build/release/apps/dp2trace/dp2trace
if [ ! -x "$program" ]; then
  cmake --preset release
  cmake --build --preset release --target dp2trace
fi
folder=build/lint_bench
mkdir -p "$folder"
trap 'rm -rf "$folder"' EXIT

priority=()
if chrt -f 10 true 2> /dev/null; then priority=(chrt -f 10); fi

# generate clean MIB | states MIB | findings COUNT: a trace as JSON with the tokens as bytes.
generate() {
  python3 - "$@" << 'PYTHON'
import base64, struct, sys

def state(number, value): return struct.pack("<II", number, value)
def stage(index, number, value): return struct.pack("<HHI", index, number, value)

# A typical frame of a program of that time: states, then a few triangles, again and again.
def clean(size):
    states = [(7, 0), (22, 1), (27, 0), (19, 2), (20, 1), (9, 2), (15, 0), (26, 1)]
    records = b"".join(state(*one) for one in states)
    stages = b"".join((stage(0, 1, 2), stage(0, 2, 0), stage(0, 4, 2), stage(0, 5, 0)))
    piece = struct.pack("<BBH", 8, 0, len(states)) + records + struct.pack("<BBH", 25, 0, 4) + stages
    piece += struct.pack("<BBHHHHH", 26, 0, 1, 0, 0, 1, 2)  # INDEXEDTRIANGLELIST2, 12 bytes
    return piece * (size // len(piece))

# Tokens of one state each, and no draws.
def states(size):
    piece = b"".join(struct.pack("<BBH", 8, 0, 1) + state(number, value) + struct.pack("<BBH", 25, 0, 1) + stage(0, 1 + number % 6, 2)
                     for value in (0, 1) for number in (7, 14, 15, 26, 27, 28, 29))
    return piece * (size // len(piece))

out = sys.stdout
out.write('[\n{"event":"header","driver_level":7}')
out.write(',\n{"event":"surface_create","handle":1,"kind":"target","caps":["3DDEVICE","VIDEOMEMORY"],"format":"X8R8G8B8","width":64,"height":64}')
out.write(',\n{"event":"context_create","context":1,"target":1,"runtime_version":3}')
vertices = struct.pack("<4fI", 1, 1, 0.5, 1, 0) + struct.pack("<4fI", 9, 1, 0.5, 1, 0) + struct.pack("<4fI", 9, 9, 0.5, 1, 0)
call = '"context":1,"flags":["USERMEMVERTICES"],"vertex_type":68,"vertex_size":20,"vertices":"%s"' % base64.b64encode(vertices).decode()
if sys.argv[1] != "findings":
    commands = clean(256 * 1024) if sys.argv[1] == "clean" else states(256 * 1024)
    line = ',\n{"event":"dp2",%s,"commands":[{"raw":"%s"}]}' % (call, commands.hex())
    for _ in range(int(sys.argv[2]) * 4): out.write(line)
else:
    token = struct.pack("<BBH", 8, 1, 1) + state(7, 0)  # bReserved is 1: DP2-STREAM-009
    line = ',\n{"event":"dp2",%s,"commands":[{"raw":"%s"}]}' % (call, (token * 50).hex())
    for _ in range(int(sys.argv[2]) // 50): out.write(line)
out.write("\n]\n")
PYTHON
}

# Runs the program; prints seconds and the peak of its resident memory in KiB, and the last line of its output.
measure() {
  python3 - "$@" << 'PYTHON'
import resource, subprocess, sys, time
start = time.monotonic()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, check=False)
print(f"{time.monotonic() - start:.2f}", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, done.stdout.decode().splitlines()[-1])
PYTHON
}

# Seconds of a clean trace of MIB MiB with one and two threads in turn, medians of five.
speed() {
  python3 - "$@" << 'PYTHON'
import statistics, subprocess, sys, time
mib, command = int(sys.argv[1]), sys.argv[2:]
seconds = {1: [], 2: []}
for _ in range(5):
    for threads in seconds:
        start = time.monotonic()
        subprocess.run(command + ["-j", str(threads)], stdout=subprocess.DEVNULL, check=True)
        seconds[threads].append(time.monotonic() - start)
one, two = (statistics.median(seconds[threads]) for threads in (1, 2))
print(f"{'':32} {mib * 1.048576 / one:8.0f} MB/s, with two threads {mib * 1.048576 / two:.0f} MB/s: {one / two:.2f} times")
PYTHON
}

failed=0
bench() {
  local what=$1 seconds peak summary
  "$program" convert "$folder/a.json" "$folder/a.dp2t"
  rm "$folder/a.json"
  read -r seconds peak summary < <(measure "$program" lint --preset "$2" --format jsonl "$folder/a.dp2t")
  printf '%-32s %8s s %8d KiB  %s\n' "$what" "$seconds" "$peak" "$summary"
  [ "$peak" -le "$limit_kib" ] || failed=1
}
generate clean "$mib" > "$folder/a.json"
bench "clean, $mib MiB of commands" recommended
speed "$mib" ${priority[@]+"${priority[@]}"} "$program" lint "$folder/a.dp2t"
generate states "$mib" > "$folder/a.json"
bench "states alone, $mib MiB" recommended
speed "$mib" ${priority[@]+"${priority[@]}"} "$program" lint "$folder/a.dp2t"
generate findings 1000000 > "$folder/a.json"
bench "a million findings" recommended
if [ "$failed" -ne 0 ]; then
  echo "bench_lint.sh: more than $limit_kib KiB" >&2
  exit 1
fi
