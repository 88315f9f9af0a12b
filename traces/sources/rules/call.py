"""Calls: DP2-CALL."""

from .. import rule_pairs
from ..dp2 import Stream, dwords
from ..rule_pairs import EVENT, Pair
from ..trace import (CLIP_TRIANGLE, DIFFUSE, TRIANGLE, XYZ, XYZRHW, Trace, clip_vertices,
                     screen_vertices)  # fmt: skip

SHADEMODE, FLAT = 9, 1
SCENECAPTURE, CLIPPLANEENABLE = 62, 152
TEXTUREMAP, COLOROP = 0, 1
RENDERSTATE, NO_OPERATION = 8, 78
COMMAND_UNPARSED, WAS_STILL_DRAWING = 0x88760BB8, 0x8876021C


def state():
    """A token of 12 bytes."""
    return Stream().op("RENDERSTATE", (SHADEMODE, FLAT))


def triangle():
    """A draw of the first three vertices of the call."""
    return Stream().op("TRIANGLELIST", fixed=(0,), count=1)


def call(name):
    """A call with one field set to the value."""
    return lambda value: Trace(None).target().context().dp2(state(), **{name: value})


def draw(**fields):
    """A level 8 call that draws from the vertex buffer 5."""
    t = Trace(None, 8).target().buffer(5, screen_vertices(TRIANGLE)).context()
    fields = {"vertex_buffer": 5, "vertex_length": 3, **fields}
    return t.dp2(triangle(), fvf=XYZRHW | DIFFUSE, size=20, **fields)


def draw_from(kind):
    """A level 8 call that draws from a buffer of this kind."""
    t = Trace(None, 8).target().buffer(5, screen_vertices(TRIANGLE), kind, "VERTEXDATA" if kind == "vertex_buffer" else "INDEX16")
    return t.context().dp2(triangle(), fvf=XYZRHW | DIFFUSE, size=20, vertex_buffer=5, vertex_length=3)


def refused_buffer(pixel_format):
    """A level 8 call that draws from a buffer of this format."""
    t = Trace(None, 8).target().add(
        "surface_create", handle=5, kind="vertex_buffer", caps=["EXECUTEBUFFER", "VIDEOMEMORY"],
        caps2=["VERTEXBUFFER"], format=pixel_format, width=60)  # fmt: skip
    t.update(5, screen_vertices(TRIANGLE)).context()
    return t.dp2(triangle(), fvf=XYZRHW | DIFFUSE, size=20, vertex_buffer=5, vertex_length=3)


def lost(operation):
    """A token at 0 of the first call, whose length nobody knows; the second call needs what it may have set."""
    pixel_format = "P8" if operation == NO_OPERATION else "A8R8G8B8"
    t = Trace(None, 8).target().texture(2, pixel_format=pixel_format).context()
    t.dp2(Stream().raw(bytes((operation, 0, 1, 0)) + dwords(SHADEMODE, FLAT)))
    s = Stream().op("RENDERSTATE", (SCENECAPTURE, 0), (CLIPPLANEENABLE, 1))
    s.op("TEXTURESTAGESTATE", (0, TEXTUREMAP, 2), (0, COLOROP, 2))
    s.op("TRIANGLELIST", fixed=(0,), count=1)
    return t.dp2(s, vertices=clip_vertices(CLIP_TRIANGLE), fvf=XYZ | DIFFUSE, size=16)


def flags(value):
    return Trace(None).target().context().dp2(state(), flags=[value], req_command_buf_size=4096)


def buffer_size(value):
    return Trace(None).target().context().dp2(state(), command_offset=64, command_buffer_size=value)


def vertex_data(value):
    t = Trace(None, 6).target().context()
    return t.dp2(triangle(), vertices=value, fvf=XYZRHW | DIFFUSE, size=20)


def vertex_length(value):
    return Trace(None, 6).target().context().draw(triangle(), vertex_length=value)


def request(flag, name):
    return lambda value: Trace(None).target().context().dp2(state(), flags=[flag], **{name: value})


def render_states(value):
    t = Trace(None).target().context()
    return t.dp2(state(), flags=["EXECUTEBUFFER"], commands_pointer=0x10000, rstates_pointer=value)


def empty(level):
    return lambda stream: Trace(None, level).target().context().dp2(stream)


def error_offset(value):
    return Trace(None).target().context().dp2(state(), ddrval=0, error_offset=value)


def unparsed(value):
    s = state().op("WINFO", (1.0, 2.0))
    return Trace(None).target().context().dp2(s, ddrval=COMMAND_UNPARSED, error_offset=value)


def pairs():
    """Yields every Pair."""
    yield Pair("DP2-CALL-001", "unknown-context", call("context"), 2, 1, EVENT)
    yield Pair("DP2-CALL-002", "bit-8", flags, 0x100, 0x20, EVENT)
    yield Pair("DP2-CALL-003", "video-memory", flags, 0x40, 0x20, EVENT)
    yield Pair("DP2-CALL-004", "one-byte-less", buffer_size, 75, 76, EVENT)
    yield Pair("DP2-CALL-005", "offset-4", lambda v: draw(vertex_offset=v), 4, 0, 0)
    yield Pair("DP2-CALL-006", "no-vertices", vertex_data, None, screen_vertices(TRIANGLE), 0)
    yield Pair("DP2-CALL-007", "unknown-buffer", lambda v: draw(vertex_buffer=v), 6, 5, 0)
    yield Pair("DP2-CALL-007", "index-buffer", draw_from, "index_buffer", "vertex_buffer", 0)
    yield Pair("DP2-CALL-007", "target", lambda v: draw(vertex_buffer=v), 1, 5, 0)
    yield Pair("DP2-STREAM-006", "lost-state", lost, NO_OPERATION, RENDERSTATE, 0, event=4)
    yield Pair("DP2-SURF-014", "buffer-of-a-call", refused_buffer, 19, "VERTEXDATA", EVENT, event=2)
    yield Pair("DP2-CALL-008", "no-length", vertex_length, 0, 3, 0)
    yield Pair("DP2-CALL-009", "command-buffer", request("REQCOMMANDBUFSIZE", "req_command_buf_size"), 0, 1, EVENT)
    yield Pair("DP2-CALL-009", "vertex-buffer", request("REQVERTEXBUFSIZE", "req_vertex_buf_size"), 0, 1, EVENT)
    yield Pair("DP2-CALL-010", "null", render_states, 0, 0x20000, EVENT)
    yield Pair("DP2-CALL-011", "level-8", empty(8), None, state(), EVENT)
    yield Pair("DP2-CALL-012", "level-9", empty(9), None, state(), EVENT)
    yield Pair("DP2-CALL-013", "offset-20", error_offset, 20, 0, EVENT)
    yield Pair("DP2-CALL-014", "inside-a-token", unparsed, 8, 12, EVENT)
    yield Pair("DP2-CALL-015", "still-drawing", call("ddrval"), WAS_STILL_DRAWING, 0, EVENT)
    yield Pair("DP2-CALL-016", "offset-1", call("command_offset"), 1, 4, EVENT)


def cases():
    return rule_pairs.cases(pairs())


def accepted():
    return rule_pairs.accepted(pairs())
