"""What a trace needs and the device does not claim: each pair differs in one claim or one value."""

from ..dp2 import Stream
from ..malformed import Case
from ..trace import GREEN, Trace

# D3DPTEXTURECAPS_*
POW2, ALPHA, SQUAREONLY, CUBEMAP, MIPMAP = 0x2, 0x4, 0x20, 0x800, 0x4000
# Texture stage states
TEXTUREMAP, COLOROP, COLORARG1, ALPHAOP, TEXCOORDINDEX, MINFILTER, MAXANISOTROPY = 0, 1, 2, 4, 11, 17, 21
SELECTARG1, ADD = 2, 7


def device(formats=None, **caps):
    """A trace whose header claims this."""
    header = {"caps": [{"name": name, "value": value} for name, value in caps.items()]}
    if formats:
        header["formats"] = formats
    return Trace(None, 9, **header)


def closed(trace, *handles):
    """The trace with its objects destroyed."""
    for handle in handles:
        trace.add("surface_destroy", handle=handle)
    return trace


def surface(trace, **fields):
    """A trace that creates texture 2 and destroys it; the finding stands at event 1."""
    return closed(trace.texture(2, **fields), 2)


def extent(value):
    return surface(device(max_texture_width=256, max_texture_height=256), width=value, height=16)


def volume(value):
    return surface(device(max_volume_extent=64), width=16, height=16, depth=value, caps2=["VOLUME"])


def pixel_format(name):
    return surface(device(formats=["X8R8G8B8", "A8R8G8B8"]), pixel_format=name)


def ratio(value):
    return surface(device(max_texture_aspect_ratio=8), width=value, height=8)


def power(value):
    return surface(device(texture_caps=POW2 | ALPHA), width=value, height=16)


def square(value):
    return surface(device(texture_caps=SQUAREONLY | ALPHA), width=value, height=16)


def cube(claims):
    faces = ["POSITIVEX", "NEGATIVEX", "POSITIVEY", "NEGATIVEY", "POSITIVEZ", "NEGATIVEZ"]
    caps2 = ["CUBEMAP"] + ["CUBEMAP_" + face for face in faces]
    return surface(device(texture_caps=claims), faces=faces, caps2=caps2)


def chain(claims):
    return surface(device(texture_caps=claims), size=8, levels=4)


def drawn(trace, *states):
    """A triangle drawn with texture stage states; the draw stands behind them in event 4."""
    stream = Stream().op("TEXTURESTAGESTATE", *states).op("TRIANGLELIST", fixed=(0,), count=1)
    trace.target().texture(2, size=8).context()
    trace.draw_textured(stream, [(32, 8, GREEN, 0.5, 0), (56, 56, GREEN, 1, 1), (8, 56, GREEN, 0, 1)])
    trace.add("context_destroy", context=1)
    return closed(trace, 1, 2)


def cascade(maximum):
    stages = [(0, COLOROP, SELECTARG1), (0, COLORARG1, 0), (0, ALPHAOP, SELECTARG1),
              (1, COLOROP, SELECTARG1), (1, COLORARG1, 1), (1, ALPHAOP, SELECTARG1)]  # fmt: skip
    return drawn(device(max_texture_blend_stages=maximum), *stages)


def textures(maximum):
    stages = [(0, TEXTUREMAP, 2), (1, TEXTUREMAP, 2), (1, COLOROP, ADD), (1, ALPHAOP, ADD),
              (1, TEXCOORDINDEX, 0)]  # fmt: skip
    return drawn(device(max_simultaneous_textures=maximum), *stages)


def operations(claims):
    stages = [(0, COLOROP, ADD), (0, COLORARG1, 0), (0, ALPHAOP, SELECTARG1)]
    return drawn(device(texture_op_caps=claims), *stages)


def anisotropy(maximum):
    stages = [(0, TEXTUREMAP, 2), (0, MINFILTER, 3), (0, MAXANISOTROPY, 8)]
    return drawn(device(max_anisotropy=maximum), *stages)


def at_draw(count):
    """The place of the draw behind `count` stage states."""
    return f"4+{4 + 8 * count:#x}"


def pairs():
    """(number, name, broken trace, place of the finding, name of the twin, twin)."""
    yield 1, "width-257", extent(257), "1", "width-256", extent(256)
    yield 2, "depth-65", volume(65), "1", "depth-64", volume(64)
    yield 3, "r5g6b5", pixel_format("R5G6B5"), "1", "a8r8g8b8", pixel_format("A8R8G8B8")
    yield 4, "nine-to-one", ratio(72), "1", "eight-to-one", ratio(64)
    yield 5, "width-24", power(24), "1", "width-32", power(32)
    yield 6, "32x16", square(32), "1", "16x16", square(16)
    yield 7, "cube", cube(POW2), "1", "cube-is-claimed", cube(POW2 | CUBEMAP)
    yield 8, "four-levels", chain(POW2), "1", "levels-are-claimed", chain(POW2 | MIPMAP)
    yield 9, "two-stages", cascade(1), at_draw(6), "two-stages-are-claimed", cascade(2)
    yield 10, "two-textures", textures(1), at_draw(5), "two-textures-are-claimed", textures(2)
    yield 11, "add", operations(0x3), at_draw(3), "add-is-claimed", operations(0x43)
    yield 12, "eight", anisotropy(4), at_draw(3), "eight-is-claimed", anisotropy(8)


def cases():
    """The broken traces."""
    for number, name, trace, place, _, _ in pairs():
        rule = f"DP2-CAPS-{number:03}"
        yield Case(rule, name, trace, [(rule, place)])


def accepted():
    """The legal traces."""
    for number, _, _, _, name, trace in pairs():
        yield f"DP2-CAPS-{number:03}", name, trace
