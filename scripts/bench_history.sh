#!/usr/bin/env bash
# Measures what the history of a pixel costs beside a fast replay up to its frame and one frame by the reference: milliseconds of processor time.
# usage: scripts/bench_history.sh TRACE...     of each the last frame and the slowest of five pixels
# environment: PROGRAM (build/release/apps/dp2trace/dp2trace), RUNS (5, of which the fastest counts)
set -euo pipefail
cd "$(dirname "$0")/.."
program=${PROGRAM:-$PWD/build/release/apps/dp2trace/dp2trace}
if [ ! -x "$program" ]; then
  cmake --preset release
  cmake --build --preset release --target dp2trace
fi
python3 - "$program" "${RUNS:-5}" "$@" << 'PYTHON'
import json, pathlib, resource, subprocess, sys, tempfile

LOOPS = 6
program, runs, traces = sys.argv[1], int(sys.argv[2]), sys.argv[3:]


def output(*arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout if done.returncode in (0, 1) else b""


def cost(*arguments):
    best = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output(*arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
        best = spent if best is None else min(best, spent)
    return best


print(f"{'trace':<36} {'frame':>5} {'replay':>8} {'reference':>9} {'history':>8} {'of both':>8} {'all by reference':>17}")
worst = 0
for trace in traces:
    frame = str(json.loads(output("info", trace, "--format", "json"))["frames"])
    start = output("history", trace, "--frame", frame, "--pixel", "0,0", "--format", "json")
    if not start:
        continue
    size = json.loads(start)
    width, height = size["width"], size["height"]
    pixels = [f"{width * x // 8},{height * y // 8}" for x, y in ((4, 4), (2, 2), (6, 2), (2, 6), (6, 6))]
    with tempfile.TemporaryDirectory() as folder:
        replay = cost("replay", trace, "-o", folder, "--frames", frame, "--reads", "none", "--threads", "1")
    loops = {count: cost("bench", trace, "--frames", frame, "--renderer", "reference", "--loop", str(count)) for count in (1, 1 + LOOPS)}
    reference = (loops[1 + LOOPS] - loops[1]) / LOOPS
    history = max(cost("history", trace, "--frame", frame, "--pixel", pixel, "--threads", "1") for pixel in pixels)
    whole = cost("history", trace, "--frame", frame, "--pixel", pixels[0], "--renderer", "reference", "--threads", "1")
    ratio = history / (replay + reference)
    worst = max(worst, ratio)
    name = f"{pathlib.Path(trace).parent.name}/{pathlib.Path(trace).stem}"
    print(f"{name:<36} {frame:>5} {replay:8.1f} {reference:9.1f} {history:8.1f} {ratio:8.2f} {whole:17.1f}", flush=True)
print(f"largest share of the sum: {worst:.2f} (goal: 1)")
PYTHON
