"""S: stencil operations and culling."""

from . import names
from .names import ALWAYS, INCR, REPLACE, STENCIL
from .registry import fact

WHITE = 0xFFFFFFFF
GREEN = 0xFF00FF00
# the corners of the left half in strip order, and those of the right half the other way round
LEFT = [(-1, 1), (0, 1), (-1, -1), (0, -1)]
RIGHT = [(1, 1), (0, 1), (1, -1), (0, -1)]


def windings(s):
    """A clockwise quad on the left, a counter-clockwise one on the right."""
    s.free_quad(LEFT, color=WHITE).free_quad(RIGHT, color=WHITE)
    return s.read(2)


@fact("S1", depth="D24S8")
def culled(s):
    """Culling counter-clockwise: clockwise quads replace the stencil value, the others leave it"""
    s.clear_all(stencil=0x80).states(
        CULLMODE=names.CULL_CCW,
        STENCILENABLE=1,
        STENCILFUNC=ALWAYS,
        STENCILPASS=REPLACE,
        STENCILREF=0x30,
    )
    windings(s).expect_stencil(4, 8, 0x30).expect_stencil(12, 8, 0x80)


@fact("S2", depth="D24S8")
def two_sided(s):
    """Two-sided: counter-clockwise faces have their own operation"""
    s.clear_all(stencil=0x8F).states(
        STENCILENABLE=1,
        TWOSIDEDSTENCILMODE=1,
        STENCILFUNC=ALWAYS,
        STENCILPASS=REPLACE,
        CCW_STENCILFUNC=ALWAYS,
        CCW_STENCILPASS=INCR,
        STENCILREF=0x30,
    )
    windings(s).expect_stencil(4, 8, 0x30).expect_stencil(12, 8, 0x90)


@fact("S3", depth="D24S8")
def wide_reference(s):
    """Of a reference value of more than eight bits the low eight are stored"""
    s.clear_all(stencil=0).states(
        STENCILENABLE=1, STENCILFUNC=ALWAYS, STENCILPASS=REPLACE, STENCILREF=0x1CC
    )
    s.quad(color=WHITE).read(2).expect_stencil(8, 8, 0xCC)


@fact("S4", size=(24, 4), depth="D24S8")
def masked_less(s):
    """LESS compares reference and stored value under the mask; the reference is the left operand"""
    s.clear_all()
    values = (0x30, 0x90, 0xCC, 0x0B, 0xFF, 0x1C)
    for index, value in enumerate(values):
        s.clear(0, STENCIL, stencil=value, rects=[(4 * index, 0, 4 * index + 4, 4)])
    s.states(STENCILENABLE=1, STENCILFUNC=names.LESS, STENCILREF=0xDB, STENCILMASK=0x0F)
    s.quad(color=GREEN)
    for index, value in enumerate(values):
        s.expect(4 * index + 2, 2, "00ff00" if 0xDB & 0xF < value & 0xF else "000000")
