"""What `verify` finds in recordings: RECORD-CONTENT, RECORD-STATE, RECORD-ORDER, RECORD-PICTURE."""

import struct

from ..dp2 import Stream
from ..pair_list import Pairs
from ..trace import BLUE, DIFFUSE, TRIANGLE, XYZRHW, Trace, blob, checkerboard, screen_vertices

ZENABLE, ALPHABLENDENABLE = 7, 27
TEXTUREMAP, MIPFILTER = 0, 18
MIP_NONE, MIP_LINEAR = 1, 3  # D3DTFP
CUBE_FACES = ["POSITIVEX", "NEGATIVEX", "POSITIVEY", "NEGATIVEY", "POSITIVEZ", "NEGATIVEZ"]
LIST = 4
TARGET, ZBUFFER = 1, 2
TRIANGLE_UV = [(x, y, color, 0.0, 0.0) for x, y, color in TRIANGLE]


def clear(stream, flags=TARGET):
    """A clear of the whole 64x64 target, 36 bytes."""
    return stream.op("CLEAR", count=1, fixed=(flags, BLUE, 1.0, 0, (0, 0, 64, 64)))


def triangle(stream):
    """A triangle, 6 bytes."""
    return stream.op("TRIANGLELIST", fixed=(0,), count=1)


def textured(has_contents):
    t = Trace(None, 7).target().context().texture(3)
    if has_contents:
        t.update(3, checkerboard(8, 0xFF000000, 0xFFFFFFFF))
    return t.draw_textured(triangle(Stream().op("TEXTURESTAGESTATE", (0, TEXTUREMAP, 3))), TRIANGLE_UV)


def mapped(mip_filter):
    """A texture of two levels, of which the first one is known."""
    t = Trace(None, 7).target().context().texture(3, levels=2, handles=(4,))
    t.update(3, checkerboard(8, 0xFF000000, 0xFFFFFFFF))
    states = Stream().op("TEXTURESTAGESTATE", (0, TEXTUREMAP, 3), (0, MIPFILTER, mip_filter))
    return t.draw_textured(triangle(states), TRIANGLE_UV)


def cube(faces):
    """A cube map of which these faces are known."""
    t = Trace(None, 7).target().context()
    t.texture(3, faces=CUBE_FACES, caps2=["CUBEMAP", *("CUBEMAP_" + face for face in CUBE_FACES)])
    for face in faces:
        t.update(3, checkerboard(8, 0xFF000000, 0xFFFFFFFF), face=face)
    return t.draw_textured(triangle(Stream().op("TEXTURESTAGESTATE", (0, TEXTUREMAP, 3))), TRIANGLE_UV)


def buffered(has_contents):
    t = Trace(None, 8).target().context()
    data = screen_vertices(TRIANGLE)
    if has_contents:
        t.buffer(4, data)
    else:
        t.add("surface_create", handle=4, kind="vertex_buffer", caps=["EXECUTEBUFFER", "VIDEOMEMORY"],
              caps2=["VERTEXBUFFER"], format="VERTEXDATA", width=len(data))  # fmt: skip
    s = Stream().op("SETVERTEXSHADER", XYZRHW | DIFFUSE).op("SETSTREAMSOURCE", (0, 4, 20))
    return t.dp2(s.op("DRAWPRIMITIVE", (LIST, 0, 1)))


def blended(is_cleared):
    s = Stream().op("RENDERSTATE", (ALPHABLENDENABLE, 1))
    return Trace(None, 7).target().context().draw(triangle(clear(s) if is_cleared else s))


def tested(flags):
    s = Stream().op("RENDERSTATE", (ZENABLE, 1))
    return Trace(None, 7).target().depth().context(depth=2).draw(triangle(clear(s, flags)))


def started(start):
    return Trace(None, 7, start=start).target().context().draw(triangle(clear(Stream())))


def ordered(first, second):
    t = Trace(None, 7)
    for position in (first, second):
        t.add("marker", source="driver.log", position=position)
    return t


def picture(color, rect, width=2, height=2):
    t = Trace(None, 7).target().context().draw(clear(Stream()))
    data = struct.pack("<I", color) * (width * height)
    return t.add("picture", handle=1, rect=rect, format="X8R8G8B8", data=blob(data))


def pairs():
    p = Pairs()
    p.stream("RECORD-CONTENT-001", "texture", textured(False), 12)
    p.good("RECORD-CONTENT-001", "texture", textured(True))
    p.stream("RECORD-CONTENT-001", "sub-level", mapped(MIP_LINEAR), 20)
    p.good("RECORD-CONTENT-001", "top-level-alone", mapped(MIP_NONE))
    p.stream("RECORD-CONTENT-001", "cube-face", cube(range(5)), 12)
    p.good("RECORD-CONTENT-001", "all-faces", cube(range(6)))
    p.stream("RECORD-CONTENT-002", "vertex-buffer", buffered(False), 24)
    p.good("RECORD-CONTENT-002", "vertex-buffer", buffered(True))
    p.stream("RECORD-CONTENT-003", "blending", blended(False), 12)
    p.good("RECORD-CONTENT-003", "blending", blended(True))
    p.stream("RECORD-CONTENT-003", "depth", tested(TARGET), 48)
    p.good("RECORD-CONTENT-003", "depth", tested(TARGET | ZBUFFER))
    p.stream("RECORD-STATE-001", "snapshot-without-states", started("snapshot"), 36)
    p.good("RECORD-STATE-001", "from-the-beginning", started("beginning"))
    p.event("RECORD-ORDER-001", "backwards", ordered(7, 6))
    p.good("RECORD-ORDER-001", "twice", ordered(7, 7))
    p.event("RECORD-PICTURE-001", "another-blue", picture(BLUE - 1, [4, 4, 6, 6]))
    p.good("RECORD-PICTURE-001", "the-same-blue", picture(BLUE, [4, 4, 6, 6]))
    p.event("RECORD-PICTURE-002", "beyond-the-target", picture(BLUE, [63, 63, 65, 65]))
    p.good("RECORD-PICTURE-002", "last-pixel", picture(BLUE, [62, 62, 64, 64]))
    p.event("RECORD-PICTURE-002", "too-few-bytes", picture(BLUE, [4, 4, 6, 7]))
    return p


def cases():
    """The broken traces."""
    yield from pairs().cases()


def accepted():
    """The legal traces."""
    yield from pairs().accepted()
