"""V: shaders. No fact of this section can do without one."""

from ..dp2 import dwords, floats
from . import shading
from .names import CLAMP, POINT, UNIT
from .registry import fact, omit
from .shading import (
    FLOAT3,
    FLOAT16_2,
    FLOAT16_4,
    PASS_COLOR_3,
    PASS_POSITION_3,
    PASS_TEXCOORD_3,
    POSITION,
    TEXCOORD,
)

PASS_POSITION = "dcl_position v0; mov oPos, v0"


# ---- what a pixel is ----


@fact("V19")
def fragment_coordinates(s):
    """vPos counts pixels from the upper left corner, without a fraction"""
    pixel = "ps_3_0; dcl vPos.xy; def c0, 8, 8, 8, 8; def c1, 0, 1, 0, 1"
    shading.shaders(
        s,
        PASS_POSITION_3,
        f"""{pixel}; mov r2, c1; mov r0, c1; sub r1, vPos.xyyy, c0
        cmp r0.xy, r1, r2.y, r2.x; mov r0.zw, r2.xyxy; mov oC0, r0""",
    )
    s.clear(0xFF123456).quad()
    for x, y, color in ((7, 7, "000000"), (8, 7, "ff0000"), (7, 8, "00ff00"), (8, 8, "ffff00")):
        s.expect(x, y, color)
    s.present()
    text = f"{pixel}; frc r0.xy, vPos; mov r1, c1; mov r0.zw, r1.xyxy; mov oC0, r0"
    shading.pixel_shader(s, text)
    s.clear(0xFF123456).quad().expect(0, 0, "000000").expect(7, 7, "000000")
    s.expect(15, 15, "000000")


@fact("V20")
def face(s):
    """vFace of a counter-clockwise triangle is negative, of a clockwise one positive"""
    shading.shaders(
        s,
        PASS_POSITION_3,
        """ps_3_0; dcl vFace; def c0, 1, 0, 0, 1; def c1, 0, 1, 0, 1
        mov r0, c0; mov r1, c1; cmp oC0, vFace, r0, r1""",
    )
    s.clear()
    s.free_quad([(0, 1.0), (-1.0, 1.0), (0, -1.0), (-1.0, -1.0)]).quad((8, 0, 16, 16))
    s.expect(4, 8, "00ff00").expect(12, 8, "ff0000")


@fact("V21", 1)
def dsy_of_ramp(s):
    """dsy of a ramp that rises downwards is positive: 1/16 for each pixel; of a constant it is 0"""
    shading.shaders(
        s,
        PASS_TEXCOORD_3,
        """ps_3_0; dcl_texcoord v0; def c0, 0, 1, 8, 0
        mov r3, c0; dsy r0, v0.y
        cmp r1.x, -r0.x, r3.x, r3.y; cmp r1.y, r0.x, r3.x, r3.y
        mul r1.z, r0.x, r3.z; mov r1.w, r3.y; mov oC0, r1""",
    )
    s.clear(0xFF123456).quad(sets=[UNIT])
    for x, y in ((4, 4), (5, 5), (11, 8), (12, 13)):
        s.expect(x, y, "ff007f")
    s.present().clear(0xFF123456).quad(sets=[(0.5, 0.5)]).expect(4, 4, "000000")


# ---- what is missing ----


@fact("V22", pixel_format="A8R8G8B8")
def unbound_sampler(s):
    """A sampler without a texture gives opaque black, whatever its kind"""
    pixels = ["ps_1_1; tex t0; mov r0, t0", "ps_1_4; texld r0, t0"]
    for kind in ("2d", "cube", "volume"):
        pixels.append(f"ps_2_0; dcl_{kind} s0; dcl t0; texld r0, t0, s0; mov oC0, r0")
        pixels.append(f"ps_3_0; dcl_{kind} s0; dcl_texcoord v0; texld oC0, v0, s0")
    for pixel in pixels:
        vertex = PASS_TEXCOORD_3 if pixel.startswith("ps_3") else None
        shading.shaders(s, vertex, pixel)
        s.clear(0x12345678).quad(sets=[(0.5, 0.5, 0.5, 1.0)])
        shading.shown(s, "ff000000")


# version -> pixel shaders that show the first colour, the second colour and a coordinate
READERS = {
    "1_1": ("ps_1_1; mov r0, v0", "ps_1_1; mov r0, v1", "ps_1_1; texcoord t0; mov r0, t0"),
    "2_0": ("ps_2_0; dcl v0; mov oC0, v0", "ps_2_0; dcl v1; mov oC0, v1",
            "ps_2_0; dcl t0; mov oC0, t0"),
    "3_0": ("ps_3_0; dcl_color0 v0; mov oC0, v0", "ps_3_0; dcl_color1 v0; mov oC0, v0",
            "ps_3_0; dcl_texcoord0 v0; mov oC0, v0"),
}  # fmt: skip


@fact("V23", 1)
def unwritten_varyings(s):
    """Unwritten varyings: the first colour is white but in ps_3_0, the second one and coordinates
    are black"""
    for version, pixels in READERS.items():
        vertex = PASS_POSITION_3 if version == "3_0" else f"vs_{version}; {PASS_POSITION}"
        first = "000000" if version == "3_0" else "ffffff"
        for pixel, color in zip(pixels, (first, "000000", "000000")):
            shading.shaders(s, vertex, pixel)
            s.clear(0xFF123456).quad()
            shading.shown(s, color)


@fact("V31", 1)
def unwritten_varyings_3(s):
    """Inputs of ps_3_0 that nobody writes are 0 in all components, w too"""
    for usage in ("color0", "color1", "texcoord0", "texcoord5"):
        pixel = f"ps_3_0; def c0, 0, 1, 0, 1; dcl_{usage} v0; add r0, c0, v0.w; mov oC0, r0"
        shading.shaders(s, PASS_POSITION_3, pixel)
        s.clear(0xFF123456).quad()
        shading.shown(s, "00ff00")


@fact("V24", 1)
def partial_varyings(s):
    """Varyings of which only x is written: the rest of the first colour is 1, of others 0"""
    half = "def c0, 0.5, 0.5, 0.5, 0.5"
    for version, pixels in READERS.items():
        outputs = ("oD0.x", "oD1.x", "oT0.x")
        vertex = f"vs_{version}; {half}; {PASS_POSITION}"
        if version == "3_0":
            outputs = ("o1.x", "o2.x", "o3.x")
            vertex = f"""vs_3_0; {half}; dcl_position v0; dcl_position o0; dcl_color0 o1.x
                dcl_color1 o2.x; dcl_texcoord0 o3.x; mov o0, v0"""
        for output in outputs:
            vertex += f"; mov {output}, c0.x"
        for pixel, color in zip(pixels, ("7fffff", "7f0000", "7f0000")):
            shading.shaders(s, vertex, pixel)
            s.clear(0xFF123456).quad()
            shading.shown(s, color)


@fact("V30", 1)
def missing_vertex_color(s):
    """A vertex shader reads a colour that the declaration lacks: black"""
    lines = "dcl_position v0; dcl_color v1"
    for version in ("1_1", "2_0"):
        shading.vertex_shader(s, f"vs_{version}; {lines}; mov oPos, v0; mov oD0, v1")
        s.clear(0xFF123456).quad()
        shading.shown(s, "000000")
    shading.shaders(s, PASS_COLOR_3, "ps_3_0; dcl_color v0; mov oC0, v0")
    s.clear(0xFF123456).quad()
    shading.shown(s, "000000")


# ---- where values come from ----


@fact("V25", 1)
def transformed_vertices(s):
    """Transformed vertices with a pixel shader of version 3.0: coordinates and both colours"""
    for semantic, color in (("texcoord0", "808c8c"), ("color0", "e6e6e6"), ("color1", "4488ff")):
        shading.pixel_shader(s, f"ps_3_0; dcl_{semantic} v0; mov oC0, v0")
        s.clear(0xFF123456)
        s.screen_quad(color=0xFFE6E6E6, specular=0xFF4488FF, sets=[(0.5, 0.55, 0.55, 1.0)])
        shading.shown(s, color)


VERTEX_SAMPLER = 257  # of s0 among the stages


@fact("V27")
def vertex_texture(s):
    """A vertex shader fetches the texel of an exact place and level"""
    texels = [0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFF00]
    small = [0xFF123456]
    real = [(0.0, 0.2, 0.4, 1.0), (0.6, 0.8, 1.0, 1.0), (1.0, 0, 0.2, 1.0), (0, 0, 0, 1.0)]
    integer = s.texture((2, 2), [dwords(texels), dwords(small)])
    floating = s.texture((2, 2), [floats(real)], "A32B32G32R32F")
    shading.shaders(
        s,
        """vs_3_0; dcl_position v0; dcl_texcoord v1; dcl_2d s0; dcl_position o0; dcl_color o1
        mov o0, v0; texldl o1, v1, s0""",
        "ps_3_0; dcl_color v0; mov oC0, v0",
    )
    places = [(x, y) for y in (0.25, 0.75) for x in (0.25, 0.75)]
    rows = [
        (integer, ("ff0000", "00ff00", "0000ff", "ffff00"), 0.0),
        (integer, ("123456",) * 4, 1.0),
        (floating, ("003366", "99ccff", "ff0033", "000000"), 0.0),
    ]
    for texture, colors, level in rows:
        s.stage(VERTEX_SAMPLER, TEXTUREMAP=texture, MIPFILTER=POINT, ADDRESSU=CLAMP, ADDRESSV=CLAMP)
        s.clear()
        for column, (place, color) in enumerate(zip(places, colors)):
            s.quad((4 * column, 0, 4 * column + 4, 16), sets=[(*place, 0.0, level)])
            s.expect(4 * column + 2, 8, color)
        s.present()


@fact("V28", 1)
def half_floats(s):
    """Vertex elements of two and of four half floats"""
    shading.vertex_shader(s, "vs_2_0; dcl_position v0; dcl_texcoord v1; mov oPos, v0; mov oD0, v1")
    values = (1.0, 0.5, 0.25, 0.75)
    for kind, count, color in ((FLOAT16_4, 4, "ff8040"), (FLOAT16_2, 2, "ff8000")):
        s.clear(0xFF123456)
        elements = [(FLOAT3, POSITION, 0), (kind, TEXCOORD, 0)]
        shading.draw_declared(s, elements, [(c, values[:count]) for c in shading.corners()])
        shading.shown(s, color)
    # zero, a denormal number that vanishes, one, and a number above one
    shading.draw_declared(
        s,
        [(FLOAT3, POSITION, 0), (FLOAT16_4, TEXCOORD, 0)],
        [(corner, (0.0, 2.0**-24, 1.0, 2.0)) for corner in shading.corners()],
    )
    shading.shown(s, "0000ff")


omit(
    "V29",
    "What instructions make of infinities and of 0 times infinity",
    "the values depend on the driver, and no result is asked for",
)
