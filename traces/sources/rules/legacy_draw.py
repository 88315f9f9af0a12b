"""Legacy and immediate primitives: DP2-PRIM, DP2-IMM. The framing of immediate vertices is in malformed.py."""

import math

from .. import rule_pairs
from ..assembly import Code
from ..dp2 import Stream, dwords, with_tail
from ..rule_pairs import Pair
from ..trace import (CLIP_TRIANGLE, DIFFUSE, TRIANGLE, WHITE, XYZ, XYZRHW, Trace, clip_vertices,
                     screen_vertices)  # fmt: skip

FVF = XYZRHW | DIFFUSE
FILLMODE, WIREFRAME = 8, 2
ALL_EDGES = 0x700
SHADER = 17


def draw(stream, level=6):
    """A call that draws from the three vertices of a triangle."""
    return Trace(None, level).target().context().draw(stream)


def start(value):
    return draw(Stream().op("TRIANGLELIST", fixed=(value,), count=1))


def last_index(value):
    return draw(Stream().op("INDEXEDTRIANGLELIST", (0, 1, value, ALL_EDGES)))


def indices(value):
    return draw(Stream().op("INDEXEDTRIANGLELIST2", (0, 1, value), fixed=(0,)))


def flags(value):
    return draw(Stream().op("INDEXEDTRIANGLELIST", (0, 1, 2, value)))


def wireframe(value):
    s = Stream().op("RENDERSTATE", (FILLMODE, WIREFRAME))
    return draw(s.op("INDEXEDTRIANGLELIST", (0, 1, 2, value)))


def shader(handle):
    declaration = dwords(0x20000000, 0x40020000, 0xFFFFFFFF)
    code = Code("vs_1_1; mov oPos, v0").data
    s = Stream().op("CREATEVERTEXSHADER", with_tail(
        SHADER, len(declaration), len(code), tail=declaration + code))  # fmt: skip
    return draw(s.op("SETVERTEXSHADER", handle).op("TRIANGLELIST", fixed=(0,), count=1), 8)


def points(count):
    return draw(Stream().op("POINTS", (count, 0)))


def vertex_size(value):
    s = Stream().op("TRIANGLELIST", fixed=(0,), count=1)
    t = Trace(None, 6).target().context()
    return t.dp2(s, vertices=screen_vertices(TRIANGLE), fvf=FVF, size=value)


def large_start(value):
    """65538 vertices of zeros, in a buffer."""
    t = Trace(None, 8).target()
    t.add("surface_create", handle=5, kind="vertex_buffer", caps=["EXECUTEBUFFER", "VIDEOMEMORY"],
          caps2=["VERTEXBUFFER"], format="VERTEXDATA", width=65538 * 12)  # fmt: skip
    s = Stream().op("INDEXEDTRIANGLELIST2", (0, 1, 2), fixed=(value,))
    return t.context().dp2(s, fvf=XYZ, size=12, vertex_buffer=5, vertex_length=65538)


def immediate(vertices, fvf=FVF, size=20, edges=7, level=6, count=1):
    """A call with one fan in its stream."""
    s = Stream().op("TRIANGLEFAN_IMM", fixed=(edges,), count=count).raw(vertices)
    return Trace(None, level).target().context().dp2(s, fvf=fvf, size=size)


def immediate_size(value):
    return immediate(screen_vertices(TRIANGLE) if value else b"", size=value)


def padding(value):
    s = Stream().op("TRIANGLELIST", fixed=(0,), count=1).op("LINELIST_IMM", count=1).raw(value)
    return draw(s.raw(screen_vertices(TRIANGLE[:2])))


def large_fan(count):
    angles = [2 * math.pi * i / 64 for i in range(count + 2)]
    corners = [(32 + 24 * math.cos(a), 32 + 24 * math.sin(a), WHITE) for a in angles]
    return immediate(screen_vertices(corners), edges=0xFFFFFFFF, count=count)


def immediate_format(fvf):
    if fvf & XYZRHW:
        return immediate(screen_vertices(TRIANGLE), level=7)
    return immediate(clip_vertices(CLIP_TRIANGLE), fvf, 16, level=7)


def pairs():
    """Yields every Pair."""
    yield Pair("DP2-PRIM-001", "start-1", start, 1, 0, 0)
    yield Pair("DP2-PRIM-002", "index-3", last_index, 3, 2, 4)
    yield Pair("DP2-PRIM-003", "index-1-twice", indices, 1, 2, 0)
    yield Pair("DP2-PRIM-004", "bit-11", flags, ALL_EDGES | 0x800, ALL_EDGES, 4)
    yield Pair("DP2-PRIM-005", "start-flat", flags, ALL_EDGES | 1, ALL_EDGES, 0)
    yield Pair("DP2-PRIM-006", "no-edge", wireframe, 0, 0x100, 12)
    yield Pair("DP2-PRIM-007", "vertex-shader", shader, SHADER, FVF, 56)
    yield Pair("DP2-PRIM-008", "no-point", points, 0, 1, 4)
    yield Pair("DP2-PRIM-009", "size-0", vertex_size, 0, 20, 0)
    yield Pair("DP2-PRIM-010", "vertex-65536", large_start, 65534, 65533, 0)
    yield Pair("DP2-IMM-002", "size-0", immediate_size, 0, 20, 0)
    yield Pair("DP2-IMM-003", "two-bytes", padding, b"\x00\x01", bytes(2), ("DP2-STREAM-012", 6), 6)
    yield Pair("DP2-IMM-004", "31-triangles", large_fan, 31, 30, 0)
    yield Pair("DP2-IMM-005", "fourth-edge",
               lambda v: immediate(screen_vertices(TRIANGLE), edges=v), 0xF, 0x7, 0)  # fmt: skip
    yield Pair("DP2-IMM-006", "untransformed", immediate_format, XYZ | DIFFUSE, FVF, 0)


def cases():
    return rule_pairs.cases(pairs())


def accepted():
    return rule_pairs.accepted(pairs())
