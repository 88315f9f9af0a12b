#!/usr/bin/env bash
# Times the replay of whole traces, process and pictures included, beside the sum of their frames in bench: in turns, medians, and their ratio.
# usage: scripts/bench_replay.sh TRACE...
# environment: PROGRAM (build/release/apps/dp2trace/dp2trace), TIMES (9)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=${PROGRAM:-$root/build/release/apps/dp2trace/dp2trace}
if [ ! -x "$program" ]; then
  (cd "$root" && cmake --preset release && cmake --build --preset release --target dp2trace)
fi
python3 - "$program" "${TIMES:-9}" "$@" << 'PYTHON'
import json, pathlib, statistics, subprocess, sys, tempfile, time

program, times, traces = sys.argv[1], int(sys.argv[2]), sys.argv[3:]


def replay(trace):
    """Seconds."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        subprocess.run([program, "replay", trace, "-o", folder, "--fail-on", "never"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=True)
        return time.monotonic() - start


def bench(trace):
    """Seconds of a loop over all frames."""
    done = subprocess.run([program, "bench", trace, "--loop", "3", "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True)
    result = json.loads(done.stdout)["traces"][0]
    return result["seconds"] / result["loops"]


print(f"{'trace':<32} {'replay':>9} {'frames':>9} {'ratio':>6}")
for trace in traces:
    pairs = [(replay(trace), bench(trace)) for _ in range(times)]
    whole, frames = (statistics.median(values) for values in zip(*pairs))
    print(f"{pathlib.Path(trace).stem:<32} {whole:7.3f} s {frames:7.3f} s {whole / frames:6.2f}")
PYTHON
