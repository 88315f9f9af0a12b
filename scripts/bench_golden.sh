#!/usr/bin/env bash
# Measures golden images: what a check costs on top of the replay of a trace, the merge of a million results, a report of 5,000 pictures.
# usage: scripts/bench_golden.sh
# environment: BUILD (build/release)
set -euo pipefail
cd "$(dirname "$0")/.."
build=$PWD/${BUILD:-build/release}
if [ ! -x "$build/apps/dp2trace/dp2trace" ] || [ ! -x "$build/tests/unit/report/report_test" ]; then
  cmake --preset release
  cmake --build --preset release --target dp2trace report_test
fi
python3 - "$build/apps/dp2trace/dp2trace" << 'PYTHON'
import json, pathlib, resource, statistics, subprocess, sys, tempfile, time

program = sys.argv[1]
TRACES, FRAMES, RUNS = 500, 10, 5


def trace(number, blue):
    """Ten small pictures: replaying them takes next to no time, so that the whole time of the check counts."""
    call = {"event": "dp2", "context": 1, "vertex_type": 68, "vertex_size": 20}
    events = [{"event": "header"}, {"event": "surface_create", "handle": 1, "kind": "target", "format": "X8R8G8B8", "width": 8, "height": 8},
              {"event": "context_create", "context": 1, "target": 1}]
    for frame in range(FRAMES):
        clear = {"op": "CLEAR", "flags": ["TARGET"], "fill_color": f"0xFF{frame:02X}{number % 256:02X}{blue:02X}", "fill_depth": 1, "fill_stencil": 0,
                 "rects": [[0, 0, 8, 8]]}
        events += [{**call, "commands": [clear]}, {"event": "present", "handle": 1}]
    return json.dumps(events)


def seconds(*arguments):
    start = time.monotonic()
    done = subprocess.run([program, "golden", *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode())
    return time.monotonic() - start


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "t").mkdir()
    (folder / "manifest.json").write_text('{"version":1,"include":["t"],"traces":[]}')
    for number in range(TRACES):
        (folder / f"t/{number:04}.json").write_text(trace(number, 0))
    check = ["check", "--store", "store", "--results", "results", "--force", "-j", "1"]
    seconds(*check)
    seconds("accept", "--store", "store", "--results", "results")
    times = [seconds(*check) for _ in range(RUNS)]
    print(f"golden check, a process for each trace, pictures hashed and compared: {1000 * statistics.median(times) / TRACES:.2f} ms a trace")
    seconds(*check, "--cache", "cache")
    times = [seconds(*check, "--cache", "cache") for _ in range(RUNS)]
    print(f"the same, unchanged, with --cache: {1000 * statistics.median(times) / TRACES:.2f} ms a trace")
    for number in range(TRACES):
        (folder / f"t/{number:04}.json").write_text(trace(number, 99))
    print(f"golden check of {TRACES * FRAMES} pictures that differ, kept and explained: {seconds(*check):.1f} s")
    print(f"golden report of them: {seconds('report', 'results', '-o', 'report', '--store', 'store'):.1f} s")
    print(f"peak memory of the largest process: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")
PYTHON
echo "merge of a million results in 16 shards (time, growth of memory):"
"$build/tests/unit/report/report_test" -tc='*million*' -s | grep -E 's, .* KiB' || exit 1
