"""N: points and point sprites."""

from ..dp2 import dwords
from ..trace import DIFFUSE, XYZ, XYZRHW
from . import names, shading
from .names import POINTLIST
from .registry import fact
from .vertices import PSIZE

WHITE = 0xFFFFFFFF
CENTER = 32  # of the target of 64x64


def point(s):
    """A white point in the middle."""
    return s.draw(POINTLIST, XYZRHW | DIFFUSE, [(CENTER, CENTER, 0.5, 1.0, WHITE)])


def expect_square(s, center, reach, slack=0):
    """A square that reaches so many pixels to each side, but for `slack` of them."""
    inner, outer = reach - slack, reach + 1 + slack
    for x, y in (
        (inner, 0),
        (-inner, 0),
        (0, inner),
        (0, -inner),
        (inner, inner),
        (-inner, -inner),
    ):
        s.expect(center + x, center + y, "ffffff")
    for x, y in ((outer, 0), (-outer, 0), (0, outer), (0, -outer)):
        if max(center + x, center + y) < s.size[0]:
            s.expect(center + x, center + y, "000000")


def sizes(s, rows):
    """Points under some states; each row is the states and how far the square reaches."""
    for states, reach in rows:
        s.clear().states(**states)
        point(s)
        expect_square(s, CENTER, reach)
        s.present()


# fact -> text, rows of sizes()
SIZES = {
    "N1": ("POINTSIZE 15: 7 pixels to each side", [({"POINTSIZE": 15.0}, 7)]),
    "N2": ("POINTSIZE 31, 30.75, 63, 62.75 and 1",
           [({"POINTSIZE": size}, reach)
            for size, reach in ((31.0, 15), (30.75, 15), (63.0, 31), (62.75, 31), (1.0, 0))]),
    "N3": ("POINTSIZE_MAX 1 limits POINTSIZE 15", [({"POINTSIZE": 15.0, "POINTSIZE_MAX": 1.0}, 0)]),
    "N4": ("POINTSIZE_MIN 15 raises POINTSIZE 1", [({"POINTSIZE": 1.0, "POINTSIZE_MIN": 15.0}, 7)]),
}  # fmt: skip
for _identity, (_text, _rows) in SIZES.items():
    fact(_identity, text=_text, size=(64, 64))(lambda s, rows=_rows: sizes(s, rows))


@fact("N5", size=(64, 64))
def sprite(s):
    """A point sprite of size 32: texture coordinates run from the upper left to the lower right"""
    texture = s.texture((2, 2), dwords(0xFFFF0000, 0xFFFFFF00, 0xFF000000, 0xFF00FF00))
    s.clear(0xFF0000FF).states(POINTSPRITEENABLE=1, POINTSIZE=32.0).show_texture(texture)
    point(s)
    for x, y, color in (
        (28, 28, "ff0000"),
        (28, 36, "000000"),
        (36, 36, "00ff00"),
        (36, 28, "ffff00"),
    ):
        s.expect(x, y, color)


def scaled(s, fvf, *attributes):
    """A point at the eye position (64, 64, .1) with the scale factors 1, 1, 1."""
    s.clear().states(
        POINTSCALEENABLE=1, POINTSCALE_A=1.0, POINTSCALE_B=1.0, POINTSCALE_C=1.0, POINTSIZE=32.0
    )
    s.transform(
        names.PROJECTION, (1 / 64, 0, 0, 0, 0, -1 / 64, 0, 0, 0, 0, 1.0, 0, -1.0, 1.0, 0, 1.0)
    )
    s.draw(POINTLIST, fvf, [(64.0, 64.0, 0.1, *attributes, WHITE)])


@fact("N6", size=(128, 128))
def scaled_by_state(s):
    """Scaled by distance: size 32 becomes 45 pixels, give or take one"""
    scaled(s, XYZ | DIFFUSE)
    expect_square(s, 64, 22, 1)


@fact("N7", size=(128, 128))
def scaled_by_vertex(s):
    """Scaled by distance: the size 24 of the vertex becomes 33 pixels, give or take one"""
    scaled(s, XYZ | PSIZE | DIFFUSE, 24.0)
    expect_square(s, 64, 16, 1)


def expect_covered(s, first, last):
    """A square from the first to the last pixel, both ways."""
    for x in (first, last):
        for y in (first, last):
            s.expect(x, y, "ffffff")
    for outside in (first - 1, last + 1):
        s.expect(outside, 64, "000000").expect(64, outside, "000000")


@fact("N8", size=(128, 128))
def shader_sizes(s):
    """Point sizes behind a vertex shader, of the state and of the vertex, are not scaled"""
    constants = "def c0, 0.015625, -0.015625, 1, 1; def c1, -1, 1, 0, 0"
    inputs = "dcl_position v0; dcl_color v1"
    code = "mul r0, v0, c0; add oPos, r0, c1; mov oD0, v1"
    for version in ("1_1", "2_0"):
        shading.vertex_shader(s, f"vs_{version}; {constants}; {inputs}; {code}")
        scaled(s, XYZ | DIFFUSE)
        expect_covered(s, 48, 79)
        s.present()
        text = f"vs_{version}; {constants}; {inputs}; dcl_psize v2; {code}; mov oPts, v2.x"
        shading.vertex_shader(s, text)
        scaled(s, XYZ | PSIZE | DIFFUSE, 24.0)
        expect_covered(s, 52, 75)
        s.present()


@fact("N9", size=(64, 64))
def nothing(s):
    """POINTSIZE 0 and POINTSIZE_MIN 0: nothing is drawn"""
    s.clear().states(POINTSIZE=0.0, POINTSIZE_MIN=0.0)
    point(s).expect(CENTER, CENTER, "000000")
