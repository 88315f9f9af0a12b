"""Traces that ask for more than any machine has, or for what makes no sense.

Each replays in bounded time and memory. The .expected file beside a trace names the rules that must be
among its findings; `options` are those of the command line.
"""

import struct

from . import shaders
from .dp2 import dwords, floats, with_tail
from .facts import names
from .facts.names import STENCIL, ZBUFFER
from .facts.scene import Scene
from .trace import DIFFUSE, NORMAL, TEX1, XYZ, XYZRHW, Trace

NAN, INFINITY = float("nan"), float("inf")
MOST = 0xFFFFFFFF
OFTEN = 0x40000000  # bit 30 of a stream divider: indexed data
PATCHSEGMENTS, VIEWPORTS = 164, (0x80000000, 0xFFFFFFFF)
FILLMODE_LINES = 2
STRIDE_OF_POINT = 16

# Level 9, version 2.x: three loops of 255 rounds inside each other, 16 million instructions for a vertex.
ENDLESS_VERTEX_SHADER = dwords(
    0xFFFE0201,
    (0x0200001F, 0x80000000, 0x900F0000),
    (0x02000001, shaders.R0, 0x90E40000),
    [(0x01000026, shaders.SRC_I0)] * 3,
    (0x03000002, shaders.R0, shaders.SRC_R0, shaders.SRC_C0),
    [0x00000027] * 3,
    (0x02000001, 0xC00F0000, 0x90E40000),
    shaders.END,
)
ENDLESS_PIXEL_SHADER = dwords(
    0xFFFF0201,
    (0x05000051, 0xA00F0001, 0, 0, 0, 0),
    (0x02000001, shaders.R0, 0xA0E40001),
    [(0x01000026, shaders.SRC_I0)] * 3,
    (0x03000002, shaders.R0, shaders.SRC_R0, shaders.SRC_C0),
    [0x00000027] * 3,
    (0x02000001, 0x800F0800, shaders.SRC_R0),
    shaders.END,
)

CASES = []


def case(*rules, options="", also=""):
    """Registers a builder; `rules` must be among the findings. `also`: another verb that must not take more."""

    def register(builder):
        CASES.append((builder.__name__.replace("_", "-"), builder, rules, options, also))
        return builder

    return register


def expected_text(rules, options, also):
    """The text of an .expected file."""
    head = "# rules that must be among the findings\n"
    return head + (f"options {options}\n" if options else "") + (f"also {also}\n" if also else "") + "".join(f"{rule}\n" for rule in rules)


def traces():
    """Yields name, trace and text of the .expected file."""
    for name, builder, rules, options, also in CASES:
        yield name, builder(), expected_text(rules, options, also)


def scene(builder, size=(64, 64), **fields):
    """A scene that is named after its builder's text."""
    return Scene(builder.__doc__.splitlines()[0], 0, size=size, **fields)


def streams(s, data, stride, fvf=XYZRHW | DIFFUSE):
    """Binds a vertex buffer with these bytes."""
    handle = s.new_handle()
    s.flush()
    s.trace.buffer(handle, data)
    s.op("SETVERTEXSHADERDECL", fvf).op("SETSTREAMSOURCE", (0, handle, stride))


def points(*values):
    """XYZRHW|DIFFUSE vertices in a row."""
    return b"".join(struct.pack("<4fI", *value, 0xFFFFFFFF) for value in values)


@case("REPLAY-SURFACE-001", also="info --frames")
def huge_surfaces():
    """Surfaces of 2^32 pixels, of more bytes than there are, of 2^32 levels and of a long flip chain"""
    t = Trace(huge_surfaces.__doc__).target()
    t.add("surface_create", handle=2, kind="target", format="X8R8G8B8", width=MOST, height=MOST)
    t.add("surface_create", handle=3, format="A32B32G32R32F", width=16384, height=16384)
    t.add("surface_create", handle=4, format="A8R8G8B8", width=16384, height=16384, depth=16384)
    t.add("surface_create", handle=5, format="A8R8G8B8", width=4, height=4, levels=MOST)
    t.add("surface_create", handle=6, kind="target", format="X8R8G8B8", width=8192, height=8192,
          flip_chain=list(range(100, 200)))  # fmt: skip
    t.add("surface_create", handle=7, kind="vertex_buffer", format="VERTEXDATA", width=MOST)
    t.add("surface_create", handle=8, kind="target", format="A8R8G8B8", width=16384, height=16384,
          samples=8)  # fmt: skip
    return t.context().end()


@case("REPLAY-SURFACE-001", also="info --frames")
def huge_frames():
    """Targets that just fit are cleared, shown and read: pictures of 256 MiB, hashes of stored bits, stencils"""
    s = scene(huge_frames, size=(8192, 8192), pixel_format="R5G6B5").clear(0xFF4080C0)
    s.event("surface_create", handle=2, kind="depth", format="D24S8", width=4096, height=4096, caps=["VIDEOMEMORY", "ZBUFFER"])
    s.event("surface_create", handle=3, kind="target", format="A16B16G16R16F", width=4096, height=4000, caps=["3DDEVICE", "VIDEOMEMORY"])
    s.event("surface_create", handle=4, kind="target", format="A16B16G16R16F", width=4096, height=4000, caps=["3DDEVICE", "VIDEOMEMORY"])
    s.op("SETRENDERTARGET2", (0, 3)).clear(0xFF204060, rects=[(0, 0, 4096, 4000)])
    s.op("SETRENDERTARGET2", (0, 1)).op("SETDEPTHSTENCIL", 2).clear(flags=ZBUFFER | STENCIL, z=0.5, stencil=3, rects=[(0, 0, 4096, 4096)])
    s.event("present", handle=1)
    s.has_open_frame = False
    for handle in (2, 3):
        s.event("surface_read", handle=handle, flags=["READONLY"])
    return s.end()


@case("REPLAY-PATCH-001", "DP2-PATCH-006", "DP2-PATCH-007", "DP2-PATCH-009", options="--max-draw-steps 4M")
def patch_segments():
    """A patch with 9999, 10^30, infinitely many, and no number of segments along its edges"""
    s = scene(patch_segments)
    side = (-0.75, -0.25, 0.25, 0.75)
    data = b"".join(struct.pack("<3fI", x, y, 0.5, MOST) for y in side for x in side)
    streams(s, data, STRIDE_OF_POINT, XYZ | DIFFUSE)
    info = s.stream.struct("D3DRECTPATCH_INFO", 0, 0, 4, 4, 4, 0, 3)
    for count in (9999.0, 1e30, INFINITY, NAN, -1e30):
        s.op("DRAWRECTPATCH", with_tail(0, 3, tail=floats(count, 9999.0, count, 1.0) + info))
    return s.end()


@case("DP2-PATCH-018")
def patch_control_points():
    """Patches of 2^32 by 2^32 control points with a stride of 2^32"""
    s = scene(patch_control_points)
    streams(s, points((0, 0, 0, 1)), 20, XYZ | DIFFUSE)
    segments = floats(4.0, 4.0, 4.0, 4.0)
    for basis, degree in ((0, 3), (1, 2), (2, 3)):
        info = s.stream.struct("D3DRECTPATCH_INFO", 0, 0, MOST, MOST, MOST, basis, degree)
        s.op("DRAWRECTPATCH", with_tail(0, 3, tail=segments + info))
    info = s.stream.struct("D3DTRIPATCH_INFO", MOST, MOST, 0, 3)
    s.op("DRAWTRIPATCH", with_tail(0, 3, tail=segments[:12] + info))
    return s.end()


@case("REPLAY-PATCH-001", "REPLAY-DRAW-002", options="--max-draw-steps 4M")
def n_patches():
    """200 triangles, each of them an N-patch of 10^30 segments"""
    s = scene(n_patches)
    vertices = [(x, y, 0.5, 0, 0, -1.0) for _ in range(200) for x, y in ((-1, -1), (0, 1), (1, -1))]
    s.states(POINTSIZE=1.0)
    s.op("RENDERSTATE", (PATCHSEGMENTS, struct.unpack("<I", floats(1e30))[0]))
    s.draw(names.TRIANGLELIST, XYZ | NORMAL, vertices)
    return s.end()


@case("DP2-DRAW-003", "REPLAY-DRAW-001", "REPLAY-DRAW-002", options="--max-draw-steps 1M")
def endless_strips():
    """Strips, lists and fans of 2^32 - 1 primitives from one vertex with stride 0"""
    s = scene(endless_strips)
    streams(s, points((8, 8, 0.5, 1)), 0)
    for kind in range(1, 7):
        s.op("DRAWPRIMITIVE", (kind, 0, MOST))
        s.op("DRAWPRIMITIVE", (kind, 0, MOST // 3))
        s.op("DRAWPRIMITIVE", (kind, 0, 1 << 24))
    return s.end()


@case("REPLAY-DRAW-001")
def endless_instances():
    """A billion instances of one triangle"""
    s = scene(endless_instances)
    streams(s, points((8, 8, 0.5, 1), (56, 8, 0.5, 1), (8, 56, 0.5, 1)), 20)
    indices = s.new_handle()
    s.flush()
    s.trace.buffer(indices, struct.pack("<3H", 0, 1, 2), "index_buffer", "INDEX16")
    s.op("SETSTREAMSOURCEFREQ", (0, OFTEN | 0x3FFFFFFF), (1, 0x80000001)).op("SETINDICES", (indices, 2))
    s.op("DRAWINDEXEDPRIMITIVE", (names.TRIANGLELIST, 0, 0, 3, 0, 1))
    return s.end()


def no_numbers(s, value):
    """Puts one value everywhere and draws everything."""
    matrix = (value,) * 16
    for which in (names.VIEW, names.PROJECTION, names.TEXTURE0, names.WORLD):
        s.transform(which, matrix)
    s.op("ZRANGE", (value, value)).op("WINFO", (value, value))
    s.op("SETCLIPPLANE", (0, (value,) * 4))
    s.material((value,) * 4, (value,) * 4, (value,) * 4, (value,) * 4, value)
    for index in range(3):
        s.light(index, index + 1, (value,) * 4, (value,) * 4, (value,) * 3, (value,) * 3, value, value,
                (value,) * 3, value, value)  # fmt: skip
    s.states(CLIPPLANEENABLE=1, LIGHTING=1, FOGENABLE=1, FOGTABLEMODE=names.FOG_EXP2, FOGSTART=value,
             FOGEND=value, FOGDENSITY=value, POINTSIZE=value, POINTSIZE_MAX=value, POINTSIZE_MIN=value,
             POINTSCALEENABLE=1, POINTSCALE_A=value, POINTSCALE_B=value, POINTSCALE_C=value,
             SPECULARENABLE=1, DEPTHBIAS=value)  # fmt: skip
    s.stage(0, BUMPENVMAT00=value, BUMPENVLSCALE=value, TEXTURETRANSFORMFLAGS=names.COUNT2)
    s.flush()
    for kind in range(1, 7):
        s.draw(kind, XYZ | NORMAL | TEX1, [((value,) * 3, (value,) * 3, (value,) * 2)] * 6)
        s.draw(kind, XYZRHW | DIFFUSE | TEX1, [((value,) * 4, 0xFF00FF00, (value,) * 2)] * 6)
        mixed = [(8, 8, 0.5), (56, value, 0.5), (8, 56, value)] * 2
        s.draw(kind, XYZRHW | DIFFUSE | TEX1, [(p, 1.0, MOST, (value, 0.0)) for p in mixed])


@case("DP2-VIEW-002", "DP2-VIEW-005", options="--max-draw-steps 4M")
def no_numbers_everywhere():
    """NaN, infinity and the largest numbers in vertices, matrices, ranges, lights, fog and planes"""
    s = scene(no_numbers_everywhere, depth="D24S8")
    s.show_texture(s.texture((4, 4), bytes(range(64))), BUMPENVMAT00=0)
    s.states(ZENABLE=1)
    for value in (NAN, INFINITY, -INFINITY, 3.4e38, -3.4e38, 1e-45, 0.0):
        no_numbers(s, value)
    s.op("VIEWPORTINFO", (*VIEWPORTS, *VIEWPORTS))
    no_numbers(s, 1.0)
    s.op("VIEWPORTINFO", (0, 0, MOST, MOST))
    no_numbers(s, 2.0)
    return s.end()


@case("DP2-TSS-006", "DP2-TEXBLT-014", "DP2-BLT-003")
def targets_as_textures():
    """A target is drawn onto itself, and a depth surface is both tested and read"""
    s = scene(targets_as_textures, depth="D24S8")
    texture = s.surface(s.new_handle(), "texture", "X8R8G8B8", (64, 64), ["TEXTURE", "3DDEVICE"])
    s.op("SETRENDERTARGET2", (0, texture))
    s.show_texture(texture, MINFILTER=2, MAGFILTER=2)
    for shift in range(4):
        s.screen_quad((shift, 0, 64, 64), color=MOST, sets=[names.UNIT])
    s.states(ZENABLE=1)
    for surface in (1, 2):
        s.show_texture(surface)
        s.screen_quad(sets=[names.UNIT])
    s.op("TEXBLT", (texture, texture, (1, 1), (0, 0, 64, 64), 0))
    s.op("SURFACEBLT", (texture, (0, 0, 64, 64), 0, texture, (1, 1, 65, 65), 0, 2))
    return s.end()


@case("REPLAY-SURFACE-002", "DP2-BLT-003", "DP2-BLT-006", "DP2-TEXBLT-011", "DP2-TEXBLT-013", "DP2-TEXBLT-014", "DP2-VOLBLT-001",
      "DP2-BUFBLT-001", "DP2-CLEAR-009")  # fmt: skip
def blits_outside():
    """Blits and fills whose rectangles are inside out, negative or 2^31 pixels away"""
    s = scene(blits_outside)
    low, high = -0x80000000, 0x7FFFFFFF
    a = s.texture((16, 16), bytes(1024), memory="SYSTEMMEMORY")
    b = s.texture((16, 16))
    rects = [(low, low, high, high), (high, high, low, low), (15, 15, 17, 17), (-1, -1, 1, 1),
             (0, 0, 0, 0), (high, 0, high, 16), (0, 0, 16, high)]  # fmt: skip
    for rect in rects:
        s.op("TEXBLT", (b, a, (low, high), rect, 0), (b, a, (0, 0), rect, 0), (0, a, (1, 1), rect, 0))
        s.op("COLORFILL", (1, rect, MOST), (a, rect, MOST))
        for other in rects:
            s.op("SURFACEBLT", (a, rect, 0, 1, other, 0, 2))
            s.op("BLT", (a, rect, 0, 1, other, 0, 0))
        s.clear(rects=[rect])
        s.event("blt", src=a, src_rect=list(rect), dest=1, dest_rect=list(rect))
        s.event("present", handle=1, rect=list(rect))
        s.event("surface_read", handle=a, rect=list(rect))
        s.event("surface_update", handle=a, rect=list(rect), pitch=MOST, data="AAAA")
    s.op("VOLUMEBLT", (b, a, MOST, MOST, MOST, (0, 0, MOST, MOST, MOST, MOST), 0))
    s.op("BUFFERBLT", (b, a, MOST, (0, MOST), 0), (a, a, 0, (MOST, 0), 0))
    return s.end()


@case("DP2-SBLK-005", "DP2-QUERY-002", "DP2-BLT-001", "DP2-TEXBLT-002", "DP2-VSH-003", "DP2-SURF-003", "DP2-SURF-006",
      "DP2-SURF-007", "DP2-CTX-003")  # fmt: skip
def deleted_handles():
    """Everything is deleted, and then drawn with"""
    s = scene(deleted_handles, depth="D24S8")
    texture = s.texture((4, 4), bytes(64))
    streams(s, points((8, 8, 0.5, 1), (56, 8, 0.5, 1), (8, 56, 0.5, 1)), 20)
    buffer = s.handles
    s.show_texture(texture)
    code = shaders.VS_1_1_DCL
    s.op("CREATEVERTEXSHADERFUNC", with_tail(3, len(code), tail=code)).op("SETVERTEXSHADERFUNC", 3)
    s.op("DELETEVERTEXSHADERFUNC", 3, 3)
    s.op("STATESET", (0, 1, 0), (1, 1, 0), (2, 1, 0), (3, 1, 0), (4, 1, 0), (2, 1, 0))
    s.op("CREATEQUERY", (1, 9)).op("ISSUEQUERY", (1, 2)).op("DELETEQUERY", 1).op("ISSUEQUERY", (1, 1))
    for handle in (texture, buffer, 2, 1, 1, 77):
        s.event("surface_destroy", handle=handle)
        s.op("DRAWPRIMITIVE", (names.TRIANGLELIST, 0, 1))
        s.op("TEXBLT", (texture, 1, (0, 0), (0, 0, 4, 4), 0)).op("COLORFILL", (1, (0, 0, 8, 8), 0))
        s.clear(flags=7)
        s.op("SETRENDERTARGET2", (0, 1)).op("SETDEPTHSTENCIL", 2)
    s.event("present", handle=1)
    s.event("context_destroy", context=1)
    s.op("DRAWPRIMITIVE", (names.TRIANGLELIST, 0, 1))
    s.has_open_frame = False
    return s.end()


@case("REPLAY-DRAW-002", options="--max-draw-steps 4M")
def huge_points():
    """Ten thousand point sprites of 10^30 pixels"""
    s = scene(huge_points, size=(256, 256))
    s.states(POINTSPRITEENABLE=1, POINTSIZE=1e30, POINTSIZE_MAX=1e30, POINTSIZE_MIN=1e30)
    streams(s, points((32, 32, 0.5, 1)), 0)
    s.op("DRAWPRIMITIVE", (names.POINTLIST, 0, 10000))
    return s.end()


@case("REPLAY-DRAW-002", options="--max-draw-steps 4M")
def long_lines():
    """Ten thousand lines of 10^9 pixels, as lines, antialiased lines and outlines"""
    s = scene(long_lines)
    ends = points((-1e9, -9e8, 0.5, 1), (1e9, 9e8, 0.5, 1), (1e9, -9e8, 0.5, 1)) * 64
    streams(s, ends, 20)
    indices = s.new_handle()
    s.flush()
    s.trace.buffer(indices, struct.pack("<3H", 0, 1, 2) * 10000, "index_buffer", "INDEX16")
    s.op("SETINDICES", (indices, 2))
    for antialiased in (0, 1):
        s.states(ANTIALIASEDLINEENABLE=antialiased, FILLMODE=FILLMODE_LINES)
        for kind in (names.LINELIST, names.LINESTRIP, names.TRIANGLELIST):
            s.op("DRAWINDEXEDPRIMITIVE", (kind, 0, 0, 64, 0, 10000))
    return s.end()


@case("REPLAY-DRAW-002", options="--max-draw-steps 1M")
def thousands_of_lights():
    """Two thousand lights shine on 600 vertices"""
    s = scene(thousands_of_lights)
    s.states(LIGHTING=1)
    for index in range(2000):
        s.op("CREATELIGHT", index)
    for index in range(2000):
        s.op("SETLIGHT", (index, 0))
    vertices = [(i % 30 / 15 - 1, i // 30 / 15 - 1, 0.5, 0, 0, -1.0) for i in range(600)]
    s.draw(names.POINTLIST, XYZ | NORMAL, vertices)
    return s.end()


@case("REPLAY-WORK-001", options="--max-steps 64M")
def captured_states():
    """A state block of two thousand lights that is captured a thousand times"""
    s = scene(captured_states)
    for index in range(2000):
        s.op("CREATELIGHT", index)
    s.op("STATESET", (5, 1, 1), *[(4, 1, 0)] * 1000)
    return s.end()


@case("REPLAY-WORK-001", options="--max-steps 4M")
def filled_again():
    """A million pixels are filled a hundred times"""
    s = scene(filled_again)
    surface = s.target("A8R8G8B8", (1024, 1024))
    s.op("COLORFILL", *[(surface, (0, 0, 1024, 1024), MOST)] * 100)
    return s.end()


@case("REPLAY-WORK-001", options="--max-steps 4M")
def drawn_again():
    """A thousand draws of the whole target"""
    s = scene(drawn_again, size=(256, 256))
    streams(s, points((0, 0, 0.5, 1), (256, 0, 0.5, 1), (0, 256, 0.5, 1), (256, 256, 0.5, 1)), 20)
    for _ in range(1000):
        s.op("DRAWPRIMITIVE", (names.TRIANGLESTRIP, 0, 2))
    return s.end()


def shaded(s, vertex=None, pixel=None, stride=STRIDE_OF_POINT, count=100):
    """Draws triangles with these shaders, a hundred unless a stride of 0 makes all of one vertex."""
    if vertex:
        s.op("CREATEVERTEXSHADERFUNC", with_tail(3, len(vertex), tail=vertex))
        s.op("SETVERTEXSHADERCONSTI", with_tail(0, 1, tail=struct.pack("<4i", 255, 0, 1, 0)))
    if pixel:
        s.op("CREATEPIXELSHADER", with_tail(4, len(pixel), tail=pixel)).op("SETPIXELSHADER", 4)
        s.op("SETPIXELSHADERCONSTI", with_tail(0, 1, tail=struct.pack("<4i", 255, 0, 1, 0)))
    corners = ((-1.0, -1.0), (0.0, 1.0), (1.0, -1.0))
    data = b"".join(struct.pack("<3fI", x, y, 0.5, MOST) for x, y in corners * 100)
    streams(s, data, stride, XYZ | DIFFUSE)
    if vertex:
        s.op("SETVERTEXSHADERFUNC", 3)
    s.op("DRAWPRIMITIVE", (names.TRIANGLELIST, 0, count))
    return s.end()


@case("REPLAY-DRAW-002", options="--max-draw-steps 8M")
def endless_vertex_shader():
    """A vertex shader of three loops inside each other, 16 million rounds for each of 300,000 vertices"""
    return shaded(scene(endless_vertex_shader), vertex=ENDLESS_VERTEX_SHADER, stride=0, count=100_000)


@case("REPLAY-DRAW-002", options="--max-draw-steps 8M")
def endless_pixel_shader():
    """A pixel shader of three loops inside each other, 16 million rounds for a pixel"""
    return shaded(scene(endless_pixel_shader), pixel=ENDLESS_PIXEL_SHADER)


@case("REPLAY-DRAW-002", options="--max-draw-steps 4M")
def many_layers():
    """Two thousand triangles, each of which covers the whole target of 4096 by 4096 pixels"""
    s = scene(many_layers, size=(4096, 4096))
    streams(s, points((0, 0, 0.5, 1), (9000, 0, 0.5, 1), (0, 9000, 0.5, 1)), 20)
    indices = s.new_handle()
    s.flush()
    s.trace.buffer(indices, struct.pack("<3H", 0, 1, 2) * 2000, "index_buffer", "INDEX16")
    s.op("SETINDICES", (indices, 2)).op("DRAWINDEXEDPRIMITIVE", (names.TRIANGLELIST, 0, 0, 3, 0, 2000))
    s.event("surface_read", handle=1, rect=[0, 0, 8, 8])
    s.event("present", handle=1, rect=[0, 0, 8, 8])
    s.has_open_frame = False
    return s.end()


@case("REPLAY-DRAW-002", options="--max-draw-steps 16M")
def many_clears():
    """One clear with 1000 rectangles of 4096 by 4096 pixels"""
    s = scene(many_clears, size=(4096, 4096))
    s.clear(rects=[(0, 0, 4096, 4096)] * 1000)
    s.event("present", handle=1, rect=[0, 0, 8, 8])
    return s.end()
