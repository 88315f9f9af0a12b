"""V: shaders, what single instructions do."""

import math

from . import shading
from .registry import fact
from .shading import PASS_POSITION_3



def computed(s, version, lines, color, *constants):
    """A quad whose colour a shader of either kind computes from c0 on into r0."""
    text = f"{version}\n"
    if version.startswith("vs"):
        shading.vertex_constants(s, 0, *constants)
        output = "oD0"
        if version == "vs_3_0":
            text += "dcl_position o0; dcl_color o1\n"
            output = "o1"
        text += f"dcl_position v0\n{lines}\n"
        position = "o0" if version == "vs_3_0" else "oPos"
        text += f"mov {position}, v0; mov {output}, r0"
        pixel = "ps_3_0; dcl_color v0; mov oC0, v0" if version == "vs_3_0" else None
        shading.shaders(s, text, pixel)
    else:
        shading.pixel_constants(s, 0, *constants)
        text += lines
        if version >= "ps_2":
            text += "\nmov oC0, r0"
        shading.shaders(s, PASS_POSITION_3 if version == "ps_3_0" else None, text)
    s.clear(0xFF123456).quad()
    return shading.shown(s, color)


def computed_everywhere(s, versions, lines, color, *constants):
    """computed() for several versions."""
    for version in versions:
        computed(s, version, lines, color, *constants)


# ---- conditions ----


@fact("V1")
def cnd_by_alpha(s):
    """cnd of versions 1.1 to 1.3 looks at the alpha of r0 alone: 7f is not above one half, 80 is"""
    shading.pixel_constants(s, 1, (0, 1.0, 0, 1.0), (1.0, 0, 0, 1.0))
    for version in ("1_1", "1_2", "1_3"):
        shading.pixel_shader(s, f"ps_{version}; mov r0, v0; cnd r0, r0.a, c1, c2")
        s.clear().quad((0, 0, 8, 16), color=0x7FFFFFFF).quad((8, 0, 16, 16), color=0x80000000)
        s.expect(4, 8, "ff0000").expect(12, 8, "00ff00").present()


@fact("V2")
def cnd_by_component(s):
    """cnd of version 1.4 decides for each component"""
    shading.pixel_constants(s, 1, (1.0, 0, 1.0, 1.0), (0, 1.0, 0, 1.0))
    shading.pixel_shader(s, "ps_1_4; mov r1, v0; cnd r0, r1, c1, c2")
    s.clear().quad((0, 0, 8, 16), color=0x0080807F).quad((8, 0, 16, 16), color=0xFF7F7F80)
    s.expect(4, 8, "ff0000").expect(12, 8, "00ffff").present()


@fact("V3")
def coissued_cnd(s):
    """Co-issued with an alpha instruction, cnd takes the first choice, whatever r0 says"""
    shading.pixel_constants(s, 1, (0, 1.0, 0, 1.0), (1.0, 0, 0, 1.0))
    for version in ("1_1", "1_2", "1_3"):
        shading.pixel_shader(
            s,
            f"""ps_{version}; mov r0, v0
            cnd r1.a, r0.a, c1, c2
            +cnd r1.rgb, r0.a, c1, c2
            mov r0, r1""",
        )
        s.clear().quad(color=0x00FFFFFF)
        shading.shown(s, "00ff00")


# ---- addresses ----

VALUES = (-2.4, -1.6, -0.4, 0.4, 1.6, 2.4)
TABLE_CENTER = 16  # the constant that index 0 reads


def table_color(index):
    """Entry -3 to 3 of the table: colours that differ."""
    bits = index + 4
    return (float(bits >> 2 & 1), float(bits >> 1 & 1), float(bits & 1), 1.0)


def addressed(s, text, indices):
    """Columns whose texture coordinate is one of VALUES each and selects a constant."""
    shading.vertex_constants(s, TABLE_CENTER - 3, *(table_color(index) for index in range(-3, 4)))
    shading.vertex_shader(s, text)
    s.clear()
    for column, (value, index) in enumerate(zip(VALUES, indices)):
        s.quad((4 * column, 0, 4 * column + 4, 4), sets=[(value, 0.0)])
        red, green, blue, _ = (int(255 * part) for part in table_color(index))
        s.expect(4 * column + 2, 2, f"{red:02x}{green:02x}{blue:02x}")
    s.present()


@fact("V4", size=(24, 4))
def mova_rounds(s):
    """mova rounds to nearest: -2.4, -1.6, -.4, .4, 1.6, 2.4 give -2, -2, 0, 0, 2, 2"""
    text = "vs_2_0; dcl_position v0; dcl_texcoord v1; mov oPos, v0; mova a0.x, v1.x"
    addressed(s, f"{text}; mov oD0, c[a0.x + {TABLE_CENTER}]", (-2, -2, 0, 0, 2, 2))


@fact("V5", size=(24, 4))
def mov_rounds_down(s):
    """mov to a0 in version 1.1 rounds down: the same values give -3, -2, -1, 0, 1, 2"""
    text = "vs_1_1; dcl_position v0; dcl_texcoord v1; mov oPos, v0; mov a0.x, v1.x"
    addressed(s, f"{text}; mov oD0, c[a0.x + {TABLE_CENTER}]", (-3, -2, -1, 0, 1, 2))


# ---- comparisons and sums ----

EIGHT_TWO, TWO_EIGHT = (0.8, 0.2, 0.2, 0.2), (0.2, 0.8, 0.2, 0.2)
VERTEX_VERSIONS = ("vs_1_1", "vs_2_0", "vs_3_0")


@fact("V6")
def sge_vector(s):
    """sge of (.8, .2, .2) and (.2, .8, .2)"""
    lines = "mov r0, c0; sge r0, r0, c1"
    computed_everywhere(s, VERTEX_VERSIONS, lines, "ff00ff", EIGHT_TWO, TWO_EIGHT)


@fact("V7")
def slt_vector(s):
    """slt of (.8, .2, .2) and (.2, .8, .2)"""
    lines = "mov r0, c0; slt r0, r0, c1"
    computed_everywhere(s, VERTEX_VERSIONS, lines, "00ff00", EIGHT_TWO, TWO_EIGHT)


@fact("V8")
def slt_scalars(s):
    """slt of single components"""
    lines = """mov r0, c0; mov r1, c0
        slt r0.r, r1.r, c1.b; slt r0.g, r1.g, c1.r; slt r0.b, r1.b, c1.g"""
    computed_everywhere(s, VERTEX_VERSIONS, lines, "0000ff", EIGHT_TWO, TWO_EIGHT)


@fact("V9", 1)
def dp2add(s):
    """dp2add with and without saturation: 4.5 - 4, and 1 - .5"""
    for version in ("ps_2_0", "ps_3_0"):
        for modifier, rest in (("", -4.0), ("_sat", -0.5)):
            lines = f"mov r1, c0; mov r2, c1; dp2add{modifier} r0, r1, r2, r2.z; add r0, r0, c2"
            values = ((2.0, 2.0, 9.0, 9.0), (1.0, 1.0, 0.5, 9.0), (rest,) * 4)
            computed(s, version, lines, "7f7f7f", *values)


@fact("V10", 1)
def constants_beyond_one(s):
    """Constants are limited to -1..1 in pixel shaders 1.1 to 1.4 alone, set or defined"""
    large, small = (1.25, 1.25, 1.5, 1.0), (-0.5, -0.5, -1.0, 0)
    definitions = "".join(
        f"def c{index}, {', '.join(str(part) for part in value)}\n"
        for index, value in enumerate((large, small))
    )
    for version in ("ps_1_1", "ps_1_2", "ps_1_3", "ps_1_4", "ps_2_0", "ps_3_0", *VERTEX_VERSIONS):
        color = "808000" if version.startswith("ps_1") else "bfbf80"
        lines = "mov r0, c0; add r0, r0, c1"
        computed(s, version, lines, color, large, small)
        computed(s, version, definitions + lines, color, (0, 0, 0, 0), (0, 0, 0, 0))


# ---- nrm ----

def normalized(s, value, color, components="xyzw", shown="xyzw"):
    """nrm of c0 with a swizzle, of which some components are shown; ps_2_0 knows few swizzles."""
    pixel = "ps_2_0" if components == shown == "xyzw" else "ps_2_x"
    lines = f"mov r1, c0; nrm r0, r1.{components}; mov r0, r0.{shown}"
    computed_everywhere(s, ("vs_2_0", "vs_3_0", pixel, "ps_3_0"), lines, color, value)


@fact("V13", 1)
def nrm_of_two(s):
    """nrm of (1, 1, 0) and of (0, 1, 1, 1) made by a swizzle"""
    normalized(s, (1.0, 1.0, 0, 1.0), "b4b400")
    normalized(s, (0, 1.0, 0, 0), "00b4b4", components="xyyy")


@fact("V14", 1)
def nrm_of_others(s):
    """nrm of (0, 1, .3, .5), zero with w shown in z, (2, 0, 0, .5) likewise, (1, 1, 1, 1)"""
    normalized(s, (0, 1.0, 0.3, 0.5), "00f449")
    normalized(s, (0, 0, 0, 1.0), "000000", shown="xyww")
    normalized(s, (2.0, 0, 0, 0.5), "ff0040", shown="xyww")
    normalized(s, (1.0, 1.0, 1.0, 1.0), "939393")


@fact("V15", 1)
def nrm_of_swizzle(s):
    """nrm of (1, 1, 0, 2) in the order yzwx: the first three components behind the swizzle count"""
    normalized(s, (1.0, 1.0, 0, 2.0), "7200e4", components="yzwx")


# ---- scalars ----


def level8_scalar(s, lines, color):
    """A quad whose colour is r0, computed from c0 = (.25, .5, 1, 2)."""
    shading.vertex_constants(s, 0, (0.25, 0.5, 1.0, 2.0))
    shading.level8_shader(s, f"vs_1_1; mov oPos, v0\n{lines}\nmov oD0, r0")
    s.clear(0xFF123456)
    shading.draw_bytes(s, shading.packed_corners())
    shading.shown(s, color)


@fact("V16", 4, level=8)
def scalars_read_w(s):
    """rcp and rsq of version 1.1 read w where no swizzle says otherwise"""
    level8_scalar(s, "rcp r0, c0", "808080")
    level8_scalar(s, "rsq r0, c0", "b4b4b4")


@fact("V17", 4, level=8)
def exponents_read_w(s):
    """exp and its reciprocal, expp, log and logp of the same input"""
    level8_scalar(s, "exp r0, c0; rcp r0, r0.x", "404040")
    level8_scalar(s, "expp r0, c0; rcp r0, r0.z", "404040")
    level8_scalar(s, "log r0, c0", "ffffff")
    level8_scalar(s, "logp r0, c0; mov r0, r0.z", "ffffff")


@fact("V18", 1)
def sgn(s):
    """sgn of (0, -.3, .3), shown as half of it and a half"""
    lines = "sgn r0, c0, r1, r2; mov r3, c1; mad r0, r0, r3, r3"
    values = ((0.0, -0.3, 0.3, 1.0), (0.5, 0.5, 0.5, 0.5))
    computed_everywhere(s, ("vs_2_0", "vs_3_0"), lines, "8000ff", *values)


SINCOS_CONSTANTS = (
    (-1.5500992e-06, -2.1701389e-05, 0.0026041667, 0.00026041668),
    (-0.020833334, -0.125, 1.0, 0.5),
)


@fact("V26", 1)
def sincos(s):
    """sincos: the cosine in x, the sine in y"""
    angles = ((math.pi / 6, "dd8000"), (2 * math.pi / 3, "00dd00"), (-math.pi / 3, "800000"))
    for version in ("vs_2_0", "ps_2_0", "vs_3_0", "ps_3_0"):
        operands = ", c1, c2" if version.endswith("2_0") else ""
        for angle, color in angles:
            lines = f"mov r0, c3; mov r1.x, c0.x; sincos r0.xy, r1.x{operands}"
            values = ((angle, 0, 0, 0), *SINCOS_CONSTANTS, (0, 0, 0, 1.0))
            computed(s, version, lines, color, *values)


# ---- loops ----


@fact("V11")
def loop_index(s):
    """aL indexes constants and outputs of a vertex shader, and inputs of a pixel shader"""
    parts = ((0, 0.25, 0, 0), (0, 0.5, 0, 0), (0, 0.25, 0, 1.0))
    lines = "defi i0, 3, 4, 2, 0; mov r0, c0; loop aL, i0; add r0, r0, c[aL + 1]; endloop"
    for version in ("vs_2_0", "vs_3_0"):
        values = [(0, 0, 0, 0)] + [(1.0, 0, 1.0, 0)] * 9
        values[5], values[7], values[9] = parts
        computed(s, version, lines, "00ff00", *values)
    vertex = """vs_3_0; defi i0, 3, 0, 1, 0; dcl_position v0; dcl_position o0
        dcl_texcoord0 o1; dcl_texcoord1 o2; dcl_texcoord2 o3
        mov o0, v0; loop aL, i0; mov o[aL + 1], c[aL + 20]; endloop"""
    pixel = """ps_3_0; defi i0, 3, 1, 1, 0; def c0, 0, 0, 0, 0
        dcl_color v0; dcl_texcoord0 v1; dcl_texcoord1 v2; dcl_texcoord2 v3
        mov r0, c0; loop aL, i0; add r0, r0, v[aL]; endloop; mov oC0, r0"""
    shading.vertex_constants(s, 20, *parts)
    shading.shaders(s, vertex, pixel)
    s.clear().quad()
    shading.shown(s, "00ff00")


@fact("V12", 1)
def nested_loops(s):
    """Nested loops: four times four steps of 1/32"""
    for version in ("vs_3_0", "ps_3_0"):
        for word in ("loop aL, i0", "rep i0"):
            end = f"end{word.split()[0]}"
            lines = f"""defi i0, 4, 0, 0, 0
                mov r0, c0; {word}; {word}; add r0, r0, c1; {end}; {end}"""
            computed(s, version, lines, "800000", (0, 0, 0, 1.0), (1 / 32, 0, 0, 0))
