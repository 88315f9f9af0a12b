"""Shaders in a scene: created from assembly text, bound, and drawn with vertices of any layout."""

import struct

from ..assembly import assemble
from ..dp2 import Stream, dwords, flatten, floats, with_tail
from .names import TRIANGLESTRIP
from .scene import primitive_count

# D3DDECLTYPE -> struct code
FLOAT1, FLOAT2, FLOAT3, FLOAT4, D3DCOLOR, FLOAT16_2, FLOAT16_4 = 0, 1, 2, 3, 4, 15, 16
CODES = {
    FLOAT1: "f", FLOAT2: "2f", FLOAT3: "3f", FLOAT4: "4f", D3DCOLOR: "I", FLOAT16_2: "2e",
    FLOAT16_4: "4e",
}  # fmt: skip
# D3DDECLUSAGE
POSITION, TEXCOORD, COLOR = 0, 5, 10

# Vertex shaders that pass position, and colour or the first texture coordinate, on.
PASS_COLOR = "dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1"
PASS_POSITION_3 = "vs_3_0; dcl_position v0; dcl_position o0; mov o0, v0"
PASS_TEXCOORD_3 = """vs_3_0; dcl_position v0; dcl_texcoord v1; dcl_position o0; dcl_texcoord o1
    mov o0, v0; mov o1, v1"""
PASS_COLOR_3 = """vs_3_0; dcl_position v0; dcl_color v1; dcl_position o0; dcl_color o1
    mov o0, v0; mov o1, v1"""


def odd_handle(s):
    """A handle that no flexible vertex format has."""
    return 2 * s.new_handle() + 1


def vertex_shader(s, text):
    """Creates and binds a vertex shader (level 9); nothing ends the use of one."""
    if not text:
        return s.op("SETVERTEXSHADERFUNC", 0)
    code, handle = assemble(text), odd_handle(s)
    s.op("CREATEVERTEXSHADERFUNC", with_tail(handle, len(code), tail=code))
    return s.op("SETVERTEXSHADERFUNC", handle)


def pixel_shader(s, text):
    """Creates and binds a pixel shader; nothing ends the use of one."""
    if not text:
        return s.op("SETPIXELSHADER", 0)
    code, handle = assemble(text), s.new_handle()
    s.op("CREATEPIXELSHADER", with_tail(handle, len(code), tail=code))
    return s.op("SETPIXELSHADER", handle)


def shaders(s, vertex, pixel):
    """Binds both."""
    vertex_shader(s, vertex)
    return pixel_shader(s, pixel)


def vertex_constants(s, first, *values):
    """Sets float constants of the vertex shader, four numbers each."""
    return s.op("SETVERTEXSHADERCONST", with_tail(first, len(values), tail=floats(values)))


def pixel_constants(s, first, *values):
    """Sets float constants of the pixel shader, four numbers each."""
    return s.op("SETPIXELSHADERCONST", with_tail(first, len(values), tail=floats(values)))


def bind_declaration(s, elements):
    """Creates and binds a declaration (level 9) of (stream, offset, type, usage, index)."""
    handle = odd_handle(s)
    tail = b"".join(
        Stream().struct("D3DVERTEXELEMENT9", stream, offset, kind, 0, usage, index)
        for stream, offset, kind, usage, index in elements
    )
    s.op("CREATEVERTEXSHADERDECL", with_tail(handle, len(elements), tail=tail))
    return s.op("SETVERTEXSHADERDECL", handle)


def draw_declared(s, elements, vertices):
    """Draws a strip of vertices whose elements are (type, usage, index), in memory order."""
    offset, rows = 0, []
    for kind, usage, index in elements:
        rows.append((0, offset, kind, usage, index))
        offset += struct.calcsize("<" + CODES[kind])
    bind_declaration(s, rows)
    code = struct.Struct("<" + "".join(CODES[kind] for kind, _, _ in elements))
    return draw_bytes(s, [code.pack(*flatten(vertex)) for vertex in vertices])


def draw_bytes(s, vertices):
    """Draws a strip of packed vertices with what is bound."""
    count = primitive_count(TRIANGLESTRIP, len(vertices))
    s.op("SETSTREAMSOURCEUM", (0, len(vertices[0]))).op("DRAWPRIMITIVE", (TRIANGLESTRIP, 0, count))
    s.flush(vertices=b"".join(vertices), size=len(vertices[0]))
    s.has_open_frame = True
    return s


def level8_shader(s, text):
    """Creates and binds a vertex shader of level 8 whose register v0 is a position of 3 floats."""
    layout = dwords(0x20000000, 0x40020000, 0xFFFFFFFF)
    code, handle = assemble(text), odd_handle(s)
    s.op("CREATEVERTEXSHADER", with_tail(handle, len(layout), len(code), tail=layout + code))
    return s.op("SETVERTEXSHADER", handle)


def corners():
    """The corners (x, y, z) of a quad that fills the target."""
    return [(x, y, 0.5) for y in (1.0, -1.0) for x in (-1.0, 1.0)]


def packed_corners():
    """The same as bytes."""
    return [struct.pack("<3f", *corner) for corner in corners()]


def shown(s, color, x=8, y=8):
    """A frame that is done, and one of its pixels."""
    return s.expect(x, y, color).present()
