"""K: colour keys of textures."""

from ..dp2 import dwords, words
from . import names
from .names import INVSRCALPHA, SRCALPHA, UNIT
from .registry import fact, omit

RED, GREEN, BLUE, WHITE = 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF
DEPTH = {"level": 7, "depth": "D24S8"}


def key(value):
    """A colour key of one value."""
    return {"low": value, "high": value}


def keyed_scene(s, texel, enabled=1):
    """A keyed texture of one texel at z = .25 on red."""
    texture = s.texture((1, 1), dwords(texel), color_key=key(GREEN))
    s.clear_all(RED).states(ZENABLE=1, COLORKEYENABLE=enabled).show_texture(texture)
    return s.quad(z=0.25, sets=[UNIT])


def blue_behind(s):
    """A blue quad without texture at z = .75."""
    return s.stage(0, TEXTUREMAP=0).quad(z=0.75, color=BLUE)


@fact("K1", 2, **DEPTH)
def killed(s):
    """A texel that equals the key is not drawn and writes no depth: a draw behind it passes"""
    keyed_scene(s, GREEN).expect(8, 8, "ff0000").present()
    blue_behind(s).expect(8, 8, "0000ff")


@fact("K2", **DEPTH)
def disabled(s):
    """COLORKEYENABLE off: the texel is drawn"""
    keyed_scene(s, GREEN, 0).expect(8, 8, "00ff00")


@fact("K3", 2, **DEPTH)
def other_alpha(s):
    """Alpha belongs to the key: a texel of other alpha is drawn and writes depth, with and
    without blending"""
    for blending, color in ((1, "807f00"), (0, "00ff00")):
        s.states(ALPHABLENDENABLE=blending, SRCBLEND=SRCALPHA, DESTBLEND=INVSRCALPHA)
        keyed_scene(s, 0x7F00FF00).expect(8, 8, color).present()
        blue_behind(s).expect(8, 8, color).present()


@fact("K4", **DEPTH)
def no_depth(s):
    """Beside drawn texels, killed ones write no depth"""
    texture = s.texture((2, 1), dwords(GREEN, WHITE), color_key=key(GREEN))
    s.clear_all(RED).states(ZENABLE=1, COLORKEYENABLE=1).show_texture(texture).quad(
        z=0.25, sets=[UNIT]
    )
    blue_behind(s).expect(4, 8, "0000ff").expect(12, 8, "ffffff")


@fact("K5", level=7)
def default_state(s):
    """COLORKEYENABLE is off by default; then it is switched on"""
    texture = s.texture((1, 1), dwords(BLUE), "X8R8G8B8", color_key=key(0x0000FF))
    s.clear(GREEN).show_texture(texture).quad(sets=[UNIT]).expect(8, 8, "0000ff").present()
    s.clear(GREEN).states(COLORKEYENABLE=1).quad(sets=[UNIT]).expect(8, 8, "00ff00")


@fact("K10")
def key_of_stage(s):
    """TEXTURECOLORKEYVAL keys without COLORKEYENABLE; DISABLETEXTURECOLORKEY switches it off"""
    texture = s.texture((2, 1), dwords(GREEN, BLUE))
    s.stage(0, TEXTURECOLORKEYVAL=GREEN).show_texture(texture)
    for disabled, color in ((None, "ff0000"), (1, "00ff00"), (0, "ff0000")):
        if disabled is not None:
            s.stage(0, DISABLETEXTURECOLORKEY=disabled)
        s.clear(RED).quad(sets=[UNIT]).expect(4, 8, color).expect(12, 8, "0000ff").present()


# format, packing, key, places and widths of red, green, blue
PRECISE = (
    ("X8R8G8B8", dwords, 0x00804020, ((16, 8), (8, 8), (0, 8))),
    ("R5G6B5", words, 0x8410, ((11, 5), (5, 6), (0, 5))),
    ("A4R4G4B4", words, 0xF888, ((8, 4), (4, 4), (0, 4))),
)


def color_of(texel, channels):
    """Six digits of a texel."""
    parts = [
        ((texel >> place) & ((1 << width) - 1)) / ((1 << width) - 1) for place, width in channels
    ]
    return "".join(f"{int(part * 255 + 0.5):02x}" for part in parts)


@fact("K6", level=7, size=(20, 4))
def precise(s):
    """A key is exact: texels that differ by 1 in green or blue stay"""
    for pixel_format, pack, value, channels in PRECISE:
        green = 1 << channels[1][0]
        texels = [value, value + 1, value - 1, value + green, value - green]
        texture = s.texture((5, 1), pack(texels), pixel_format, color_key=key(value))
        s.clear(WHITE).states(COLORKEYENABLE=1).show_texture(texture, ADDRESSU=names.CLAMP).quad(
            sets=[UNIT]
        )
        for index, texel in enumerate(texels):
            s.expect(4 * index + 2, 2, color_of(texel, channels) if index else "ffffff")
        s.present()


omit(
    "K7",
    "A colour key whose low and high values differ is refused, or collapsed to the low value",
    "an error of the API: the driver gets equal values",
)


@fact("K8", level=7)
def loaded(s):
    """TEXBLT does not carry the colour key: the destination's own setting counts"""
    for source_key, own_key, color in ((key(GREEN), None, "00ff00"), (None, key(GREEN), "ff0000")):
        given = {"color_key": source_key} if source_key else {}
        source = s.texture((4, 4), dwords([GREEN] * 16), memory="SYSTEMMEMORY", **given)
        texture = s.texture((4, 4), **({"color_key": own_key} if own_key else {}))
        s.op("TEXBLT", (texture, source, (0, 0), (0, 0, 4, 4), 0)).states(COLORKEYENABLE=1).clear(
            RED
        )
        s.show_texture(texture).quad(sets=[UNIT]).expect(8, 8, color).present()


omit(
    "K9",
    "Setting a colour key on a sub-level of a mip map is refused; only the top level takes one",
    "an error of the API: nothing reaches the driver",
)
