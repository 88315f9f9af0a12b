"""Small scenes in which the two renderers once drew different pixels: each must be drawn alike from then on."""

from .dp2 import dwords
from .facts.scene import Scene

COUNT3_PROJECTED = 3 | 0x100
COLORS = [0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF]


def projected_by_zero(s):
    """A projection by zero makes NaN of the coordinates: each address mode takes it for 0"""
    s.show_texture(s.texture((2, 2), dwords(*COLORS)), BORDERCOLOR=0xFFFF8000)
    s.stage(0, TEXTURETRANSFORMFLAGS=COUNT3_PROJECTED)
    for mode in range(1, 6):
        s.stage(0, ADDRESSU=mode, ADDRESSV=mode)
        s.screen_quad((12 * mode - 10, 4, 12 * mode, 60), sets=[[(0.0, 0.0, 0.0)] * 4])


SCENES = [projected_by_zero]


def traces():
    """Yields name and trace."""
    for build in SCENES:
        s = Scene(build.__doc__, 0, size=(64, 64))
        s.clear(0xFF202840)
        build(s)
        yield build.__name__.replace("_", "-"), s.end()
