"""Copies, fills, mip generation: DP2-TEXBLT, DP2-VOLBLT, DP2-BUFBLT, DP2-BLT, DP2-MIPGEN, DP2-COMPOSE."""

import struct

from ..dp2 import Stream, floats, with_tail, words
from ..pair_list import Pairs
from ..trace import Trace

FACES = ("POSITIVEX", "NEGATIVEX", "POSITIVEY", "NEGATIVEY", "POSITIVEZ", "NEGATIVEZ")
RECORD = 4  # bytes of the command header before the first record


def surface(t, handle, size=8, levels=1, memory="VIDEOMEMORY", faces=0, **fields):
    """A texture or cube map."""
    if faces:
        names = FACES[:faces]
        fields.setdefault("faces", list(names))
        fields.setdefault("caps2", ["CUBEMAP", *(f"CUBEMAP_{name}" for name in names)])
    width, height = size if isinstance(size, tuple) else (size, size)
    return t.texture(handle, levels=levels, memory=memory, width=width, height=height, **fields)


def texblt(source=None, destination=None, rect=(0, 0, 8, 8), point=(0, 0), flags=0, handles=(3, 2),
           level=7, extra=None):  # fmt: skip
    """A trace with one TEXBLT from surface 2 to surface 3."""
    t = Trace(None, level).target()
    surface(t, 2, **{"memory": "SYSTEMMEMORY", **(source or {})})
    surface(t, 3, **(destination or {}))
    t.context()
    if extra:
        extra(t)
    return t.dp2(Stream().op("TEXBLT", (*handles, point, rect, flags)))


def texblt_surfaces():
    """DP2-TEXBLT-001 to DP2-TEXBLT-008, DP2-TEXBLT-019 to DP2-TEXBLT-022."""
    pairs = Pairs()

    def bad(number, name, trace):
        pairs.stream(f"DP2-TEXBLT-{number:03}", name, trace, RECORD)

    def good(number, name, trace):
        pairs.good(f"DP2-TEXBLT-{number:03}", name, trace)

    bad(1, "source-0", texblt(handles=(3, 0)))
    bad(1, "both-0", texblt(handles=(0, 0)))
    good(1, "source-2", texblt())
    bad(2, "source-unknown", texblt(handles=(3, 9)))
    bad(2, "destination-unknown", texblt(handles=(9, 2)))
    bad(2, "destination-destroyed", texblt(extra=lambda t: t.add("surface_destroy", handle=3)))
    good(2, "both-live", texblt())
    bad(3, "not-managed", texblt(handles=(0, 2)))

    def preload(value):
        t = Trace(None, 7, caps=[{"name": "caps2", "value": value}]).target()
        surface(t, 2, memory="SYSTEMMEMORY", caps2=["TEXTUREMANAGE"]).context()
        return t.dp2(Stream().op("TEXBLT", (0, 2, (0, 0), (0, 0, 8, 8), 0)))

    bad(23, "driver-that-manages-nothing", preload(0))
    good(23, "driver-that-manages-textures", preload(0x10000000))
    good(3, "managed", texblt({"caps2": ["TEXTUREMANAGE"]}, handles=(0, 2)))

    chain = {"levels": 2, "handles": [4]}
    bad(4, "destination", texblt({"size": 4}, chain, rect=(0, 0, 4, 4), handles=(4, 2)))
    bad(4, "source", texblt(chain, {"size": 4}, rect=(0, 0, 4, 4), handles=(3, 4)))
    bad(4, "preload", texblt({**chain, "caps2": ["TEXTUREMANAGE"]}, handles=(0, 4)))
    good(4, "top-levels", texblt(chain, {"levels": 2, "handles": [5]}))

    volume = {"caps2": ["VOLUME"], "depth": 4}
    bad(5, "volume", texblt(destination=volume))
    bad(5, "no-texture", texblt(handles=(1, 2), rect=(0, 0, 8, 8)))
    good(5, "textures", texblt())
    bad(6, "x8r8g8b8", texblt(destination={"pixel_format": "X8R8G8B8"}))
    good(6, "a8r8g8b8", texblt(destination={"pixel_format": "A8R8G8B8"}))
    bad(7, "wider", texblt(destination={"size": (16, 8)}))
    good(7, "equal", texblt(destination={"size": (8, 8)}))
    four = {"levels": 4}
    bad(8, "no-such-level", texblt(four, {"size": (4, 2)}))
    bad(8, "below-the-chain", texblt({"levels": 2}, {"size": 2}))
    good(8, "last-level", texblt({"levels": 3}, {"size": 2}))

    t = Trace(None, 7).target()
    surface(t, 2, memory="SYSTEMMEMORY").context()
    bad(19, "same-surface", t.dp2(Stream().op("TEXBLT", (2, 2, (0, 0), (0, 0, 8, 8), 0))))
    good(19, "two-surfaces", texblt())
    auto = {"caps3": ["AUTOGENMIPMAP"], "levels": 4}
    bad(20, "source-alone", texblt(auto, {"levels": 4}, level=9))
    good(20, "both", texblt(auto, auto, level=9))
    good(20, "destination-alone", texblt({"levels": 4}, auto, level=9))
    bad(21, "video-memory", texblt({"memory": "VIDEOMEMORY"}))
    good(21, "system-memory", texblt())

    def second(destroyed):
        def add(t):
            t.target(handle=7).add("context_create", context=2, target=7, runtime_version=3)
            if destroyed:
                t.add("context_destroy", context=2)
        return add

    pairs.stream("DP2-TEXBLT-022", "two-contexts", texblt(extra=second(False)), 0)
    t = texblt(extra=second(True)).add("context_destroy", context=1)
    good(22, "one-is-destroyed", t)
    return pairs


def texblt_areas():
    """DP2-TEXBLT-009 to DP2-TEXBLT-018."""
    pairs = Pairs()

    def bad(number, name, *args, **fields):
        pairs.stream(f"DP2-TEXBLT-{number:03}", name, texblt(*args, **fields), RECORD)

    def good(number, name, *args, **fields):
        pairs.good(f"DP2-TEXBLT-{number:03}", name, texblt(*args, **fields))

    two, three = {"levels": 2}, {"levels": 3}
    bad(9, "destination-has-three-of-two", two, three)
    good(9, "equal-counts", three, three)
    bad(9, "smaller-destination", two, {"size": 4, "levels": 2})
    good(9, "smaller-destination", three, {"size": 4, "levels": 2})
    # The example of the page: 8 levels from 256 on, 6 levels from 64 on make six pairs.
    page = {"size": 256, "levels": 8}
    whole = {"rect": (0, 0, 256, 256)}
    good(9, "example-of-the-page", page, {"size": 64, "levels": 6}, **whole)
    bad(9, "example-and-one-level-more", page, {"size": 64, "levels": 7}, **whole)
    bad(10, "destination-has-two-of-three", three, two)
    good(10, "equal-counts", two, two)
    bad(10, "example-and-one-level-less", page, {"size": 64, "levels": 5}, **whole)

    bad(11, "inverted", rect=(5, 0, 4, 8))
    bad(11, "negative", rect=(-1, 0, 4, 8))
    good(11, "ordered", rect=(3, 0, 4, 8))
    bad(12, "no-columns", rect=(4, 4, 4, 4))
    good(12, "one-texel", rect=(4, 4, 5, 5))
    bad(13, "one-column-outside", rect=(0, 0, 9, 8))
    good(13, "whole-level", rect=(0, 0, 8, 8))

    bad(14, "one-column-outside", rect=(0, 0, 4, 4), point=(5, 4))
    good(14, "in-the-corner", rect=(0, 0, 4, 4), point=(4, 4))
    bad(14, "negative", rect=(0, 0, 4, 4), point=(-1, 0))
    small = {"size": 4}
    # (0, 0, 3, 3) is 2 x 2 texels one level down, (1, 1, 6, 6) is 3 x 3.
    good(14, "halved-for-a-smaller-destination", two, small, rect=(0, 0, 3, 3), point=(2, 2))
    bad(14, "halved-and-outside", two, small, rect=(1, 1, 6, 6), point=(2, 0))
    good(14, "halved-and-inside", two, small, rect=(1, 1, 6, 6), point=(1, 0))

    # Level 1: source 0..2, two texels at x = 3 of 4.
    bad(15, "example-of-the-specification", two, two, rect=(1, 0, 3, 2), point=(6, 0))
    good(15, "one-texel-to-the-left", two, two, rect=(1, 0, 3, 2), point=(5, 0))
    # Level 1 of 5 x 5 is 2 x 2, and (0, 0, 5, 5) becomes (0, 0, 3, 3).
    odd = {"size": 5, "levels": 2}
    bad(15, "odd-size", odd, odd, rect=(0, 0, 5, 5))
    good(15, "even-part-of-an-odd-size", odd, odd, rect=(0, 0, 4, 4))

    dxt = {"pixel_format": "DXT1"}
    bad(16, "rectangle", dxt, dxt, rect=(2, 0, 8, 8))
    bad(16, "point", dxt, dxt, rect=(0, 0, 4, 4), point=(2, 0))
    good(16, "blocks", dxt, dxt, rect=(4, 0, 8, 8), point=(4, 0))
    bad(16, "right-edge", dxt, dxt, rect=(0, 0, 6, 8))
    small_dxt = {"pixel_format": "DXT1", "size": (8, 8), "levels": 2}
    good(16, "edge-of-the-level", small_dxt, small_dxt, rect=(4, 4, 8, 8), point=(4, 4))

    cube = {"faces": 2}
    bad(17, "face-bit-of-a-2d-texture", flags=0x400)
    good(17, "0-for-a-2d-texture", flags=0)
    bad(17, "0x200-for-a-cube-map", cube, cube, flags=0x200)
    good(17, "face-bits-of-a-cube-map", cube, cube, flags=0xC00)
    bad(18, "positive-y", cube, cube, flags=0x1C00)
    good(18, "negative-x", cube, cube, flags=0x800)
    return pairs


def volumes():
    """DP2-VOLBLT."""
    pairs = Pairs()

    def volblt(destination=None, box=(0, 0, 8, 8, 0, 4), point=(0, 0, 0), flags=0, handles=(3, 2)):
        volume = {"caps2": ["VOLUME"], "depth": 4}
        t = Trace(None, 8).target()
        surface(t, 2, memory="SYSTEMMEMORY", **volume)
        surface(t, 3, **{**volume, **(destination or {})})
        surface(t, 4).context()
        return t.dp2(Stream().op("VOLUMEBLT", (*handles, *point, box, flags)))

    def bad(number, name, **fields):
        pairs.stream(f"DP2-VOLBLT-{number:03}", name, volblt(**fields), RECORD)

    def good(number, name, **fields):
        pairs.good(f"DP2-VOLBLT-{number:03}", name, volblt(**fields))

    bad(1, "destination", handles=(4, 2))
    bad(1, "preload", handles=(0, 4))
    good(1, "volumes")
    good(1, "preload", handles=(0, 2))
    bad(2, "one-slice-outside", box=(0, 0, 8, 8, 0, 5))
    bad(2, "inverted", box=(0, 0, 8, 8, 2, 1))
    bad(2, "placed-outside", box=(0, 0, 8, 8, 0, 2), point=(0, 0, 3))
    good(2, "last-slices", box=(0, 0, 8, 8, 0, 2), point=(0, 0, 2))
    bad(3, "formats", destination={"pixel_format": "X8R8G8B8"})
    bad(3, "source-0", handles=(3, 0))
    bad(3, "destination-unknown", handles=(9, 2))
    good(3, "equal-formats")
    bad(4, "1", flags=1)
    good(4, "0", flags=0)
    return pairs


def buffers():
    """DP2-BUFBLT."""
    pairs = Pairs()

    def bufblt(source=(0, 16), offset=0, flags=0, handles=(3, 2)):
        t = Trace(None, 8).target().buffer(2, bytes(32)).buffer(3, bytes(32))
        t.buffer(4, bytes(32), kind="index_buffer", pixel_format="INDEX16")
        surface(t, 5).context()
        return t.dp2(Stream().op("BUFFERBLT", (*handles, offset, source, flags)))

    def bad(number, name, **fields):
        pairs.stream(f"DP2-BUFBLT-{number:03}", name, bufblt(**fields), RECORD)

    def good(number, name, **fields):
        pairs.good(f"DP2-BUFBLT-{number:03}", name, bufblt(**fields))

    bad(1, "unknown", handles=(3, 9))
    bad(1, "source-0", handles=(3, 0))
    bad(1, "a-texture", handles=(5, 2))
    bad(1, "preload-of-a-texture", handles=(0, 5))
    good(1, "buffers")
    good(1, "preload", handles=(0, 2))
    bad(2, "source", source=(17, 16))
    bad(2, "destination", offset=17)
    bad(2, "sum-of-33-bits", source=(0xFFFFFFF8, 16))
    good(2, "to-the-last-byte", source=(16, 16), offset=16)
    bad(3, "size-0", source=(0, 0))
    bad(3, "flags", flags=1)
    bad(3, "overlap", source=(0, 16), offset=15, handles=(2, 2))
    good(3, "side-by-side", source=(0, 16), offset=16, handles=(2, 2))
    bad(4, "vertices-to-indices", handles=(4, 2))
    good(4, "vertices-to-vertices")
    return pairs


def blts():
    """DP2-BLT-001 to DP2-BLT-010 of BLT and SURFACEBLT."""
    pairs = Pairs()

    def blt(op="BLT", source=2, dest=3, rects=((0, 0, 8, 8), (0, 0, 8, 8)), levels=(0, 0), flags=0):
        t = Trace(None).target()
        surface(t, 2, levels=2, memory="SYSTEMMEMORY")
        surface(t, 3, levels=2)
        surface(t, 4, pixel_format="X8R8G8B8")
        surface(t, 5, pixel_format="DXT1")
        surface(t, 6, pixel_format="DXT1")
        surface(t, 7, levels=2, handles=[8])
        t.buffer(9, bytes(64)).context()
        return t.dp2(Stream().op(op, (source, rects[0], levels[0], dest, rects[1], levels[1], flags)))

    def bad(number, name, **fields):
        pairs.stream(f"DP2-BLT-{number:03}", name, blt(**fields), RECORD)

    def good(number, name, **fields):
        pairs.good(f"DP2-BLT-{number:03}", name, blt(**fields))

    whole, left, right = (0, 0, 8, 8), (0, 0, 4, 8), (4, 0, 8, 8)
    bad(1, "source-0", source=0)
    bad(1, "destination-unknown", dest=10)
    good(1, "live")
    bad(12, "source", source=9)
    bad(12, "destination", dest=9)
    good(12, "surfaces")
    bad(13, "level-1", source=8, rects=((0, 0, 4, 4), (0, 0, 4, 4)))
    good(13, "top-level", source=7)
    bad(2, "level-2-of-2", levels=(2, 0))
    good(2, "level-1-of-2", levels=(1, 0), rects=((0, 0, 4, 4), whole))
    bad(3, "top-rectangle-in-level-1", levels=(1, 0))
    bad(3, "inverted", rects=((4, 0, 3, 8), whole))
    bad(3, "negative", rects=(whole, (-1, 0, 8, 8)))
    good(3, "whole-levels", levels=(1, 0), rects=((0, 0, 4, 4), whole))
    bad(4, "empty", rects=((4, 0, 4, 8), whole))
    good(4, "one-column", rects=((4, 0, 5, 8), whole))
    bad(5, "3", flags=3)
    good(5, "2", flags=2)
    bad(6, "stretched", op="SURFACEBLT", rects=(left, whole))
    bad(6, "formats", op="SURFACEBLT", dest=4)
    good(6, "equal", op="SURFACEBLT")
    bad(7, "source-in-video-memory", op="SURFACEBLT", source=5, dest=6)
    good(7, "source-in-system-memory", op="SURFACEBLT")
    bad(8, "1", op="SURFACEBLT", flags=1)
    good(8, "0", op="SURFACEBLT")
    bad(9, "one-column", source=3, rects=((0, 0, 5, 8), (4, 0, 8, 8)))
    good(9, "side-by-side", source=3, rects=(left, right))
    good(9, "other-levels", source=3, rects=((0, 0, 4, 4), whole), levels=(1, 0))
    bad(10, "blocks-to-x8r8g8b8", source=5, dest=4)
    good(10, "blocks-to-blocks", source=5, dest=6)
    good(10, "colour-to-colour", source=3, dest=4)
    return pairs


def fills():
    """DP2-BLT-001, DP2-BLT-003, DP2-BLT-004, DP2-BLT-011 of COLORFILL."""
    pairs = Pairs()

    def fill(handle=1, rect=(0, 0, 64, 64)):
        t = Trace(None).target().depth()
        surface(t, 3, 64, pixel_format="DXT1").context()
        return t.dp2(Stream().op("COLORFILL", (handle, rect, 0xFF0000FF)))

    pairs.stream("DP2-BLT-001", "fill", fill(9), RECORD)
    pairs.stream("DP2-BLT-003", "fill", fill(rect=(0, 0, 65, 64)), RECORD)
    pairs.stream("DP2-BLT-004", "fill", fill(rect=(0, 0, 0, 64)), RECORD)
    pairs.good("DP2-BLT-004", "fill-of-one-column", fill(rect=(0, 0, 1, 64)))
    pairs.stream("DP2-BLT-011", "depth", fill(2), RECORD)
    pairs.stream("DP2-BLT-011", "blocks", fill(3), RECORD)
    pairs.good("DP2-BLT-011", "target", fill(1))
    return pairs


def mips():
    """DP2-MIPGEN."""
    pairs = Pairs()

    def made(handle=2, filter_type=2, caps3=("AUTOGENMIPMAP",)):
        t = surface(Trace(None).target(), 2, levels=4, **({"caps3": list(caps3)} if caps3 else {}))
        return t.context().dp2(Stream().op("GENERATEMIPSUBLEVELS", (handle, filter_type)))

    pairs.stream("DP2-MIPGEN-001", "unknown", made(3), RECORD)
    pairs.stream("DP2-MIPGEN-001", "a-target", made(1), RECORD)
    pairs.good("DP2-MIPGEN-001", "texture", made())
    pairs.stream("DP2-MIPGEN-002", "without-autogenmipmap", made(caps3=()), RECORD)
    pairs.good("DP2-MIPGEN-002", "autogenmipmap", made())
    pairs.stream("DP2-MIPGEN-003", "none", made(filter_type=0), RECORD)
    pairs.stream("DP2-MIPGEN-003", "9", made(filter_type=9), RECORD)
    pairs.good("DP2-MIPGEN-003", "point", made(filter_type=1))
    pairs.stream("DP2-MIPGEN-004", "anisotropic", made(filter_type=3), RECORD)
    pairs.good("DP2-MIPGEN-004", "linear", made(filter_type=2))
    return pairs


def compositions():
    """DP2-COMPOSE."""
    pairs = Pairs()

    def composed(source=2, destination=3, buffer=4, count=2, operation=1, descriptor=1):
        t = Trace(None, d3d9ex=True).target()
        for handle in (2, 3):
            t.add("surface_create", handle=handle, kind="plain", caps=["VIDEOMEMORY"], format="A1",
                  width=32, height=8)  # fmt: skip
        t.buffer(4, words((0, 0, 8, 8), (8, 0, 8, 8)))
        t.buffer(5, struct.pack("<HHhhHHhh", 0, 0, 0, 0, descriptor, 0, 16, 0)).context()
        return t.dp2(Stream().op("COMPOSERECTS", (source, destination, buffer, count, 5, operation, 0, 0)))

    pairs.stream("DP2-COMPOSE-001", "same-surface", composed(destination=2), RECORD)
    pairs.stream("DP2-COMPOSE-001", "not-a1", composed(source=1), RECORD)
    pairs.stream("DP2-COMPOSE-001", "descriptors-not-live", composed(buffer=9), RECORD)
    pairs.good("DP2-COMPOSE-001", "two-surfaces", composed())
    pairs.stream("DP2-COMPOSE-002", "0", composed(operation=0), RECORD)
    pairs.stream("DP2-COMPOSE-002", "5", composed(operation=5), RECORD)
    pairs.good("DP2-COMPOSE-002", "4", composed(operation=4))
    pairs.stream("DP2-COMPOSE-003", "65536-rectangles", composed(count=0x10000), RECORD)
    pairs.stream("DP2-COMPOSE-003", "third-of-two-descriptors", composed(descriptor=2), RECORD)
    pairs.good("DP2-COMPOSE-003", "second-of-two-descriptors", composed(descriptor=1))

    def kernel(width, height, flags=0, *weights):
        t = Trace(None, d3d9ex=True).target().context()
        tail = floats(*weights) if weights else b""
        return t.dp2(Stream().op("SETCONVOLUTIONKERNELMONO", with_tail(width, height, flags, tail=tail)))

    pairs.stream("DP2-COMPOSE-004", "0x3", kernel(0, 3), RECORD)
    pairs.stream("DP2-COMPOSE-004", "3x8", kernel(3, 8), RECORD)
    pairs.stream("DP2-COMPOSE-004", "flags-4", kernel(3, 3, 4), RECORD)
    pairs.good("DP2-COMPOSE-004", "7x7", kernel(7, 7))
    pairs.stream("DP2-COMPOSE-005", "weights", kernel(2, 3, 1, 0.5, 0.5), RECORD)
    pairs.good("DP2-COMPOSE-005", "no-weights", kernel(2, 3))
    return pairs


def groups():
    """All groups of this file."""
    parts = (texblt_surfaces, texblt_areas, volumes, buffers, blts, fills, mips, compositions)
    return [group() for group in parts]


def cases():
    """Broken traces."""
    return [one for group in groups() for one in group.cases()]


def accepted():
    """Legal traces."""
    return [one for group in groups() for one in group.accepted()]
