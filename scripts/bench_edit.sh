#!/usr/bin/env bash
# Measures `diff` of two traces of 100 MB that differ in handles everywhere and in four places besides, and `reduce` of 24 frames with one
# seeded defect, as calls and as packets: seconds of processor time and of the clock, the medians.
# usage: scripts/bench_edit.sh
# environment: PROGRAM (build/release/apps/dp2trace/dp2trace), RUNS (3)
set -euo pipefail
cd "$(dirname "$0")/.."
program=${PROGRAM:-$PWD/build/release/apps/dp2trace/dp2trace}
if [ ! -x "$program" ]; then
  cmake --preset release
  cmake --build --preset release --target dp2trace
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PYTHONPATH=tests/edit PYTHONDONTWRITEBYTECODE=1 python3 - "$program" "$folder" "${RUNS:-3}" << 'PYTHON'
import base64, json, pathlib, random, resource, statistics, subprocess, sys, time

import reduce_defects

program, folder, runs = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
FRAMES, CALLS, VERTICES, TEXTURES = 240, 100, 145, 50


def write(path, is_second):
    """Frames of calls of one token each, with states and vertices of their own."""
    numbers = random.Random(1)
    first = 1000 if is_second else 10
    with open(path, "w", encoding="utf-8") as file:
        def put(event, start=",\n"):
            file.write(start + json.dumps(event, separators=(",", ":")))
        put({"event": "header", "driver_level": 7}, "[\n")
        put({"event": "surface_create", "handle": 1, "kind": "target", "format": "X8R8G8B8", "width": 640, "height": 480})
        put({"event": "context_create", "context": 1, "target": 1, "runtime_version": 3})
        for i in range(TEXTURES):
            put({"event": "surface_create", "handle": first + i, "kind": "texture", "format": "X8R8G8B8", "width": 64, "height": 64})
            texels = bytearray(numbers.randbytes(64 * 64 * 4))
            if is_second and i == 17:
                texels[5000] ^= 1
            put({"event": "surface_update", "handle": first + i, "data": base64.b64encode(texels).decode()})
        for frame in range(FRAMES):
            for call in range(CALLS):
                place = (frame, call)
                tokens = [
                    {"op": "TEXTURESTAGESTATE", "records": [{"stage": 0, "ts_state": "TEXTUREMAP", "value": first + (frame + call) % TEXTURES}]},
                    {"op": "RENDERSTATE", "records": [{"render_state": "TEXTUREFACTOR", "state": call + (is_second and place == (100, 50))}]},
                    {"op": "TRIANGLELIST", "v_start": 0, "count": VERTICES // 3},
                ]
                vertices = base64.b64encode(numbers.randbytes(VERTICES * 28)).decode()
                if is_second and place == (150, 20):
                    continue
                if is_second and place == (200, 3):
                    del tokens[1]
                put({"event": "dp2", "context": 1, "vertex_type": 324, "vertex_size": 28, "commands": tokens, "vertices": vertices})
            put({"event": "present", "handle": 1})
        file.write("\n]\n")


def measure(*arguments):
    """Processor time and time by the clock of a command, medians; the output of the last."""
    spent, passed = [], []
    for _ in range(runs):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        passed.append(time.monotonic() - start)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(spent), statistics.median(passed), done


for name, compression in (("raw", "none"), ("zstd", "zstd")):
    paths = []
    for side in (False, True):
        text, path = folder / "side.json", folder / f"{name}-{int(side)}.dp2t"
        write(text, side)
        subprocess.run([program, "convert", text, path, "--compression", compression], check=True, stderr=subprocess.DEVNULL)
        text.unlink()
        paths.append(path)
    spent, passed, done = measure("diff", *paths)
    size = paths[0].stat().st_size / 1e6
    print(f"diff, {name}, {size:.0f} MB a side: {spent:.2f} s of processor time, {passed:.2f} s by the clock, {len(done.stdout.splitlines())} lines", flush=True)
    spent, passed, _ = measure("info", paths[0])
    print(f"  info of one side: {spent:.2f} s of processor time", flush=True)

for is_packets in (False, True):
    for defect in reduce_defects.DEFECTS:
        good, part, small = (folder / n for n in ("good.json", "part.dp2t", "small.json"))
        good.write_text(reduce_defects.make(None, is_packets))
        (folder / "bad.json").write_text(reduce_defects.make(defect, is_packets))
        frame = reduce_defects.PLACE[0]
        measure("replay", good, "-o", folder / "good", "--frames", frame)
        measure("trim", folder / "bad.json", part, "--frames", f"-{frame}")
        spent, passed, done = measure("reduce", part, small, "--keep", f"differs-from={folder}/good/frame-{frame:06d}.png")
        tokens = reduce_defects.count_tokens(small)
        print(f"reduce, {'packets' if is_packets else 'calls'}, {defect}: {tokens} tokens, {spent:.2f} s of processor time, {passed:.2f} s by the clock", flush=True)
PYTHON
