"""Streams, indices and the draws of level 8: DP2-BIND, DP2-DRAW."""

from .. import rule_pairs
from ..dp2 import Stream, dwords, with_tail, words
from ..rule_pairs import Pair, cap
from ..trace import (BLUE, CLIP_TRIANGLE, DIFFUSE, GREEN, RED, TRIANGLE, WHITE, XYZ, XYZRHW, Trace,
                     clip_vertices, screen_vertices)  # fmt: skip

FVF = XYZRHW | DIFFUSE
LIST, STRIP, FAN = 4, 5, 6
VERTICES, INDICES, MORE_VERTICES = 5, 6, 7  # handles
FLOAT4, D3DCOLOR, UNUSED = 3, 4, 17
POSITIONT, COLOR = 9, 10
INSTANCE_DATA = 0x80000000

CORNERS = [(8, 8, WHITE), (56, 8, RED), (8, 56, GREEN), (56, 56, BLUE)]


def buffers(level=9, data=None, indices=None, wide=False, **header):
    """A target, a vertex buffer of three vertices, an index buffer, the context."""
    t = Trace(None, level, **header).target()
    t.buffer(VERTICES, screen_vertices(TRIANGLE) if data is None else data)
    if indices is not None:
        packed = dwords(*indices) if wide else words(*indices)
        t.buffer(INDICES, packed, "index_buffer", "INDEX32" if wide else "INDEX16")
    return t.context()


def bind(fvf=FVF, stride=20):
    """Tokens of 24 bytes: vertex format and stream 0."""
    s = Stream().op("SETVERTEXSHADER", fvf)
    return s.op("SETSTREAMSOURCE", (0, VERTICES, stride))


def user_memory():
    """Tokens of 20 bytes: vertex format, vertices of the call."""
    return Stream().op("SETVERTEXSHADER", FVF).op("SETSTREAMSOURCEUM", (0, 20))


def single(name, **header):
    """A builder of one binding token."""
    return lambda record: buffers(indices=(0, 1, 2), **header).dp2(Stream().op(name, record))


def instanced(divider):
    s = user_memory().op("SETSTREAMSOURCEFREQ", (0, divider))
    return Trace(None).target().context().draw(s.op("DRAWPRIMITIVE", (LIST, 0, 1)))


def run(record, **header):
    """A draw from the buffer; its record lies at 28."""
    return buffers(**header).dp2(bind().op("DRAWPRIMITIVE", record))


def primitives(count):
    data = screen_vertices(CORNERS)
    return run((STRIP, 0, count), data=data, caps=[cap("max_primitive_count", 1)])


def vertex_format(fvf):
    s = bind(fvf).op("DRAWPRIMITIVE", (LIST, 0, 1))
    return buffers().dp2(s)


def stream_0(handle):
    s = Stream().op("SETVERTEXSHADER", FVF).op("SETSTREAMSOURCE", (0, handle, 20))
    return buffers().dp2(s.op("DRAWPRIMITIVE", (LIST, 0, 1)))


def call_vertices(vertices):
    s = user_memory().op("DRAWPRIMITIVE", (LIST, 0, 1))
    return Trace(None).target().context().dp2(s, vertices=vertices)


def call_start(start):
    return Trace(None).target().context().draw(user_memory().op("DRAWPRIMITIVE", (LIST, start, 1)))


def indexed(record, indices=(0, 1, 2), handle=INDICES, wide=False, **fields):
    """An indexed draw; its token lies at 36, its record at 40."""
    s = bind().op("SETINDICES", (handle, 4 if wide else 2)).op("DRAWINDEXEDPRIMITIVE", record)
    return buffers(indices=indices, wide=wide, **fields).dp2(s)


def negative_base(level):
    return indexed((LIST, -1, 1, 3, 0, 1), (1, 2, 3), level=level)


def wide_index(last):
    return indexed((LIST, 0, 0, 4, 0, 1), (0, 1, last), wide=True, data=screen_vertices(CORNERS),
                   caps=[cap("max_vertex_index", 2)])  # fmt: skip


def index_offset(offset):
    s = bind().op("SETINDICES", (INDICES, 2))
    return buffers(indices=(0, 0, 1, 2)).dp2(s.op("DRAWINDEXEDPRIMITIVE2", (LIST, 0, 0, 3, offset, 1)))


def vertex_offset(offset, before=0):
    data = bytes(before) + screen_vertices(TRIANGLE)
    return buffers(data=data).dp2(bind().op("DRAWPRIMITIVE2", (LIST, offset, 1)))


def transformed(fvf):
    data = screen_vertices(TRIANGLE) if fvf & XYZRHW else clip_vertices(CLIP_TRIANGLE)
    s = bind(fvf, 20 if fvf & XYZRHW else 16).op("DRAWPRIMITIVE2", (LIST, 0, 1))
    return buffers(data=data).dp2(s)


def element(stream, offset, kind, usage):
    """One D3DVERTEXELEMENT9."""
    return words(stream, offset) + bytes((kind, 0, usage, 0))


def colour_stream(stream):
    """Colours in a stream of their own, or behind the positions."""
    elements = element(0, 0, FLOAT4, POSITIONT) + element(stream, 0 if stream else 16, D3DCOLOR, COLOR)
    elements += element(0xFF, 0, UNUSED, 0)
    t = Trace(None).target().buffer(VERTICES, screen_vertices(TRIANGLE))
    t.buffer(MORE_VERTICES, dwords(RED, GREEN, BLUE)).context()
    s = Stream().op("CREATEVERTEXSHADERDECL", with_tail(1, 3, tail=elements)).op("SETVERTEXSHADERDECL", 1)
    s.op("SETSTREAMSOURCE", (0, VERTICES, 20)).op("SETSTREAMSOURCE", (1, MORE_VERTICES, 4))
    return t.dp2(s.op("DRAWPRIMITIVE2", (LIST, 0, 1)))


def fan_edges(flags):
    return buffers(8).dp2(bind().op("CLIPPEDTRIANGLEFAN", (0, flags, 1)))


def drawn_from(handle):
    """Stream 0 is this buffer; the handle lies at 16."""
    s = Stream().op("SETVERTEXSHADER", FVF).op("SETSTREAMSOURCE", (0, handle, 20))
    return buffers(indices=(0, 1, 2)).dp2(s.op("DRAWPRIMITIVE", (LIST, 0, 1)))


def drawn_by(handle):
    """The indices are this buffer; the handle lies at 28."""
    s = bind().op("SETINDICES", (handle, 2))
    return buffers(indices=(0, 1, 2)).dp2(s.op("DRAWINDEXEDPRIMITIVE", (LIST, 0, 0, 3, 0, 1)))


def binding_pairs():
    """The pairs of DP2-BIND."""
    source, source2, divider = "SETSTREAMSOURCE", "SETSTREAMSOURCE2", "SETSTREAMSOURCEFREQ"

    def pair(number, name, build, broken, legal, place=4):
        return Pair(f"DP2-BIND-{number:03}", name, build, broken, legal, place)

    yield pair(1, "stream-16", single(source), (16, VERTICES, 20), (15, VERTICES, 20))
    yield pair(2, "stream-8-of-8", single(source, caps=[cap("max_streams", 8)]), (8, VERTICES, 20), (7, VERTICES, 20))
    yield pair(3, "unknown-buffer", single(source), (0, 9, 20), (0, VERTICES, 20))
    yield pair(3, "target", single("SETINDICES"), (1, 2), (INDICES, 2))
    yield pair(4, "stream-1", single("SETSTREAMSOURCEUM"), (1, 20), (0, 20))
    yield pair(5, "stride-0", single(source), (0, VERTICES, 0), (0, VERTICES, 4))
    yield pair(6, "512-of-508", single(source, caps=[cap("max_stream_stride", 508)]),
               (0, VERTICES, 512), (0, VERTICES, 508))  # fmt: skip
    yield pair(6, "stride-18", single(source), (0, VERTICES, 18), (0, VERTICES, 20))
    yield pair(7, "beyond-the-buffer", single(source2), (0, VERTICES, 64, 20), (0, VERTICES, 60, 20))
    yield pair(7, "offset-2", single(source2), (0, VERTICES, 2, 20), (0, VERTICES, 4, 20))
    yield pair(8, "stride-3", single("SETINDICES"), (INDICES, 3), (INDICES, 2))
    yield pair(9, "four-bytes-of-index16", single("SETINDICES"), (INDICES, 4), (INDICES, 2))
    yield pair(10, "divider-0", single(divider), (0, 0), (0, 1))
    yield pair(11, "both-bits", single(divider), (1, 0xC0000001), (1, 0x80000001))
    yield pair(11, "divider-65536", single(divider), (0, 65536), (0, 65535))
    yield pair(12, "stream-0", single(divider), (0, INSTANCE_DATA | 1), (1, INSTANCE_DATA | 1))
    yield pair(13, "fixed-function", instanced, 2, 1, 32)
    yield pair(14, "indices-as-vertices", single(source), (0, INDICES, 20), (0, VERTICES, 20))
    yield pair(14, "vertices-as-indices", single("SETINDICES"), (VERTICES, 2), (INDICES, 2))
    yield pair(14, "drawn-from-indices", drawn_from, INDICES, VERTICES, 12)
    yield pair(14, "drawn-by-vertices", drawn_by, VERTICES, INDICES, 28)


def draw_pairs():
    """The pairs of DP2-DRAW."""

    def pair(number, name, build, broken, legal, place=28):
        return Pair(f"DP2-DRAW-{number:03}", name, build, broken, legal, place)

    yield pair(1, "type-7", run, (7, 0, 1), (FAN, 0, 1))
    yield pair(2, "no-primitive", run, (LIST, 0, 0), (LIST, 0, 1))
    yield pair(3, "above-32-bits", run, (LIST, 0, 0x55555556), (LIST, 0, 1))
    yield pair(4, "no-format", vertex_format, 0, FVF)
    yield pair(5, "stream-0", stream_0, 0, VERTICES, 24)
    yield pair(6, "start-1", run, (LIST, 1, 1), (LIST, 0, 1))
    yield pair(7, "no-vertices", call_vertices, None, screen_vertices(TRIANGLE), 24)
    yield pair(8, "start-1", call_start, 1, 0, 24)
    yield pair(9, "no-buffer", lambda v: indexed((LIST, 0, 0, 3, 0, 1), handle=v), 0, INDICES, 40)
    yield pair(10, "start-1", indexed, (LIST, 0, 0, 3, 1, 1), (LIST, 0, 0, 3, 0, 1), 40)
    yield pair(11, "two-of-three", indexed, (LIST, 0, 0, 2, 0, 1), (LIST, 0, 0, 3, 0, 1), 40)
    yield pair(12, "base-1", indexed, (LIST, 1, 0, 3, 0, 1), (LIST, 0, 0, 3, 0, 1), 40)
    yield pair(13, "base-minus-1", negative_base, 8, 9, 40)
    yield pair(14, "offset-1", index_offset, 1, 2, 40)
    yield pair(15, "offset-20", vertex_offset, 20, 0)
    yield pair(16, "offset-4", lambda v: vertex_offset(v, v), 4, 20)
    yield pair(17, "untransformed", transformed, XYZ | DIFFUSE, FVF)
    yield pair(18, "stream-1", colour_stream, 1, 0, 76)
    yield pair(19, "fourth-edge", fan_edges, 0xF, 0x7)
    yield pair(20, "two-of-one", primitives, 2, 1)
    yield pair(21, "index-3", wide_index, 3, 2, 40)
    yield pair(22, "four-of-three", indexed, (LIST, 0, 0, 4, 0, 1), (LIST, 0, 0, 3, 0, 1), 40)


def pairs():
    """Yields every Pair."""
    yield from binding_pairs()
    yield from draw_pairs()


def cases():
    return rule_pairs.cases(pairs())


def accepted():
    return rule_pairs.accepted(pairs())
