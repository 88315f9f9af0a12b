"""Vertex formats and vertices: DP2-FVF."""

import struct

from .. import rule_pairs
from ..assembly import Code
from ..dp2 import Stream, with_tail
from ..rule_pairs import Pair
from ..trace import CLIP_TRIANGLE, DIFFUSE, NORMAL, TEX1, TRIANGLE, WHITE, XYZ, XYZRHW, Trace

XYZB1, XYZB2, XYZB5, XYZW = 0x006, 0x008, 0x00E, 0x4002
PSIZE, FOG = 0x020, 0x2000
LASTBETA_UBYTE4, LASTBETA_D3DCOLOR = 0x1000, 0x8000
ONE_FLOAT = 3  # texture format
TRIANGLE_LIST = 4


def triangle():
    """A draw of the first three vertices of the call."""
    return Stream().op("TRIANGLELIST", fixed=(0,), count=1)


def vertices(fvf, size):
    """Three vertices: positions, and zeros."""
    if fvf & 0x400E == XYZRHW:
        corners = [struct.pack("<4f", x, y, 0.5, 1.0) for x, y, _ in TRIANGLE]
    elif fvf & 0x400E == XYZW:
        corners = [struct.pack("<4f", x, y, 0.5, 1.0) for x, y, _ in CLIP_TRIANGLE]
    else:
        corners = [struct.pack("<3f", x, y, 0.5) for x, y, _ in CLIP_TRIANGLE]
    return b"".join(corner[:size].ljust(size, b"\0") for corner in corners)


def draw(fvf, size, level=7):
    """A call that draws a triangle of this format."""
    t = Trace(None, level).target().context()
    return t.dp2(triangle(), vertices=vertices(fvf, size), fvf=fvf, size=size)


def formats(level=7):
    """A builder that takes format and size."""
    return lambda value: draw(*value, level)


def shader_format(function):
    """XYZW vertices, with and without a vertex shader."""
    code = Code("vs_1_1; mov oPos, v0").data
    s = Stream().op("CREATEVERTEXSHADERFUNC", with_tail(1, len(code), tail=code))
    s.op("SETVERTEXSHADERDECL", XYZW).op("SETVERTEXSHADERFUNC", function)
    s.op("SETSTREAMSOURCEUM", (0, 16)).op("DRAWPRIMITIVE", (TRIANGLE_LIST, 0, 1))
    return Trace(None).target().context().dp2(s, vertices=vertices(XYZW, 16), size=16)


def first_x(value):
    """The same triangle with another x of its first vertex."""
    data = bytearray(vertices(XYZ, 12))
    struct.pack_into("<f", data, 0, value)
    return Trace(None, 7).target().context().dp2(triangle(), vertices=data, fvf=XYZ, size=12)


def screen(offset):
    """The same for x, y, z or rhw of a transformed triangle."""

    def build(value):
        data = bytearray(vertices(XYZRHW, 16))
        struct.pack_into("<f", data, offset, value)
        return Trace(None, 6).target().context().dp2(triangle(), vertices=data, fvf=XYZRHW, size=16)

    return build


def point_size(value):
    data = struct.pack("<5fI", 32.0, 32.0, 0.5, 1.0, value, WHITE)
    t = Trace(None, 8).target().context()
    return t.dp2(Stream().op("POINTS", (1, 0)), vertices=data, fvf=XYZRHW | PSIZE | DIFFUSE, size=24)


def pairs():
    """Yields every Pair."""

    def pair(number, name, build, broken, legal, place=0):
        return Pair(f"DP2-FVF-{number:03}", name, build, broken, legal, place)

    yield pair(1, "no-position", formats(), (DIFFUSE, 16), (XYZ | DIFFUSE, 16))
    yield pair(2, "bit-0", formats(), (XYZ | DIFFUSE | 1, 16), (XYZ | DIFFUSE, 16))
    yield pair(3, "transformed-normal", formats(), (XYZRHW | NORMAL, 28), (XYZ | NORMAL, 24))
    yield pair(4, "nine-sets", formats(), (XYZ | 9 * TEX1, 76), (XYZ | 8 * TEX1, 76))
    yield pair(5, "indices-at-level-7", lambda level: draw(XYZB2 | LASTBETA_UBYTE4, 20, level), 7, 8)
    yield pair(6, "lvertex", formats(), (0x1E2, 32), (0x1E2 & ~PSIZE, 28))
    yield pair(7, "no-weights", formats(8), (XYZ | LASTBETA_UBYTE4, 12), (XYZB1 | LASTBETA_UBYTE4, 16))
    yield pair(8, "both-kinds", formats(9),
               (XYZB2 | LASTBETA_UBYTE4 | LASTBETA_D3DCOLOR, 20), (XYZB2 | LASTBETA_UBYTE4, 20))  # fmt: skip
    yield pair(9, "five-weights", formats(8), (XYZB5, 32), (XYZB5 | LASTBETA_UBYTE4, 32))
    yield pair(10, "second-set-of-one", formats(),
               (XYZ | TEX1 | ONE_FLOAT << 18, 20), (XYZ | TEX1 | ONE_FLOAT << 16, 16))  # fmt: skip
    yield pair(11, "four-bytes-short", formats(), (XYZ | DIFFUSE, 12), (XYZ | DIFFUSE, 16))
    yield pair(12, "four-bytes-unused", formats(), (XYZ | DIFFUSE, 20), (XYZ | DIFFUSE, 16))
    yield pair(13, "untransformed", formats(6), (XYZ | DIFFUSE, 16), (XYZRHW | DIFFUSE, 20))
    yield pair(14, "fixed-function", shader_format, 0, 1, 64)
    yield pair(15, "fog-at-level-7", lambda level: draw(XYZ | FOG, 16, level), 7, 8)
    yield pair(16, "nan", first_x, float("nan"), 0.0)
    yield pair(16, "infinite-rhw", screen(12), float("inf"), 1.0)
    yield pair(17, "rhw-0", screen(12), 0.0, 0.5)
    yield pair(18, "z-1-5", screen(8), 1.5, 1.0)
    yield pair(19, "x-32768", screen(0), 32768.0, 32767.0)
    yield pair(20, "negative", point_size, -1.0, 0.0)


def cases():
    return rule_pairs.cases(pairs())


def accepted():
    return rule_pairs.accepted(pairs())
