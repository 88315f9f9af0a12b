"""One trace per operation: small, legal, and one thing each.

The docstring of a builder is the marker text of its trace.
"""

import struct

from . import shaders
from .dp2 import Stream, bits, dwords, floats, with_tail, words
from .trace import (
    BLUE,
    CLIP_TRIANGLE,
    DIFFUSE,
    GREEN,
    GREY,
    NORMAL,
    RED,
    TRIANGLE,
    WHITE,
    XYZ,
    XYZRHW,
    YELLOW,
    Trace,
    checkerboard,
    clip_vertices,
    quad,
    screen_vertices,
)

BUILDERS = []  # (operation, file name, driver level, header fields, builder)

# render states
ZENABLE, FILLMODE, SHADEMODE, CULLMODE = 7, 8, 9, 22
TEXTUREFACTOR, CLIPPLANEENABLE, LIGHTING, SCISSORTESTENABLE = 60, 152, 137, 174
STENCILENABLE = 52
# texture stage states
TEXTUREMAP, COLOROP, COLORARG1, COLORARG2, MAGFILTER, MINFILTER, MIPFILTER = 0, 1, 2, 3, 16, 17, 18
SELECTARG1, MODULATE = 2, 4
TEXTURE, CURRENT = 2, 1
# primitive types
POINTLIST, LINELIST, LINESTRIP, TRIANGLELIST, TRIANGLESTRIP, TRIANGLEFAN = range(1, 7)
# kinds of SETLIGHT
ENABLE, DISABLE, DATA = 0, 1, 2
# clear flags
CLEAR_TARGET, CLEAR_ZBUFFER, CLEAR_STENCIL = 1, 2, 4

IDENTITY = (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0)
FVF_SCREEN = XYZRHW | DIFFUSE
FVF_CLIP = XYZ | DIFFUSE


def opcode(name, level, suffix="", **header):
    """Registers a builder for the trace of operation `name`."""

    def register(builder):
        file_name = name.lower().replace("_", "-") + (f"-{suffix}" if suffix else "")
        BUILDERS.append((name, file_name, level, header, builder))
        return builder

    return register


def build(row):
    """The trace of a row of BUILDERS."""
    _, _, level, header, builder = row
    trace = Trace(" ".join(builder.__doc__.split()), level, **header)
    builder(trace)
    return trace


def ring(count):
    """`count` points on a circle in the target, clockwise from the top, in changing colours."""
    places = [(32, 4), (52, 12), (60, 32), (52, 52), (32, 60), (12, 52), (4, 32), (12, 12)]
    colors = [RED, YELLOW, GREEN, BLUE, WHITE, GREY]
    return [(*places[i % 8], colors[i % 6]) for i in range(count)]


def clear(stream, color=0xFF000000, flags=CLEAR_TARGET, rect=(0, 0, 64, 64)):
    """Clears the whole 64x64 target."""
    return stream.op("CLEAR", fixed=(flags, color, 1.0, 0, rect), count=1)


# ---------- level 6 ----------


@opcode("POINTS", 6)
def points(t):
    """Two runs of points, the picture of the documents: v2 v3 v4 v7 v8 v9 v10"""
    t.target().context()
    t.draw(Stream().op("POINTS", (3, 2), (4, 7)), [(4 + 5 * i, 32, RED) for i in range(11)]).end()


@opcode("INDEXEDLINELIST", 6)
def indexed_line_list(t):
    """Two lines by index without a start vertex: (0,2) and (1,3)"""
    t.target().context()
    corners = [(8, 8, RED), (56, 8, GREEN), (56, 56, BLUE), (8, 56, WHITE)]
    t.draw(Stream().op("INDEXEDLINELIST", (0, 2), (1, 3)), corners).end()


@opcode("INDEXEDTRIANGLELIST", 6)
def indexed_triangle_list(t):
    """A square of two triangles in wireframe; the edge flags leave out the shared diagonal"""
    t.target().context()
    corners = [(8, 8, RED), (56, 8, GREEN), (56, 56, BLUE), (8, 56, WHITE)]
    s = Stream().op("RENDERSTATE", (FILLMODE, 2))
    t.draw(s.op("INDEXEDTRIANGLELIST", (0, 1, 2, 0x300), (0, 2, 3, 0x600)), corners).end()


@opcode("RENDERSTATE", 6)
def render_state(t):
    """States of every value type: enumeration, boolean, colour, float, mask, flags"""
    t.target().context()
    s = Stream().op(
        "RENDERSTATE",
        (FILLMODE, 3), (SHADEMODE, 1), (CULLMODE, 1), (14, 0), (26, 1), (25, 8), (24, 0x80),
        (34, GREY), (36, bits(0.25)), (37, bits(0.75)), (38, bits(0.5)), (13, 0xFFFFFFFF),
        (59, 0xF), (TEXTUREFACTOR, YELLOW), (128, 3), (64, 0xAAAAAAAA), (10, 0xF0F00002),
    )  # fmt: skip
    t.draw(s.op("TRIANGLELIST", fixed=(0,), count=1)).end()


@opcode("LINELIST", 6)
def line_list(t):
    """Three lines: (0,1)(2,3)(4,5)"""
    t.target().context()
    t.draw(Stream().op("LINELIST", fixed=(0,), count=3), ring(6)).end()


@opcode("LINESTRIP", 6)
def line_strip(t):
    """Three segments from vertex 4: (4,5)(5,6)(6,7)"""
    t.target().context()
    t.draw(Stream().op("LINESTRIP", fixed=(4,), count=3), ring(8)).end()


@opcode("INDEXEDLINESTRIP", 6)
def indexed_line_strip(t):
    """Three segments over four indices from start vertex 1"""
    t.target().context()
    t.draw(Stream().op("INDEXEDLINESTRIP", 0, 2, 4, 6, fixed=(1,)), ring(8)).end()


@opcode("TRIANGLELIST", 6)
def triangle_list(t):
    """One triangle from start vertex 3; the token is 6 bytes, the next one lies at 2 mod 4"""
    t.target().context()
    s = Stream().op("TRIANGLELIST", fixed=(3,), count=1)
    s.op("RENDERSTATE", (SHADEMODE, 1)).op("TRIANGLELIST", fixed=(0,), count=1)
    small = [(x / 2, y / 2, color) for x, y, color in TRIANGLE]
    t.draw(s, small + TRIANGLE).end()


@opcode("TRIANGLESTRIP", 6)
def triangle_strip(t):
    """Three triangles: (0,1,2)(1,3,2)(2,3,4)"""
    t.target().context()
    zigzag = [(8, 8, RED), (32, 8, GREEN), (8, 32, BLUE), (32, 32, WHITE), (8, 56, YELLOW)]
    t.draw(Stream().op("TRIANGLESTRIP", fixed=(0,), count=3), zigzag).end()


@opcode("INDEXEDTRIANGLESTRIP", 6)
def indexed_triangle_strip(t):
    """The strip of the documents: indices 1 3 6 4 5 give (1,3,6)(3,4,6)(6,4,5)"""
    t.target().context()
    s = Stream().op("RENDERSTATE", (CULLMODE, 1))
    t.draw(s.op("INDEXEDTRIANGLESTRIP", 1, 3, 6, 4, 5, fixed=(0,)), ring(7)).end()


@opcode("TRIANGLEFAN", 6)
def triangle_fan(t):
    """Four triangles from vertex 2: (3,4,2)(4,5,2)(5,6,2)(6,7,2)"""
    t.target().context()
    t.draw(Stream().op("TRIANGLEFAN", fixed=(2,), count=4), ring(8)).end()


@opcode("INDEXEDTRIANGLEFAN", 6)
def indexed_triangle_fan(t):
    """Two triangles over four indices from start vertex 1"""
    t.target().context()
    t.draw(Stream().op("INDEXEDTRIANGLEFAN", 0, 2, 4, 6, fixed=(1,)), ring(8)).end()


@opcode("TRIANGLEFAN_IMM", 6)
def triangle_fan_imm(t):
    """A fan of two triangles with its vertices in the stream, outline edges on, in wireframe"""
    t.target().context()
    s = Stream().op("RENDERSTATE", (FILLMODE, 2))
    s.op("TRIANGLEFAN_IMM", fixed=(0xF,), count=2).align()
    s.raw(screen_vertices([(8, 8, RED), (56, 8, GREEN), (56, 56, BLUE), (8, 56, WHITE)]))
    t.dp2(s, fvf=FVF_SCREEN, size=20).end()


@opcode("LINELIST_IMM", 6)
def line_list_imm(t):
    """Two lines with their vertices in the stream, behind two bytes of padding"""
    t.target().context()
    s = Stream().op("TRIANGLELIST", fixed=(0,), count=1)
    s.op("LINELIST_IMM", count=2).align()
    s.raw(screen_vertices([(2, 2, RED), (62, 2, GREEN), (2, 62, BLUE), (62, 62, WHITE)]))
    t.draw(s).end()


@opcode("TEXTURESTAGESTATE", 7)
def texture_stage_state(t):
    """Two stages: texture modulated by diffuse, then inverted by an argument modifier"""
    t.target().texture(2).context()
    t.update(2, checkerboard(8, WHITE, RED))
    s = Stream().op(
        "TEXTURESTAGESTATE",
        (0, TEXTUREMAP, 2), (0, COLOROP, MODULATE), (0, COLORARG1, TEXTURE),
        (0, COLORARG2, 0), (0, 11, 0), (0, 13, 3), (0, 14, 2), (0, 15, GREY), (0, MAGFILTER, 1),
        (0, MINFILTER, 2), (0, MIPFILTER, 1), (0, 19, bits(-0.5)), (0, 24, 2),
        (1, COLOROP, SELECTARG1), (1, COLORARG1, CURRENT | 0x10), (1, 4, 2), (1, 5, CURRENT),
        (1, 7, bits(0.5)), (2, COLOROP, 1),
    )  # fmt: skip
    t.draw_textured(s.op("TRIANGLESTRIP", fixed=(0,), count=2), quad(8, 8, 56, 56)).end()


@opcode("INDEXEDTRIANGLELIST2", 6)
def indexed_triangle_list_2(t):
    """The list of the documents: start vertex 2, (3,4,5)(0,1,2) give (5,6,7)(2,3,4)"""
    t.target().context()
    t.draw(Stream().op("INDEXEDTRIANGLELIST2", (3, 4, 5), (0, 1, 2), fixed=(2,)), ring(8)).end()


@opcode("INDEXEDLINELIST2", 6)
def indexed_line_list_2(t):
    """The list of the documents: start vertex 3, (0,4)(5,6) give (3,7)(8,9)"""
    t.target().context()
    t.draw(Stream().op("INDEXEDLINELIST2", (0, 4), (5, 6), fixed=(3,)), ring(10)).end()


@opcode("VIEWPORTINFO", 6)
def viewport_info(t):
    """Transformed vertices are clipped to the viewport"""
    t.target().context()
    s = Stream().op("VIEWPORTINFO", (16, 16, 32, 32))
    t.draw(s.op("TRIANGLELIST", fixed=(0,), count=1)).end()


@opcode("WINFO", 7)
def w_info(t):
    """A w-buffer from 1 to 100: the second triangle lies behind the first"""
    t.target().depth(2, pixel_format="D16").context(depth=2)
    s = Stream().op("WINFO", (1.0, 100.0)).op("RENDERSTATE", (ZENABLE, 2))
    clear(s, flags=CLEAR_TARGET | CLEAR_ZBUFFER)
    s.op("TRIANGLELIST", fixed=(0,), count=2)
    near = [(x, y, 0.5, 0.5, c) for x, y, c in TRIANGLE]
    far = [(64 - x, y + 4, 0.5, 0.1, GREY) for x, y, _ in (TRIANGLE[0], TRIANGLE[2], TRIANGLE[1])]
    vertices = b"".join(struct.pack("<4fI", *vertex) for vertex in near + far)
    t.dp2(s, vertices, FVF_SCREEN, 20).end()


# ---------- level 7 ----------


def palettised(t):
    """Target, an 8-bit texture with the values 0-3 and the context."""
    t.target().texture(2, 4, pixel_format="P8").context()
    t.update(2, bytes((x + y) % 4 for y in range(4) for x in range(4)))


def paletted_quad(t, stream):
    """Draws the palettised texture."""
    stream.op("TEXTURESTAGESTATE", (0, TEXTUREMAP, 2), (0, COLOROP, SELECTARG1),
              (0, COLORARG1, TEXTURE))  # fmt: skip
    t.draw_textured(stream.op("TRIANGLESTRIP", fixed=(0,), count=2), quad(8, 8, 56, 56)).end()


@opcode("SETPALETTE", 7)
def set_palette(t):
    """A palette is attached to a texture, detached, and attached again with alpha"""
    palettised(t)
    s = Stream().op("UPDATEPALETTE", fixed=(1, 0, 4), count=1, tail=dwords(RED, GREEN, BLUE, 0))
    s.op("SETPALETTE", (1, 0, 2), (0, 0, 2), (1, 0x2000, 2))
    paletted_quad(t, s)


@opcode("UPDATEPALETTE", 7)
def update_palette(t):
    """Four entries, then two of them again"""
    palettised(t)
    s = Stream().op("SETPALETTE", (1, 0, 2))
    s.op("UPDATEPALETTE", fixed=(1, 0, 4), count=1, tail=dwords(RED, GREEN, BLUE, WHITE))
    s.op("UPDATEPALETTE", fixed=(1, 2, 2), count=1, tail=dwords(YELLOW, GREY))
    paletted_quad(t, s)


def clip_call(t, stream, points=None, count=1):
    """Draws untransformed triangles without lighting from user memory."""
    stream.op("RENDERSTATE", (LIGHTING, 0))
    stream.op("TRIANGLELIST", fixed=(0,), count=count)
    t.dp2(stream, clip_vertices(CLIP_TRIANGLE if points is None else points), FVF_CLIP, 16)


@opcode("ZRANGE", 7)
def z_range(t):
    """The depth range 0.25 to 0.75 of the viewport"""
    t.target().depth().context(depth=2)
    s = clear(Stream(), flags=CLEAR_TARGET | CLEAR_ZBUFFER | CLEAR_STENCIL)
    clip_call(t, s.op("ZRANGE", (0.25, 0.75)))
    t.end()


def lit_call(t, stream):
    """Draws a lit triangle: XYZ|NORMAL vertices that face the eye."""
    vertices = b"".join(struct.pack("<6f", x, y, 0.5, 0, 0, -1) for x, y, _ in CLIP_TRIANGLE)
    stream.op("TRIANGLELIST", fixed=(0,), count=1)
    t.dp2(stream, vertices, XYZ | NORMAL, 24)


def light(kind=3, diffuse=(1.0, 1.0, 1.0, 1.0)):
    """A D3DLIGHT7: directional along +z."""
    zero = (0.0, 0.0, 0.0)
    return Stream().struct(
        "D3DLIGHT7", kind, diffuse, (*zero, 0.0), (*zero, 0.0), zero, (0.0, 0.0, 1.0),
        100.0, 1.0, 1.0, 0.0, 0.0, 0.5, 1.0)  # fmt: skip


@opcode("SETMATERIAL", 7)
def set_material(t):
    """A green material under a white light, with a specular highlight of power 8"""
    t.target().context()
    s = Stream().op("SETMATERIAL", ((0, 1.0, 0, 1.0), (0.1, 0.1, 0.1, 1.0), (0.5, 0.5, 0.5, 1.0),
                                    (0, 0, 0.2, 1.0), 8.0))  # fmt: skip
    s.op("CREATELIGHT", 0).op("SETLIGHT", (0, ENABLE))
    lit_call(t, s)
    t.end()


@opcode("SETLIGHT", 7)
def set_light(t):
    """Data, then enable, of light 0; light 1 is enabled and disabled. Only the data has a tail"""
    t.target().context()
    s = Stream().op("CREATELIGHT", 0, 1)
    s.op("SETLIGHT", with_tail(0, DATA, tail=light(diffuse=(1.0, 0.5, 0.25, 1.0))),
         (0, ENABLE), (1, ENABLE), (1, DISABLE))  # fmt: skip
    lit_call(t, s)
    t.end()


@opcode("CREATELIGHT", 7)
def create_light(t):
    """Lights 0 and 7 with default data; light 7 is used"""
    t.target().context()
    s = Stream().op("CREATELIGHT", 0, 7).op("SETLIGHT", (7, ENABLE))
    lit_call(t, s)
    t.end()


@opcode("SETTRANSFORM", 7)
def set_transform(t):
    """World, view and projection: half size, moved to the right"""
    t.target().context()
    half = (0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0)
    right = (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0.25, 0, 0, 1.0)
    clip_call(t, Stream().op("SETTRANSFORM", (1, half), (2, right), (3, IDENTITY)))
    t.end()


@opcode("EXT", 7)
def ext(t):
    """The operation that no document describes, with the one size that can be framed"""
    t.target().context()
    s = Stream().op("EXT", (0, 8))
    t.draw(s.op("TRIANGLELIST", fixed=(0,), count=1)).end()


@opcode("TEXBLT", 7)
def tex_blt(t):
    """All levels of a system memory texture to video memory, then a part of it, then a preload"""
    t.target()
    t.texture(2, 8, 2, memory="SYSTEMMEMORY", caps2=["TEXTUREMANAGE"], handles=[3])
    t.texture(4, 8, 2, handles=[5]).context()
    t.update(2, checkerboard(8, WHITE, BLUE)).update(2, checkerboard(4, WHITE, BLUE), level=1)
    s = Stream().op("TEXBLT", (4, 2, (0, 0), (0, 0, 8, 8), 0), (4, 2, (1, 2), (3, 3, 6, 6), 0),
                    (0, 2, (0, 0), (0, 0, 0, 0), 0))  # fmt: skip
    s.op("TEXTURESTAGESTATE", (0, TEXTUREMAP, 4), (0, COLOROP, SELECTARG1), (0, COLORARG1, TEXTURE))
    t.draw_textured(s.op("TRIANGLESTRIP", fixed=(0,), count=2), quad(8, 8, 56, 56)).end()


@opcode("STATESET", 7)
def state_set(t):
    """A state block: recorded, executed, captured, executed, deleted"""
    t.target().context()
    s = Stream().op("STATESET", (0, 1, 0)).op("RENDERSTATE", (SHADEMODE, 1), (CULLMODE, 1))
    s.op("STATESET", (1, 1, 0)).op("TRIANGLELIST", fixed=(0,), count=1)
    s.op("STATESET", (3, 1, 0)).op("TRIANGLELIST", fixed=(3,), count=1)
    s.op("RENDERSTATE", (SHADEMODE, 2)).op("STATESET", (4, 1, 0), (3, 1, 0), (2, 1, 0))
    low = [(x, y + 4, color) for x, y, color in TRIANGLE]
    t.draw(s, TRIANGLE + low).end()


@opcode("STATESET", 8, "create")
def state_set_create(t):
    """A state block of the predefined kind ALL on a pure device"""
    t.target().context(pure_device=True)
    s = Stream().op("STATESET", (5, 1, 1)).op("RENDERSTATE", (SHADEMODE, 1))
    t.draw(s.op("STATESET", (3, 1, 0)).op("TRIANGLELIST", fixed=(0,), count=1)).end()


def managed(t, levels=1, handles=None):
    """A driver-managed texture, white and red."""
    t.target().texture(2, 8, levels, caps2=["TEXTUREMANAGE"], handles=handles)
    t.update(2, checkerboard(8, WHITE, RED))


def textured_end(t, stream):
    """Draws with texture 2 and ends the trace."""
    stream.op("TEXTURESTAGESTATE", (0, TEXTUREMAP, 2), (0, COLOROP, SELECTARG1),
              (0, COLORARG1, TEXTURE))  # fmt: skip
    stream.op("TRIANGLESTRIP", fixed=(0,), count=2)
    t.draw_textured(stream, quad(8, 8, 56, 56)).end()


@opcode("SETPRIORITY", 7)
def set_priority(t):
    """The priority of a driver-managed texture"""
    managed(t)
    t.context()
    textured_end(t, Stream().op("SETPRIORITY", (2, 7)))


@opcode("SETRENDERTARGET", 7)
def set_render_target(t):
    """Another target with a depth surface, then back to the first without one"""
    t.target().target(3).depth(2).context()
    s = Stream().op("SETRENDERTARGET", fixed=(3, 2), count=1)
    clear(s, BLUE, CLEAR_TARGET | CLEAR_ZBUFFER | CLEAR_STENCIL)
    s.op("SETRENDERTARGET", fixed=(1, 0), count=1)
    t.draw(s.op("TRIANGLELIST", fixed=(0,), count=1)).present().present(3).end(present=False)


@opcode("CLEAR", 7)
def clear_rects(t):
    """Three rectangles of the target, then depth and stencil of one"""
    t.target().depth().context(depth=2)
    s = Stream().op("CLEAR", (40, 8, 56, 24), (8, 40, 56, 56), count=3,
                    fixed=(CLEAR_TARGET, YELLOW, 0.0, 0, (8, 8, 24, 24)))  # fmt: skip
    s.op("CLEAR", count=1, fixed=(CLEAR_ZBUFFER | CLEAR_STENCIL, 0, 0.5, 0x7F, (0, 0, 64, 32)))
    t.dp2(s).end()


@opcode("SETTEXLOD", 7)
def set_tex_lod(t):
    """Level 1 becomes the largest level of a driver-managed texture"""
    managed(t, 2, [3])
    t.update(2, checkerboard(4, BLUE, BLUE), level=1).context()
    textured_end(t, Stream().op("SETTEXLOD", (2, 1)))


@opcode("SETCLIPPLANE", 7)
def set_clip_plane(t):
    """Plane 0 keeps the right half"""
    t.target().context()
    s = Stream().op("RENDERSTATE", (CLIPPLANEENABLE, 1))
    clip_call(t, s.op("SETCLIPPLANE", (0, (1.0, 0, 0, 0)), (5, (0, 1.0, 0, 0.5))))
    t.end()


# ---------- level 8 ----------


def stream_scene(t, vertices=None, **context):
    """Target, vertex buffer 4 with the XYZRHW|DIFFUSE triangle and the context."""
    t.target().buffer(4, screen_vertices(TRIANGLE) if vertices is None else vertices)
    t.context(**context)


def shader_scene(t):
    """Target, vertex buffer 4 with the untransformed triangle, the context."""
    stream_scene(t, clip_vertices(CLIP_TRIANGLE))


def bind(stream, fvf=FVF_SCREEN, stride=20, handle=4):
    """Selects an FVF and stream 0."""
    return stream.op("SETVERTEXSHADER", fvf).op("SETSTREAMSOURCE", (0, handle, stride))


def one_triangle(stream):
    """Draws three vertices of stream 0."""
    return stream.op("DRAWPRIMITIVE", (TRIANGLELIST, 0, 1))


def vertex_shader(handle, code=shaders.VS_1_1):
    """The record of CREATEVERTEXSHADER."""
    tail = shaders.DECL_FIXED + code
    return with_tail(handle, len(shaders.DECL_FIXED), len(code), tail=tail)


@opcode("CREATEVERTEXSHADER", 8)
def create_vertex_shader(t):
    """A shader with code and a declaration for fixed function, created in one token"""
    shader_scene(t)
    s = Stream().op("CREATEVERTEXSHADER", vertex_shader(17), vertex_shader(19, b""))
    s.op("SETVERTEXSHADER", 17).op("SETSTREAMSOURCE", (0, 4, 16))
    t.dp2(one_triangle(s)).end()


@opcode("DELETEVERTEXSHADER", 8)
def delete_vertex_shader(t):
    """Two shaders come and go; drawing uses an FVF"""
    stream_scene(t)
    s = Stream().op("CREATEVERTEXSHADER", vertex_shader(17)).op(
        "CREATEVERTEXSHADER", vertex_shader(19))  # fmt: skip
    t.dp2(one_triangle(bind(s.op("DELETEVERTEXSHADER", 17, 19)))).end()


@opcode("SETVERTEXSHADER", 8)
def set_vertex_shader(t):
    """A shader, then a flexible vertex format"""
    shader_scene(t)
    s = Stream().op("CREATEVERTEXSHADER", vertex_shader(17)).op("SETVERTEXSHADER", 17)
    one_triangle(s.op("SETSTREAMSOURCE", (0, 4, 16)))
    s.op("SETVERTEXSHADER", FVF_CLIP).op("RENDERSTATE", (LIGHTING, 0))
    t.dp2(one_triangle(s)).end()


@opcode("SETVERTEXSHADERCONST", 8)
def set_vertex_shader_const(t):
    """The constant c0 moves the triangle; c95 is the last register of version 1.1"""
    shader_scene(t)
    s = Stream().op("CREATEVERTEXSHADER", vertex_shader(17, shaders.VS_1_1_CONST))
    s.op("SETVERTEXSHADER", 17).op("SETSTREAMSOURCE", (0, 4, 16))
    s.op("SETVERTEXSHADERCONST", with_tail(0, 1, tail=floats(0.25, 0, 0, 0)))
    s.op("SETVERTEXSHADERCONST", with_tail(94, 2, tail=floats(1, 2, 3, 4, 5, 6, 7, 8)))
    t.dp2(one_triangle(s)).end()


@opcode("SETSTREAMSOURCE", 8)
def set_stream_source(t):
    """Stream 0 is bound; stream 1 is bound and unbound"""
    stream_scene(t)
    s = Stream().op("SETSTREAMSOURCE", (1, 4, 20)).op("SETSTREAMSOURCE", (1, 0, 0))
    t.dp2(one_triangle(bind(s))).end()


@opcode("SETSTREAMSOURCEUM", 8)
def set_stream_source_um(t):
    """Stream 0 is the user memory of the call"""
    t.target().context()
    s = Stream().op("SETVERTEXSHADER", FVF_SCREEN).op("SETSTREAMSOURCEUM", (0, 20))
    t.draw(one_triangle(s)).end()


def index_scene(t):
    """Target, vertex buffer 4 with four corners, index buffer 5 with 0 1 2 2 1 3, the context."""
    corners = [(8, 8, RED), (56, 8, GREEN), (8, 56, BLUE), (56, 56, WHITE)]
    t.target().buffer(4, screen_vertices(corners))
    t.buffer(5, words(0, 1, 2, 2, 1, 3), "index_buffer", "INDEX16").context()


@opcode("SETINDICES", 8)
def set_indices(t):
    """16-bit indices, unbound, 32-bit indices"""
    index_scene(t)
    t.buffer(6, dwords(0, 1, 2), "index_buffer", "INDEX32")
    s = bind(Stream()).op("SETINDICES", (5, 2)).op("SETINDICES", (0, 0)).op("SETINDICES", (6, 4))
    t.dp2(s.op("DRAWINDEXEDPRIMITIVE", (TRIANGLELIST, 0, 0, 3, 0, 1))).end()


@opcode("DRAWPRIMITIVE", 8)
def draw_primitive(t):
    """Every primitive type in one token: points, lines, strip, triangles, strip, fan"""
    stream_scene(t, screen_vertices(ring(8)))
    s = bind(Stream()).op("RENDERSTATE", (CULLMODE, 1))
    s.op("DRAWPRIMITIVE", (TRIANGLEFAN, 0, 2), (TRIANGLESTRIP, 3, 3), (TRIANGLELIST, 2, 2),
         (LINESTRIP, 0, 7), (LINELIST, 0, 4), (POINTLIST, 0, 8))  # fmt: skip
    t.dp2(s).end()


@opcode("DRAWINDEXEDPRIMITIVE", 8)
def draw_indexed_primitive(t):
    """Two triangles over six 16-bit indices"""
    index_scene(t)
    s = bind(Stream()).op("SETINDICES", (5, 2))
    t.dp2(s.op("DRAWINDEXEDPRIMITIVE", (TRIANGLELIST, 0, 0, 4, 0, 2))).end()


@opcode("DRAWINDEXEDPRIMITIVE", 9, "negative-base")
def draw_indexed_primitive_negative(t):
    """Level 9: the indices 2 1 3 with base vertex -1"""
    index_scene(t)
    s = Stream().op("SETVERTEXSHADERDECL", FVF_SCREEN).op("SETSTREAMSOURCE", (0, 4, 20))
    s.op("SETINDICES", (5, 2)).op("RENDERSTATE", (CULLMODE, 1))
    t.dp2(s.op("DRAWINDEXEDPRIMITIVE", (TRIANGLELIST, -1, 1, 3, 3, 1))).end()


def pixel_shader(handle, code=shaders.PS_1_1):
    """The record of CREATEPIXELSHADER."""
    return with_tail(handle, len(code), tail=code)


@opcode("CREATEPIXELSHADER", 8)
def create_pixel_shader(t):
    """Two pixel shaders in one token; the second one is used"""
    stream_scene(t)
    s = Stream().op("CREATEPIXELSHADER", pixel_shader(1, shaders.PS_1_1_CONST), pixel_shader(2))
    t.dp2(one_triangle(bind(s).op("SETPIXELSHADER", 2))).end()


@opcode("DELETEPIXELSHADER", 8)
def delete_pixel_shader(t):
    """Two pixel shaders come and go; drawing is fixed function"""
    stream_scene(t)
    s = Stream().op("CREATEPIXELSHADER", pixel_shader(1)).op("CREATEPIXELSHADER", pixel_shader(2))
    t.dp2(one_triangle(bind(s.op("DELETEPIXELSHADER", 1, 2)))).end()


@opcode("SETPIXELSHADER", 8)
def set_pixel_shader(t):
    """A pixel shader, then fixed function"""
    stream_scene(t)
    s = bind(Stream().op("CREATEPIXELSHADER", pixel_shader(1))).op("SETPIXELSHADER", 1)
    t.dp2(one_triangle(one_triangle(s).op("SETPIXELSHADER", 0))).end()


@opcode("SETPIXELSHADERCONST", 8)
def set_pixel_shader_const(t):
    """The constant c0 dims the triangle; c7 is the last register of version 1.1"""
    stream_scene(t)
    s = bind(Stream().op("CREATEPIXELSHADER", pixel_shader(1, shaders.PS_1_1_CONST)))
    s.op("SETPIXELSHADER", 1)
    s.op("SETPIXELSHADERCONST", with_tail(0, 1, tail=floats(0.5, 0.5, 0.5, 1.0)))
    s.op("SETPIXELSHADERCONST", with_tail(6, 2, tail=floats(0, 0, 0, 1.0, 1.0, 0, 0, -1.0)))
    t.dp2(one_triangle(s)).end()


@opcode("CLIPPEDTRIANGLEFAN", 8)
def clipped_triangle_fan(t):
    """A fan of two triangles from byte 20 of stream 0 in wireframe: outline edges only"""
    stream_scene(t, screen_vertices(ring(8)))
    s = bind(Stream()).op("RENDERSTATE", (FILLMODE, 2))
    t.dp2(s.op("CLIPPEDTRIANGLEFAN", (20, 0xF, 2))).end()


@opcode("DRAWPRIMITIVE2", 8)
def draw_primitive_2(t):
    """A strip from byte 40 of stream 0"""
    stream_scene(t, screen_vertices(ring(8)))
    s = bind(Stream()).op("RENDERSTATE", (CULLMODE, 1))
    t.dp2(s.op("DRAWPRIMITIVE2", (TRIANGLESTRIP, 40, 4))).end()


@opcode("DRAWINDEXEDPRIMITIVE2", 8)
def draw_indexed_primitive_2(t):
    """The indices from byte 6 with the vertices from byte 20, one vertex on"""
    index_scene(t)
    s = bind(Stream()).op("SETINDICES", (5, 2)).op("RENDERSTATE", (CULLMODE, 1))
    s.op("DRAWINDEXEDPRIMITIVE2", (TRIANGLELIST, 0, 1, 3, 6, 1))
    t.dp2(s.op("DRAWINDEXEDPRIMITIVE2", (TRIANGLELIST, 20, 0, 3, 0, 1))).end()


def patch_scene(t, places):
    """Target, control points in vertex buffer 4, the context; a stream that selects them."""
    colors = [RED, GREEN, BLUE, WHITE, YELLOW, GREY]
    stream_scene(t, clip_vertices([(x, y, colors[i % 6]) for i, (x, y) in enumerate(places)]))
    return bind(Stream(), FVF_CLIP, 16).op("RENDERSTATE", (LIGHTING, 0), (CULLMODE, 1))


@opcode("DRAWRECTPATCH", 8)
def draw_rect_patch(t):
    """A cubic Bezier patch: dynamic, then cached under handle 5, then from the cache"""
    side = (-0.75, -0.25, 0.25, 0.75)
    s = patch_scene(t, [(x, -y) for y in side for x in side])
    info = s.struct("D3DRECTPATCH_INFO", 0, 0, 4, 4, 4, 0, 3)
    segments = floats(4.0, 4.0, 4.0, 4.0)
    s.op("DRAWRECTPATCH", with_tail(0, 3, tail=segments + info), with_tail(5, 2, tail=info),
         with_tail(5, 1, tail=segments), (5, 0))  # fmt: skip
    t.dp2(s.op("RENDERSTATE", (169, 5))).end()


@opcode("DRAWTRIPATCH", 8)
def draw_tri_patch(t):
    """A cubic triangular patch: dynamic, then cached under handle 6, then from the cache"""
    rows = [(0.75 - 0.5 * row, [0.25 * (2 * i - row) for i in range(row + 1)]) for row in range(4)]
    s = patch_scene(t, [(x, y) for y, row in rows for x in row])
    info = s.struct("D3DTRIPATCH_INFO", 0, 10, 0, 3)
    segments = floats(4.0, 4.0, 4.0)
    s.op("DRAWTRIPATCH", with_tail(0, 3, tail=segments + info), with_tail(6, 2, tail=info),
         with_tail(6, 1, tail=segments), (6, 0))  # fmt: skip
    t.dp2(s.op("RENDERSTATE", (169, 6))).end()


def volume(t, handle, memory):
    """A 4x4x4 volume texture."""
    return t.texture(handle, 4, caps2=["VOLUME"], depth=4, memory=memory)


@opcode("VOLUMEBLT", 8)
def volume_blt(t):
    """A box of a system memory volume to video memory, then a preload"""
    volume(volume(t.target(), 2, "SYSTEMMEMORY"), 3, "VIDEOMEMORY").context()
    t.update(2, checkerboard(4, WHITE, BLUE) * 4)
    s = Stream().op("VOLUMEBLT", (3, 2, 0, 1, 2, (1, 0, 4, 3, 0, 2), 0),
                    (0, 2, 0, 0, 0, (0, 0, 4, 4, 0, 4), 0))  # fmt: skip
    t.dp2(s).add("surface_read", handle=3).end(present=False)


@opcode("BUFFERBLT", 8)
def buffer_blt(t):
    """Vertices from a system memory buffer to video memory, then drawn from there"""
    data = screen_vertices(TRIANGLE)
    t.target().buffer(2, data, memory="SYSTEMMEMORY").buffer(4, bytes(80)).context()
    s = Stream().op("BUFFERBLT", (4, 2, 20, (0, 60), 0))
    t.dp2(bind(s).op("DRAWPRIMITIVE", (TRIANGLELIST, 1, 1))).end()


@opcode("MULTIPLYTRANSFORM", 8)
def multiply_transform(t):
    """The world matrix: half size, then times a move to the right"""
    shader_scene(t)
    half = (0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0)
    right = (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0.5, 0, 0, 1.0)
    s = bind(Stream(), FVF_CLIP, 16).op("RENDERSTATE", (LIGHTING, 0))
    s.op("SETTRANSFORM", (256, half)).op("MULTIPLYTRANSFORM", (256, right))
    t.dp2(one_triangle(s)).end()


@opcode("ADDDIRTYRECT", 8)
def add_dirty_rect(t):
    """A part of a driver-managed texture changed"""
    managed(t)
    t.context()
    textured_end(t, Stream().op("ADDDIRTYRECT", (2, (1, 2, 5, 8)), (2, (0, 0, 8, 8))))


@opcode("ADDDIRTYBOX", 8)
def add_dirty_box(t):
    """A part of a driver-managed volume changed"""
    t.target().texture(2, 4, caps2=["TEXTUREMANAGE", "VOLUME"], depth=4).context()
    t.update(2, checkerboard(4, WHITE, BLUE) * 4)
    t.dp2(Stream().op("ADDDIRTYBOX", (2, (0, 1, 4, 3, 2, 4)))).end(present=False)


# ---------- level 9 ----------

# {Stream, Offset, Type, Method, Usage, UsageIndex}; types 2 FLOAT3, 3 FLOAT4, 4 D3DCOLOR;
# usages 0 POSITION, 5 TEXCOORD, 9 POSITIONT, 10 COLOR
ELEMENTS_SCREEN = [(0, 0, 3, 0, 9, 0), (0, 16, 4, 0, 10, 0)]
ELEMENTS_CLIP = [(0, 0, 2, 0, 0, 0), (0, 12, 4, 0, 10, 0)]
ELEMENTS_END = (0xFF, 0, 17, 0, 0, 0)


def declaration(handle, elements):
    """The record of CREATEVERTEXSHADERDECL."""
    tail = b"".join(Stream().struct("D3DVERTEXELEMENT9", *element) for element in elements)
    return with_tail(handle, len(elements), tail=tail)


def bind9(stream, code=None):
    """Selects FVF or shader `code` (handle 3) and stream 0 of a level 9 scene."""
    if code is None:
        stream.op("SETVERTEXSHADERDECL", FVF_SCREEN)
    else:
        stream.op("CREATEVERTEXSHADERDECL", declaration(1, ELEMENTS_CLIP))
        stream.op("CREATEVERTEXSHADERFUNC", with_tail(3, len(code), tail=code))
        stream.op("SETVERTEXSHADERDECL", 1).op("SETVERTEXSHADERFUNC", 3)
    return stream.op("SETSTREAMSOURCE2", (0, 4, 0, 20 if code is None else 16))


@opcode("CREATEVERTEXSHADERDECL", 9)
def create_vertex_shader_decl(t):
    """Two declarations, one of them with its end marker; the first is used"""
    stream_scene(t)
    s = Stream().op("CREATEVERTEXSHADERDECL", declaration(1, ELEMENTS_SCREEN))
    s.op("CREATEVERTEXSHADERDECL", declaration(3, [*ELEMENTS_CLIP, ELEMENTS_END]))
    s.op("SETVERTEXSHADERDECL", 1).op("SETVERTEXSHADERFUNC", 0).op("SETSTREAMSOURCE", (0, 4, 20))
    t.dp2(one_triangle(s)).end()


@opcode("DELETEVERTEXSHADERDECL", 9)
def delete_vertex_shader_decl(t):
    """A declaration comes and goes; drawing uses an FVF"""
    stream_scene(t)
    s = Stream().op("CREATEVERTEXSHADERDECL", declaration(1, ELEMENTS_SCREEN))
    t.dp2(one_triangle(bind9(s.op("DELETEVERTEXSHADERDECL", 1)))).end()


@opcode("SETVERTEXSHADERDECL", 9)
def set_vertex_shader_decl(t):
    """A declaration, then a flexible vertex format"""
    stream_scene(t)
    s = Stream().op("CREATEVERTEXSHADERDECL", declaration(1, ELEMENTS_SCREEN))
    one_triangle(s.op("SETVERTEXSHADERDECL", 1).op("SETSTREAMSOURCE", (0, 4, 20)))
    t.dp2(one_triangle(bind9(s))).end()


@opcode("CREATEVERTEXSHADERFUNC", 9)
def create_vertex_shader_func(t):
    """Shader code without a declaration, used with a declaration"""
    shader_scene(t)
    t.dp2(one_triangle(bind9(Stream(), shaders.VS_1_1_DCL))).end()


@opcode("DELETEVERTEXSHADERFUNC", 9)
def delete_vertex_shader_func(t):
    """Shader code comes and goes; drawing is fixed function"""
    stream_scene(t)
    code = shaders.VS_1_1_DCL
    s = Stream().op("CREATEVERTEXSHADERFUNC", with_tail(3, len(code), tail=code))
    t.dp2(one_triangle(bind9(s.op("DELETEVERTEXSHADERFUNC", 3)))).end()


@opcode("SETVERTEXSHADERFUNC", 9)
def set_vertex_shader_func(t):
    """A shader, then fixed function with the same declaration"""
    shader_scene(t)
    s = one_triangle(bind9(Stream(), shaders.VS_1_1_DCL))
    s.op("SETVERTEXSHADERFUNC", 0).op("RENDERSTATE", (LIGHTING, 0))
    t.dp2(one_triangle(s)).end()


@opcode("SETVERTEXSHADERCONSTI", 9)
def set_vertex_shader_const_i(t):
    """The integer constant i0 counts a loop that adds c0 to the colour"""
    shader_scene(t)
    s = bind9(Stream(), shaders.VS_2_0_REP)
    s.op("SETVERTEXSHADERCONST", with_tail(0, 1, tail=floats(0.1, 0, 0, 0)))
    s.op("SETVERTEXSHADERCONSTI", with_tail(0, 1, tail=struct.pack("<4i", 3, 0, 0, 0)))
    s.op("SETVERTEXSHADERCONSTI", with_tail(15, 1, tail=struct.pack("<4i", -1, 255, -128, 1)))
    t.dp2(one_triangle(s)).end()


@opcode("SETSCISSORRECT", 9)
def set_scissor_rect(t):
    """The scissor rectangle cuts the triangle"""
    stream_scene(t)
    s = Stream().op("SETSCISSORRECT", ((20, 20, 44, 50),))
    s.op("RENDERSTATE", (SCISSORTESTENABLE, 1))
    t.dp2(one_triangle(bind9(s))).end()


@opcode("SETSTREAMSOURCE2", 9)
def set_stream_source_2(t):
    """Stream 0 with a byte offset of one vertex"""
    stream_scene(t, screen_vertices([(0, 0, WHITE), *TRIANGLE]))
    s = Stream().op("SETVERTEXSHADERDECL", FVF_SCREEN).op("SETSTREAMSOURCE2", (0, 4, 20, 20))
    t.dp2(one_triangle(s)).end()


@opcode("BLT", 9)
def blt(t):
    """A texture stretched onto the target with linear filtering, then a mip level by points"""
    t.target().texture(2, 8, 2, caps3=["LIGHTWEIGHTMIPMAP"]).context()
    t.update(2, checkerboard(8, WHITE, RED)).update(2, checkerboard(4, BLUE, GREEN), level=1)
    s = Stream().op("BLT", (2, (0, 0, 8, 8), 0, 1, (8, 8, 56, 40), 0, 2),
                    (2, (0, 0, 4, 4), 1, 1, (8, 44, 24, 60), 0, 1))  # fmt: skip
    t.dp2(s).end()


@opcode("COLORFILL", 9)
def color_fill(t):
    """Two rectangles of the target"""
    t.target().context()
    t.dp2(Stream().op("COLORFILL", (1, (8, 8, 56, 56), BLUE), (1, (16, 16, 48, 48), YELLOW))).end()


@opcode("SETVERTEXSHADERCONSTB", 9)
def set_vertex_shader_const_b(t):
    """The Boolean constant b0 selects the colour c0; a Boolean takes 4 bytes"""
    shader_scene(t)
    s = bind9(Stream(), shaders.VS_2_0_IF)
    s.op("SETVERTEXSHADERCONST", with_tail(0, 1, tail=floats(1.0, 1.0, 0, 1.0)))
    s.op("SETVERTEXSHADERCONSTB", with_tail(0, 2, tail=dwords(0, 1)))
    t.dp2(one_triangle(s)).end()


def query_call(t, stream, **fields):
    """A call of a trace with recorded results."""
    return t.dp2(stream, ddrval=0, **fields)


def response(*records):
    """A response buffer of RESPONSEQUERY records: (query, data)."""
    body = b"".join(struct.pack("<II", query, len(data)) + data for query, data in records)
    return struct.pack("<BBHI", 88, 0, len(records), 8 + len(body)) + body


@opcode("CREATEQUERY", 9)
def create_query(t):
    """An occlusion and an event query"""
    t.target().context()
    s = Stream().op("CREATEQUERY", (1, 9), (2, 8))
    query_call(t, s.op("DELETEQUERY", 1, 2)).end(present=False)


@opcode("SETRENDERTARGET2", 9)
def set_render_target_2(t):
    """Two targets at once, then the second one is unbound"""
    t.target(3)
    stream_scene(t)
    s = one_triangle(bind9(Stream()).op("SETRENDERTARGET2", (0, 1), (1, 3)))
    t.dp2(s.op("SETRENDERTARGET2", (1, 0))).present().present(3).end(present=False)


@opcode("SETDEPTHSTENCIL", 9)
def set_depth_stencil(t):
    """A depth surface, cleared and used, then none"""
    t.depth(2)
    stream_scene(t)
    s = Stream().op("SETDEPTHSTENCIL", 2).op("RENDERSTATE", (ZENABLE, 1))
    clear(s, flags=CLEAR_TARGET | CLEAR_ZBUFFER | CLEAR_STENCIL)
    t.dp2(one_triangle(bind9(s)).op("SETDEPTHSTENCIL", 0)).end()


def issue_queries(t):
    """An occlusion query 1 around a triangle and an event query 2, recorded as successful."""
    stream_scene(t)
    s = Stream().op("CREATEQUERY", (1, 9), (2, 8)).op("ISSUEQUERY", (1, 2))
    query_call(t, one_triangle(bind9(s)).op("ISSUEQUERY", (1, 1), (2, 1)))


@opcode("RESPONSECONTINUE", 9)
def response_continue(t):
    """The driver answers in two parts: the runtime sends an empty stream for the rest"""
    issue_queries(t)
    first = response((1, dwords(1152))) + struct.pack("<BBHI", 87, 0, 0, 8)
    query_call(t, None, error_offset=len(first), response=first.hex())
    rest = response((2, dwords(1)))
    query_call(t, None, error_offset=len(rest), response=rest.hex()).end()


@opcode("RESPONSEQUERY", 9)
def response_query(t):
    """The answers to two queries in the buffer of an empty stream"""
    issue_queries(t)
    data = response((1, dwords(1152)), (2, dwords(1)))
    query_call(t, None, error_offset=len(data), response=data.hex()).end()


@opcode("GENERATEMIPSUBLEVELS", 9)
def generate_mip_sub_levels(t):
    """The driver builds the three lower levels of a texture"""
    t.texture(2, 8, 4, caps3=["LIGHTWEIGHTMIPMAP", "AUTOGENMIPMAP"]).target().context()
    t.update(2, checkerboard(8, WHITE, RED))
    textured_end(t, Stream().op("GENERATEMIPSUBLEVELS", (2, 2)))


@opcode("DELETEQUERY", 9)
def delete_query(t):
    """Two queries are answered and deleted"""
    issue_queries(t)
    data = response((1, dwords(1152)), (2, dwords(1)))
    query_call(t, None, error_offset=len(data), response=data.hex())
    query_call(t, Stream().op("DELETEQUERY", 1, 2)).end()


@opcode("ISSUEQUERY", 9)
def issue_query(t):
    """BEGIN and END of an occlusion query, END of an event query"""
    issue_queries(t)
    t.end()


@opcode("SETPIXELSHADERCONSTI", 9)
def set_pixel_shader_const_i(t):
    """The integer constant i0 counts a loop that adds c0 to the colour"""
    stream_scene(t)
    s = bind9(Stream().op("CREATEPIXELSHADER", pixel_shader(1, shaders.PS_2_X_REP)))
    s.op("SETPIXELSHADER", 1).op("SETPIXELSHADERCONST", with_tail(0, 1, tail=floats(0.1, 0, 0, 0)))
    s.op("SETPIXELSHADERCONSTI", with_tail(0, 1, tail=struct.pack("<4i", 3, 0, 0, 0)))
    t.dp2(one_triangle(s)).end()


@opcode("SETPIXELSHADERCONSTB", 9)
def set_pixel_shader_const_b(t):
    """The Boolean constant b0 selects the colour c0; a Boolean takes 4 bytes"""
    stream_scene(t)
    s = bind9(Stream().op("CREATEPIXELSHADER", pixel_shader(1, shaders.PS_2_X_IF)))
    s.op("SETPIXELSHADER", 1).op("SETPIXELSHADERCONST", with_tail(0, 1, tail=floats(1, 1, 0, 1)))
    s.op("SETPIXELSHADERCONSTB", with_tail(0, 2, tail=dwords(0, 1)))
    t.dp2(one_triangle(s)).end()


@opcode("SETSTREAMSOURCEFREQ", 9)
def set_stream_source_freq(t):
    """Two instances of an indexed triangle: stream 1 advances once per instance"""
    small = [(0.5 * x, 0.5 * y, color) for x, y, color in CLIP_TRIANGLE]
    t.target().buffer(4, clip_vertices(small)).buffer(5, floats(-0.5, 0, 0, 0, 0.5, 0, 0, 0))
    t.buffer(6, words(0, 1, 2), "index_buffer", "INDEX16").context()
    elements = [*ELEMENTS_CLIP, (1, 0, 3, 0, 5, 0)]
    code = shaders.VS_3_0_OFFSET
    s = Stream().op("CREATEVERTEXSHADERDECL", declaration(1, elements))
    s.op("CREATEVERTEXSHADERFUNC", with_tail(3, len(code), tail=code))
    s.op("CREATEPIXELSHADER", pixel_shader(1, shaders.PS_3_0)).op("SETPIXELSHADER", 1)
    s.op("SETVERTEXSHADERDECL", 1).op("SETVERTEXSHADERFUNC", 3).op("SETINDICES", (6, 2))
    s.op("SETSTREAMSOURCE2", (0, 4, 0, 16)).op("SETSTREAMSOURCE2", (1, 5, 0, 16))
    s.op("SETSTREAMSOURCEFREQ", (0, 0x40000002), (1, 0x80000001))
    t.dp2(s.op("DRAWINDEXEDPRIMITIVE", (TRIANGLELIST, 0, 0, 3, 0, 1))).end()


@opcode("SURFACEBLT", 9)
def surface_blt(t):
    """A part of a system memory texture to a video memory texture, without stretch"""
    t.target().texture(3, 8, memory="SYSTEMMEMORY").texture(2, 8).context()
    t.update(3, checkerboard(8, WHITE, BLUE))
    textured_end(t, Stream().op("SURFACEBLT", (3, (0, 0, 8, 6), 0, 2, (0, 2, 8, 8), 0, 0)))


# ---------- Direct3D 9Ex ----------


@opcode("SETCONVOLUTIONKERNELMONO", 9, d3d9ex=True)
def set_convolution_kernel_mono(t):
    """A kernel of 3x3 without weights"""
    t.target().context()
    t.dp2(Stream().op("SETCONVOLUTIONKERNELMONO", (3, 3, 0))).end(present=False)


@opcode("SETCONVOLUTIONKERNELMONO", 9, "weights", d3d9ex=True)
def set_convolution_kernel_mono_weights(t):
    """Weights behind the records, as the flags suggest: columns and rows, columns, rows"""
    t.target().context()
    s = Stream().op(
        "SETCONVOLUTIONKERNELMONO",
        with_tail(3, 2, 3, tail=floats(0.25, 0.5, 0.25) + floats(0.5, 0.5)),
        with_tail(1, 3, 1, tail=floats(1.0)),
        with_tail(3, 1, 2, tail=floats(1.0)),
    )
    t.dp2(s).end(present=False)


@opcode("COMPOSERECTS", 9, d3d9ex=True)
def compose_rects(t):
    """Two glyph rectangles of a one-bit surface, combined into another"""
    t.target()
    for handle in (2, 3):
        t.add("surface_create", handle=handle, kind="plain", caps=["VIDEOMEMORY"], format="A1",
              width=32, height=8)  # fmt: skip
    t.update(2, bytes.fromhex("f00ff00f") * 8)
    t.buffer(4, words((0, 0, 8, 8), (8, 0, 8, 8)))
    t.buffer(5, struct.pack("<HHhhHHhh", 0, 0, 0, 0, 1, 0, 16, 0)).context()
    t.dp2(Stream().op("COMPOSERECTS", (2, 3, 4, 2, 5, 1, 2, -1))).add("surface_read", handle=3)
    t.end(present=False)

