"""Render targets, clears, palettes: DP2-RT, DP2-CLEAR, DP2-PAL."""

from ..dp2 import Stream, dwords
from ..pair_list import Pairs
from ..trace import TRIANGLE, Trace

ZENABLE = 7
TARGET, ZBUFFER, STENCIL, COMPUTERECTS = 1, 2, 4, 8
TRIANGLE_UV = [(x, y, color, 0.0, 0.0) for x, y, color in TRIANGLE]


def draw(stream=None):
    """A triangle behind the tokens of the stream."""
    return (stream or Stream()).op("TRIANGLELIST", fixed=(0,), count=1)


def binding():
    """DP2-RT-001 to DP2-RT-004, DP2-RT-009."""
    pairs = Pairs()

    def target(handle, level=8, depth=0, **header):
        t = Trace(None, level, **header).target().depth().texture(3, 64).texture(4, 64, pixel_format="DXT1")
        t.target(handle=5).context(runtime_version=4)
        return t.dp2(Stream().op("SETRENDERTARGET", fixed=(handle, depth), count=1))

    pairs.stream("DP2-RT-001", "target-0", target(0), 0)
    pairs.good("DP2-RT-001", "target-5", target(5))
    for name, handle in (("depth-surface", 2), ("no-3ddevice", 3), ("blocks", 4)):
        pairs.stream("DP2-RT-002", name, target(handle), 0)
    pairs.good("DP2-RT-002", "target", target(5))
    t = Trace(None).target().depth().context(target=2)
    pairs.event("DP2-RT-002", "at-creation", t)
    pairs.stream("DP2-RT-003", "a-texture", target(5, depth=3), 0)
    pairs.good("DP2-RT-003", "a-depth-surface", target(5, depth=2))

    def slot(index, handle=1, **header):
        t = Trace(None, **header).target().context()
        return t.dp2(Stream().op("SETRENDERTARGET2", (index, handle)))

    pairs.stream("DP2-RT-004", "slot-4", slot(4, 0), 4)
    pairs.good("DP2-RT-004", "slot-3", slot(3, 0))
    one = {"caps": [{"name": "num_simultaneous_rts", "value": 1}]}
    pairs.stream("DP2-RT-004", "slot-1-of-one", slot(1, 0, **one), 4)
    pairs.good("DP2-RT-004", "slot-0-of-one", slot(0, 1, **one))

    def old(level, version):
        t = Trace(None, level).target().context(runtime_version=version)
        return t.dp2(Stream().op("SETRENDERTARGET", fixed=(1, 0), count=1))

    pairs.stream("DP2-RT-009", "runtime-5", old(9, 5), 0)
    pairs.good("DP2-RT-009", "runtime-4", old(9, 4))
    pairs.good("DP2-RT-009", "level-8-driver", old(8, 5))
    return pairs


def combinations():
    """DP2-RT-005 to DP2-RT-008, DP2-RT-010, DP2-RT-011."""
    pairs = Pairs()

    def with_depth(width, height, samples=1):
        t = Trace(None).target()
        fields = {"samples": samples} if samples > 1 else {}
        t.add("surface_create", handle=2, kind="depth", caps=["VIDEOMEMORY", "ZBUFFER"], format="D24S8",
              width=width, height=height, **fields)  # fmt: skip
        return t.context(depth=2)

    pairs.stream("DP2-RT-005", "one-row-less", with_depth(64, 63).draw(draw()), 0)
    pairs.good("DP2-RT-005", "equal", with_depth(64, 64).draw(draw()))
    off = Stream().op("RENDERSTATE", (ZENABLE, 0))
    pairs.good("DP2-RT-005", "depth-is-off", with_depth(64, 63).draw(draw(off)))
    pairs.stream("DP2-RT-006", "4-samples", with_depth(64, 64, 4).draw(draw()), 0)
    pairs.good("DP2-RT-006", "1-sample", with_depth(64, 64).draw(draw()))

    def two(width, height, handle=2):
        t = Trace(None).target().target(2, width, height).context()
        return t.draw(draw(Stream().op("SETRENDERTARGET2", (1, handle))))

    pairs.stream("DP2-RT-007", "one-column-more", two(65, 64), 12)
    pairs.good("DP2-RT-007", "equal", two(64, 64))
    pairs.stream("DP2-RT-008", "slots-0-and-1", two(64, 64, 1), 12)
    pairs.good("DP2-RT-008", "two-surfaces", two(64, 64))

    def slot0(handle, flags=None):
        t = Trace(None).target().depth().context(depth=2)
        s = Stream().op("SETRENDERTARGET2", (0, handle))
        if flags is None:
            return t.draw(draw(s))
        return t.dp2(s.op("CLEAR", fixed=(flags, 0, 1.0, 0, (0, 0, 64, 64)), count=1))

    pairs.stream("DP2-RT-010", "draw", slot0(0), 12)
    pairs.good("DP2-RT-010", "draw", slot0(1))
    pairs.stream("DP2-RT-010", "clear", slot0(0, TARGET), 12)
    pairs.good("DP2-RT-010", "clear-of-depth", slot0(0, ZBUFFER))

    def depth_test(state):
        t = Trace(None).target().context()
        return t.draw(draw(Stream().op("RENDERSTATE", (ZENABLE, state))))

    pairs.stream("DP2-RT-011", "on", depth_test(1), 12)
    pairs.good("DP2-RT-011", "off", depth_test(0))
    return pairs


def clear(flags, *rects, depth=1.0, stencil=0, level=9, pixel_format="D24S8", viewport=None,
          count=None, pure=False, runtime=None):  # fmt: skip
    """A trace with one CLEAR, at offset 0 of its call."""
    t = Trace(None, level).target()
    if pixel_format:
        t.depth(pixel_format=pixel_format)
    fields = {"pure_device": True} if pure else {}
    if runtime is not None:
        fields["runtime_version"] = runtime
    t.context(depth=2 if pixel_format else 0, **fields)
    if viewport:
        t.dp2(Stream().op("VIEWPORTINFO", viewport))
    rects = rects or ((0, 0, 64, 64),)
    s = Stream().op("CLEAR", *rects[1:], fixed=(flags, 0, depth, stencil, rects[0]),
                    count=len(rects) if count is None else count)  # fmt: skip
    return t.dp2(s)


def clears():
    """DP2-CLEAR."""
    pairs = Pairs()
    computed = TARGET | COMPUTERECTS
    pairs.stream("DP2-CLEAR-001", "16", clear(TARGET | 16), 0)
    pairs.stream("DP2-CLEAR-001", "computerects-at-level-7", clear(computed, level=7), 0)
    pairs.good("DP2-CLEAR-001", "computerects-at-level-8", clear(computed, level=8, pure=True))
    pairs.good("DP2-CLEAR-001", "all-parts", clear(7, level=7))
    pairs.stream("DP2-CLEAR-002", "0", clear(0), 0)
    pairs.stream("DP2-CLEAR-002", "computerects-alone", clear(COMPUTERECTS, pure=True), 0)
    pairs.good("DP2-CLEAR-002", "target", clear(TARGET))
    pairs.stream("DP2-CLEAR-003", "not-pure", clear(computed), 0)
    pairs.good("DP2-CLEAR-003", "pure", clear(computed, pure=True))
    pairs.stream("DP2-CLEAR-004", "no-rectangles", clear(TARGET, count=0), 0)
    pairs.good("DP2-CLEAR-004", "one-rectangle", clear(TARGET))
    pairs.good("DP2-CLEAR-004", "computerects", clear(computed, count=0, pure=True))
    pairs.stream("DP2-CLEAR-005", "zbuffer", clear(ZBUFFER, pixel_format=None), 0)
    pairs.stream("DP2-CLEAR-005", "stencil", clear(STENCIL, pixel_format=None), 0)
    pairs.good("DP2-CLEAR-005", "target", clear(TARGET, pixel_format=None))
    pairs.good("DP2-CLEAR-005", "zbuffer", clear(ZBUFFER))
    pairs.stream("DP2-CLEAR-006", "d16", clear(STENCIL, pixel_format="D16"), 0)
    pairs.good("DP2-CLEAR-006", "d24s8", clear(STENCIL))
    nan = float("nan")
    for name, value in (("above-1", 1.0000001192092896), ("negative", -1e-45), ("nan", nan)):
        pairs.stream("DP2-CLEAR-007", name, clear(ZBUFFER, depth=value), 0)
    pairs.good("DP2-CLEAR-007", "1", clear(ZBUFFER, depth=1.0))
    pairs.good("DP2-CLEAR-007", "0", clear(ZBUFFER, depth=0.0))
    pairs.good("DP2-CLEAR-007", "without-zbuffer", clear(TARGET, depth=2.0))
    pairs.stream("DP2-CLEAR-008", "256", clear(STENCIL, stencil=256), 0)
    pairs.good("DP2-CLEAR-008", "255", clear(STENCIL, stencil=255))
    pairs.stream("DP2-CLEAR-008", "2-in-one-bit", clear(STENCIL, stencil=2, pixel_format="D15S1"), 0)
    pairs.good("DP2-CLEAR-008", "1-in-one-bit", clear(STENCIL, stencil=1, pixel_format="D15S1"))
    pairs.stream("DP2-CLEAR-009", "left-right", clear(TARGET, (9, 0, 8, 8)), 0)
    pairs.stream("DP2-CLEAR-009", "second", clear(TARGET, (0, 0, 8, 8), (0, 9, 8, 8)), 0)
    pairs.good("DP2-CLEAR-009", "ordered", clear(TARGET, (7, 0, 8, 8)))
    pairs.stream("DP2-CLEAR-010", "no-columns", clear(TARGET, (8, 0, 8, 8)), 0)
    pairs.good("DP2-CLEAR-010", "one-pixel", clear(TARGET, (8, 0, 9, 1)))
    pairs.stream("DP2-CLEAR-011", "one-column-outside", clear(TARGET, (0, 0, 65, 64)), 0)
    pairs.stream("DP2-CLEAR-011", "negative", clear(TARGET, (-1, 0, 64, 64)), 0)
    pairs.good("DP2-CLEAR-011", "whole-target", clear(TARGET, (0, 0, 64, 64)))
    pairs.stream("DP2-CLEAR-011", "depth-surface", clear(ZBUFFER, (0, 0, 65, 64)), 0)
    pairs.good("DP2-CLEAR-011", "computerects", clear(computed, (0, 0, 65, 64), pure=True))
    view = (8, 8, 16, 16)
    pairs.stream("DP2-CLEAR-012", "one-column-outside", clear(TARGET, (8, 8, 25, 24), viewport=view), 0)
    pairs.good("DP2-CLEAR-012", "whole-viewport", clear(TARGET, (8, 8, 24, 24), viewport=view))
    pairs.good("DP2-CLEAR-012", "runtime-2",
               clear(TARGET, (8, 8, 25, 24), viewport=view, level=7, runtime=2))  # fmt: skip
    return pairs


def palette_trace(pixel_format="P8", level=8):
    """A target, texture 2, and a context."""
    return Trace(None, level).target().texture(2, 8, pixel_format=pixel_format).context()


def update(stream, palette=1, start=0, entries=(0,), count=None):
    """Appends an UPDATEPALETTE."""
    return stream.op("UPDATEPALETTE", fixed=(palette, start, len(entries) if count is None else count),
                     count=1, tail=dwords(*entries) if entries else b"")  # fmt: skip


def palettes():
    """DP2-PAL-001 to DP2-PAL-008."""
    pairs = Pairs()

    def attach(flags=0, surface=2, **fields):
        return palette_trace(**fields).dp2(Stream().op("SETPALETTE", (1, flags, surface)))

    pairs.stream("DP2-PAL-001", "unknown", attach(surface=3), 4)
    pairs.stream("DP2-PAL-001", "zero", attach(surface=0), 4)
    pairs.good("DP2-PAL-001", "live", attach())
    pairs.stream("DP2-PAL-002", "x8r8g8b8", attach(pixel_format="X8R8G8B8"), 4)
    pairs.good("DP2-PAL-002", "a8p8", attach(pixel_format="A8P8"))
    pairs.stream("DP2-PAL-003", "0x4000", attach(0x4000), 4)
    pairs.good("DP2-PAL-003", "0x2000", attach(0x2000))
    for name, flag in (("gdi", 4), ("stored-8", 8), ("exclusive", 0x40), ("stored-8index", 0x1000)):
        pairs.stream("DP2-PAL-004", name, attach(flag), 4)
    pairs.good("DP2-PAL-004", "256-alpha", attach(0x2001))

    def updated(*args, attached=True, **fields):
        s = Stream()
        if attached:
            s.op("SETPALETTE", (1, 0, 2))
        return palette_trace().dp2(update(s, *args, **fields))

    pairs.stream("DP2-PAL-005", "255-and-2", updated(1, 255, (0, 0)), 16)
    pairs.good("DP2-PAL-005", "255-and-1", updated(1, 255, (0,)))
    pairs.stream("DP2-PAL-006", "no-entries", updated(1, 0, ()), 16)
    pairs.good("DP2-PAL-006", "one-entry", updated(1, 0, (0,)))
    pairs.stream("DP2-PAL-007", "palette-0", updated(0), 16)
    pairs.good("DP2-PAL-007", "palette-1", updated(1))
    pairs.stream("DP2-PAL-008", "not-set", updated(1, attached=False), 0)
    pairs.good("DP2-PAL-008", "set-before", updated(1))
    # The palette exists from its first update on.
    t = palette_trace().dp2(update(update(Stream()), entries=(0,)))
    pairs.stream("DP2-PAL-008", "reported-once", t, 0)
    return pairs


def sampling():
    """DP2-PAL-009 to DP2-PAL-011."""
    pairs = Pairs()

    def sampled(attached=True, written=True, flags=0, entry=0):
        s = Stream()
        if attached:
            s.op("SETPALETTE", (1, flags, 2))
        if written:
            update(s, 1, 0, (entry,) * 256)
        s.op("TEXTURESTAGESTATE", (0, 0, 2), (0, 1, 4))
        place = len(s.data)
        t = palette_trace()
        return place, t.draw_textured(draw(s), TRIANGLE_UV)

    def bad(rule, name, **fields):
        place, t = sampled(**fields)
        pairs.stream(rule, name, t, place)

    bad("DP2-PAL-009", "no-palette", attached=False, written=False)
    pairs.good("DP2-PAL-009", "palette", sampled()[1])
    pairs.stream("DP2-PAL-003", "refused-and-sampled", sampled(flags=0x4000)[1], 4)
    pairs.good("DP2-PAL-003", "set-and-sampled", sampled()[1])
    bad("DP2-PAL-010", "never-written", written=False)
    pairs.good("DP2-PAL-010", "written", sampled()[1])
    bad("DP2-PAL-011", "alpha-without-the-flag", entry=0x80000000)
    pairs.good("DP2-PAL-011", "alpha-with-the-flag", sampled(entry=0x80000000, flags=0x2000)[1])
    pairs.good("DP2-PAL-011", "no-alpha", sampled(entry=0x00FFFFFF)[1])
    return pairs


def groups():
    """All groups of this file."""
    return [group() for group in (binding, combinations, clears, palettes, sampling)]


def cases():
    """Broken traces."""
    return [one for group in groups() for one in group.cases()]


def accepted():
    """Legal traces."""
    return [one for group in groups() for one in group.accepted()]
