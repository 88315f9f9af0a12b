#!/usr/bin/env bash
# Measures `lint`: command bytes a second of clean traces of several kinds; then time and peak of
# resident memory of the last of them and of a trace with a million findings, which may not pass 256 MiB. Writes build/lint_bench, some three
# times the size of a clean trace. Takes real-time priority where the system grants it.
# usage: scripts/bench_lint.sh [MIB [RUNS]]     size of the command streams of a clean trace, 512 unless given; runs of each, 7 unless given
set -euo pipefail
cd "$(dirname "$0")/.."
mib=${1:-512}
runs=${2:-7}
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

# generate calls|packets KIND MIB | generate findings COUNT: a trace as JSON with the tokens as bytes.
generate() {
  python3 - "$@" << 'PYTHON'
import base64, struct, sys

def state(number, value): return struct.pack("<II", number, value)
def stage(index, number, value): return struct.pack("<HHI", index, number, value)
def header(operation, count): return struct.pack("<BBH", operation, 0, count)
def render_states(pairs): return header(8, len(pairs)) + b"".join(state(*pair) for pair in pairs)
def stage_states(rows): return header(25, len(rows)) + b"".join(stage(*row) for row in rows)

# A typical frame of a program of that time: states, then a triangle (INDEXEDTRIANGLELIST2), again and again.
def draws():
    piece = render_states([(7, 0), (22, 1), (27, 0), (19, 2), (20, 1), (9, 2), (15, 0), (26, 1)])
    piece += stage_states([(0, 1, 2), (0, 2, 0), (0, 4, 2), (0, 5, 0)])
    return piece + header(26, 1) + struct.pack("<HHHH", 0, 0, 1, 2)

# Tokens of one state each, and no draws.
def states():
    return b"".join(render_states([(number, value)]) + stage_states([(0, 1 + number % 6, 2)])
                    for value in (0, 1) for number in (7, 14, 15, 26, 27, 28, 29))

# Tokens of eight states, and no draws.
def eights():
    return b"".join(render_states([(number, value) for number in (7, 14, 15, 26, 27, 28, 29)] + [(22, 1 + value)]) +
                    stage_states([(i % 2, 1 + i % 6, 2) for i in range(8)]) for value in (0, 1))

# Matrices (view, projection, world, two of texture stages), each with two states, and no draws.
def matrices():
    piece = b""
    for value in (0, 1):
        for number in (2, 3, 16, 17, 1):
            matrix = [float(i % 5 == 0) for i in range(16)]
            matrix[12] = float(value)
            piece += header(36, 1) + struct.pack("<I16f", number, *matrix) + render_states([(7, value), (27, value)])
    return piece

kinds = {"draws": draws, "states": states, "eights": eights, "matrices": matrices}

def fill(kind, size):
    piece = kinds[kind]()
    return (piece * (size // len(piece))).hex()

out = sys.stdout
TARGET, ADAPTER, DEVICE, CONTEXT = 0xC0000100, 0x40000000, 0x40000020, 0x40000040
vertices = struct.pack("<4fI", 1, 1, 0.5, 1, 0) + struct.pack("<4fI", 9, 1, 0.5, 1, 0) + struct.pack("<4fI", 9, 9, 0.5, 1, 0)
vertices = '"flags":["USERMEMVERTICES"],"vertex_type":68,"vertex_size":20,"vertices":"%s"' % base64.b64encode(vertices).decode()
call = '"event":"dp2","context":1,' + vertices
out.write('[\n{"event":"header","driver_level":7,"pointer_width":64,"dp2_handle_mode":"identity"}')
out.write(',\n{"event":"surface_create","handle":%d,"kind":"target","caps":["3DDEVICE","VIDEOMEMORY"],"format":"X8R8G8B8","width":64,"height":64}' % TARGET)
if sys.argv[1] == "packets":
    out.write(',\n{"event":"adapter_open","process":1,"adapter":%d,"max_allocation_list_slot_id":127,"status":0}' % ADAPTER)
    out.write(',\n{"event":"device_create","process":1,"adapter":%d,"device":%d,"status":0}' % (ADAPTER, DEVICE))
    out.write(',\n{"event":"kmt_context_create","process":1,"device":%d,"context":%d,"client_hint":"DX7","triple":{"command_buffer":268435456,'
              '"command_buffer_size":65536,"allocation_list":268500992,"allocation_list_size":256,"patch_location_list":268505088,'
              '"patch_location_list_size":256},"d3d":{"target":%d,"runtime_version":3},"status":0}' % (DEVICE, CONTEXT, TARGET))
    out.write(',\n{"event":"allocation_create","process":1,"device":%d,"allocations":[{"allocation":%d,"model_size":16384,'
              '"model_kind":"target"}],"status":0}' % (DEVICE, TARGET))
    # A packet binds the target, those after it draw to it.
    packet = ',\n{"event":"render","process":1,"context":%d,' % CONTEXT
    listed = '"allocation_list":[{},{"allocation":%d,"write_operation":true}],"patch_location_list":[%%s],"status":0}' % TARGET
    out.write(packet + '"command_buffer":[{"op":"SETRENDERTARGET","render_target":%d}],' % TARGET +
              listed % '{"allocation_index":1,"slot_id":1,"driver_id":41,"patch_offset":4}')
    line = packet + '"dp2_env":{"vertex_source":"inline",%s},"command_buffer":[{"raw":"%s"}],' % (vertices, fill(sys.argv[2], 64 * 1024 - 512)) + listed % ""
    for _ in range(int(sys.argv[3]) * 16): out.write(line)
else:
    out.write(',\n{"event":"context_create","context":1,"target":%d,"runtime_version":3}' % TARGET)
    if sys.argv[1] == "calls":
        line = ',\n{%s,"commands":[{"raw":"%s"}]}' % (call, fill(sys.argv[2], 256 * 1024))
        for _ in range(int(sys.argv[3]) * 4): out.write(line)
    else:
        token = struct.pack("<BBH", 8, 1, 1) + state(7, 0)  # bReserved is 1: DP2-STREAM-009
        line = ',\n{%s,"commands":[{"raw":"%s"}]}' % (call, (token * 50).hex())
        for _ in range(int(sys.argv[2]) // 50): out.write(line)
out.write("\n]\n")
PYTHON
}

# make FILE ARGUMENTS...: the trace that generate() describes, as a container.
make() {
  local file=$1
  shift
  generate "$@" > "$folder/a.json"
  "$program" convert "$folder/a.json" "$file"
  rm "$folder/a.json"
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

# speed WHAT COMMAND...: a row of the table, the median of the runs.
speed() {
  python3 - "$mib" "$runs" "$@" << 'PYTHON'
import statistics, subprocess, sys, time
mib, runs, what, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]

def run():
    start = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start

print(f"| {what:<52} | {mib * 1.048576 / statistics.median(run() for _ in range(runs)):5.0f} MB/s |", flush=True)
PYTHON
}

row() {
  make "$folder/clean.dp2t" "$2" "$3" "$mib"
  speed "$1" ${priority[@]+"${priority[@]}"} "$program" lint "$folder/clean.dp2t"
}

failed=0
memory() {
  local what=$1 file=$2 seconds peak summary
  read -r seconds peak summary < <(measure "$program" lint --format jsonl "$file")
  printf '%-32s %8s s %8d KiB  %s\n' "$what" "$seconds" "$peak" "$summary"
  [ "$peak" -le "$limit_kib" ] || failed=1
}

echo "| trace of $mib MiB, medians of $runs runs | speed |"
echo "| --- | ---: |"
row "states and a draw in turn" calls draws
row "tokens of one state each, no draws" calls states
row "tokens of eight states, no draws" calls eights
row "matrices and states, no draws" calls matrices
row "packets: states and a draw in turn" packets draws
row "packets: matrices and states, no draws" packets matrices
make "$folder/findings.dp2t" findings 1000000
memory "packets, $mib MiB of commands" "$folder/clean.dp2t"
memory "a million findings" "$folder/findings.dp2t"
if [ "$failed" -ne 0 ]; then
  echo "bench_lint.sh: more than $limit_kib KiB" >&2
  exit 1
fi
