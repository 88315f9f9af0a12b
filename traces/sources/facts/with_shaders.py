"""Facts of other sections that need a shader, or that a shader shows, too."""

from ..dp2 import floats, words
from . import names, shading
from .coordinates import lower_left
from .fog import EQUATIONS, columns, fog
from .formats import PLACES, corners_of_depth, depth_texture
from .names import COUNT4, CURRENT, FROM_DIFFUSE, FROM_SPECULAR, MODULATE, PROJECTED, TFACTOR
from .raster import shaded
from .registry import fact
from .shading import FLOAT1, FLOAT3, PASS_COLOR, PASS_COLOR_3, POSITION, TEXCOORD

# ---- fog ----

PASS_PIXEL = "ps_2_0; dcl v0; mov oC0, v0"
# versions below 3.0, where fog acts behind the pixel shader or the stages
FOG_PAIRS = (("1_1", None), ("1_1", "ps_1_1; mov r0, v0"), ("2_0", PASS_PIXEL))
# the depth .1 is free of fog, .9 is all fog
FOGGY = f"def c0, -1.25, 1.125, 0, 0; {PASS_COLOR}; mad oFog, v0.z, c0.x, c0.y"
DEPTHS = [j / 10.02 + 0.001 for j in range(11)]


def foggy_columns(s, vertex, pixel, colors, **states):
    """Eleven columns from z = 0 to 1."""
    shading.shaders(s, vertex, pixel)
    fog(s, FOGSTART=0.1, FOGEND=0.9, FOGDENSITY=1.0, **states)
    for x, color in zip(columns(s, DEPTHS), colors):
        s.expect(x, 2, color)
    s.present()


@fact("F16", size=(88, 4))
def unwritten_fog(s):
    """A vertex shader that does not write oFog, no table mode: all fog"""
    for version, pixel in FOG_PAIRS:
        foggy_columns(s, f"vs_{version}; {PASS_COLOR}", pixel, ["00ff00"] * 11)


@fact("F33", 2, size=(88, 4))
def fog_of_specular_alpha(s):
    """A vertex shader that writes oD1 and not oFog, no table mode: the alpha of oD1"""
    vertex = f"def c0, 0, 0, 0, 0.75; {PASS_COLOR}; mov oD1, c0"
    for version, pixel in FOG_PAIRS:
        foggy_columns(s, f"vs_{version}; {vertex}", pixel, ["bf4000"] * 11)


@fact("F17", 13, size=(88, 4))
def written_fog(s):
    """A vertex shader with oFog falling from 1 to 0"""
    colors = (
        "ff0000 fe0100 de2100 bf4000 9f6000 7f8000 5fa000 40bf00 20df00 00ff00 00ff00".split()
    )
    for version, pixel in FOG_PAIRS:
        foggy_columns(s, f"vs_{version}; {FOGGY}", pixel, colors)


@fact("F18", 13, size=(88, 4))
def overridden_fog(s):
    """A table mode overrides oFog of a vertex shader"""
    for _, mode, colors in EQUATIONS.values():
        for version, pixel in FOG_PAIRS:
            vertex = f"vs_{version}; {FOGGY}"
            foggy_columns(s, vertex, pixel, colors.split(), FOGTABLEMODE=mode)


# ---- textures ----

# fact -> flags, and the factor of the corners as lower_left() has it
# C9 (COUNT3) is missing: behind a vertex shader the fourth component divides, whatever the count.
PROJECTIONS = {"C8": (COUNT4 | PROJECTED, 6), "C10": (COUNT4, 1)}


def projected(s, flags, factor):
    """The coordinates come from vertex shaders."""
    vertex = "dcl_position v0; dcl_texcoord v1; mov oPos, v0; mov oT0, v1"
    for version in ("1_1", "2_0"):
        shading.vertex_shader(s, f"vs_{version}; {vertex}")
        lower_left(s, flags, factor)
        s.present()


for _identity, _values in PROJECTIONS.items():
    _text = "The same with coordinates of a vertex shader"
    fact(_identity, text=_text, suffix="shader", size=(64, 48))(
        lambda s, values=_values: projected(s, *values)
    )

# red, blue and alpha from texld, green from texldp
LOAD_BOTH = """ps_2_0; dcl_2d s0; dcl t0
    texld r0, t0, s0; texldp r1, t0, s0; mov r0.y, r1.x; mov oC0, r0"""


@fact("P25", size=(64, 48), pixel_format="A8R8G8B8", suffix="shader")
def shadows(s):
    """The same with texld and texldp of a pixel shader"""
    for pixel_format in ("D16", "D24X8", "D24S8", "D32"):
        shading.pixel_shader(s, None)
        depth_texture(s, pixel_format)
        shading.pixel_shader(s, LOAD_BOTH)
        s.quad(sets=[corners_of_depth(lambda u, t: (u, t, t, 1.0 - t))])
        colors = ["ffff00ff"] * 2 + ["ffffffff"] * 2 + ["00000000"] * 4
        s.read(1)
        for place, color in zip(PLACES, colors):
            s.expect_read(*place, color)


@fact("P26", 1, size=(64, 48), pixel_format="A8R8G8B8", suffix="shader")
def readable_depth(s):
    """The same with texld and texldp of a pixel shader"""
    depth_texture(s, "INTZ")
    shading.pixel_shader(s, LOAD_BOTH)
    s.quad(sets=[corners_of_depth(lambda u, t: (u, t, t, 0.5))]).read(1)
    for x, color in ((8, "20204020"), (24, "6060bf60"), (40, "9f9f409f"), (56, "dfdfbfdf")):
        s.expect_read(x, 24, color)


# ---- shading ----

COLOR_PAIRS = (
    (f"vs_1_1; {PASS_COLOR}", "ps_1_1; mov r0, v0"),
    (f"vs_2_0; {PASS_COLOR}", PASS_PIXEL),
    (PASS_COLOR_3, "ps_3_0; dcl_color v0; mov oC0, v0"),
)


@fact("G11", 1, size=(64, 48), name="shade-modes-with-shaders")
def shading_of_shaders(s):
    """G8 to G10 with vertex and pixel shaders of versions 1.1, 2.0 and 3.0"""
    for vertex, pixel in COLOR_PAIRS:
        shading.shaders(s, vertex, pixel)
        shaded(s, names.FLAT, names.TRIANGLESTRIP, (0, 1, 2, 3), "ff0000", "00ff00")
        shaded(s, names.FLAT, names.TRIANGLELIST, (0, 1, 2, 2, 1, 3), "ff0000", "0000ff")
        for mode in (names.GOURAUD, names.PHONG):
            shaded(s, mode, names.TRIANGLESTRIP, (0, 1, 2, 3), "0dca28", "0d45c7")


# ---- instances ----

INDEXED_DATA, INSTANCE_DATA = 0x40000000, 0x80000000
GEOMETRY, OFFSETS, INDICES = 51, 52, 53  # handles of buffers


def instanced(s, stream, frequencies, quads):
    """One indexed quad whose geometry is in a stream; each instance moves a column to the right."""
    shading.bind_declaration(s, [(stream, 0, FLOAT3, POSITION, 0), (1, 0, FLOAT1, TEXCOORD, 0)])
    s.op("SETSTREAMSOURCE2", (stream, GEOMETRY, 0, 12), (1, OFFSETS, 0, 4))
    s.op("SETSTREAMSOURCEFREQ", *frequencies).op("SETINDICES", (INDICES, 2))
    s.clear().op("DRAWINDEXEDPRIMITIVE", (names.TRIANGLELIST, 0, 0, 4, 0, 2))
    for column in range(4):
        s.expect(4 * column + 2, 2, "ffffff" if column < quads else "000000")
    s.present()


def fill_buffers(s):
    """A quad in the first column, the places of five instances, and indices."""
    places = [(x, y, 0.5) for y in (1.0, -1.0) for x in (-1.0, -0.5)]
    s.trace.buffer(GEOMETRY, floats(places)).buffer(OFFSETS, floats(0, 0.5, 1.0, 1.5, 2.0))
    s.trace.buffer(INDICES, words(0, 1, 2, 2, 1, 3), "index_buffer", "INDEX16")


@fact("G32", size=(16, 4))
def instances(s):
    """An instanced indexed draw: the number of instances is that of stream 0, which the
    declaration need not name; those of other streams do not count"""
    s.flush()
    fill_buffers(s)
    shading.vertex_shader(
        s,
        """vs_1_1; dcl_position v0; dcl_texcoord v1; def c0, 1, 1, 1, 1
        mov r0, v0; add r0.x, r0.x, v1.x; mov oPos, r0; mov oD0, c0""",
    )
    for count in (4, 3, 2, 1):
        instanced(s, 0, [(0, INDEXED_DATA | count), (1, INSTANCE_DATA | 1)], count)
    for count, other in ((4, 4), (3, 0), (2, 4), (1, 3), (4, 1), (3, 2)):
        frequencies = [(0, INDEXED_DATA | count), (1, INSTANCE_DATA | 1), (2, INDEXED_DATA | other)]
        instanced(s, 2, frequencies, count)


# ---- ranges of colours ----

QUARTER = "def c0, 0.25, 0.25, 0.25, 0.25"
SUM_1 = f"ps_1_1; {QUARTER}; add r0, v0, v1; mul r0, r0, c0"


@fact("O41", 1, suffix="shader")
def missing_colors(s):
    """The same with a pixel shader 1.1 that multiplies the sum by a quarter"""
    shading.pixel_shader(s, SUM_1)
    s.clear(0xFF123456).quad().expect(8, 8, "404040")


@fact("O42", 1)
def color_range(s):
    """A vertex shader writes 2.0 to both colours: only version 3.0 does not clamp them"""
    two = "def c0, 2, 2, 2, 2"
    legacy = f"{two}; dcl_position v0; mov oPos, v0; mov oD0, c0; mov oD1, c0"
    vertex_3 = f"""vs_3_0; {two}; dcl_position v0; dcl_position o0; dcl_color0 o1; dcl_color1 o2
        mov o0, v0; mov o1, c0; mov o2, c0"""
    declared = f"{QUARTER}; %s; %s; mov r0, v0; add r0, r0, v1; mul r0, r0, c0; mov oC0, r0"
    s.states(TEXTUREFACTOR=0xFF404040)
    s.stage(0, COLOROP=names.ADD, COLORARG1=FROM_DIFFUSE, COLORARG2=FROM_SPECULAR)
    s.stage(1, COLOROP=MODULATE, COLORARG1=CURRENT, COLORARG2=TFACTOR)
    for vertex, pixel, color in (
        (f"vs_1_1; {legacy}", None, "404040"),
        (f"vs_1_1; {legacy}", SUM_1, "7f7f7f"),
        (f"vs_2_0; {legacy}", "ps_2_0; " + declared % ("dcl v0", "dcl v1"), "7f7f7f"),
        (vertex_3, "ps_3_0; " + declared % ("dcl_color0 v0", "dcl_color1 v1"), "ffffff"),
    ):
        shading.shaders(s, vertex, pixel)
        s.clear(0xFF123456).quad()
        shading.shown(s, color)
