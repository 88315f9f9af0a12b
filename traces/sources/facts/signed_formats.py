"""P, signed formats: texels are drawn as t * .5 + .5."""

import struct

from ..dp2 import dwords, words
from . import names
from .formats import byte, expect_columns
from .names import CLAMP, TEXTURE, UNIT
from .registry import fact

BLACK = 0xFF000000


def signed(s, texture, colors, argument=TEXTURE):
    """Draws texels as t * .5 + .5: lighting makes a diffuse colour of exactly .5."""
    s.states(LIGHTING=1).material(emissive=(0.5, 0.5, 0.5, 0))
    s.clear(BLACK).stage(
        0,
        TEXTUREMAP=texture,
        COLOROP=names.MULTIPLYADD,
        COLORARG1=argument,
        COLORARG2=names.FROM_DIFFUSE,
        COLORARG0=names.FROM_DIFFUSE,
        ADDRESSU=CLAMP,
    )
    s.quad(sets=[UNIT])
    return expect_columns(s, colors)


@fact("P7", 1)
def signed_ends(s):
    """V8U8: the values 0, 127, -128 and -120"""
    texels = [value << 8 | value for value in (0x00, 0x7F, 0x80, 0x88)]
    signed(s, s.texture((4, 1), words(texels), "V8U8"), ("8080ff", "ffffff", "0000ff", "0707ff"))


@fact("P8", 1, size=(20, 16))
def signed_pairs(s):
    """V8U8: further pairs of U and V"""
    texels = (0x3B19, 0xC8E8, 0x4444, 0xA066, 0x22E0)
    signed(
        s,
        s.texture((5, 1), words(texels), "V8U8"),
        ("98baff", "6747ff", "c3c3ff", "e51fff", "5fa2ff"),
    )


@fact("P9", 4)
def signed_luminance(s):
    """L6V5U5: signed U and V of five bits, L of six, as the exact formula"""

    def part(value):
        return max((value - 32 if value >= 16 else value) / 15, -1.0) * 0.5 + 0.5

    texels = ((0, 0, 0), (15, 31, 63), (16, 17, 32), (8, 24, 10))  # U, V, L
    data = words([light << 10 | v << 5 | u for u, v, light in texels])
    colors = [
        byte(part(u)) + byte(part(v)) + byte(light / 63 * 0.5 + 0.5) for u, v, light in texels
    ]
    signed(s, s.texture((4, 1), data, "L6V5U5"), colors)


@fact("P10", 1, size=(20, 16))
def signed_alpha(s):
    """Q8W8V8U8: the alpha channel is signed, too"""
    texels = [value << 24 for value in (0x00, 0xFF, 0x7F, 0x81, 0x10)]
    texture = s.texture((5, 1), dwords(texels), "Q8W8V8U8")
    signed(
        s,
        texture,
        ("808080", "7f7f7f", "ffffff", "000000", "909090"),
        TEXTURE | names.ALPHAREPLICATE,
    )


@fact("P11", 2)
def signed_volume(s):
    """V16U16 as a volume"""

    def part(value):
        return max(value / 32767, -1.0) * 0.5 + 0.5

    texels = ((0, 0), (32767, -32768), (16384, -16384), (-1000, 30000))  # U, V
    data = b"".join(struct.pack("<2h", *texel) for texel in texels) * 2
    colors = [byte(part(u)) + byte(part(v)) + "ff" for u, v in texels]
    signed(s, s.texture((4, 1), data, "V16U16", depth=2), colors)
