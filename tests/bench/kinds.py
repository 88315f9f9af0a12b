#!/usr/bin/env python3
"""Writes traces for `dp2trace bench`: one for each kind of sampling and each kind of target, FAMILY-NAME.json, beside the plain twin of its
family, FAMILY-plain.json. Each of frames 2 to 5 has eight draws of 512x512 pixels.

usage: kinds.py DIR
"""

import base64
import json
import random
import struct
import sys

SIZE = 512
DRAWS = 8
FRAMES = 4
TEXTURE = 256
XYZRHW, DIFFUSE, TEX1, SIZE3 = 0x004, 0x040, 0x100, 1 << 16
CUBE_FACES = [sign + axis for axis in "XYZ" for sign in ("POSITIVE", "NEGATIVE")]
MAGFILTER, MINFILTER, MIPFILTER, MAXANISOTROPY, ADDRESSU, ADDRESSV, BORDERCOLOR, SRGBTEXTURE = 16, 17, 18, 21, 13, 14, 15, 29
BLENDED = {27: 1, 19: 5, 20: 6}

# Bytes of a texel.
TEXELS = {"A8R8G8B8": 4, "A16B16G16R16F": 8, "A32B32G32R32F": 16, "R32F": 4, "G16R16": 4, "A16B16G16R16": 8, "Q8W8V8U8": 4, "D24S8": 4, "INTZ": 4,
          "YUY2": 2, "P8": 1}

# Name: format of the texture, properties of it, states of stage 0, render states.
SAMPLING = {
    "plain": ("A8R8G8B8", {}, {}, {}),
    "half": ("A16B16G16R16F", {}, {}, {}),
    "float": ("A32B32G32R32F", {}, {}, {}),
    "float-red": ("R32F", {}, {}, {}),
    "16-bit": ("A16B16G16R16", {}, {}, {}),
    "signed": ("Q8W8V8U8", {}, {}, {}),
    "depth": ("D24S8", {}, {}, {}),
    "raw-depth": ("INTZ", {}, {}, {}),
    "yuv": ("YUY2", {}, {}, {}),
    "palette": ("P8", {}, {}, {}),
    "srgb": ("A8R8G8B8", {}, {SRGBTEXTURE: 1}, {}),
    "cube": ("A8R8G8B8", {"caps2": ["CUBEMAP"] + ["CUBEMAP_" + face for face in CUBE_FACES], "faces": CUBE_FACES}, {}, {}),
    "volume": ("A8R8G8B8", {"caps2": ["VOLUME"], "depth": 16}, {}, {}),
    "border": ("A8R8G8B8", {}, {ADDRESSU: 4, ADDRESSV: 4, BORDERCOLOR: 0xFF00FF00}, {}),
    "anisotropy-4": ("A8R8G8B8", {}, {MINFILTER: 3, MAXANISOTROPY: 4}, {}),
    "color-key": ("A8R8G8B8", {"color_key": {"low": 0, "high": 0}}, {}, {41: 1}),
}

# Name: format of the target, samples, render states. All but the first are drawn as a plain target is, some blended.
TARGETS = {
    "plain": ("A8R8G8B8", 1, {}),
    "half": ("A16B16G16R16F", 1, {}),
    "half-red": ("R16F", 1, {}),
    "float": ("A32B32G32R32F", 1, {}),
    "float-red": ("R32F", 1, {}),
    "float-two": ("G32R32F", 1, {}),
    "10-bit": ("A2R10G10B10", 1, {}),
    "16-bit": ("A16B16G16R16", 1, {}),
    "16-bit-two": ("G16R16", 1, {}),
    "24-bit": ("R8G8B8", 1, {}),
    "srgb": ("A8R8G8B8", 1, {194: 1}),
    "dithered": ("R5G6B5", 1, {26: 1}),
    "logic": ("A8R8G8B8", 1, {12: 7}),
    "samples-4": ("A8R8G8B8", 4, {}),
    "blended-plain": ("A8R8G8B8", 1, BLENDED),
    "blended-half": ("A16B16G16R16F", 1, BLENDED),
    "blended-16-bit": ("A16B16G16R16", 1, BLENDED),
    "blended-srgb": ("A8R8G8B8", 1, BLENDED | {194: 1}),
}


def blob(data):
    return base64.b64encode(bytes(data)).decode()


def dp2(commands, **more):
    return {"event": "dp2", "context": 1, "commands": commands} | more


def render_states(states):
    return {"op": "RENDERSTATE", "records": [{"render_state": state, "state": value} for state, value in states.items()]}


def stage_states(states):
    return {"op": "TEXTURESTAGESTATE", "records": [{"stage": 0, "ts_state": state, "value": value} for state, value in states.items()]}


def texels(form, count):
    """Moderate numbers whatever the format."""
    if form == "A16B16G16R16F":
        return struct.pack(f"<{4 * count}e", *(random.random() for _ in range(4 * count)))
    if form in ("A32B32G32R32F", "R32F"):
        channels = TEXELS[form] // 4 * count
        return struct.pack(f"<{channels}f", *(random.random() for _ in range(channels)))
    return random.randbytes(TEXELS[form] * count)


def texture(form, more):
    slices, faces = more.get("depth", 1), len(more.get("faces", [0]))
    side = 64 if slices > 1 else TEXTURE
    yield {"event": "surface_create", "handle": 10, "caps": ["TEXTURE", "VIDEOMEMORY"], "format": form, "width": side, "height": side} | more
    for face in range(faces):
        yield {"event": "surface_update", "handle": 10, "face": face, "data": blob(texels(form, side * side * slices))}
    if form == "P8":
        entries = [random.getrandbits(32) for _ in range(256)]
        yield dp2([{"op": "UPDATEPALETTE", "palette_handle": 1, "start_index": 0, "num_entries": 256, "entries": entries},
                   {"op": "SETPALETTE", "records": [{"palette_handle": 1, "palette_flags": [], "surface_handle": 10}]}])


def quad():
    """A strip of four corners, a little stretched so that derivatives differ."""
    out = bytearray()
    for corner in range(4):
        u, v = corner & 1, corner >> 1
        out += struct.pack("<4fI3f", SIZE * u, SIZE * v, 0.5, 1, 0xC0FF8040, 1.7 * u - 0.2, 0.6 * v + 0.1, 0.3 + 0.4 * u)
    return out


def trace(target_form, samples, states, texture_form, texture_more, stage):
    random.seed(1)
    yield {"event": "header", "generator": "kinds", "driver_level": 9}
    yield {"event": "surface_create", "handle": 1, "caps": ["3DDEVICE", "VIDEOMEMORY"], "format": target_form, "kind": "target", "width": SIZE,
           "height": SIZE, "samples": samples}
    yield {"event": "context_create", "context": 1, "target": 1, "depth": 0, "runtime_version": 5}
    plain = {22: 1, 137: 0, 7: 0}
    setup = [render_states(plain | states)]
    if texture_form:
        yield from texture(texture_form, texture_more)
        setup.append(stage_states({0: 10, 1: 4, 2: 2, 3: 0, 4: 4, 5: 2, 6: 0, MAGFILTER: 2, MINFILTER: 2, 24: 3} | stage))
    yield dp2(setup)
    draw = {"op": "TRIANGLESTRIP", "count": 2, "v_start": 0}
    form = XYZRHW | DIFFUSE | TEX1 | SIZE3
    for _ in range(1 + FRAMES):
        for _ in range(DRAWS):
            yield dp2([draw], flags=["USERMEMVERTICES"], vertex_type=form, vertex_size=32, vertices=blob(quad()))
        yield {"event": "present", "handle": 1}


def write(name, events):
    with open(f"{sys.argv[1]}/{name}.json", "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(event) for event in events) + "\n]\n")


for name, (form, more, stage, states) in SAMPLING.items():
    write(f"sampling-{name}", trace("A8R8G8B8", 1, states, form, more, stage))
for name, (form, samples, states) in TARGETS.items():
    write(f"target-{name}", trace(form, samples, states, None, {}, {}))
