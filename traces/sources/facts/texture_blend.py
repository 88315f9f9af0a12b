"""M: the legacy state TEXTUREMAPBLEND, as a DirectX 6 runtime uses it with a DirectX 7 driver."""

from ..dp2 import dwords, words
from . import names
from .registry import fact

SETUP = {"level": 7, "runtime_version": 2}
DECAL, MODULATE = 1, 2  # D3DTBLEND
ALPHA_PALETTE = 0x2000  # DDRAWIPAL_ALPHA


def halves(s, texture, top, bottom, colors):
    """Draws the texture over the upper and the lower half; colours of the four quarters in
    reading order."""
    s.states(TEXTUREHANDLE=texture, TEXTUREMAPBLEND=DECAL).states(TEXTUREMAPBLEND=MODULATE)
    s.screen_quad((0, 0, 16, 8), color=top, specular=0, sets=[names.UNIT])
    s.screen_quad((0, 8, 16, 16), color=bottom, specular=0, sets=[names.UNIT])
    for (x, y), color in zip([(4, 4), (12, 4), (4, 12), (12, 12)], colors.split()):
        s.expect(x, y, color)


@fact("M1", 2, **SETUP)
def alpha_of_texture(s):
    """MODULATE with a texture that has alpha: the alpha of vertices is ignored"""
    texture = s.texture((2, 1), dwords(0x800000FF, 0xFF0000FF))
    s.clear().blend(names.SRCALPHA, names.INVSRCALPHA)
    halves(s, texture, 0xFFFFFFFF, 0x80FFFFFF, "000080 0000ff 000080 0000ff")


@fact("M2", 2, **SETUP)
def alpha_of_vertices(s):
    """MODULATE with a texture without alpha: the alpha of vertices is used"""
    texture = s.texture((2, 1), dwords(0x800000FF, 0xFF0000FF), "X8R8G8B8")
    s.clear().blend(names.SRCALPHA, names.INVSRCALPHA)
    halves(s, texture, 0xFFFFFFFF, 0x80FFFFFF, "0000ff 0000ff 000080 000080")


@fact("M5", 2, **SETUP)
def alpha_of_palette(s):
    """MODULATE with a P8 texture: a palette with alpha is alpha of the texture, one without
    is not"""
    texture = s.texture((2, 1), bytes((0, 1)), "P8")
    s.op("UPDATEPALETTE", fixed=(1, 0, 2), count=1, tail=dwords(0x800000FF, 0xFF0000FF))
    for flags, colors in (
        (ALPHA_PALETTE, "000080 0000ff 000080 0000ff"),
        (0, "0000ff 0000ff 000080 000080"),
    ):
        s.clear().blend(names.SRCALPHA, names.INVSRCALPHA).op("SETPALETTE", (1, flags, texture))
        halves(s, texture, 0xFFFFFFFF, 0x80FFFFFF, colors)
        s.present()


@fact("M3", 2, **SETUP)
def modulated_colors(s):
    """MODULATE of colours: four pairs of texel and vertex"""
    texture = s.texture((2, 1), dwords(0xFFFF0080, 0xFFFF00FF))
    s.clear()
    halves(s, texture, 0xFFFF0080, 0xFF8000FF, "ff0040 ff0080 800080 8000ff")


@fact("M4", 2, **SETUP)
def keyed(s):
    """MODULATE with a 565 texture, one half of which is the colour key"""
    texture = s.texture(
        (2, 1), words(0x001F, 0xF800), "R5G6B5", color_key={"low": 0x1F, "high": 0x1F}
    )
    s.clear().states(COLORKEYENABLE=1)
    halves(s, texture, 0xFFFF0080, 0xFF8000FF, "000000 ff0000 000000 800000")
