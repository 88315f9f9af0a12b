#!/usr/bin/env python3
"""Writes traces for `dp2trace bench`: SCENE.json for each scene. Frame 2 has 10,000 draws of two triangles of a few pixels, or 2,000 of
some 3,500 pixels, or frames 2 to 201 have one clear or blit of 1024x1024 each.

usage: small_draws.py DIR
scenes: same       nothing changes between the draws
        blend      ALPHABLENDENABLE changes with each draw
        texture    stage 0 has another of four textures in each draw
        transform  each draw has another world matrix
        many       2,000 draws of a triangle each, over and after each other in 640x480
        clear      a target and its depth and stencil
        clear_keep the same, the stencil stays
        blit       between targets of the same format
"""

import base64
import json
import random
import struct
import sys

SIZE = 1024
DRAWS = 10000
DRAWS_PER_CALL = 250
FILLS = 200
FILL_SCENES = ["clear", "clear_keep", "blit"]
SCENES = ["same", "blend", "texture", "transform", "many", *FILL_SCENES]
FVF = 0x142  # XYZ, DIFFUSE, one set of coordinates
STRIDE = 24
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
WORLD, VIEW, PROJECTION = 256, 2, 3
AREA = (0, 0, SIZE, SIZE)
TARGET, DEPTH, STENCIL = 1, 2, 4


def blob(data):
    return base64.b64encode(bytes(data)).decode()


class Stream:
    """The bytes of a command buffer."""

    def __init__(self):
        self.bytes = bytearray()

    def add(self, operation, count, data):
        self.bytes += struct.pack("<BBH", operation, 0, count) + data

    def states(self, *pairs):
        self.add(8, len(pairs), b"".join(struct.pack("<II", *pair) for pair in pairs))

    def stages(self, *records):
        self.add(25, len(records), b"".join(struct.pack("<HHI", *record) for record in records))

    def matrix(self, state, matrix):
        self.add(36, 1, struct.pack("<I16f", state, *matrix))

    def event(self):
        return {"event": "dp2", "context": 1, "commands": [{"raw": self.bytes.hex()}]}


def surfaces():
    target = {"event": "surface_create", "caps": ["3DDEVICE", "VIDEOMEMORY"], "format": "X8R8G8B8", "kind": "target", "width": SIZE, "height": SIZE}
    yield target | {"handle": 1}
    yield target | {"handle": 3}
    yield target | {"handle": 2, "kind": "depth", "caps": ["VIDEOMEMORY", "ZBUFFER"], "format": "D24S8"}
    for handle in range(10, 14):
        yield {"event": "surface_create", "handle": handle, "caps": ["TEXTURE", "VIDEOMEMORY"], "format": "A8R8G8B8", "width": 64, "height": 64}
        yield {"event": "surface_update", "handle": handle, "data": blob(random.randbytes(64 * 64 * 4))}


def vertices():
    """Strips of four vertices; in a square of 1024 units."""
    out = bytearray()
    for _ in range(DRAWS):
        left, top = random.uniform(0, SIZE - 8), random.uniform(0, SIZE - 8)
        for corner in range(4):
            u, v = corner & 1, corner >> 1
            out += struct.pack("<3fI2f", left + 6 * u, top + 6 * v, 0.5, 0x80FFFFFF, u, v)
    return out


def setup(stream):
    stream.add(28, 1, struct.pack("<4I", 0, 0, SIZE, SIZE))  # VIEWPORTINFO
    stream.add(32, 1, struct.pack("<2f", 0.0, 1.0))  # ZRANGE
    # No lighting and no culling; depth test, blending by alpha once it is enabled.
    stream.states((137, 0), (22, 1), (7, 1), (23, 4), (19, 5), (20, 6))
    stream.stages((0, 0, 10), (0, 1, 4), (0, 2, 2), (0, 3, 0), (0, 4, 4), (0, 5, 2), (0, 6, 0), (0, 16, 2), (0, 17, 2), (1, 1, 1))
    stream.matrix(WORLD, IDENTITY)
    stream.matrix(VIEW, IDENTITY)
    stream.matrix(PROJECTION, [2 / SIZE, 0, 0, 0, 0, -2 / SIZE, 0, 0, 0, 0, 1, 0, -1, 1, 0, 1])


def change(scene, number, stream):
    if scene == "blend":
        stream.states((27, number & 1))
    elif scene == "texture":
        stream.stages((0, 0, 10 + number % 4))
    elif scene == "transform":
        stream.matrix(WORLD, IDENTITY[:12] + [number % 100 / 100, 0, 0, 1])


def draws(scene):
    buffer = vertices()
    yield {"event": "surface_create", "handle": 20, "kind": "vertex_buffer", "caps": ["EXECUTEBUFFER", "VIDEOMEMORY"], "caps2": ["VERTEXBUFFER"],
           "format": "VERTEXDATA", "width": len(buffer)}
    yield {"event": "surface_update", "handle": 20, "data": blob(buffer)}
    first = Stream()
    setup(first)
    yield first.event()
    yield {"event": "dp2", "context": 1, "commands": [{"op": "SETVERTEXSHADERDECL", "records": [{"handle": FVF}]},
                                                    {"op": "SETSTREAMSOURCE", "records": [{"stream": 0, "vb_handle": 20, "stride": STRIDE}]}]}
    yield {"event": "present", "handle": 1}
    yield clear()
    for start in range(0, DRAWS, DRAWS_PER_CALL):
        stream = Stream()
        for number in range(start, start + DRAWS_PER_CALL):
            change(scene, number, stream)
            stream.add(52, 1, struct.pack("<3I", 5, 4 * number, 2))  # DRAWPRIMITIVE, a strip
        yield stream.event()
    yield {"event": "present", "handle": 1}


def many():
    """Draws of transformed vertices, fifty to a call."""
    yield {"event": "present", "handle": 1}
    yield clear()
    for _ in range(40):
        stream = Stream()
        stream.states((22, 1), (7, 1), (23, 4))
        triangles = bytearray()
        for number in range(50):
            x, y, z = random.randrange(550), random.randrange(390), random.random()
            color = 0xFF000000 | random.randrange(1 << 24)
            for dx, dy in ((0, 0), (90, 20), (30, 90)):
                triangles += struct.pack("<4fI", x + dx, y + dy, z, 1, color)
            stream.add(18, 1, struct.pack("<H", 3 * number))  # TRIANGLELIST
        yield stream.event() | {"flags": ["USERMEMVERTICES"], "vertex_type": 0x44, "vertex_size": 20, "vertices": blob(triangles)}
    yield {"event": "present", "handle": 1}


def clear(parts=TARGET | DEPTH | STENCIL):
    stream = Stream()
    stream.add(42, 1, struct.pack("<IIfI4i", parts, 0, 1.0, 0, *AREA))
    return stream.event()


def blit():
    stream = Stream()
    stream.add(81, 1, struct.pack("<I4iII4iII", 3, *AREA, 0, 1, *AREA, 0, 0))
    return stream.event()


def fills(scene):
    yield clear()
    yield {"event": "present", "handle": 1}
    for _ in range(FILLS):
        yield {"clear": clear(), "clear_keep": clear(TARGET | DEPTH), "blit": blit()}[scene]
        yield {"event": "present", "handle": 1}


def trace(scene):
    random.seed(1)
    yield {"event": "header", "generator": "small draws", "driver_level": 9}
    yield from surfaces()
    yield {"event": "context_create", "context": 1, "target": 1, "depth": 2, "runtime_version": 5}
    yield from many() if scene == "many" else fills(scene) if scene in FILL_SCENES else draws(scene)


for scene in SCENES:
    with open(f"{sys.argv[1]}/{scene}.json", "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(event) for event in trace(scene)) + "\n]\n")
