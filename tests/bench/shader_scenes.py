#!/usr/bin/env python3
"""Full-screen pixel shaders as DP2 traces and in GLSL, from one list of instructions.

usage: shader_scenes.py FOLDER SCENE N    SCENE: short (20 instructions), long (100), branches (100, half of them under a condition)
Writes SCENE.glsl and SCENE-N.json, which draws the scene N times, 1024x1024 pixels each.
"""
import base64
import json
import struct
import sys

WIDTH = HEIGHT = 1024
LENGTHS = {"short": 20, "long": 100, "branches": 100}
# (operation, destination, sources): r0 and r1 are temporary registers, v0 the colour, c0 and c1 constants.
CYCLE = [("mad", "r0", "r0", "c0", "v0"), ("mul", "r1", "r0", "v0"), ("add", "r0", "r1", "c1"), ("max", "r1", "r0", "v0"), ("mad", "r0", "r1", "c0", "r0"),
         ("min", "r0", "r0", "c2"), ("add", "r1", "r0", "v0"), ("mul", "r0", "r1", "c0"), ("mad", "r1", "r0", "r0", "c1"), ("frc", "r0", "r1")]
CONSTANTS = {"c0": (0.75, 0.5, 0.625, 0.875), "c1": (0.125, 0.25, 0.375, 0.0625), "c2": (1.5, 1.25, 1.75, 2.0)}
OPCODES = {"mov": 1, "add": 2, "mad": 4, "mul": 5, "min": 10, "max": 11, "frc": 19}
GLSL = {"mov": "{0}", "add": "{0} + {1}", "mad": "{0} * {1} + {2}", "mul": "{0} * {1}", "min": "min({0}, {1})", "max": "max({0}, {1})", "frc": "fract({0})"}


def instructions(scene):
    """With ("if",) and ("endif",) around every second ten of branches: a condition that half of the pixels meet."""
    yield "mov", "r0", "v0"
    for i in range(LENGTHS[scene] - 2):
        if scene == "branches" and i % 20 == 10:
            yield ("if",)
        yield CYCLE[i % len(CYCLE)]
        if scene == "branches" and i % 20 == 19:
            yield ("endif",)
    if scene == "branches" and (LENGTHS[scene] - 3) % 20 >= 10 and (LENGTHS[scene] - 3) % 20 != 19:
        yield ("endif",)


def register(name, is_destination):
    kinds = {"r": 0, "v": 1, "c": 2, "o": 8}
    kind = kinds[name[0]]
    token = 0x80000000 | (kind & 7) << 28 | (kind >> 3) << 11 | int(name[1:])
    return token | (0xF0000 if is_destination else 0xE40000)


def code(scene):
    words = [0xFFFF0201]  # ps_2_x
    for name, values in CONSTANTS.items():
        words += [0x05000051, register(name, True), *struct.unpack("<4I", struct.pack("<4f", *values))]
    words += [0x0200001F, 0x80000000, register("v0", True)]
    for instruction in instructions(scene):
        if instruction[0] == "if":  # if_gt v0.y, c1.z
            words += [0x02010029, register("v0", False) & ~0xFF0000 | 0x550000, register("c1", False) & ~0xFF0000 | 0xAA0000]
        elif instruction[0] == "endif":
            words += [43]
        else:
            operation, to, *sources = instruction
            words += [OPCODES[operation] | (1 + len(sources)) << 24, register(to, True), *(register(source, False) for source in sources)]
    words += [0x02000001, register("o0", True), register("r0", False), 0xFFFF]
    return struct.pack(f"<{len(words)}I", *words)


def glsl(scene):
    lines = ["uniform vec4 c0, c1, c2;", "void main() {", "vec4 v0 = gl_Color, r0, r1 = vec4(0.0);"]
    for operation, *operands in instructions(scene):
        if operation == "if":
            lines.append("if (v0.y > c1.z) {")
        elif operation == "endif":
            lines.append("}")
        else:
            lines.append(f"{operands[0]} = {GLSL[operation].format(*operands[1:])};")
    return "\n".join([*lines, "gl_FragColor = r0;", "}", ""])


def trace(scene, repeats):
    quad = b"".join(struct.pack("<4fI", x * WIDTH - 0.5, y * HEIGHT - 0.5, 0.5, 1.0, 0x80FF0000 | x * 255 << 8 | y * 255) for y in (0, 1) for x in (0, 1))
    shader = code(scene)
    blob = lambda data: base64.b64encode(data).decode()
    yield {"event": "header", "generator": "shader_scenes.py", "driver_level": 9}
    yield {"event": "surface_create", "handle": 1, "kind": "target", "caps": ["3DDEVICE", "VIDEOMEMORY"], "format": "X8R8G8B8", "width": WIDTH, "height": HEIGHT}
    yield {"event": "context_create", "context": 1, "target": 1}
    states = [{"render_state": state, "state": 0} for state in ("ZENABLE", "LIGHTING", "SPECULARENABLE")]
    yield {"event": "dp2", "context": 1, "commands": [
        {"op": "RENDERSTATE", "records": [*states, {"render_state": "CULLMODE", "state": "NONE"}]},
        {"op": "CREATEPIXELSHADER", "records": [{"handle": 1, "code_size": len(shader), "code": blob(shader)}]},
        {"op": "SETPIXELSHADER", "records": [{"handle": 1}]}]}
    for _ in range(repeats):
        yield {"event": "dp2", "context": 1, "flags": ["USERMEMVERTICES"], "vertex_type": 0x44, "vertex_size": 20, "vertices": blob(quad),
               "commands": [{"op": "TRIANGLESTRIP", "count": 2, "v_start": 0}]}
    yield {"event": "present", "handle": 1}


def main():
    folder, scene, repeats = sys.argv[1:]
    with open(f"{folder}/{scene}.glsl", "w") as file:
        file.write(glsl(scene))
    with open(f"{folder}/{scene}-{repeats}.json", "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(event) for event in trace(scene, int(repeats))) + "\n]\n")


if __name__ == "__main__":
    main()
