#!/usr/bin/env bash
# Full-screen pixel shaders of 20 and of 100 instructions (tests/bench/shader_scenes.py) with dp2trace and with Mesa's llvmpipe, each in turn: medians.
# usage: scripts/bench_shaders.sh [RUNS [PROGRAM]]      5 runs, build/release/apps/dp2trace/dp2trace
# Needs cc, python3 and OSMesa (libosmesa6-dev); is skipped visibly (exit code 77) without.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-5}
program=$(realpath "${2:-build/release/apps/dp2trace/dp2trace}")
skip() {
  echo "bench_shaders.sh: skipped: $1" >&2
  exit 77
}
[ -x "$program" ] || skip "there is no $program"
command -v cc > /dev/null || skip "there is no C compiler"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 tests/bench/shader_fill.c -lOSMesa -o "$work/shader_fill" 2> "$work/cc.log" || skip "shader_fill.c does not link: is libosmesa6-dev installed?"
python3 - "$program" "$work" "$runs" << 'PYTHON'
import json
import os
import statistics
import subprocess
import sys

program, work, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
SCENES = ["short", "long", "branches"]
DRAWS = 16
for scene in SCENES:
    subprocess.run([sys.executable, "tests/bench/shader_scenes.py", work, scene, str(DRAWS)], check=True)


def ours(scene, threads, isa):
    command = [program, "bench", f"{work}/{scene}-{DRAWS}.json", "--loop", "5", "--threads", str(threads), "--isa", isa, "--format", "json"]
    result = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["traces"][0]
    return DRAWS * 1024 * 1024 / result["frame_ms"]["min"] / 1e3


def peer(threads, width):
    env = dict(os.environ, LP_NUM_THREADS=str(threads), GALLIUM_DRIVER="llvmpipe", LP_NATIVE_VECTOR_WIDTH=str(width))
    lines = subprocess.run([f"{work}/shader_fill", *(f"{work}/{scene}.glsl" for scene in SCENES)], env=env, stdout=subprocess.PIPE, text=True, check=True)
    return dict(zip(SCENES, map(float, lines.stdout.split())))


model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
print(f"{model}, {os.cpu_count()} cores, medians of {runs} runs, Mpixel/s")
flags = open("/proc/cpuinfo").read()
for isa, width, flag in [("avx512", 512, "avx512dq"), ("avx2", 256, "avx2"), ("sse4", 128, "sse4_1")]:
    if flag not in flags:
        continue
    for threads in (1, 2):
        rates = {scene: ([], []) for scene in SCENES}
        for _ in range(runs):
            for scene, rate in peer(threads, width).items():
                rates[scene][0].append(rate)
                rates[scene][1].append(ours(scene, threads, isa))
        for scene, (theirs, own) in rates.items():
            theirs, own = statistics.median(theirs), statistics.median(own)
            print(f"{isa:7} {threads} thread(s)  {scene:10} llvmpipe {theirs:8.1f}  program {own:8.1f}  ratio {own / theirs:.2f}", flush=True)
PYTHON
