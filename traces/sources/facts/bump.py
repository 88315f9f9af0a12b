"""D: bump mapping, and the texture instructions of pixel shaders."""

import math

from ..dp2 import dwords, words
from . import names, shading
from .names import CLAMP, LINEAR, UNIT
from .registry import fact

# U in the low byte, V in the high byte: a quarter each way
QUARTERS = (0x2020, 0xE020, 0x20E0, 0xE0E0)


@fact("D1", 4)
def bump_matrix(s):
    """BUMPENVMAP with the matrix (0, .5; -.5, 0) over four perturbations of the coordinates
    (.5, .5)"""
    ramp = [int((i + 0.5) / 8 * 255 + 0.5) for i in range(8)]
    texels = [0xFF000000 | ramp[x] << 16 | ramp[y] << 8 for y in range(8) for x in range(8)]
    bump_map, ramps = s.texture((2, 2), words(QUARTERS), "V8U8"), s.texture((8, 8), dwords(texels))
    s.clear(0xFF0000FF)
    s.stage(
        0,
        TEXTUREMAP=bump_map,
        COLOROP=names.BUMPENVMAP,
        BUMPENVMAT00=0.0,
        BUMPENVMAT01=0.5,
        BUMPENVMAT10=-0.5,
        BUMPENVMAT11=0.0,
    )
    s.show_texture(ramps, 1, MAGFILTER=LINEAR, MINFILTER=LINEAR, ADDRESSU=CLAMP, ADDRESSV=CLAMP)
    s.quad(sets=[UNIT, (0.5, 0.5)])
    for x, y, color in ((4, 4, "5ea000"), (12, 4, "9ea000"), (4, 12, "5e6000"), (12, 12, "9e6000")):
        s.expect(x, y, color)


def luminance(s, scale, offset, color):
    """BUMPENVMAPLUMINANCE with L = .25 over the colour ff80c0."""
    bump_map = s.texture((1, 1), dwords(0x00400000), "X8L8V8U8")
    s.stage(
        0,
        TEXTUREMAP=bump_map,
        COLOROP=names.BUMPENVMAPLUMINANCE,
        BUMPENVLSCALE=scale,
        BUMPENVLOFFSET=offset,
    )
    s.show_texture(s.texture((1, 1), dwords(0xFFFF80C0)), 1, TEXCOORDINDEX=0)
    s.clear().quad(sets=[UNIT]).expect(8, 8, color).present()


@fact("D2", 5)
def bump_luminance(s):
    """BUMPENVMAPLUMINANCE with scale 2 and offset .1"""
    luminance(s, 2.0, 0.1, "994c72")


@fact("D3", 5)
def bump_luminance_clamped(s):
    """The luminance factor is clamped to 1: scale 10 and offset 10, scale 1000 and offset -1"""
    luminance(s, 10.0, 10.0, "ff80c0")
    luminance(s, 1000.0, -1.0, "ff80c0")


# ---- with pixel shaders ----

SIZE = 16  # of the target and of a bump map that covers it


def signed(value):
    """The byte of a signed texel."""
    return int(math.floor(127 * max(-1.0, min(1.0, value)) + 0.5)) & 0xFF


def matrix(s, stage, *values):
    """Sets a bump matrix, row by row."""
    rows = ("BUMPENVMAT00", "BUMPENVMAT01", "BUMPENVMAT10", "BUMPENVMAT11")
    return s.stage(stage, **dict(zip(rows, values)))


@fact("D4", 4)
def texbem_matrix(s):
    """texbem takes the matrix of the destination stage: its map leads all pixels to the middle"""
    texels = [signed(1 - y / 8) | signed(x / 8 - 1) << 8 for y in range(SIZE) for x in range(SIZE)]
    ramp = [int((i + 0.5) / 8 * 255 + 0.5) for i in range(8)]
    ramps = [0xFF000000 | ramp[x] << 16 | ramp[y] << 8 for y in range(8) for x in range(8)]
    shading.pixel_shader(s, "ps_1_1; tex t0; texbem t1, t0; mov r0, t1")
    s.stage(0, TEXTUREMAP=s.texture((SIZE, SIZE), words(texels), "V8U8"))
    s.stage(1, TEXTUREMAP=s.texture((8, 8), dwords(ramps)), MAGFILTER=LINEAR, MINFILTER=LINEAR)
    matrix(matrix(s, 0, 1.0, 0.0, 0.0, 1.0), 1, 0.0, 0.5, -0.5, 0.0)
    s.clear(0xFF0000FF).quad(sets=[UNIT, UNIT])
    for x, y in ((1, 1), (8, 3), (14, 2), (4, 8), (8, 8), (2, 13), (14, 14)):
        s.expect(x, y, "7e8000")


@fact("D5", 4)
def texbem_twice(s):
    """Two texbem in one shader, each with its own map and matrix: both reach the bright half"""
    shading.pixel_shader(s, "ps_1_1; tex t0; texbem t1, t0; tex t2; texbem t3, t2; add r0, t1, t3")
    right, down = (s.texture((1, 1), words(texel), "V8U8") for texel in (0x007F, 0x7F00))
    red = s.texture((2, 1), dwords(0xFF000000, 0xFFFF0000))
    green = s.texture((1, 2), dwords(0xFF000000, 0xFF00FF00))
    for stage, texture in enumerate((right, red, down, green)):
        s.stage(stage, TEXTUREMAP=texture, ADDRESSU=CLAMP, ADDRESSV=CLAMP)
    matrix(matrix(s, 1, 0.5, 0.0, 0.0, 0.0), 3, 0.0, 0.0, 0.0, 0.5)
    s.clear(0xFF0000FF).quad(sets=[(0.25, 0.25)] * 4).expect(4, 4, "ffff00").expect(
        12, 12, "ffff00"
    )


POSITIVE = (1.0, 1.0, 1.0, 1.0)
NEGATIVE_W = (1.0, 1.0, 1.0, -1.0)
NEGATIVE_X, NEGATIVE_Z = (-1.0, 1.0, 1.0, 1.0), (1.0, 1.0, -1.0, 1.0)


@fact("D6")
def texkill(s):
    """texkill on a coordinate with negative w: kills in version 2.0, not in 1.1 to 1.4"""
    rows = [(f"ps_1_{i}; texkill t0; mov r0, c0", "ffffff") for i in (1, 2, 3)]
    rows.append(("ps_1_4; texcrd r0.xyz, t0; phase; texkill r0; mov r0, c0", "ffffff"))
    rows.append(("ps_2_0; dcl t0; texkill t0; mov r0, c0; mov oC0, r0", "000000"))
    shading.pixel_constants(s, 0, POSITIVE)
    for pixel, color in rows:
        shading.pixel_shader(s, pixel)
        s.clear()
        for index, coordinates in enumerate((POSITIVE, NEGATIVE_W, NEGATIVE_X, NEGATIVE_Z)):
            s.quad((4 * index, 0, 4 * index + 4, 16), sets=[coordinates])
        s.expect(2, 8, "ffffff").expect(6, 8, color)
        s.expect(10, 8, "000000").expect(14, 8, "000000").present()


DEPTH_SCENE = {"size": (64, 4), "depth": "D24X8"}


def texdepth(s, red, green, end):
    """The depth red / green, drawn where it is greater than a ramp: left of `end`."""
    shading.pixel_shader(s, None)
    s.clear_all().states(ZENABLE=1, ZFUNC=names.ALWAYS)
    s.quad(z=[0.0, 1.0, 0.0, 1.0], color=0xFF000000).states(ZFUNC=names.GREATER)
    shading.pixel_constants(s, 0, (red, green, 0.0, 0.0), (1.0, 1.0, 1.0, 1.0))
    shading.pixel_shader(s, "ps_1_4; mov r5, c0; phase; texdepth r5; mov r0, c1")
    s.quad(z=0.0)
    for x in sorted({1, 62, *(place for place in (end - 2, end + 1) if 0 <= place < 64)}):
        s.expect(x, 2, "ffffff" if x < end else "000000")
    s.present()


@fact("D7", **DEPTH_SCENE)
def texdepth_constant(s):
    """The constant (.25, 2) is clamped to (.25, 1) before texdepth divides: .25"""
    texdepth(s, 0.25, 2.0, 16)


@fact("D8", **DEPTH_SCENE)
def texdepth_range(s):
    """texdepth of (.25, .5), (-1, .1) and (-.25, -.5): .5, 0 and .5"""
    texdepth(s, 0.25, 0.5, 32)
    texdepth(s, -1.0, 0.1, 0)
    texdepth(s, -0.25, -0.5, 32)


@fact("D9", **DEPTH_SCENE)
def texdepth_limits(s):
    """texdepth of (1, -.1), (1, .5) and (.5, 0): 0, 1 and 1"""
    texdepth(s, 1.0, -0.1, 0)
    texdepth(s, 1.0, 0.5, 64)
    texdepth(s, 0.5, 0.0, 64)
