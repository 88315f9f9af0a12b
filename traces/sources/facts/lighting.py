"""L: lighting and materials."""

import math

from ..trace import DIFFUSE, NORMAL, XYZ
from . import names
from .names import COLOR1, COLOR2, LIGHT_DIRECTIONAL, LIGHT_POINT, LIGHT_SPOT, MATERIAL
from .registry import fact, omit

FACING = (0.0, 0.0, -1.0)  # a normal that faces the eye
BLUE = 0xFF0000FF


@fact("L1")
def vertex_color(s):
    """Without lighting the vertex colour shows"""
    s.quad(color=0xFFFF0000).expect(8, 8, "ff0000")


@fact("L2")
def no_light(s):
    """Lighting without a light gives black, with and without normals"""
    s.states(LIGHTING=1)
    s.quad(color=0xFFFF0000, normal=FACING).expect(8, 8, "000000").present()
    s.quad(color=0xFFFF0000).expect(8, 8, "000000")


@fact("L3")
def normals_unused(s):
    """Normals do not matter while lighting is off"""
    s.quad(color=BLUE, normal=FACING).expect(8, 8, "0000ff")


def default_light(s, world=None):
    """Lighting by light 0, which is enabled and was never set."""
    s.clear(0xFF00FF00).states(LIGHTING=1).light()
    if world:
        s.transform(names.WORLD, world)


@fact("L4", name="unset-light-is-white-and-directional")
def light_never_set(s):
    """A light that was enabled and never set is a white directional light along +z"""
    default_light(s)
    s.quad(color=BLUE, normal=FACING).expect(8, 8, "0000ff")


@fact("L5", name="unset-light-under-singular-world-matrix")
def singular_world(s):
    """The same light under a singular world matrix"""
    default_light(s, (1.0, 0, 1.0, 0, 0, 1.0, 0, 0, 1.0, 0, 1.0, 0, 0, 0, 0.5, 1.0))
    s.quad((2, 0, 10, 16), z=0.25, color=BLUE, normal=FACING)  # x and z get x + z: pixels 4 to 12
    s.expect(5, 8, "0000ff").expect(11, 8, "0000ff").expect(3, 8, "00ff00").expect(12, 8, "00ff00")


@fact("L6", name="unset-light-under-rotation-and-translation")
def rotated_world(s):
    """The same light under a rotation and a translation"""
    default_light(s, (0, 0, 1.0, 0, 0, 1.0, 0, 0, -1.0, 0, 0, 0, 10.0, 10.0, 10.0, 1.0))
    corners = [(-9.5, -9.0, 11.0), (-9.5, -9.0, 9.0), (-9.5, -11.0, 11.0), (-9.5, -11.0, 9.0)]
    vertices = [(corner, (-1.0, 0.0, 0.0), BLUE) for corner in corners]
    s.draw(names.TRIANGLESTRIP, XYZ | NORMAL | DIFFUSE, vertices).expect(8, 8, "0000ff")


@fact("L7")
def non_affine_world(s):
    """A non-affine world matrix makes normals zero: unlit"""
    default_light(s, (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, -1.0, 10.0, 10.0, 10.0, 0))
    corners = [(-19.5, -0.5), (-0.5, -0.5), (-19.5, -19.5), (-0.5, -19.5)]
    s.free_quad(corners, z=-9.5, color=BLUE, normal=FACING).expect(8, 8, "000000")


omit(
    "L8",
    "Vertices processed in software under a singular world matrix come out black",
    "software vertex processing of the runtime: no driver sees it",
)


@fact("L9")
def material_alpha(s):
    """The alpha of a lit vertex is the material's when the material is the diffuse source"""
    s.states(LIGHTING=1, DIFFUSEMATERIALSOURCE=MATERIAL).light()
    s.material(diffuse=(0, 0, 0, 1.0))
    s.stage(0, COLOROP=names.SELECTARG1, COLORARG1=names.FROM_DIFFUSE | names.ALPHAREPLICATE)
    s.quad(color=0x80FF0000, normal=FACING).expect(8, 8, "ffffff")


# ---- specular highlights on a grid of 5x5 vertices ----

POINT_LIGHT = {"kind": LIGHT_POINT, "attenuation": (0, 0, 1.0)}
SPOT_LIGHT = {"kind": LIGHT_SPOT, "attenuation": (0, 0, 1.0), "falloff": 1.0,
              "theta": math.pi / 12, "phi": math.pi / 3}  # fmt: skip
DIRECTIONAL = {"kind": LIGHT_DIRECTIONAL}
NEAR_POINT = {**POINT_LIGHT, "reach": 1.2}
BEHIND = {**POINT_LIGHT, "position": (-1.1, 0, 1.1)}

# fact -> text, [(light, local viewer, power, grey at the centre, above it, towards the corner)]
HIGHLIGHTS = {
    "L10": ("directional light, viewer far away", [(DIRECTIONAL, 0, 30.0, "ff", "ff", "ff")]),
    "L11": ("directional light, local viewer", [(DIRECTIONAL, 1, 30.0, "ff", "71", "3c")]),
    "L12": ("point light with att2 = 1, viewer far away",
            [(POINT_LIGHT, 0, 30.0, "ff", "5a", "28")]),
    "L13": ("point light, local viewer", [(POINT_LIGHT, 1, 30.0, "ff", "07", "00")]),
    "L14": ("spot light, viewer far away", [(SPOT_LIGHT, 0, 30.0, "ff", "14", "00")]),
    "L15": ("spot light, local viewer", [(SPOT_LIGHT, 1, 30.0, "ff", "02", "00")]),
    "L16": ("point light with a range of 1.2: nothing beyond",
            [(NEAR_POINT, 0, 30.0, "ff", "5a", "00")]),
    "L17": ("light behind the surface: no diffuse, so no specular",
            [(BEHIND, 1, 0.0, "00", "00", "00")]),
    "L18": ("directional light, power 0", [(DIRECTIONAL, 0, 0.0, "ff", "ff", "ff")]),
    "L19": ("power 0 with a point light, a spot light, a range of 1.2",
            [(POINT_LIGHT, 0, 0.0, "ff", "cc", "aa"), (SPOT_LIGHT, 0, 0.0, "ff", "2e", "00"),
             (NEAR_POINT, 0, 0.0, "ff", "cc", "00")]),
}  # fmt: skip


def grid_triangles(side=5, z=1.0):
    """A grid of side x side vertices over the target as a list of triangles."""
    steps = [2.0 * i / (side - 1) - 1.0 for i in range(side)]
    vertices = []
    for left, right in zip(steps, steps[1:]):
        for low, high in zip(steps, steps[1:]):
            a, b, c, d = (left, high), (right, high), (left, low), (right, low)
            vertices += [((*point, z), FACING) for point in (a, b, c, c, b, d)]
    return vertices


def highlights(s, rows):
    """Draws the grid once for each row; the pixels are those of vertices."""
    s.states(LIGHTING=1, SPECULARENABLE=1)
    for index, (light, local, power, *grey) in enumerate(rows):
        if index:
            s.present()
        s.clear().states(LOCALVIEWER=local).material(specular=(1.0, 1.0, 1.0, 1.0), power=power)
        s.light(index, **light, specular=(1.0, 1.0, 1.0, 0))
        if index:
            s.op("SETLIGHT", (index - 1, 1))
        s.draw(names.TRIANGLELIST, XYZ | NORMAL, grid_triangles())
        for (x, y), value in zip([(8, 8), (8, 4), (4, 4)], grey):
            s.expect(x, y, value * 3)


def add_highlights():
    """L10 to L19"""
    for identity, (text, rows) in HIGHLIGHTS.items():
        fact(identity, 1, text=f"Specular highlight: {text}")(
            lambda s, rows=rows: highlights(s, rows)
        )


# ---- where the colours of a lit vertex come from ----

# fact, vertex colours, COLORVERTEX, ambient source, emissive source, colour
SOURCES = [
    ("L20", "both", 0, COLOR1, COLOR2, "0000c0"),
    ("L21", "both", 1, COLOR1, COLOR2, "ffff00"),
    ("L22", "both", 1, MATERIAL, COLOR2, "00ff80"),
    ("L23", "both", 1, COLOR1, MATERIAL, "ff0040"),
    ("L24", "both", 1, COLOR1, COLOR1, "ff0000"),
    ("L25", "both", 1, COLOR2, COLOR2, "00ff00"),
    ("L26", "specular", 1, COLOR1, COLOR2, "ff0080"),
    ("L27", "specular", 1, COLOR1, MATERIAL, "0000c0"),
    ("L28", "specular", 1, MATERIAL, COLOR2, "ff0080"),
    ("L29", "diffuse", 1, COLOR1, COLOR2, "ff0040"),
    ("L30", "diffuse", 1, COLOR1, MATERIAL, "ff0040"),
    ("L31", "diffuse", 1, COLOR2, MATERIAL, "0000c0"),
    ("L32", "no", 1, COLOR1, COLOR2, "0000c0"),
]
SOURCE_NAMES = {MATERIAL: "material", COLOR1: "first colour", COLOR2: "second colour"}


def color_source(s, colors, enabled, ambient, emissive, expected):
    """A quad that is lit by the ambient state and the emissive colour alone."""
    attributes = {
        "both": {"color": 0xFFFF0000, "specular": 0xFF00FF00},
        "specular": {"specular": 0xFFFF0000},
        "diffuse": {"color": 0xFFFF0000},
        "no": {},
    }[colors]
    s.clear(0xFF808080).material(ambient=(0, 0, 0.5, 0), emissive=(0, 0, 0.25, 0))
    s.states(
        LIGHTING=1,
        AMBIENT=0xFFFFFFFF,
        COLORVERTEX=enabled,
        AMBIENTMATERIALSOURCE=ambient,
        EMISSIVEMATERIALSOURCE=emissive,
    )
    s.quad(**attributes).expect(8, 8, expected)


def add_sources():
    """L20 to L32"""
    for identity, *values in SOURCES:
        colors, enabled, ambient, emissive, _ = values
        text = (
            f"Vertices with {colors} colour{'s' if colors in ('both', 'no') else ''}, COLORVERTEX "
            f"{'on' if enabled else 'off'}, ambient from {SOURCE_NAMES[ambient]}, emissive from "
            f"{SOURCE_NAMES[emissive]}"
        )
        sources = " ".join(SOURCE_NAMES[source].split()[0] for source in (ambient, emissive))
        name = f"{colors}-colours-colorvertex-{'on' if enabled else 'off'}-{sources.replace(' ', '-')}"
        fact(identity, 1, text=text, name=name)(lambda s, values=values: color_source(s, *values))


add_highlights()
add_sources()
