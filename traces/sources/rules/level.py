"""Levels and counts of operations: DP2-LEVEL, DP2-COUNT."""

from .. import rule_pairs
from ..dp2 import Stream, dwords
from ..rule_pairs import EVENT, Pair
from ..trace import DIFFUSE, TRIANGLE, XYZRHW, Trace, screen_vertices

FVF = XYZRHW | DIFFUSE
TARGET = 1  # D3DCLEAR_TARGET
WHOLE = (0, 0, 64, 64)
TRIANGLE_LIST = 4


def driver_level(level):
    return Trace(None, level).target().context().dp2(Stream().op("SETVERTEXSHADER", FVF))


def runtime(version):
    t = Trace(None, 8).target().context(runtime_version=version)
    return t.dp2(Stream().op("SETVERTEXSHADER", FVF))


def clear(level):
    s = Stream().op("CLEAR", count=1, fixed=(TARGET, 0, 1.0, 0, WHOLE))
    return Trace(None, level).target().context().dp2(s)


def kernel(is_ex):
    s = Stream().op("SETCONVOLUTIONKERNELMONO", (1, 1, 0))
    return Trace(None, **({"d3d9ex": True} if is_ex else {})).target().context().dp2(s)


def streams():
    """Tokens of 20 bytes: vertices of the call as stream 0."""
    return Stream().op("SETVERTEXSHADER", FVF).op("SETSTREAMSOURCEUM", (0, 20))


def runtime_draw(version):
    t = Trace(None, 8).target().context(runtime_version=version)
    return t.draw(streams().op("DRAWPRIMITIVE", (TRIANGLE_LIST, 0, 1)))


def fans(is_immediate):
    s = streams().op("CLIPPEDTRIANGLEFAN", (0, 7, 1))
    if is_immediate:
        s.op("TRIANGLEFAN_IMM", fixed=(7,), count=1).raw(screen_vertices(TRIANGLE))
    else:
        s.op("CLIPPEDTRIANGLEFAN", (0, 7, 1))
    return Trace(None, 8).target().context().draw(s)


def runtime_version(version):
    return Trace(None).target().context(runtime_version=version).dp2(Stream().op("WINFO", (1.0, 2.0)))


def viewports(count):
    s = Stream().op("VIEWPORTINFO", *[WHOLE, (0, 0, 32, 32)][:count])
    return Trace(None, 7).target().context().dp2(s)


def stream_sources(count):
    t = Trace(None, 8).target().buffer(5, screen_vertices(TRIANGLE)).context()
    return t.dp2(Stream().op("SETSTREAMSOURCE", *[(0, 5, 20), (1, 5, 20)][:count]))


def targets(count):
    s = Stream().op("SETRENDERTARGET", fixed=(1, 0), count=count)
    return Trace(None, 7).target().context().dp2(s)


def palettes(count):
    t = Trace(None, 7).target().texture(3, pixel_format="P8").context()
    s = Stream().op("SETPALETTE", (1, 0, 3))
    return t.dp2(s.op("UPDATEPALETTE", fixed=(1, 0, 1), count=count, tail=dwords(0x00102030)))


def ranges(count):
    s = Stream().op("ZRANGE", *[(0.0, 1.0), (0.0, 0.5)][:count])
    return Trace(None, 7).target().context().dp2(s)


def triangles(count):
    s = Stream().op("TRIANGLELIST", fixed=(0,), count=count)
    return Trace(None, 6).target().context().draw(s)


def pairs():
    """Yields every Pair."""
    yield Pair("DP2-LEVEL-001", "shader-at-level-7", driver_level, 7, 8, 0)
    yield Pair("DP2-LEVEL-002", "shader-from-runtime-3", runtime, 3, 4, 0)
    yield Pair("DP2-LEVEL-003", "clear", clear, 6, 7, 0)
    yield Pair("DP2-LEVEL-004", "convolution-kernel", kernel, False, True, 0)
    yield Pair("DP2-LEVEL-005", "draw-from-runtime-3", runtime_draw, 3, 4,
               ("DP2-LEVEL-002", 0), ("DP2-LEVEL-002", 8), 20)  # fmt: skip
    yield Pair("DP2-LEVEL-006", "both-fans", fans, True, False, 36)
    yield Pair("DP2-LEVEL-007", "version-6", runtime_version, 6, 5, EVENT, event=2)
    yield Pair("DP2-COUNT-001", "two-viewports", viewports, 2, 1, 0)
    yield Pair("DP2-COUNT-002", "two-streams", stream_sources, 2, 1, 0)
    yield Pair("DP2-COUNT-002", "zero-streams", stream_sources, 0, 1, 0)
    yield Pair("DP2-COUNT-003", "count-2", targets, 2, 1, 0)
    yield Pair("DP2-COUNT-004", "no-viewport", viewports, 0, 1, 0)
    yield Pair("DP2-COUNT-005", "count-2", palettes, 2, 1, 16)
    yield Pair("DP2-COUNT-006", "two-ranges", ranges, 2, 1, 0)
    yield Pair("DP2-COUNT-007", "no-triangle", triangles, 0, 1, 0)


def cases():
    return rule_pairs.cases(pairs())


def accepted():
    return rule_pairs.accepted(pairs())
