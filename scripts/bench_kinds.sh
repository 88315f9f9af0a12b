#!/usr/bin/env bash
# Measures each kind of sampling and of target (tests/bench/kinds.py) beside the plain twin of its family: the fastest frame, one thread.
# usage: scripts/bench_kinds.sh [WORD]...     only the scenes whose names hold one of the words
# environment: PROGRAM (build/release/apps/dp2trace/dp2trace), LOOPS (10)
set -euo pipefail
cd "$(dirname "$0")/.."
program=${PROGRAM:-$PWD/build/release/apps/dp2trace/dp2trace}
if [ ! -x "$program" ]; then
  cmake --preset release
  cmake --build --preset release --target dp2trace
fi
python3 - "$program" "${LOOPS:-10}" "$@" << 'PYTHON'
import json, pathlib, subprocess, sys, tempfile

program, loops, words = sys.argv[1], sys.argv[2], sys.argv[3:]


def measure(trace):
    """Milliseconds of the fastest frame, and what has no kernel."""
    done = subprocess.run([program, "bench", str(trace), "--frames", "2-5", "--loop", loops, "--threads", "1", "--format", "json"],
                          stdout=subprocess.PIPE, check=True)
    result = json.loads(done.stdout)["traces"][0]
    return result["frame_ms"]["min"], {**result["handed_on"], **result["slow"]}


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, "tests/bench/kinds.py", folder], check=True)
    plain = {}
    print(f"{'scene':<28} {'ms':>8} {'of plain':>9}")
    for trace in sorted(pathlib.Path(folder).iterdir(), key=lambda path: (path.stem.split("-")[0], not path.stem.endswith("plain"), path.stem)):
        family = trace.stem.split("-")[0]
        twin = "target-blended" if trace.stem.startswith("target-blended") else family
        is_plain = trace.stem == f"{twin}-plain"
        if words and not is_plain and not any(word in trace.stem for word in words):
            continue
        time, reasons = measure(trace)
        if is_plain:
            plain[twin] = time
        said = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
        print(f"{trace.stem:<28} {time:>8.2f} {time / plain[twin]:>8.1f}x {said}")
PYTHON
