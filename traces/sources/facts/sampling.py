"""X: cube maps, mip levels, filtering."""

from ..dp2 import dwords, words
from . import names
from .names import CLAMP, FILTER_NONE, LINEAR, POINT, UNIT
from .registry import fact, omit

BLACK, RED, GREEN, BLUE, WHITE = 0xFF000000, 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF
CYAN, MAGENTA, YELLOW = 0xFF00FFFF, 0xFFFF00FF, 0xFFFFFF00


def rgb(color):
    """Six digits."""
    return f"{color & 0xFFFFFF:06x}"


def filled(size, color):
    """A square level in one colour."""
    return dwords([color] * (size * size))


def mip_chain(colors):
    """Levels in these colours, down to 1x1."""
    return [filled(1 << (len(colors) - 1 - level), color) for level, color in enumerate(colors)]


# ---- cube maps ----


@fact("X1", 1)
def cube_addressing(s):
    """The direction (1, 1, 1) shows the same face with every address mode"""
    faces = [filled(2, RED)] * 4 + [filled(2, BLUE), filled(2, RED)]
    s.show_texture(s.cube(2, faces), MAGFILTER=LINEAR, MINFILTER=LINEAR, BORDERCOLOR=GREEN)
    for mode in (names.WRAP, CLAMP, names.BORDER, names.MIRROR):
        s.stage(0, ADDRESSU=mode, ADDRESSV=mode, ADDRESSW=mode).clear()
        s.quad(sets=[(1.0, 1.0, 1.0)]).expect(8, 8, "0000ff").present()


@fact("X2", 1, level=7)
def cube_faces(s):
    """Directions to +X, -X, +Y and +Z show those faces"""
    colors = (RED, CYAN, MAGENTA, GREEN, BLUE, YELLOW)
    s.clear().show_texture(s.cube(2, [filled(2, color) for color in colors]))
    directions = ((1.0, 0.3, -0.2), (-1.0, 0.3, -0.2), (0.2, 1.0, 0.3), (0.2, -0.3, 1.0))
    for index, (direction, color) in enumerate(zip(directions, (RED, CYAN, MAGENTA, BLUE))):
        s.quad((4 * index, 0, 4 * index + 4, 16), sets=[direction]).expect(
            4 * index + 2, 8, rgb(color)
        )


# ---- which level ----

LEVELS = (RED, GREEN, BLUE)


def levels(s, rows):
    """A magnified texture of three levels; each row is mip filter, MAXMIPLEVEL, SETTEXLOD,
    level."""
    texture = s.texture((4, 4), mip_chain(LEVELS), caps2=["TEXTUREMANAGE"])
    s.show_texture(texture)
    for mip_filter, largest, lod, level in rows:
        s.stage(0, MIPFILTER=mip_filter, MAXMIPLEVEL=largest).op("SETTEXLOD", (texture, lod))
        s.clear().quad(sets=[UNIT]).expect(8, 8, rgb(LEVELS[level])).present()


# fact -> text, rows of levels()
LEVEL_FACTS = {
    "X3": ("Without a mip filter MAXMIPLEVEL does nothing",
           [(FILTER_NONE, i, 0, 0) for i in range(4)]),
    "X4": ("MAXMIPLEVEL 0 to 3 with a mip filter and three levels",
           [(POINT, i, 0, level) for i, level in enumerate((0, 1, 2, 2))]),
    "X5": ("SETTEXLOD 1 acts without a mip filter, too", [(FILTER_NONE, 0, 1, 1)]),
    "X6": ("SETTEXLOD 2 wins over MAXMIPLEVEL 1", [(POINT, 1, 2, 2)]),
    "X7": ("MAXMIPLEVEL 2 and SETTEXLOD 1, with and without a mip filter",
           [(POINT, 2, 1, 2), (FILTER_NONE, 2, 1, 1)]),
}  # fmt: skip
for _identity, (_text, _rows) in LEVEL_FACTS.items():
    fact(_identity, text=_text)(lambda s, rows=_rows: levels(s, rows))


def block(color565):
    """A DXT1 block of one colour."""
    return words(color565, color565, 0, 0)


@fact("X8", 1, size=(640, 4))
def compressed_chain(s):
    """A DXT1 mip chain on an oblique quad with MIPFILTER POINT: where each level begins"""
    # white, red, yellow, green, cyan, blue, magenta
    colors = (0xFFFF, 0xF800, 0xFFE0, 0x07E0, 0x07FF, 0x001F, 0xF81F)
    data = [block(color) * max(1, 16 >> level) ** 2 for level, color in enumerate(colors)]
    s.clear(0xFF808080).show_texture(s.texture((64, 64), data, "DXT1"), MIPFILTER=POINT)
    s.screen_quad(rhw=[0.0895, 1.0, 0.0895, 1.0], color=WHITE, sets=[((0.0, 0.0), (94.6, 0.0)) * 2])
    for x, color in (
        (18, "ff00ff"),
        (57, "0000ff"),
        (109, "00ffff"),
        (184, "00ff00"),
        (290, "ffff00"),
        (440, "ff0000"),
        (584, "ffffff"),
    ):
        s.expect(x, 2, color)


omit(
    "X9",
    "UpdateSurface with rectangles or sizes that do not fit DXT blocks is rejected",
    "an error of the API: nothing reaches the driver",
)


# ---- generated levels ----


def quarters(size, border):
    """White with a border; the quarters of the centre are red, green, blue and black."""

    def texel(x, y):
        if not (border <= x < size - border and border <= y < size - border):
            return WHITE
        return ((RED, GREEN), (BLUE, BLACK))[y >= size // 2][x >= size // 2]

    return [texel(x, y) for y in range(size) for x in range(size)]


def minified_quarters(s):
    """Draws the texture upside down over the middle of the target."""
    s.quad((10, 8, 30, 23), sets=[((0.0, 1.0), (1.0, 1.0), (0.0, 0.0), (1.0, 0.0))])
    for y, colors in ((12, "ffffff 0000ff 000000 ffffff"), (17, "ffffff ff0000 00ff00 ffffff")):
        for x, color in zip((12, 17, 22, 27), colors.split()):
            s.expect(x, y, color)


@fact("X10", size=(40, 30))
def generated_levels(s):
    """An automatically generated mip chain, drawn minified with MIPFILTER POINT"""
    texture = s.texture(
        (64, 64), dwords(quarters(64, 16)), levels=7, caps3=["LIGHTWEIGHTMIPMAP", "AUTOGENMIPMAP"]
    )
    s.clear(0xFF808080).op("GENERATEMIPSUBLEVELS", (texture, LINEAR)).show_texture(
        texture, MIPFILTER=POINT
    )
    minified_quarters(s)


@fact("X11")
def not_generated(s):
    """GENERATEMIPSUBLEVELS of a texture that does not have AUTOGENMIPMAP: deeper levels stay 0"""
    texture = s.texture((8, 8), filled(8, RED), levels=4, caps3=["LIGHTWEIGHTMIPMAP"])
    s.op("GENERATEMIPSUBLEVELS", (texture, LINEAR))
    for level in (1, 2, 3):
        s.read(texture, level=level).expect_read(0, 0, "00000000")
    s.clear(WHITE).show_texture(texture, MIPFILTER=POINT, MAXMIPLEVEL=2).quad(sets=[UNIT]).expect(
        8, 8, "000000"
    )


@fact("X12", size=(32, 32))
def uploaded_levels(s):
    """Levels that were uploaded one by one come back as they were"""
    colors = [0x111111 * (level + 1) for level in range(6)]
    source = s.texture((32, 32), mip_chain(colors), "X8R8G8B8", memory="SYSTEMMEMORY")
    texture = s.texture((32, 32), pixel_format="X8R8G8B8", levels=6)
    s.op("TEXBLT", (texture, source, (0, 0), (0, 0, 32, 32), 0)).show_texture(
        texture, MIPFILTER=POINT
    )
    for level, color in enumerate(colors):
        s.read(texture, level=level).expect_read(0, 0, rgb(color))
        last = (32 >> level) - 1
        s.expect_read(last, last, rgb(color))
        s.stage(0, MAXMIPLEVEL=level).quad(sets=[UNIT]).expect(8, 8, rgb(color)).present()


@fact("X13", size=(40, 30), name="generated-mip-chain-in-a1r5g5b5")
def one_level(s):
    """The picture of X10 in A1R5G5B5 with one level"""
    texels = [
        (color >> 16 & 0x8000) | (color >> 9 & 0x7C00) | (color >> 6 & 0x3E0) | (color >> 3 & 0x1F)
        for color in quarters(64, 16)
    ]
    texture = s.texture((64, 64), words(texels), "A1R5G5B5")
    s.clear(0xFF808080).show_texture(texture, MIPFILTER=POINT)
    minified_quarters(s)
