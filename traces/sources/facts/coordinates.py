"""C: texture coordinates."""

from ..dp2 import dwords
from . import names
from .names import CLAMP, COUNT1, COUNT2, COUNT3, COUNT4, PROJECTED, TEXTURE0, TEXTURE1, UNIT, WRAP
from .registry import fact

BLACK, RED, GREEN, BLUE, YELLOW, WHITE = (
    0xFF000000,
    0xFFFF0000,
    0xFF00FF00,
    0xFF0000FF,
    0xFFFFFF00,
    0xFFFFFFFF,
)

# ---- which set, which matrix: two textures of 2x2 texels added ----

MIRRORED_ROWS = ((0.0, 1.0), (1.0, 1.0), (0.0, 0.0), (1.0, 0.0))
MIRRORED_BOTH = ((1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.0, 0.0))


def two_textures(s, first_index, colors, matrix=None):
    """Stage 0 reads a set by index, stage 1 reads set 0; colours of the four quarters in
    reading order."""
    first = s.texture((2, 2), dwords(BLACK, BLUE, BLUE, BLUE))
    second = s.texture((2, 2), dwords(BLACK, GREEN, RED, YELLOW))
    clamped = {"ADDRESSU": CLAMP, "ADDRESSV": CLAMP}
    s.stage(
        0,
        TEXTUREMAP=first,
        COLOROP=names.SELECTARG1,
        COLORARG1=names.TEXTURE,
        TEXCOORDINDEX=first_index,
        **clamped
    )
    s.stage(
        1,
        TEXTUREMAP=second,
        COLOROP=names.ADD,
        COLORARG1=names.TEXTURE,
        COLORARG2=names.CURRENT,
        TEXCOORDINDEX=0,
        **clamped
    )
    if matrix:
        s.stage(1, TEXTURETRANSFORMFLAGS=COUNT2).transform(TEXTURE1, matrix)
    s.clear(0xFF808080).quad(sets=[UNIT, MIRRORED_ROWS, MIRRORED_BOTH])
    for (x, y), color in zip([(4, 4), (12, 4), (4, 12), (12, 12)], colors.split()):
        s.expect(x, y, color)


@fact("C1", 2)
def swapped_sets(s):
    """TEXCOORDINDEX swaps the sets of two stages"""
    two_textures(s, 1, "0000ff 00ffff ff0000 ffffff")


@fact("C2", 2)
def matrix_of_stage(s):
    """The matrix belongs to the stage: one that keeps its first row alone makes v zero"""
    two_textures(s, 1, "0000ff 00ffff 000000 00ffff", (1.0,) + (0,) * 15)


@fact("C3", 2, name="texcoordindex-two-in-stage-0")
def third_set(s):
    """The same textures with set 2 in stage 0"""
    two_textures(s, 2, "0000ff 00ffff ff00ff ffff00")


# ---- texture transforms ----


def transformed(s, texture, flags, matrix, coordinates, draw=None):
    """A quad with constant coordinates under a texture matrix."""
    s.clear(0xFF808080).show_texture(
        texture, ADDRESSU=CLAMP, ADDRESSV=CLAMP, ADDRESSW=CLAMP, TEXTURETRANSFORMFLAGS=flags
    )
    s.transform(TEXTURE0, matrix)
    return (draw or s.quad)(color=0xFF800080, sets=[coordinates])


def two_rows(s):
    """A texture with a green row above a red one."""
    return s.texture((1, 2), dwords(GREEN, RED))


# the third row moves two coordinates, because the third of them is padded with 1
THIRD_ROW = names.IDENTITY[:8] + (0, 1.0, 1.0, 0) + names.IDENTITY[12:]
NOTHING = (0,) * 16


@fact("C4")
def third_row(s):
    """COUNT2 with two coordinates: the third row of the matrix is the translation"""
    transformed(s, two_rows(s), COUNT2, THIRD_ROW, (0.0, 0.0)).expect(8, 8, "ff0000")


@fact("C5")
def four_outputs(s):
    """COUNT4 with a matrix like the identity"""
    transformed(s, two_rows(s), COUNT4, names.IDENTITY, (0.0, 0.0)).expect(8, 8, "00ff00")


@fact("C6")
def transformed_vertices(s):
    """Transformed vertices ignore the texture matrix"""
    transformed(s, two_rows(s), COUNT2, NOTHING, (0.0, 1.0), s.screen_quad).expect(8, 8, "ff0000")


@fact("C7")
def padded_for_volume(s):
    """A volume with COUNT3, the identity and two coordinates: the third is the padded 1"""
    texture = s.texture((1, 1), dwords(RED, BLUE), depth=2)
    transformed(s, texture, COUNT3, names.IDENTITY, (0.0, 0.0)).expect(8, 8, "0000ff")


def lower_left(s, flags, corner_factor):
    """A quad with coordinates 0..4, 0..4, 4, 6 upwards over the target; one texel of 4x4 is
    white."""
    texels = [WHITE if index == 5 else BLACK for index in range(16)]
    texture = s.texture((4, 4), dwords(texels))
    s.clear(RED).show_texture(texture, ADDRESSU=CLAMP, ADDRESSV=CLAMP, TEXTURETRANSFORMFLAGS=flags)
    corners = tuple((u, v, 4.0, 6.0) for v in (4.0, 0.0) for u in (0.0, 4.0))
    s.quad(sets=[corners])
    # white where both coordinates, divided, are in [.25, .5); v falls with y, so that the lower
    # edge is inside
    (width, height), scale = s.size, corner_factor / 16
    left, right = int(width * scale), int(2 * width * scale)
    top, bottom = int(height * (1 - 2 * scale)) + 1, int(height * (1 - scale))
    for x, y in ((left, top), (right - 1, bottom)):
        s.expect(x, y, "ffffff")
    for x, y in ((left - 1, bottom), (right, top), (left, top - 1), (left, bottom + 1)):
        s.expect(x, y, "000000")


@fact("C8", size=(64, 48))
def projected_by_fourth(s):
    """COUNT4 with PROJECTED divides by the fourth coordinate (fixed function in place of a
    vertex shader)"""
    lower_left(s, COUNT4 | PROJECTED, 6)


@fact("C9", size=(64, 48))
def projected_by_third(s):
    """COUNT3 with PROJECTED divides by the third coordinate"""
    lower_left(s, COUNT3 | PROJECTED, 4)


@fact("C10", size=(64, 48))
def unprojected(s):
    """Without PROJECTED nothing is divided"""
    lower_left(s, COUNT4, 1)


# ---- addressing ----


def bordered(s, mode):
    """Blue with a red border in 10x10 texels, stretched so that its edges lie inside the target."""
    texels = [RED if x in (0, 9) or y in (0, 9) else BLUE for y in range(10) for x in range(10)]
    texture = s.texture((10, 10), dwords(texels))
    s.clear(GREEN).show_texture(texture, ADDRESSU=mode, ADDRESSV=mode)
    ends = (-0.2, 1.2)
    return s.quad(sets=[tuple((u, v) for v in ends for u in ends)])


def expect_places(s, *places):
    """Colours of single pixels."""
    for x, y, color in places:
        s.expect(x, y, color)
    return s


@fact("C11", size=(640, 480))
def odd_size_left(s):
    """The left border of a texture of 10x10 texels with WRAP"""
    bordered(s, WRAP)
    expect_places(s, (135, 101, "ff0000"), (140, 101, "ff0000"), (140, 105, "0000ff"),
                  (140, 376, "0000ff"), (140, 379, "ff0000"))  # fmt: skip


@fact("C12", size=(640, 480))
def odd_size_right(s):
    """The right border of the same texture with WRAP; the corners of the target, which the list
    has in the same row, are those of CLAMP"""
    bordered(s, WRAP)
    expect_places(s, (500, 101, "ff0000"), (500, 105, "0000ff"), (504, 105, "ff0000"),
                  (500, 376, "0000ff"), (500, 380, "ff0000"))  # fmt: skip
    bordered(s.present(), CLAMP)
    expect_places(s, (1, 1, "ff0000"), (639, 479, "ff0000"))


# ---- COUNT1, and outputs beyond the count ----


@fact("C13", 1)
def one_output(s):
    """COUNT1 is as DISABLE: neither the matrix nor a limit acts"""
    ramp = [round(25.5 * i) for i in range(9)] + [255]
    texture = s.texture(
        (10, 10),
        dwords([BLACK | ramp[y] << 16 | ramp[x] << 8 for y in range(10) for x in range(10)]),
    )
    transformed(s, texture, COUNT1, NOTHING, (0.5, 1.0)).expect(8, 8, "ff8000").present()
    matrix = NOTHING[:8] + (0, 1.0, 0, 0) + NOTHING[12:]
    transformed(s, texture, COUNT1, matrix, (0.8, 0.2)).expect(8, 8, "33cc00")


@fact("C14")
def volume_outputs(s):
    """A volume: COUNT2 with a matrix that swaps v and w has 0 as the third output; COUNT1
    ignores a zero matrix"""
    texels = [
        BLACK | (0xFF0000 * x) | (0xFF00 * y) | (0xFF * z)
        for z in (0, 1)
        for y in (0, 1)
        for x in (0, 1)
    ]
    texture = s.texture((2, 2), dwords(texels), depth=2)
    swap = (1.0, 0, 0, 0, 0, 0, 1.0, 0, 0, 1.0, 0, 0, 0, 0, 0, 1.0)
    transformed(s, texture, COUNT2, swap, (1.0, 1.0, 1.0)).expect(8, 8, "ffff00").present()
    transformed(s, texture, COUNT1, NOTHING, (1.0, 1.0, 1.0)).expect(8, 8, "ffffff")


@fact("C15", 1)
def flags_above_count4(s):
    """Flags above COUNT4 are as DISABLE: no matrix acts"""
    ramp = [round(25.5 * i) for i in range(9)] + [255]
    texture = s.texture(
        (10, 10),
        dwords([BLACK | ramp[y] << 16 | ramp[x] << 8 for y in range(10) for x in range(10)]),
    )
    for flags in (5, 0xFFFFFE03, 0xFFFFFEFF):
        transformed(s, texture, flags, NOTHING, (0.8, 0.2)).expect(8, 8, "33cc00").present()
