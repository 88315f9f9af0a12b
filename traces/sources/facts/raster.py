"""G: rasterization, shading, viewports, depth clipping."""

from ..dp2 import Stream, with_tail
from ..trace import DIFFUSE, XYZ
from . import names
from .names import ALWAYS, GREATER, LESS, WORLD, translation
from .registry import fact
from .vertices import XYZB3, pack

RED, GREEN, BLUE, WHITE = 0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF


# ---- filling convention ----


@fact("G1", size=(8, 8))
def two_triangles(s):
    """Two triangles share a diagonal: 15 and 10 pixels, no overlap, no gap"""
    s.clear().blend(names.ONE, names.ONE)
    s.screen_triangles([([(0, 0), (5, 0), (5, 5)], RED), ([(0, 5), (0, 0), (5, 5)], GREEN)])
    for y in range(6):
        for x in range(6):
            inside = x < 5 and y < 5
            s.expect(x, y, ("ff0000" if y <= x else "00ff00") if inside else "000000")


LETTERS = {"T": 0xFFFF0000, "L": 0xFF00FF00, "R": 0xFF0000FF, "B": 0xFFFFFF00}


def convention(s, corners, center, first, rows):
    """Four triangles round a centre; rows of pixels from `first` name the triangle that covers
    each."""
    (left, top, right, bottom), s_clear = corners, s.clear()
    edges = {
        "T": [(left, top), (right, top), center],
        "L": [(left, top), center, (left, bottom)],
        "R": [(right, top), (right, bottom), center],
        "B": [(left, bottom), center, (right, bottom)],
    }
    s_clear.screen_triangles([(points, LETTERS[name]) for name, points in edges.items()])
    columns, top_row = first
    for y, row in enumerate(rows.split()):
        for x, name in enumerate(row):
            s.expect(columns + x, top_row + y, f"{LETTERS[name] & 0xFFFFFF:06x}")
        s.expect(columns - 1, top_row + y, "000000").expect(columns + 2, top_row + y, "000000")


NUDGE = 1 / 128
# fact -> text, nudge right, nudge down, first column and row, the triangles of each row
CONVENTIONS = {
    "G3": ("edges on pixel centres", 0, 0, (2, 1), "TT LT LR LB"),
    "G4": ("nudged to the right by 1/128", NUDGE, 0, (3, 1), "TT TR LR BR"),
    "G5": ("nudged to the left by 1/128", -NUDGE, 0, (2, 1), "TT LT LR LB"),
    "G6": ("nudged up by 1/128", 0, -NUDGE, (2, 1), "LT LT LB LB"),
    "G7": ("nudged down by 1/128", 0, NUDGE, (2, 2), "LT LT LB LB"),
}


@fact("G2", size=(8, 8))
def convention_between(s):
    """Four triangles round a centre, edges between pixel centres"""
    convention(s, (1.5, 1.5, 3.5, 5.5), (2.5, 3.5), (2, 2), "TT LR LR BB")


def nudged(s, right, down, first, rows):
    """The quad whose edges lie on pixel centres, moved a little."""
    corners = (2 + right, 1 + down, 4 + right, 5 + down)
    convention(s, corners, (3 + right, 3 + down), first, rows)


for _identity, (_text, *_values) in CONVENTIONS.items():
    fact(_identity, text=f"Four triangles round a centre, {_text}", size=(8, 8))(
        lambda s, values=_values: nudged(s, *values)
    )


# ---- shading ----

# red, green, blue, white: the lower left half comes first
CORNERS = [((-1, -1, 0.5), RED), ((-1, 1, 0.5), GREEN), ((1, -1, 0.5), BLUE), ((1, 1, 0.5), WHITE)]


def shaded(s, mode, kind, order, first, second):
    """Draws the corners in an order and looks at both halves."""
    s.clear().states(SHADEMODE=mode)
    s.draw(kind, XYZ | DIFFUSE, [CORNERS[i] for i in order])
    s.expect(10, 10, first).expect(50, 35, second).present()


@fact("G8", 1, size=(64, 48))
def flat_strip(s):
    """A flat strip takes the colour of the first vertex of each triangle"""
    shaded(s, names.FLAT, names.TRIANGLESTRIP, (0, 1, 2, 3), "ff0000", "00ff00")


@fact("G9", 1, size=(64, 48))
def flat_list(s):
    """A flat list of the same triangles"""
    shaded(s, names.FLAT, names.TRIANGLELIST, (0, 1, 2, 2, 1, 3), "ff0000", "0000ff")


@fact("G10", 1, size=(64, 48))
def smooth_strip(s):
    """GOURAUD and PHONG are alike"""
    for mode in (names.GOURAUD, names.PHONG):
        shaded(s, mode, names.TRIANGLESTRIP, (0, 1, 2, 3), "0dca28", "0d45c7")



# ---- viewport ----


@fact("G12", size=(160, 120))
def viewports(s):
    """A full quad fills exactly the viewport: left and top inclusive, right and bottom exclusive"""
    for left, top, right, bottom in (
        (0, 15, 59, 44),
        (0, 7, 29, 22),
        (0, 30, 79, 59),
        (12, 27, 72, 57),
    ):
        s.clear(RED).op("VIEWPORTINFO", (left, top, right - left, bottom - top))
        s.quad(color=GREEN)
        s.expect(left, top, "00ff00").expect(right - 1, bottom - 1, "00ff00")
        s.expect(left, top - 1, "ff0000").expect(left, bottom, "ff0000").expect(
            right, top, "ff0000"
        )
        if left:
            s.expect(left - 1, top, "ff0000")
        s.present()


def narrow_range(s, low, high, depth):
    """A quad at z = 1 under a depth range; transformed quads .0001 before and behind find its
    depth."""
    s.clear_all(RED).states(ZENABLE=1, ZFUNC=ALWAYS).op("ZRANGE", (low, high))
    s.quad(z=1.0, color=BLUE).states(ZFUNC=LESS, ZWRITEENABLE=0)
    s.screen_quad((0, 0, 4, 16), z=depth - 1e-4, color=GREEN)
    s.screen_quad((4, 0, 8, 16), z=depth + 1e-4, color=GREEN).states(ZFUNC=GREATER)
    s.screen_quad((8, 0, 12, 16), z=depth - 1e-4, color=GREEN)
    s.screen_quad((12, 0, 16, 16), z=depth + 1e-4, color=GREEN)
    for x, color in ((2, "00ff00"), (6, "0000ff"), (10, "0000ff"), (14, "00ff00")):
        s.expect(x, 8, color)


@fact("G13", depth="D24S8")
def empty_range(s):
    """MinZ = MaxZ = 0 is widened: z = 1 becomes .001"""
    narrow_range(s, 0.0, 0.0, 0.001)


@fact("G14", depth="D24S8")
def inverted_range(s):
    """MinZ .5 and MaxZ 0: z = 1 becomes .501"""
    narrow_range(s, 0.5, 0.0, 0.501)


@fact("G15", 1, size=(64, 64), depth="D16")
def viewport_mapping(s):
    """Where a viewport of 32x32 at (16, 16) puts four points, as places and depths"""
    s.clear_all(z=0.75).states(ZENABLE=1, ZFUNC=ALWAYS, POINTSIZE=3.0).op(
        "VIEWPORTINFO", (16, 16, 32, 32)
    )
    points = [(0, 0, 0), (1, 1, 1), (-1, -1, 0.5), (0.5, -0.5, 0.25)]
    s.draw(names.POINTLIST, XYZ | DIFFUSE, [(*point, WHITE) for point in points])
    s.expect(32, 32, "ffffff").expect(47, 16, "ffffff").expect(16, 47, "ffffff").expect(
        40, 40, "ffffff"
    )
    s.expect(48, 16, "000000").expect(16, 48, "000000").expect(36, 36, "000000").present().read(2)
    for x, y, value in (
        (32, 32, "00"),
        (47, 16, "ff"),
        (16, 47, "80"),
        (40, 40, "40"),
        (36, 36, "bf"),
    ):
        s.expect_read(x, y, value * 3)


@fact("G16")
def zero_rhw(s):
    """A transformed quad with rhw = 0 is drawn"""
    s.clear().screen_quad(rhw=0.0, color=WHITE).expect(8, 8, "ffffff")


# ---- vertices ----


@fact("G26", size=(64, 48))
def transformed_edges(s):
    """A transformed quad from (9, 11) to (57, 30) begins at its edge"""
    s.clear().screen_quad((9, 11, 57, 30), color=WHITE).expect(9, 11, "ffffff").expect(
        8, 10, "000000"
    )


@fact("G27")
def missing_colors(s):
    """Without a diffuse colour vertices are white; SPECULARENABLE without a specular colour
    adds nothing"""
    s.clear().screen_quad().expect(8, 8, "ffffff").present()
    s.states(SPECULARENABLE=1).quad(color=BLUE).expect(8, 8, "0000ff")


def four_worlds(s, places):
    """World matrices that move the origin to these places."""
    s.clear()
    for index, (x, y) in enumerate(places):
        s.transform(WORLD + index, translation(x, y, 0))
    return s.states(VERTEXBLEND=3)


@fact("G28", size=(64, 48))
def vertex_blending(s):
    """Three weights and four matrices: the last matrix alone, all alike, the first and the last"""
    for weights, (x, y) in (
        ((0, 0, 0), (57, 4)),
        ((0.25, 0.25, 0.25), (32, 24)),
        ((0.5, 0, 0), (32, 4)),
    ):
        four_worlds(s, [(-0.8, 0.8), (-0.8, -0.8), (0.8, -0.8), (0.8, 0.8)])
        corners = [(-0.1, 0.1), (0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)]
        s.draw(
            names.TRIANGLESTRIP,
            XYZB3 | DIFFUSE,
            [(*point, 0.5, weights, GREEN) for point in corners],
        )
        for place in ((57, 4), (32, 24), (32, 4), (6, 4), (6, 43), (57, 43)):
            s.expect(*place, "00ff00" if place == (x, y) else "000000")
        s.present()


@fact("G29")
def color_weights(s):
    """Weights in a colour: red, green and blue are weights 0 to 2"""
    four_worlds(s, [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)])
    elements = [(0, 0, 2, 0, 0, 0), (0, 12, 4, 0, 1, 0), (0, 16, 4, 0, 10, 0)]
    tail = b"".join(Stream().struct("D3DVERTEXELEMENT9", *element) for element in elements)
    s.op("CREATEVERTEXSHADERDECL", with_tail(1, len(elements), tail=tail))
    weights = (0x0000FF00, 0x00FF0000, 0x000000FF, 0)
    vertices, size = pack(
        XYZ | DIFFUSE | 0x80, [((0, 0, 0.5), weight, GREEN) for weight in weights]
    )
    s.op("SETVERTEXSHADERDECL", 1).op("SETSTREAMSOURCEUM", (0, size))
    s.op("DRAWPRIMITIVE", (names.TRIANGLESTRIP, 0, 2)).flush(vertices=vertices)
    for x, y in ((0, 0), (15, 0), (0, 15), (15, 15), (8, 8)):
        s.expect(x, y, "00ff00")


# ---- targets ----


@fact("G30", 1, samples=2)
def sample_mask(s):
    """Sample mask 5 on two samples: half of the pixel"""
    s.clear(RED).states(MULTISAMPLEMASK=5).quad(color=WHITE).expect(8, 8, "ff8080").present()
    resolved = s.target("X8R8G8B8")
    area = (0, 0, 16, 16)
    s.op("BLT", (1, area, 0, resolved, area, 0, 1)).expect(8, 8, "ff8080").present(resolved)


@fact("G31", 1, size=(64, 48), depth="D24S8")
def null_target(s):
    """A target of format NULL that is smaller than the viewport does not limit depth writes"""
    nothing = s.target("NULL", (40, 30))
    s.op("SETRENDERTARGET2", (0, nothing)).op("VIEWPORTINFO", (0, 0, 64, 48))
    s.clear(0, names.ZBUFFER).states(ZENABLE=1).quad(z=0.25, color=WHITE)
    s.op("SETRENDERTARGET2", (0, 1)).op("VIEWPORTINFO", (0, 0, 64, 48))
    s.clear().quad(z=0.75, color=WHITE).expect(52, 32, "000000").expect(8, 8, "000000")
