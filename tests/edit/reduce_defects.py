#!/usr/bin/env python3
"""Seeds defects into a trace of 24 frames and reduces it: what is left is small, legal, the same with more workers, and still wrong.

Defects: a blend factor, a texture upload, a texture operation, a lost token. Every frame draws 16 textured quads, each with states of its own.
Each as DP2 calls and as D3DKMT_RENDER packets: both end with as many tokens.

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


PROCESS, ADAPTER, DEVICE, CONTEXT = 1, 64, 128, 192


def allocation(handle):
    """The allocation of a surface."""
    return 1024 + handle * 64


def packet(tokens, named, environment=None):
    """A packet that draws. `named`: offset and surface of the word that binds a texture to stage 0; without an offset it is bound already."""
    offset, surface = named or (None, None)
    elements = [{}] + ([{"allocation": allocation(surface)}] if surface else []) + [{"allocation": allocation(1), "write_operation": True}]
    event = {"event": "render", "process": PROCESS, "context": CONTEXT, "command_buffer": tokens, "allocation_list": elements}
    if offset is not None:
        event["patch_location_list"] = [{"allocation_index": 1, "slot_id": 16, "driver_id": 25, "patch_offset": offset + 8, "split_offset": offset}]
    if environment is not None:
        event["dp2_env"] = dict(environment, flags=["USERMEMVERTICES"], vertex_source="inline")
    return event


def as_packets(events):
    """The same trace with KMT objects and packets in place of the context and its calls."""
    result = []
    bound = None
    for event in events:
        kind = event["event"]
        if kind == "context_create":
            result.append({"event": "kmt_context_create", "process": PROCESS, "device": DEVICE, "context": CONTEXT, "d3d": {"runtime_version": 3, "target": 1}})
        elif kind != "dp2":
            result.append(event)
        if kind == "header":
            result.append({"event": "adapter_open", "process": PROCESS, "adapter": ADAPTER, "max_allocation_list_slot_id": 127})
            result.append({"event": "device_create", "process": PROCESS, "adapter": ADAPTER, "device": DEVICE})
        if kind == "surface_create":
            handle = event["handle"]
            result.append({"event": "allocation_create", "process": PROCESS, "device": DEVICE, "allocations": [{"allocation": allocation(handle)}]})
            result.append({"event": "dp2_bind", "process": PROCESS, "device": DEVICE, "handle": handle, "allocation": allocation(handle), "kind": event["kind"]})
        if kind == "dp2":
            tokens = event["commands"]
            if tokens[0]["op"] == "CLEAR":
                result.append(packet(tokens, None))
                continue
            offset = 0
            place = None
            for token in tokens:
                if token.get("records", [{}])[0].get("ts_state") == "TEXTUREMAP":
                    place, bound = offset, token["records"][0]["value"]
                offset += 4 + 8 * len(token.get("records", []))
            environment = {key: event[key] for key in ("vertex_type", "vertex_size", "vertices")}
            result.append(packet(tokens, (place, bound), environment))
    return result


def make(defect, is_packets):
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
    if is_packets:
        events = as_packets(events)
    return "[\n" + ",\n".join(json.dumps(event) for event in events) + "\n]\n"


def run(command):
    """Runs a command to its end."""
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


def count_tokens(path):
    """The tokens of all calls and packets."""
    return sum(len(event.get("commands", event.get("command_buffer", []))) for event in json.loads(path.read_text()))


def complaints(program, folder, defect, is_packets, counts):
    """What is wrong with the reduction of one defect. `counts` takes the number of tokens that are left."""
    good, bad, small, again = (folder / name for name in ("good.json", "bad.json", "small.json", "again.json"))
    good.write_text(make(None, is_packets))
    bad.write_text(make(defect, is_packets))
    frame = "%d" % PLACE[0]
    done = run([program, "replay", good, "-o", folder / "good", "--frames", frame])
    if done.returncode != 0:
        return ["replay: " + done.stderr]
    picture = folder / "good" / ("frame-%06d.png" % PLACE[0])
    # The user has cut the frame out already: differs-from= looks at the last one.
    part = folder / "part.dp2t"
    run([program, "trim", bad, part, "--force", "--frames", "-" + frame])
    goal = "differs-from=%s" % picture
    done = run([program, "reduce", part, small, "--force", "--keep", goal])
    if done.returncode != 0:
        return ["reduce: exit code %d\n%s" % (done.returncode, done.stderr)]
    found = []
    tokens = count_tokens(small)
    counts.append(tokens)
    if tokens >= MOST_TOKENS:
        found.append("%d tokens are left" % tokens)
    run([program, "reduce", part, again, "--force", "--keep", goal, "-j", "3"])
    if small.read_bytes() != again.read_bytes():
        found.append("three workers make another trace")
    run([program, "reduce", small, again, "--force", "--keep", goal])
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
        found = []
        counts = []
        for is_packets in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                found += [("packets: " if is_packets else "calls: ") + line for line in complaints(program, pathlib.Path(folder), defect, is_packets, counts)]
        if len(set(counts)) > 1:
            found.append("%d tokens are left of calls, %d of packets" % tuple(counts))
        for line in found:
            print("%s: %s" % (defect, line))
        is_bad = is_bad or bool(found)
    return 1 if is_bad else 0


if __name__ == "__main__":
    sys.exit(main())
