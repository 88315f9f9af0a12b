#!/usr/bin/env python3
"""Seeds defects into a trace of 24 frames and reduces it: what is left is small, legal, the same with more workers, and still wrong.

Defects: a blend factor, a texture upload, a texture operation, a lost token. Every frame draws 16 textured quads, each with states of its own.

usage: reduce_defects.py --program PATH
exit code: 0 good, 1 not
"""

import argparse
import base64
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

FRAMES = 24
QUADS = 16
SIZE = 64
MOST_TOKENS = 30
SECONDS = 300
DEFECTS = ("blend", "upload", "operation", "lost token")
# Where the defects are: frame, quad.
PLACE = (21, 6)


def texels(number):
    """A texture of 4x4 texels, X8R8G8B8."""
    return b"".join(struct.pack("<I", (number * 37 + x * 50) % 256 << 16 | (y * 60) % 256 << 8 | 0x40 + number) for y in range(4) for x in range(4))


def vertices(quad):
    """A quad of two triangles: x, y, z, rhw, diffuse, u, v."""
    left, top = quad % 4 * 16 + 1, quad // 4 * 16 + 1
    corners = [(0, 0), (1, 0), (0, 1), (0, 1), (1, 0), (1, 1)]
    return b"".join(struct.pack("<4fI2f", left + 13 * x, top + 13 * y, 0.5, 1.0, 0xC0FFFFFF - quad * 0x0A, x, y) for x, y in corners)


def states(quad, defect):
    """The tokens before a quad."""
    blends = defect != "blend"
    operation = "ADD" if defect == "operation" else "MODULATE"
    tokens = [
        {"op": "RENDERSTATE", "records": [{"render_state": "ALPHABLENDENABLE", "state": 1}, {"render_state": "SRCBLEND", "state": "SRCALPHA" if blends else "ONE"}]},
        {"op": "RENDERSTATE", "records": [{"render_state": "DESTBLEND", "state": "INVSRCALPHA"}, {"render_state": "CULLMODE", "state": "NONE"}]},
        {"op": "TEXTURESTAGESTATE", "records": [{"stage": 0, "ts_state": "COLOROP", "value": operation}, {"stage": 0, "ts_state": "ALPHAOP", "value": "SELECTARG2"}]},
        {"op": "TEXTURESTAGESTATE", "records": [{"stage": 0, "ts_state": "TEXTUREMAP", "value": 10 + quad}]},
    ]
    if defect == "lost token":
        del tokens[3]
    return tokens


def make(defect):
    """The trace, with the defect or without one."""
    events = [
        {"event": "header", "driver_level": 7},
        {"event": "surface_create", "handle": 1, "kind": "target", "format": "X8R8G8B8", "width": SIZE, "height": SIZE},
        {"event": "context_create", "context": 1, "target": 1, "runtime_version": 3},
    ]
    for quad in range(QUADS):
        data = texels(quad + (100 if defect == "upload" and quad == PLACE[1] else 0))
        events.append({"event": "surface_create", "handle": 10 + quad, "kind": "texture", "format": "X8R8G8B8", "width": 4, "height": 4})
        events.append({"event": "surface_update", "handle": 10 + quad, "data": base64.b64encode(data).decode()})
    for frame in range(1, FRAMES + 1):
        clear = {"op": "CLEAR", "flags": ["TARGET"], "fill_color": 0xFF000000 + frame * 9, "rects": [[0, 0, SIZE, SIZE]]}
        events.append({"event": "dp2", "context": 1, "commands": [clear]})
        for quad in range(QUADS):
            tokens = states(quad, defect if (frame, quad) == PLACE else None)
            tokens.append({"op": "TRIANGLELIST", "v_start": 0, "count": 2})
            events.append({"event": "dp2", "context": 1, "vertex_type": 324, "vertex_size": 28, "commands": tokens, "vertices": base64.b64encode(vertices(quad)).decode()})
        events.append({"event": "present", "handle": 1})
    return "[\n" + ",\n".join(json.dumps(event) for event in events) + "\n]\n"


def run(command):
    """Runs a command to its end."""
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


def count_tokens(path):
    """The tokens of all calls."""
    return sum(len(event.get("commands", [])) for event in json.loads(path.read_text()))


def complaints(program, folder, defect):
    """What is wrong with the reduction of one defect."""
    good, bad, small, again = (folder / name for name in ("good.json", "bad.json", "small.json", "again.json"))
    good.write_text(make(None))
    bad.write_text(make(defect))
    frame = "%d" % PLACE[0]
    done = run([program, "replay", good, "-o", folder / "good", "--frames", frame])
    if done.returncode != 0:
        return ["replay: " + done.stderr]
    picture = folder / "good" / ("frame-%06d.png" % PLACE[0])
    # The user has cut the frame out already: differs-from= looks at the last one.
    part = folder / "part.dp2t"
    run([program, "trim", bad, part, "--frames", "-" + frame])
    goal = "differs-from=%s" % picture
    done = run([program, "reduce", part, small, "--keep", goal])
    if done.returncode != 0:
        return ["reduce: exit code %d\n%s" % (done.returncode, done.stderr)]
    found = []
    tokens = count_tokens(small)
    if tokens >= MOST_TOKENS:
        found.append("%d tokens are left" % tokens)
    run([program, "reduce", part, again, "--keep", goal, "-j", "3"])
    if small.read_bytes() != again.read_bytes():
        found.append("three workers make another trace")
    run([program, "reduce", small, again, "--keep", goal])
    if not again.exists() or count_tokens(again) > tokens:
        found.append("what was reached cannot be reduced again")
    if run([program, "lint", small, "--preset", "recommended", "--fail-on", "warning"]).returncode != 0:
        found.append("the result is not legal")
    return found


def main():
    """Parses the command line and goes through the defects."""
    parser = argparse.ArgumentParser(description="Reduces traces with seeded defects.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to check")
    program = parser.parse_args().program.resolve()
    is_bad = False
    for defect in DEFECTS:
        with tempfile.TemporaryDirectory() as folder:
            found = complaints(program, pathlib.Path(folder), defect)
        for line in found:
            print("%s: %s" % (defect, line))
        is_bad = is_bad or bool(found)
    return 1 if is_bad else 0


if __name__ == "__main__":
    sys.exit(main())
