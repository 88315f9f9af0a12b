"""F: fog. The fog colour is green and the object red unless said."""

from ..trace import NORMAL, XYZ
from . import names
from .names import FOG_EXP, FOG_EXP2, FOG_LINEAR, FOG_NONE, translation
from .registry import fact

RED, BLUE = 0xFFFF0000, 0xFF0000FF
OPAQUE, CLEAR = 0xFF000000, 0x00000000  # specular colours whose alpha is a fog factor
FACING = (0.0, 0.0, -1.0)


def fog(s, **states):
    """Green fog on a grey background; both modes NONE unless given."""
    s.clear(0xFF808080)
    return s.states(
        **{
            "FOGENABLE": 1,
            "FOGCOLOR": 0xFF00FF00,
            "FOGTABLEMODE": FOG_NONE,
            "FOGVERTEXMODE": FOG_NONE,
            **states,
        }
    )


def columns(s, depths, color=RED, **attributes):
    """Untransformed quads side by side, each at its own depth; returns the middle of each."""
    width = s.size[0] // len(depths)
    for index, z in enumerate(depths):
        s.quad((index * width, 0, (index + 1) * width, s.size[1]), z=z, color=color, **attributes)
    return [index * width + width // 2 for index in range(len(depths))]


@fact("F1")
def specular_alpha(s):
    """Both fog modes NONE: the specular alpha ff means no fog"""
    fog(s).quad(color=RED, specular=OPAQUE).expect(8, 8, "ff0000")


@fact("F2")
def vertex_linear(s):
    """Untransformed, vertex fog LINEAR from 0 to 1, z = 1: all fog"""
    fog(s, FOGVERTEXMODE=FOG_LINEAR).quad(z=1.0, color=RED, specular=OPAQUE).expect(8, 8, "00ff00")


@fact("F3")
def transformed_vertex_linear(s):
    """Transformed vertices ignore the vertex mode: specular alpha decides"""
    fog(s, FOGVERTEXMODE=FOG_LINEAR).screen_quad(z=1.0, color=RED, specular=OPAQUE)
    s.expect(8, 8, "ff0000")


@fact("F4")
def transformed_table_linear(s):
    """Transformed vertices, table fog LINEAR, z = 1: all fog"""
    fog(s, FOGTABLEMODE=FOG_LINEAR).screen_quad(z=1.0, color=RED, specular=OPAQUE)
    s.expect(8, 8, "00ff00")


@fact("F5")
def equal_ends(s):
    """Vertex fog LINEAR whose start and end are both 512: all fog at any depth"""
    fog(s, FOGVERTEXMODE=FOG_LINEAR, FOGSTART=512.0, FOGEND=512.0)
    for x in columns(s, (0.1, 1.0), specular=OPAQUE):
        s.expect(x, 8, "00ff00")


RISING = [0.0, 1.0, 0.0, 1.0]  # z of the corners


@fact("F6", 1, size=(64, 4))
def equal_ends_of_table(s):
    """Table fog LINEAR, start and end .5, transformed, z rising to the right: a sharp edge in
    the middle"""
    fog(s, FOGTABLEMODE=FOG_LINEAR, FOGSTART=0.5, FOGEND=0.5)
    s.screen_quad(z=RISING, color=RED).expect(31, 2, "ff0000").expect(33, 2, "00ff00")


@fact("F7", 1, size=(64, 4))
def equal_ends_of_vertex_fog(s):
    """Vertex fog LINEAR, start and end .5, the same depths: fog on both sides"""
    fog(s, FOGVERTEXMODE=FOG_LINEAR, FOGSTART=0.5, FOGEND=0.5)
    s.quad(z=RISING, color=RED, specular=OPAQUE).expect(31, 2, "00ff00").expect(33, 2, "00ff00")


@fact("F8", 2)
def reversed_fog(s):
    """Reversed vertex fog from .8 to .2 over a blue object at four depths"""
    fog(s, FOGVERTEXMODE=FOG_LINEAR, FOGSTART=0.8, FOGEND=0.2)
    places = columns(s, (0.1, 0.4, 0.7, 0.9), color=BLUE)
    for x, color in zip(places, ("00ff00", "00aa55", "002bd4", "0000ff")):
        s.expect(x, 8, color)


@fact("F9")
def table_after_world(s):
    """Table fog LINEAR with a world matrix that moves z by -.5: the final depth counts"""
    fog(s, FOGTABLEMODE=FOG_LINEAR).transform(names.WORLD, translation(0, 0, -0.5))
    near, far = columns(s, (0.5, 1.5))
    s.expect(near, 8, "ff0000", 4).expect(far, 8, "00ff00", 1)


@fact("F10", 4)
def table_after_projection(s):
    """Table fog LINEAR, world z + 1, affine projection z - 1: the final z, not that of the eye"""
    fog(s, FOGTABLEMODE=FOG_LINEAR).transform(names.WORLD, translation(0, 0, 1.0))
    s.transform(names.PROJECTION, translation(0, 0, -1.0))
    s.quad(z=0.1, color=RED).expect(8, 8, "e51900")


@fact("F11")
def range_of_table(s):
    """Range fog does not act on table fog: no fog in the corners"""
    fog(s, FOGTABLEMODE=FOG_LINEAR, RANGEFOGENABLE=1, FOGSTART=0.75, FOGEND=0.75001)
    s.quad(z=0.5, color=RED).expect(0, 0, "ff0000").expect(15, 15, "ff0000").expect(8, 8, "ff0000")


@fact("F12", 1)
def range_of_vertices(s):
    """Range fog with vertex fog: every corner is 1.5 away, so fog everywhere"""
    fog(s, FOGVERTEXMODE=FOG_LINEAR, RANGEFOGENABLE=1, FOGSTART=0.75, FOGEND=0.75001)
    s.quad(z=0.5, color=RED, specular=OPAQUE).expect(0, 0, "00ff00").expect(
        15, 15, "00ff00"
    ).expect(8, 8, "00ff00")


# fact -> mode, colours of the eleven columns
EQUATIONS = {
    "F13": ("LINEAR", FOG_LINEAR,
            "ff0000 ff0000 df2000 bf4000 9f6000 7f8000 5fa000 40bf00 20df00 00ff00 00ff00"),
    "F14": ("EXP", FOG_EXP,
            "ff0000 e71800 d12e00 bd4200 ab5400 9b6400 8d7200 7f8000 738c00 689700 5ea100"),
    "F15": ("EXP2", FOG_EXP2,
            "fd0200 f50200 f50a00 e91600 d92600 c73800 b24d00 9c6300 867900 728d00 5ea100"),
}  # fmt: skip


def equation(s, mode, colors):
    """Eleven columns from z = 0 to 1, by vertex and by table fog."""
    for state in ("FOGVERTEXMODE", "FOGTABLEMODE"):
        fog(s, **{state: mode}, FOGSTART=0.1, FOGEND=0.9, FOGDENSITY=1.0)
        places = columns(s, [j / 10.02 + 0.001 for j in range(11)])
        for x, color in zip(places, colors.split()):
            s.expect(x, 2, color)
        s.present()


for _identity, (_name, *_values) in EQUATIONS.items():
    fact(_identity, 13, f"{_name} fog over eleven depths, by vertex and by table", size=(88, 4))(
        lambda s, values=_values: equation(s, *values)
    )


def table_by_z(s, z, color, zenable):
    """Three transformed columns of different rhw."""
    s.clear_all(0xFF808080)
    fog(s, FOGTABLEMODE=FOG_LINEAR, ZENABLE=zenable, ZFUNC=names.ALWAYS)
    for index, rhw in enumerate((0.0, 0.3, 3.0)):
        left = 4 * index
        s.screen_quad((left, 0, left + 4, 4), z=z, rhw=rhw, color=RED).expect(left + 2, 2, color)


@fact(
    "F19", 2, size=(12, 4), depth="D24S8",
    name="table-fog-of-transformed-vertices-is-same-for-every-rhw",
)
def table_uses_z(s):
    """Transformed vertices at z = .7: table fog is the same for every rhw"""
    table_by_z(s, 0.7, "4cb200", 1)


@fact(
    "F34", 2, size=(12, 4), depth="D24S8", name="table-fog-by-z-sees-depthbias",
)
def table_sees_bias(s):
    """Transformed vertices at z = .5 with DEPTHBIAS .2: table fog by z takes .7"""
    s.states(DEPTHBIAS=0.2)
    table_by_z(s, 0.5, "4cb200", 1)


@fact(
    "F20", 2, size=(12, 4), depth="D24S8",
    name="table-fog-of-transformed-vertices-at-z-three-tenths",
)
def table_uses_z_near(s):
    """The same at z = .3"""
    table_by_z(s, 0.3, "b24c00", 1)


@fact(
    "F21", 2, size=(12, 4), depth="D24S8",
    name="table-fog-of-transformed-vertices-without-depth-test",
)
def table_without_depth_test(s):
    """The same at z = .7 while the depth test is off"""
    table_by_z(s, 0.7, "4cb200", 0)


def negative_eye(s, **states):
    """A quad at eye z = -.5, which the projection moves to .5."""
    fog(s, **states).transform(names.PROJECTION, translation(0, 0, 1.0))
    return s.quad(z=-0.5, color=RED, specular=OPAQUE)


@fact("F22", 2)
def negative_vertex_fog(s):
    """Vertex fog LINEAR from 0 to 1 at eye z = -.5: the absolute value counts"""
    negative_eye(s, FOGVERTEXMODE=FOG_LINEAR).expect(8, 8, "808000")


@fact("F23", 2)
def negative_vertex_range(s):
    """Vertex fog LINEAR from -1 to 0 at eye z = -.5: all fog"""
    negative_eye(s, FOGVERTEXMODE=FOG_LINEAR, FOGSTART=-1.0, FOGEND=0.0).expect(8, 8, "00ff00")


@fact("F24", 2)
def negative_table_fog(s):
    """Table fog at the transformed depth -.5, from 0 to 1 and from -1 to 0: no absolute value"""
    fog(s, FOGTABLEMODE=FOG_LINEAR).screen_quad(z=-0.5, color=RED).expect(8, 8, "ff0000").present()
    s.states(FOGSTART=-1.0, FOGEND=0.0).screen_quad(z=-0.5, color=RED).expect(8, 8, "808000")


@fact("F25", 2)
def negative_exponential(s):
    """Vertex fog EXP of density 1 at eye z = -.5"""
    negative_eye(s, FOGVERTEXMODE=FOG_EXP, FOGDENSITY=1.0).expect(8, 8, "9b6400")


# ---- how fog is interpolated ----


def by_specular(s):
    """Specular alpha from 1 to 0 across a blue quad."""
    return fog(s).quad(color=BLUE, specular=[OPAQUE, CLEAR, OPAQUE, CLEAR])


def by_vertex(s):
    """Vertex fog EXP of density 5 over z from 0 to 1."""
    fog(s, FOGVERTEXMODE=FOG_EXP, FOGDENSITY=5.0)
    return s.quad(z=RISING, color=BLUE, specular=OPAQUE)


def by_table(s):
    """Table fog EXP of density 5 over z from 0 to 1."""
    fog(s, FOGTABLEMODE=FOG_EXP, FOGDENSITY=5.0)
    return s.quad(z=RISING, color=BLUE, specular=OPAQUE)


def both_shadings(s, draw, *expected):
    """The same picture with flat and Gouraud shading."""
    for mode in (names.FLAT, names.GOURAUD):
        s.states(SHADEMODE=mode)
        draw(s)
        for x, color in expected:
            s.expect(x, 2, color)
        s.present()


@fact("F26", 2, size=(640, 4))
def interpolated_specular_alpha(s):
    """Fog by specular alpha is interpolated, even when shading is flat"""
    both_shadings(s, by_specular, (320, "007f80"))


@fact("F27", 2, size=(640, 4))
def interpolated_vertex_fog(s):
    """Vertex fog is computed at the vertices and interpolated"""
    both_shadings(s, by_vertex, (320, "007f80"))


@fact("F28", 2, size=(640, 4))
def table_fog_of_pixels(s):
    """Table fog is computed for each pixel"""
    both_shadings(s, by_table, (320, "00ea15"))


@fact("F29", 2, size=(640, 4), name="fog-at-left-and-right-edges")
def edges_of_fog(s):
    """The left and right edges of F26 to F28"""
    for draw in (by_specular, by_vertex, by_table):
        draw(s).expect(0, 2, "0000ff").expect(639, 2, "00fd02").present()


# ---- what the documents show with processed vertices, drawn ----


def lit_point(s, mode, factor, **states):
    """A lit point at (.5, 0, .375): green specular of alpha .5 over black, fogged in blue."""
    s.clear(0xFF808080)
    s.states(FOGENABLE=1, FOGCOLOR=BLUE, FOGVERTEXMODE=mode, LIGHTING=1, SPECULARENABLE=1, **states)
    s.material(specular=(0, 1.0, 0, 0.5)).light(
        0, names.LIGHT_DIRECTIONAL, specular=(1.0, 1.0, 1.0, 0)
    )
    s.draw(names.POINTLIST, XYZ | NORMAL, [(0.5, 0.0, 0.375, FACING)])
    s.expect(12, 8, f"00{factor:02x}{255 - factor:02x}").present()


@fact("F30", 1, level=7)
def lit_specular_alpha(s):
    """A lit vertex with a material of specular alpha .5, mode NONE: that alpha is the fog factor"""
    lit_point(s, FOG_NONE, 0x80)


@fact("F31", 1, level=7, name="vertex-fog-of-lit-vertices-comes-from-z")
def lit_vertex_fog(s):
    """The same with EXP, EXP2 and LINEAR: the factor comes from z = .375"""
    for mode, factor in ((FOG_EXP, 0xAF), (FOG_EXP2, 0xDE), (FOG_LINEAR, 0x9F)):
        lit_point(s, mode, factor)


@fact("F32", 1, level=7, name="range-fog-of-lit-vertices")
def lit_range_fog(s):
    """The same with range fog: the distance is .625"""
    for mode, factor in ((FOG_NONE, 0x80), (FOG_EXP, 0x88), (FOG_EXP2, 0xAD), (FOG_LINEAR, 0x60)):
        lit_point(s, mode, factor, RANGEFOGENABLE=1)
