"""G, second half: clipping in z, clip planes, depth bias."""

from .names import CLIPTLVERTS, GREATER, LESS
from .registry import fact

RED, GREEN, BLUE, WHITE = 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF
YELLOW = 0xFFFFFF00
# a header that says that the device does not clip transformed vertices in z
WITHOUT_CLIPTLVERTS = {"caps": [{"name": "primitive_misc_caps", "value": 0xFF2 & ~CLIPTLVERTS}]}

FALLING = [1.1, -1.1, 1.1, -1.1]  # z from left to right


def z_range(s, draw, front, back):
    """White and depth .75; what is behind that depth in one colour, what is before it in
    another."""
    s.clear_all(WHITE, 0.75).states(ZENABLE=1, ZWRITEENABLE=0, ZFUNC=GREATER)
    draw(z=FALLING, color=back)
    s.states(ZFUNC=LESS)
    draw(z=FALLING, color=front)


@fact("G17", size=(640, 4), depth="D24S8")
def clipped_behind(s):
    """Untransformed depths from 1.1 to -1.1: clipped where z > 1"""
    z_range(s, s.quad, BLUE, RED)
    s.expect(28, 2, "ffffff")


@fact("G18", size=(640, 4), depth="D24S8", name="untransformed-depths-in-three-ranges")
def clipped_places(s):
    """The same: z between .75 and 1, between 0 and .75, below 0"""
    z_range(s, s.quad, BLUE, RED)
    s.expect(31, 2, "ff0000").expect(100, 2, "ff0000").expect(104, 2, "0000ff")
    s.expect(318, 2, "0000ff").expect(321, 2, "ffffff")


@fact("G19", size=(640, 4), depth="D24S8")
def transformed_clipped(s):
    """Transformed depths from 1.1 to -1.1 on a device with CLIPTLVERTS: clipped"""
    z_range(s, s.screen_quad, GREEN, YELLOW)
    s.expect(28, 2, "ffffff").expect(321, 2, "ffffff")


@fact("G19", suffix="without-cliptlverts", size=(640, 4), depth="D24S8", **WITHOUT_CLIPTLVERTS)
def transformed_clamped(s):
    """Transformed depths from 1.1 to -1.1 on a device without CLIPTLVERTS: drawn, depth clamped"""
    z_range(s, s.screen_quad, GREEN, YELLOW)
    s.expect(28, 2, "ffff00").expect(321, 2, "00ff00")


def far_away(s, left, right):
    """Transformed quads at z = 5 and 10, with CLIPPING on and off."""
    for clipping in (1, 0):
        s.clear_all(GREEN).states(ZENABLE=1, CLIPPING=clipping)
        s.screen_quad((0, 0, 8, 16), z=5.0, color=0xFF002B7F)
        s.screen_quad((8, 0, 16, 16), z=10.0, color=0xFFF9E814)
        s.expect(4, 8, left).expect(12, 8, right).present()


@fact("G20", 1, depth="D24S8")
def far_away_clipped(s):
    """Transformed quads far behind, device with CLIPTLVERTS: not drawn, whatever CLIPPING says"""
    far_away(s, "00ff00", "00ff00")


@fact("G20", 1, suffix="without-cliptlverts", depth="D24S8", **WITHOUT_CLIPTLVERTS)
def far_away_drawn(s):
    """Transformed quads far behind, device without CLIPTLVERTS: drawn"""
    far_away(s, "002b7f", "f9e814")


def untransformed_far_away(s):
    """An untransformed quad at z = 10 is never drawn"""
    for clipping in (1, 0):
        s.clear_all(GREEN).states(ZENABLE=1, CLIPPING=clipping).quad(z=10.0, color=RED)
        s.expect(8, 8, "00ff00").present()


fact("G21", 1, depth="D24S8")(untransformed_far_away)
fact("G21", 1, suffix="without-cliptlverts", depth="D24S8", **WITHOUT_CLIPTLVERTS)(
    untransformed_far_away
)

WIDE = [-0.5, 1.5, -0.5, 1.5]  # z from left to right


@fact("G22", 1, size=(64, 48), depth="D24S8")
def clipped_without_depth_test(s):
    """Untransformed depths out of range are clipped although the depth test is off"""
    s.clear_all(RED).quad(z=WIDE, color=[0xFF00FF00, 0xFFFFFFFF, 0xFF000000, 0xFFFF00FF])
    for x, color in ((8, "ff0000"), (24, "60df60"), (40, "9fdf9f"), (56, "ff0000")):
        s.expect(x, 6, color)


def drawn_without_depth_test(s):
    """Transformed depths from -.5 to 1.5: all drawn while ZENABLE is off or no depth surface
    is bound"""
    s.clear_all(RED).screen_quad(z=WIDE, color=GREEN)
    for x in (1, 6, 10, 14):
        s.expect(x, 8, "00ff00")
    s.present().op("SETDEPTHSTENCIL", 0).states(ZENABLE=1)
    s.clear(RED).screen_quad(z=WIDE, color=GREEN)
    for x in (1, 6, 10, 14):
        s.expect(x, 8, "00ff00")


fact("G23", 1, depth="D24S8")(drawn_without_depth_test)
fact("G23", 1, suffix="without-cliptlverts", depth="D24S8", **WITHOUT_CLIPTLVERTS)(
    drawn_without_depth_test
)


@fact("G24", size=(4, 480))
def clip_plane(s):
    """A user clip plane through the middle: row 240 is drawn, row 241 is not"""
    s.clear().states(CLIPPLANEENABLE=1).op("SETCLIPPLANE", (0, (0, 1.0, 0, 0.5 / 480)))
    s.quad(color=GREEN).expect(2, 240, "00ff00").expect(2, 241, "000000").expect(2, 0, "00ff00")


def depth_bias(s):
    """Four biases over depths from 0 to 1 before a depth of .5: the units are those of z"""
    s.clear_all(WHITE, 0.5).states(ZENABLE=1, ZWRITEENABLE=0, ZFUNC=GREATER)
    for bias, color in ((0.4, BLUE), (0.2, GREEN), (0.0, RED), (-0.2, 0xFF000000)):
        s.states(DEPTHBIAS=bias).quad(z=[0.0, 1.0, 0.0, 1.0], color=color)
    for x, color in (
        (1, "ffffff"),
        (62, "ffffff"),
        (66, "0000ff"),
        (190, "0000ff"),
        (195, "00ff00"),
        (318, "00ff00"),
        (323, "ff0000"),
        (446, "ff0000"),
        (451, "000000"),
        (638, "000000"),
    ):
        s.expect(x, 2, color)


for _format in ("D16", "D24X8", "D24S8", "D32"):
    fact("G25", suffix="" if _format == "D16" else _format.lower(), size=(640, 4), depth=_format)(
        depth_bias
    )
