#!/usr/bin/env bash
# Times the import of captures and prints, for each, its size, the median of five runs, megabytes of capture a second and peak memory.
# usage: scripts/bench_import.sh CAPTURE.trace...
# environment: PROGRAM (build/release/apps/dp2trace/dp2trace)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=${PROGRAM:-$root/build/release/apps/dp2trace/dp2trace}
if [ ! -x "$program" ]; then
  (cd "$root" && cmake --preset release && cmake --build --preset release --target dp2trace)
fi
python3 - "$program" "$@" << 'PYTHON'
import os, pathlib, resource, statistics, subprocess, sys, tempfile, time

program, captures = sys.argv[1], sys.argv[2:]
print(f"{'capture':<32} {'MB':>8} {'seconds':>8} {'MB/s':>8}")
for capture in captures:
    size = os.path.getsize(capture) / 1e6
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(5):
            start = time.monotonic()
            subprocess.run([program, "import", capture, pathlib.Path(folder, "out.dp2t")], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=True)
            times.append(time.monotonic() - start)
    median = statistics.median(times)
    print(f"{pathlib.Path(capture).stem:<32} {size:8.2f} {median:8.3f} {size / median:8.1f}")
print(f"peak memory of all runs: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")
PYTHON
