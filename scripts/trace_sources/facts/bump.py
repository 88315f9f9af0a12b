"""D: bump mapping with fixed function."""

from ..dp2 import dwords, words
from . import names
from .names import CLAMP, LINEAR, UNIT
from .registry import fact, omit

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


omit("D4", "texbem takes the matrix of the destination stage")
omit("D5", "Two texbem in one shader")
omit("D6", "texkill on a coordinate with negative w")
omit("D7", "texdepth clamps its constant")
omit("D8", "texdepth with values inside and outside of 0..1")
omit("D9", "texdepth with ratios beyond 1 and a divisor of 0")
