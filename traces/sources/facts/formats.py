"""P: pixel formats, sRGB."""

from ..dp2 import dwords, words
from . import names
from .names import CLAMP, INVSRCALPHA, POINT, SRCALPHA, TEXTURE, UNIT
from .registry import fact

RED, WHITE = 0xFFFF0000, 0xFFFFFFFF


def byte(value):
    """A channel in 0..1 as two digits, rounded."""
    return f"{int(min(max(value, 0.0), 1.0) * 255 + 0.5):02x}"


def columns(s, texture, colors, row=8, **stage):
    """Draws one row of texels over the target; one colour for each."""
    s.clear(0xFF808080).show_texture(texture, ADDRESSU=CLAMP, ADDRESSV=CLAMP, **stage).quad(
        sets=[UNIT]
    )
    return expect_columns(s, colors, row)


def expect_columns(s, colors, row=8):
    """Colours of columns of equal width."""
    width = s.size[0] // len(colors)
    for index, color in enumerate(colors):
        s.expect(index * width + width // 2, row, color)
    return s


# ---- sRGB ----

GREYS = (0xFF7F7F7F, 0xFF3F3F3F)


@fact("P1", 1)
def srgb_read(s):
    """SRGBTEXTURE decodes two greys"""
    columns(s, s.texture((2, 1), dwords(GREYS)), ("363636", "0d0d0d"), SRGBTEXTURE=1)


@fact("P24", 1)
def srgb_bit(s):
    """Bit 0 of SRGBTEXTURE decides"""
    texture = s.texture((2, 1), dwords(GREYS))
    for value in (2, 100, 0x7E41882A):
        columns(s, texture, ("7f7f7f", "3f3f3f"), SRGBTEXTURE=value).present()
    columns(s, texture, ("363636", "0d0d0d"), SRGBTEXTURE=3)


def plain_and_srgb(s, texture, plain, decoded):
    """The same texel without and with decoding."""
    columns(s, texture, (plain,), SRGBTEXTURE=0).present()
    columns(s, texture, (decoded,), SRGBTEXTURE=1)


@fact("P2", 1)
def srgb_565(s):
    """565 texel 7bef, plain and decoded"""
    plain_and_srgb(s, s.texture((1, 1), words(0x7BEF), "R5G6B5"), "7b7d7b", "333433")


@fact("P3", 1)
def srgb_565_dark(s):
    """565 texel 39e7, plain and decoded"""
    plain_and_srgb(s, s.texture((1, 1), words(0x39E7), "R5G6B5"), "3a3d3a", "0a0c0a")


@fact("P4", 1)
def srgb_volume(s):
    """SRGBTEXTURE of a volume"""
    texture = s.texture((2, 1), dwords(GREYS * 2), depth=2)
    columns(s, texture, ("363636", "0d0d0d"), SRGBTEXTURE=1)


@fact("P5", 5)
def srgb_write(s):
    """sRGB write into formats of up to 8 bits encodes; float targets are written as they are"""
    s.states(SRGBWRITEENABLE=1)
    for pixel_format, color in (
        ("R5G6B5", "bcbcbc"),
        ("X8R8G8B8", "bcbcbc"),
        ("A8R8G8B8", "bcbcbc"),
        ("A16B16G16R16F", "808080"),
        ("A32B32G32R32F", "808080"),
    ):
        target = s.target(pixel_format)
        s.op("SETRENDERTARGET2", (0, target)).quad(color=0xFF808080).read(target).expect_read(
            8, 8, color
        )


@fact("P6", 1)
def srgb_clear(s):
    """Clear of 7f7f7f with sRGB write off and on"""
    for value, color in ((0, "7f7f7f"), (1, "bbbbbb")):
        s.states(SRGBWRITEENABLE=value).quad(color=RED).clear(0x7F7F7F7F).expect(
            8, 8, color
        ).present()


# ---- channels, YUV ----


@fact("P12", 1)
def two_channels(s):
    """G16R16: blue reads 1"""
    columns(s, s.texture((1, 1), dwords(0x0F00F000), "G16R16"), ("f00fff",))


def uyvy(s, texel, left, right):
    """One pair of pixels."""
    return columns(s, s.texture((2, 1), dwords(texel), "UYVY"), (left, right)).present()


@fact("P13", 18)
def yuv_zero(s):
    """UYVY with all bytes 0"""
    uyvy(s, 0x00000000, "008700", "008700")


@fact("P14", 18)
def yuv_bytes(s):
    """UYVY with one byte of ff: the right luminance, V, U"""
    uyvy(s, 0xFF000000, "008700", "4bff1c")
    uyvy(s, 0x00FF0000, "b30000", "b30000")
    uyvy(s, 0x000000FF, "0030e1", "0030e1")


@fact("P15", 18)
def yuv_colors(s):
    """UYVY: red, black, white, blue"""
    for texel, color in (
        (0x4CFF4C54, "ff0000"),
        (0x00800080, "000000"),
        (0xFF80FF80, "ffffff"),
        (0x1C6B1CFF, "0000fd"),
    ):
        uyvy(s, texel, color, color)


@fact("P27", 18)
def planar(s):
    """YV12 and NV12: zero in the upper left 2x2 pixels, ff elsewhere"""
    luminance = bytes((0, 0, 255, 255) * 2 + (255,) * 8)
    chroma = {"YV12": bytes((0, 255, 255, 255) * 2), "NV12": bytes((0, 0) + (255,) * 6)}
    for pixel_format, data in chroma.items():
        texture = s.texture((4, 4), luminance + data, pixel_format)
        s.clear(0xFF808080).show_texture(texture).quad(sets=[UNIT])
        s.expect(4, 4, "008700").expect(12, 4, "ff78ff").expect(4, 12, "ff78ff").expect(
            12, 12, "ff78ff"
        ).present()


# ---- compressed volumes ----

# the colours red, green, blue, white as 565 end points
PRIMARY = (0xF800, 0x07E0, 0x001F, 0xFFFF)


def compressed_volume(s, pixel_format, blocks, colors):
    """A volume of 8x4x2: slice 0 in the left half of the target, slice 1 in the right half."""
    texture = s.texture((8, 4), b"".join(blocks), pixel_format, depth=2)
    s.clear(0).show_texture(texture)
    for left, w in ((0, 0.25), (40, 0.75)):
        corners = tuple((u, v, w) for v in (0.0, 1.0) for u in (0.0, 1.0))
        s.quad((left, 0, left + 40, 8), sets=[corners])
    for index, color in enumerate(colors.split()):
        s.expect(5 + 10 * index, 4, color)


VOLUME = {"pixel_format": "A8R8G8B8", "size": (80, 8)}


@fact("P16", 1, **VOLUME)
def volume_dxt1(s):
    """DXT1 volume: equal end points mean three colours, code 3 is transparent"""
    codes = (0xF0F0, 0, 0, 0)  # of the first block: 0 0 3 3 in each row
    blocks = [words(color, color, code, code) for color, code in zip(PRIMARY, codes)]
    compressed_volume(
        s, "DXT1", blocks, "ffff0000 00000000 ff00ff00 ff00ff00 ff0000ff ff0000ff ffffffff ffffffff"
    )


@fact("P17", 1, **VOLUME)
def volume_dxt3(s):
    """DXT3 volume: alpha of four bits"""
    blocks = [words([alpha] * 4, color, color, 0, 0)
              for color, alpha in zip(PRIMARY, (0xEEFF, 0xDDFF, 0xCCFF, 0xBBFF))]  # fmt: skip
    compressed_volume(
        s, "DXT3", blocks, "ffff0000 eeff0000 ff00ff00 dd00ff00 ff0000ff cc0000ff ffffffff bbffffff"
    )


@fact("P18", 1, **VOLUME)
def volume_dxt5(s):
    """DXT5 volume: alpha by codes of three bits"""
    row = 0 | 0 << 3 | 1 << 6 | 1 << 9  # codes 0 0 1 1
    codes = sum(row << (12 * y) for y in range(4)).to_bytes(6, "little")
    alphas = [bytes((255, 0)) + codes] + [bytes((255, 255)) + bytes(6)] * 3
    blocks = [alpha + words(color, color, 0, 0) for color, alpha in zip(PRIMARY, alphas)]
    compressed_volume(
        s, "DXT5", blocks, "ffff0000 00ff0000 ff00ff00 ff00ff00 ff0000ff ff0000ff ffffffff ffffffff"
    )


@fact("P22", 1)
def one_and_two_channel_blocks(s):
    """An ATI1 block of 7f times its own alpha; two ATI2 blocks with one channel each"""
    half, zero = bytes((0x7F, 0x7F)) + bytes(6), bytes(8)
    texture = s.texture((4, 4), half, "ATI1")
    s.clear().stage(
        0,
        TEXTUREMAP=texture,
        COLOROP=names.MODULATE,
        COLORARG1=TEXTURE,
        COLORARG2=TEXTURE | names.ALPHAREPLICATE,
    )
    s.quad(sets=[UNIT]).expect(8, 8, "3f3f3f").present()
    columns(s, s.texture((8, 4), half + zero + zero + half, "ATI2"), ("007fff", "7f00ff"))


# ---- render targets ----


def blended_targets(s, formats, color):
    """80103000 opaque, then half of 80201000 over it, in each format."""
    for pixel_format in formats:
        target = s.target(pixel_format)
        s.op("SETRENDERTARGET2", (0, target)).clear(0).states(ALPHABLENDENABLE=0).quad(
            color=0x80103000
        )
        s.blend(SRCALPHA, INVSRCALPHA).quad(color=0x80201000).read(target).expect_read(8, 8, color)


@fact("P19", 1)
def blending_two_channels(s):
    """Blending into targets of two channels: blue reads 1"""
    blended_targets(s, ("G16R16", "G16R16F", "G32R32F"), "1820ff")


@fact("P20", 1)
def blending_one_channel(s):
    """Blending into targets of one channel: the others read 1"""
    blended_targets(s, ("R16F", "R32F"), "18ffff")


@fact("P21", 1)
def blending_float(s):
    """Blending into float targets, and into a luminance target"""
    blended_targets(s, ("A16B16G16R16F", "A32B32G32R32F"), "182000")
    blended_targets(s, ("L8",), "181818")


# ---- palettes ----


@fact("P23", level=8)
def palettes(s):
    """P8: the palette in force at each draw; an entry of alpha 80 blends"""
    texture = s.texture((2, 1), bytes((1, 2)), "P8")
    s.clear().show_texture(texture)
    for palette, entries in ((1, (0xFFFF0000, 0xFF00FF00)), (2, (0xFF0000FF, 0x80FF0000))):
        s.op("UPDATEPALETTE", fixed=(palette, 1, 2), count=1, tail=dwords(entries))
    s.op("SETPALETTE", (1, 0x2000, texture)).quad((0, 0, 16, 8), sets=[UNIT])
    s.op("SETPALETTE", (2, 0x2000, texture)).blend(SRCALPHA, INVSRCALPHA)
    s.quad((0, 8, 16, 16), sets=[UNIT])
    for x, y, color in ((4, 4, "ff0000"), (12, 4, "00ff00"), (4, 12, "0000ff"), (12, 12, "800000")):
        s.expect(x, y, color)


# ---- depth surfaces as textures; fixed function in place of a pixel shader ----


def depth_texture(s, pixel_format):
    """A depth surface that holds s = x / width."""
    caps = ["TEXTURE", "VIDEOMEMORY", "ZBUFFER"]
    surface = s.surface(s.new_handle(), "depth", pixel_format, s.size, caps)
    s.op("SETDEPTHSTENCIL", surface).states(ZENABLE=1, ZFUNC=names.ALWAYS).clear_all()
    s.quad(z=[0.0, 1.0, 0.0, 1.0], color=WHITE).op("SETDEPTHSTENCIL", 0).states(ZENABLE=0)
    return s.clear(0xFF808080).show_texture(surface, MAGFILTER=POINT, MINFILTER=POINT)


def corners_of_depth(make):
    """Coordinates of the corners from s = 0..1 and t, which rises upwards."""
    return tuple(make(u, t) for t in (1.0, 0.0) for u in (0.0, 1.0))


PLACES = ((56, 18), (56, 30), (40, 42), (24, 42), (40, 6), (8, 18), (8, 30), (24, 6))


@fact("P25", size=(64, 48))
def shadows(s):
    """A depth texture compares: p = t as it is, then with the division by 1 - t (fixed function)"""
    for pixel_format in ("D16", "D24X8", "D24S8", "D32"):
        depth_texture(s, pixel_format).quad(sets=[corners_of_depth(lambda u, t: (u, t, t))])
        for index, place in enumerate(PLACES):
            s.expect(*place, "ffffff" if index < 4 else "000000")
        s.present().stage(0, TEXTURETRANSFORMFLAGS=names.COUNT4 | names.PROJECTED)
        s.quad(sets=[corners_of_depth(lambda u, t: (u, t, t, 1.0 - t))])
        for index, place in enumerate(PLACES):
            s.expect(*place, "ffffff" if index in (2, 3) else "000000")
        s.present().stage(0, TEXTURETRANSFORMFLAGS=0, TEXTUREMAP=0)


@fact("P26", 1, size=(64, 48), pixel_format="A8R8G8B8")
def readable_depth(s):
    """INTZ gives the depth in all channels, as it is and with coordinates divided by .5 (fixed
    function)"""
    depth_texture(s, "INTZ").quad(sets=[corners_of_depth(lambda u, t: (u, t, t))])
    for x, value in ((8, "20"), (24, "60"), (40, "9f"), (56, "df")):
        s.expect(x, 24, value * 4)
    s.present().stage(0, TEXTURETRANSFORMFLAGS=names.COUNT4 | names.PROJECTED)
    s.quad(sets=[corners_of_depth(lambda u, t: (u, t, t, 0.5))])
    for x, value in ((8, "40"), (24, "bf"), (40, "40"), (56, "bf")):
        s.expect(x, 24, value * 4)
