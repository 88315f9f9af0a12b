"""T: texture uploads and blits."""

from ..dp2 import dwords
from . import names
from .names import BLT_KEYDEST, BLT_KEYDESTOVERRIDE, BLT_KEYSRC, BLT_KEYSRCOVERRIDE, BLT_WAIT
from .registry import fact
from .sampling import filled, mip_chain, rgb

BLACK, RED, GREEN, BLUE, WHITE = 0xFF000000, 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF
FIVE = (0xFF100000, 0xFF002000, 0xFF000030, 0xFF404040, 0xFF505000)


def upload(s, destination, source, rect, place=(0, 0), flags=0):
    """TEXBLT."""
    return s.op("TEXBLT", (destination, source, place, rect, flags))


def system_texture(s, size, data, **fields):
    """A texture in system memory."""
    return s.texture(size, data, memory="SYSTEMMEMORY", **fields)


def read_levels(s, texture, colors, **area):
    """First and last texel of each level."""
    for level, color in enumerate(colors):
        s.read(texture, level=level, **area).expect_read(0, 0, rgb(color))


# ---- TEXBLT ----


@fact("T1", 3)
def update_texture(s):
    """TEXBLT between textures of equal size with equal, more and fewer levels"""
    colors = (0xFF7F7F00,) * 4
    for source_levels, levels in ((4, 4), (4, 1), (1, 4), (1, 1)):
        source = system_texture(s, (8, 8), mip_chain(colors)[:source_levels])
        texture = s.texture((8, 8), levels=levels)
        s.clear(WHITE)
        upload(s, texture, source, (0, 0, 8, 8)).show_texture(texture).quad(sets=[names.UNIT])
        s.expect(0, 0, "7f7f00").expect(8, 8, "7f7f00").expect(15, 15, "7f7f00").present()


@fact("T2", level=7)
def smaller_destination(s):
    """TEXBLT from 16x16 to 4x4: begins at source level 2, whose size is that of the destination"""
    source = system_texture(s, (16, 16), mip_chain(FIVE))
    texture = s.texture((4, 4), levels=3)
    upload(s, texture, source, (0, 0, 16, 16))
    read_levels(s, texture, FIVE[2:])


@fact("T3", level=7)
def rectangle_per_level(s):
    """TEXBLT of a part: the rectangle and the place are halved for each level"""
    source = system_texture(s, (16, 16), mip_chain(FIVE)[:3], levels=3)
    texture = s.texture((16, 16), levels=3)
    upload(s, texture, source, (3, 3, 10, 10), (1, 2))
    for level, (left, top, right, bottom) in enumerate(((1, 2, 8, 9), (0, 1, 4, 5), (0, 0, 3, 3))):
        s.read(texture, level=level)
        for x, y in ((left, top), (right - 1, bottom - 1)):
            s.expect_read(x, y, rgb(FIVE[level]))
        for x, y in ((left - 1, top), (left, top - 1), (right, bottom - 1), (right - 1, bottom)):
            if x >= 0 and y >= 0:
                s.expect_read(x, y, "000000")


@fact("T4", level=7)
def fewer_levels(s):
    """TEXBLT from a texture with fewer levels: only the common ones change"""
    source = system_texture(s, (8, 8), mip_chain([RED] * 4)[:2])
    texture = s.texture((8, 8), mip_chain([GREEN] * 4))
    upload(s, texture, source, (0, 0, 8, 8))
    read_levels(s, texture, (RED, RED, GREEN, GREEN))


@fact("T5", level=7)
def named_faces(s):
    """TEXBLT of a cube map with face flags: only those faces"""
    source = s.cube(4, [filled(4, RED)] * 6, memory="SYSTEMMEMORY")
    texture = s.cube(4, [filled(4, GREEN)] * 6)
    upload(s, texture, source, (0, 0, 4, 4), flags=0x0400 | 0x8000)  # POSITIVEX, NEGATIVEZ
    for face in range(6):
        s.read(texture, face=face).expect_read(2, 2, "ff0000" if face in (0, 5) else "00ff00")


@fact("T13")
def dirty_rectangle(s):
    """The runtime uploads what is marked as changed; the rest keeps old texels"""
    source = system_texture(s, (8, 8), filled(8, RED))
    texture = s.texture((8, 8))
    upload(s, texture, source, (0, 0, 8, 8))
    s.update(source, filled(8, BLUE))
    upload(s, texture, source, (2, 2, 6, 6), (2, 2)).show_texture(texture).quad(sets=[names.UNIT])
    s.expect(2, 2, "ff0000").expect(8, 8, "0000ff").expect(13, 13, "ff0000")


# ---- BLT ----


def blit(s, source, source_size, place, filtering):
    """BLT of a whole surface to a rectangle of the target."""
    return s.op("BLT", (source, (0, 0, *source_size), 0, 1, place, 0, filtering))


@fact("T6")
def odd_sizes(s):
    """Stretching surfaces whose sizes are not powers of two keeps the colours of the edges"""
    texels = [[RED, WHITE, GREEN], [BLUE, WHITE, BLACK]]
    source = s.texture((3, 2), dwords(texels))
    for filtering in (1, 2):
        s.clear(0xFF808080)
        blit(s, source, (3, 2), (1, 3, 13, 9), filtering)
        s.expect(1, 3, "ff0000").expect(12, 3, "00ff00").expect(1, 8, "0000ff").expect(
            12, 8, "000000"
        )
        s.expect(0, 3, "808080").expect(13, 3, "808080").expect(1, 2, "808080").expect(
            1, 9, "808080"
        ).present()


@fact("T7")
def stretched(s):
    """BLT as an exact copy, stretched by points, stretched with a linear filter"""
    source = s.texture((2, 1), dwords(RED, GREEN))
    s.clear()
    blit(s, source, (2, 1), (0, 0, 2, 1), 0)
    blit(s, source, (2, 1), (0, 4, 8, 8), 1)
    blit(s, source, (2, 1), (0, 8, 8, 12), 2)
    s.expect(0, 0, "ff0000").expect(1, 0, "00ff00").expect(2, 0, "000000")
    s.expect(3, 5, "ff0000").expect(4, 5, "00ff00")
    s.expect(0, 9, "ff0000").expect(3, 9, "9f6000").expect(4, 9, "609f00").expect(7, 9, "00ff00")


# ---- DirectDraw blits ----


def direct_draw(s, source, destination, flags=0, **keys):
    """A blit outside the stream."""
    s.event("blt", src=source, dest=destination, flags=BLT_WAIT | flags, **keys)


def key(value):
    """A colour key of one value."""
    return {"low": value, "high": value}


@fact("T8", level=7)
def palette_to_rgb(s):
    """A blit from P8 to RGB expands through the palette"""
    source = s.plain("P8", (2, 1), bytes((7, 9)))
    destination = s.plain("X8R8G8B8", (2, 1))
    s.op("SETPALETTE", (1, 0, source))
    s.op("UPDATEPALETTE", fixed=(1, 7, 3), count=1, tail=dwords(RED, GREEN, BLUE))
    s.flush()
    direct_draw(s, source, destination)
    s.read(destination).expect_read(0, 0, "ff0000").expect_read(1, 0, "0000ff")


@fact("T9", level=7)
def palette_to_palette(s):
    """A keyed blit from P8 to P8 compares indices"""
    source = s.plain("P8", (2, 1), bytes((1, 2)))
    destination = s.plain("P8", (2, 1), bytes((5, 6)))
    direct_draw(s, source, destination, BLT_KEYSRC | BLT_KEYSRCOVERRIDE, src_color_key=key(2))
    s.read(destination).expect_read(0, 0, "010101").expect_read(1, 0, "060606")


def two_pixels(s, pixel_format="X8R8G8B8", first=0xFF0000, second=0x00FF00, **fields):
    """A source surface, and a blue and a white pixel as the destination."""
    source = s.plain(pixel_format, (2, 1), dwords(first, second), **fields)
    return source, s.plain(pixel_format, (2, 1), dwords(0x0000FF, 0xFFFFFF))


@fact("T10", level=7)
def source_key(s):
    """KEYSRC and KEYSRCOVERRIDE: matching pixels of the source are skipped"""
    source, destination = two_pixels(s, color_key=key(0x00FF00))
    direct_draw(s, source, destination, BLT_KEYSRC)
    s.read(destination).expect_read(0, 0, "ff0000").expect_read(1, 0, "ffffff")
    source, destination = two_pixels(s)
    direct_draw(s, source, destination, BLT_KEYSRCOVERRIDE, src_color_key=key(0xFF0000))
    s.read(destination).expect_read(0, 0, "0000ff").expect_read(1, 0, "00ff00")


@fact("T11", level=7)
def destination_key(s):
    """KEYDEST: only destination pixels that match are written; the runtime hands the key over"""
    source, destination = two_pixels(s)
    direct_draw(
        s, source, destination, BLT_KEYDEST | BLT_KEYDESTOVERRIDE, dest_color_key=key(0xFFFFFF)
    )
    s.read(destination).expect_read(0, 0, "0000ff").expect_read(1, 0, "00ff00")


@fact("T12", level=7)
def unused_bits(s):
    """Bits of the X channel do not matter to a colour key"""
    source, destination = two_pixels(s, first=0x11FF0000, second=0x2200FF00)
    direct_draw(s, source, destination, BLT_KEYSRCOVERRIDE, src_color_key=key(0x00FF0000))
    s.read(destination).expect_read(0, 0, "0000ff").expect_read(1, 0, "00ff00")


@fact("T14", level=7)
def alpha_of_x8(s):
    """A blit from X8R8G8B8 to A8R8G8B8: alpha becomes ff"""
    source = s.plain("X8R8G8B8", (2, 1), dwords(0x00112233, 0x80445566))
    destination = s.plain("A8R8G8B8", (2, 1), dwords(0, 0))
    direct_draw(s, source, destination)
    s.read(destination).expect_read(0, 0, "ff112233").expect_read(1, 0, "ff445566")
