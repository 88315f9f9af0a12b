"""O: operations and arguments of the texture stages."""

from ..dp2 import dwords
from . import names
from .names import (
    ALPHAREPLICATE,
    BUMPENVMAP,
    COMPLEMENT,
    CONSTANT,
    CURRENT,
    DISABLE,
    FROM_DIFFUSE,
    FROM_SPECULAR,
    INVSRCALPHA,
    MODULATE,
    SELECTARG1,
    SRCALPHA,
    SUBTRACT,
    TEMP,
    TEXTURE,
    TFACTOR,
    UNIT,
)
from .registry import fact

WHITE = 0xFFFFFFFF

# fact -> operation, colour
OPERATIONS = {
    "O1": ("SELECTARG1", "00ff00"), "O2": ("SELECTARG2", "333333"), "O3": ("MODULATE", "003300"),
    "O4": ("MODULATE2X", "006600"), "O5": ("MODULATE4X", "00cc00"), "O6": ("ADD", "33ff33"),
    "O7": ("ADDSIGNED", "00b200"), "O8": ("ADDSIGNED2X", "00ff00"), "O9": ("SUBTRACT", "00cc00"),
    "O10": ("ADDSMOOTH", "33ff33"), "O11": ("BLENDDIFFUSEALPHA", "227722"),
    "O12": ("BLENDTEXTUREALPHA", "14ad14"), "O13": ("BLENDFACTORALPHA", "07e407"),
    "O14": ("BLENDTEXTUREALPHAPM", "14ff14"), "O15": ("BLENDCURRENTALPHA", "227722"),
    "O16": ("MODULATEALPHA_ADDCOLOR", "1fff1f"), "O17": ("MODULATECOLOR_ADDALPHA", "99cc99"),
    "O18": ("MODULATEINVALPHA_ADDCOLOR", "14ff14"), "O19": ("MODULATEINVCOLOR_ADDALPHA", "cc99cc"),
    "O20": ("DOTPRODUCT3", "999999"), "O21": ("MULTIPLYADD", "ff3300"), "O22": ("LERP", "003333"),
}  # fmt: skip


def operation(s, name, color):
    """A texture 99 00ff00, the factor dd 333333 and the diffuse colour 55 ff0000 under one
    operation."""
    texture = s.texture((1, 1), dwords(0x9900FF00))
    s.clear(0xFF808080).states(TEXTUREFACTOR=0xDD333333)
    s.stage(
        0,
        TEXTUREMAP=texture,
        COLOROP=names.TEXTURE_OPERATIONS[name],
        COLORARG1=TEXTURE,
        COLORARG2=TFACTOR,
        COLORARG0=FROM_DIFFUSE,
    )
    s.quad(color=0x55FF0000, sets=[UNIT]).expect(8, 8, color)


for _identity, _values in OPERATIONS.items():
    fact(_identity, 3, f"{_values[0]} of a texture and the texture factor")(
        lambda s, values=_values: operation(s, *values)
    )


@fact("O23", 2, name="add-clamps-at-1")
def clamped_above(s):
    """1 + 1 - .5 over two stages: the first result is clamped to 1"""
    s.states(TEXTUREFACTOR=0x80808080)
    s.stage(0, COLOROP=names.ADD, COLORARG1=FROM_DIFFUSE, COLORARG2=FROM_DIFFUSE)
    s.stage(1, COLOROP=SUBTRACT, COLORARG1=CURRENT, COLORARG2=TFACTOR)
    s.quad(color=WHITE).expect(8, 8, "808080")


@fact("O24", 2, name="subtract-clamps-at-0")
def clamped_below(s):
    """0 - .5 + 1 over two stages: the first result is clamped to 0"""
    s.states(TEXTUREFACTOR=0x80808080)
    s.stage(0, COLOROP=SUBTRACT, COLORARG1=FROM_DIFFUSE, COLORARG2=TFACTOR)
    s.stage(1, COLOROP=names.ADD, COLORARG1=CURRENT, COLORARG2=FROM_DIFFUSE | COMPLEMENT)
    s.quad(color=0xFF000000).expect(8, 8, "ffffff")


@fact("O25", 2)
def replicated_factor(s):
    """The texture factor with ALPHAREPLICATE"""
    s.states(TEXTUREFACTOR=0x80102030).stage(
        0, COLOROP=SELECTARG1, COLORARG1=TFACTOR | ALPHAREPLICATE
    )
    s.quad(color=0xFFFF0000).expect(8, 8, "808080")


@fact("O26", 4)
def dot_product_alpha(s):
    """DOTPRODUCT3 writes alpha, too; the stage's alpha operation is ignored"""
    s.states(TEXTUREFACTOR=WHITE)
    s.stage(
        0,
        COLOROP=names.DOTPRODUCT3,
        COLORARG1=FROM_DIFFUSE,
        COLORARG2=TFACTOR,
        ALPHAOP=SELECTARG1,
        ALPHAARG1=FROM_DIFFUSE,
    )
    s.stage(
        1,
        COLOROP=SELECTARG1,
        COLORARG1=CURRENT | ALPHAREPLICATE,
        ALPHAOP=SELECTARG1,
        ALPHAARG1=CURRENT,
    )
    s.quad(color=0x408080C0).expect(8, 8, "808080")


@fact("O27")
def temporary(s):
    """TEMP as a result, then as an argument of the next stage"""
    s.states(TEXTUREFACTOR=0xFF00FF00)
    s.stage(0, COLOROP=SELECTARG1, COLORARG1=FROM_DIFFUSE, RESULTARG=TEMP)
    s.stage(1, COLOROP=names.ADD, COLORARG1=TEMP, COLORARG2=TFACTOR)
    s.quad(color=0xFFFF0000).expect(8, 8, "ffff00")


@fact("O28", 2)
def stage_constant(s):
    """The constant of a stage: plain, complemented, its alpha replicated"""
    for modifier, color in ((0, "a1b2c3"), (COMPLEMENT, "5e4d3c"), (ALPHAREPLICATE, "808080")):
        s.stage(0, COLOROP=SELECTARG1, COLORARG1=CONSTANT | modifier, CONSTANT=0x80A1B2C3)
        s.quad(color=0xFF00FF00).expect(8, 8, color).present()


@fact("O29", 2)
def constant_alpha(s):
    """The alpha of the constant of a stage blends over blue"""
    s.clear(0xFF0000FF).blend(SRCALPHA, INVSRCALPHA)
    s.stage(
        0,
        COLOROP=SELECTARG1,
        COLORARG1=CONSTANT,
        ALPHAOP=SELECTARG1,
        ALPHAARG1=CONSTANT,
        CONSTANT=0x80FF0000,
    )
    s.quad(color=WHITE).expect(8, 8, "80007f")


# ---- alpha of stages, on a target with alpha ----

DIFFUSE_80 = 0x80FFFF02
WITH_ALPHA = {"pixel_format": "A8R8G8B8"}


@fact("O30", 1, **WITH_ALPHA)
def all_disabled(s):
    """No stage at all: the diffuse colour with its alpha"""
    s.stage(0, COLOROP=DISABLE, ALPHAOP=DISABLE).quad(color=DIFFUSE_80).expect(8, 8, "80ffff02")


@fact("O31", 1, **WITH_ALPHA)
def alpha_disabled(s):
    """A stage whose alpha operation is DISABLE keeps the alpha"""
    s.stage(0, COLOROP=SELECTARG1, COLORARG1=FROM_DIFFUSE, ALPHAOP=DISABLE)
    s.quad(color=DIFFUSE_80).expect(8, 8, "80ffff02")


@fact("O32", 1, **WITH_ALPHA)
def unwritten_temporary(s):
    """TEMP that was never written reads as 0"""
    s.clear(WHITE).stage(0, COLOROP=SELECTARG1, COLORARG1=TEMP, ALPHAOP=SELECTARG1, ALPHAARG1=TEMP)
    s.quad(color=DIFFUSE_80).expect(8, 8, "00000000")


@fact("O33", 1, **WITH_ALPHA)
def subtracted(s):
    """SUBTRACT of a constant 0f: of colour alone, then of colour and alpha"""
    for alpha_operation, color in ((DISABLE, "80f0f000"), (SUBTRACT, "71f0f000")):
        s.stage(
            0,
            COLOROP=SUBTRACT,
            COLORARG1=FROM_DIFFUSE,
            COLORARG2=CONSTANT,
            ALPHAOP=alpha_operation,
            ALPHAARG1=FROM_DIFFUSE,
            ALPHAARG2=CONSTANT,
            CONSTANT=0x0F0F0F0F,
        )
        s.quad(color=DIFFUSE_80).expect(8, 8, color).present()


def bump_scene(s):
    """Textures: a bump map, and red with alpha 0."""
    return s.texture((1, 1), bytes((0x40, 0xC0)), "V8U8"), s.texture((1, 1), dwords(0x00FF0000))


def bump_then_red(s, alpha=CURRENT, **bump):
    """A bump stage, then MODULATE with a red texture; alpha comes from `alpha`."""
    bump_map, red = bump_scene(s)
    s.stage(0, TEXTUREMAP=bump_map, COLOROP=BUMPENVMAP, BUMPENVMAT00=0.5, BUMPENVMAT11=0.5, **bump)
    s.stage(
        1,
        TEXTUREMAP=red,
        COLOROP=MODULATE,
        COLORARG1=TEXTURE,
        COLORARG2=CURRENT,
        ALPHAOP=SELECTARG1,
        ALPHAARG1=alpha,
        TEXCOORDINDEX=0,
    )
    return s.quad(color=DIFFUSE_80, sets=[UNIT])


@fact("O34", 1, **WITH_ALPHA)
def bump_ignores_alpha_operation(s):
    """The alpha operation of a bump stage does not matter"""
    for argument in (TEXTURE, FROM_DIFFUSE, TEMP, CURRENT):
        bump_then_red(s, ALPHAOP=SELECTARG1, ALPHAARG1=argument).expect(8, 8, "80ff0000").present()
    for alpha_operation, constant in ((names.ADD, 0x0FFFFFFF), (names.MODULATE2X, 0x01FFFFFF)):
        bump_then_red(
            s,
            ALPHAOP=alpha_operation,
            ALPHAARG1=FROM_DIFFUSE,
            ALPHAARG2=CONSTANT,
            CONSTANT=constant,
        )
        s.expect(8, 8, "80ff0000").present()


@fact("O35", 1, **WITH_ALPHA)
def bump_leaves_temporary(s):
    """Alpha of TEMP behind a bump stage"""
    bump_then_red(s, TEMP, ALPHAOP=SELECTARG1, ALPHAARG1=TEMP).expect(8, 8, "00ff0000")


@fact("O36", 1, **WITH_ALPHA)
def current_after_bump(s):
    """CURRENT times CURRENT behind a bump stage"""
    bump_map, red = bump_scene(s)
    s.stage(0, TEXTUREMAP=bump_map, COLOROP=BUMPENVMAP, BUMPENVMAT00=0.5, BUMPENVMAT11=0.5)
    s.stage(
        1,
        TEXTUREMAP=red,
        COLOROP=MODULATE,
        COLORARG1=CURRENT,
        COLORARG2=CURRENT,
        ALPHAOP=SELECTARG1,
        ALPHAARG1=CURRENT,
        TEXCOORDINDEX=0,
    )
    s.quad(color=DIFFUSE_80, sets=[UNIT]).expect(8, 8, "80ffff00")


def temporary_around_bump(s, bump_result, **last):
    """A constant in TEMP, a bump stage, a red stage into CURRENT, then TEMP."""
    bump_map, red = bump_scene(s)
    s.stage(
        0,
        COLOROP=SELECTARG1,
        COLORARG1=CONSTANT,
        ALPHAOP=SELECTARG1,
        ALPHAARG1=CONSTANT,
        RESULTARG=TEMP,
        CONSTANT=0x01234567,
    )
    s.stage(
        1,
        TEXTUREMAP=bump_map,
        COLOROP=BUMPENVMAP,
        BUMPENVMAT00=0.5,
        BUMPENVMAT11=0.5,
        ALPHAOP=SELECTARG1,
        ALPHAARG1=TEMP,
        RESULTARG=bump_result,
        TEXCOORDINDEX=0,
    )
    s.show_texture(red, 2, TEXCOORDINDEX=0)
    s.stage(3, COLOROP=SELECTARG1, COLORARG1=TEMP, **last)
    s.quad(color=DIFFUSE_80, sets=[UNIT])


@fact("O37", 1, **WITH_ALPHA)
def bump_into_temporary(s):
    """A bump stage writes nothing, even when its result is TEMP"""
    temporary_around_bump(s, TEMP, ALPHAOP=SELECTARG1, ALPHAARG1=TEMP)
    s.expect(8, 8, "01234567")


@fact("O38", 1, **WITH_ALPHA)
def last_alpha_disabled(s):
    """The last stage takes the colour of TEMP and, as its alpha operation is DISABLE, the
    alpha of CURRENT"""
    temporary_around_bump(s, CURRENT, ALPHAOP=DISABLE)
    s.expect(8, 8, "00234567")


# ---- missing textures and colours ----


@fact("O39")
def no_texture(s):
    """SELECTARG1 of a texture that is not bound, no diffuse colour: white"""
    s.clear().stage(0, COLOROP=SELECTARG1, COLORARG1=TEXTURE).quad(sets=[UNIT]).expect(
        8, 8, "ffffff"
    )


@fact("O40", 1)
def unbound_texture(s):
    """A texture is bound for one draw and unbound for the next: the current colour passes"""
    s.clear(0xFFFF0000)
    s.show_texture(s.texture((1, 1), dwords(0xFF0000FF)))
    s.quad(color=0x4000FF00, sets=[UNIT]).expect(8, 8, "0000ff").present()
    s.clear(0xFFFF0000).stage(0, TEXTUREMAP=0).blend(SRCALPHA, INVSRCALPHA)
    s.quad(color=0x4000FF00, sets=[UNIT]).expect(8, 8, "bf4000")


@fact("O41", 1)
def missing_colors(s):
    """(DIFFUSE + SPECULAR) * factor of vertices without colours: diffuse 1, specular 0"""
    s.states(TEXTUREFACTOR=0xFF404040)
    s.stage(0, COLOROP=names.ADD, COLORARG1=FROM_DIFFUSE, COLORARG2=FROM_SPECULAR)
    s.stage(1, COLOROP=MODULATE, COLORARG1=CURRENT, COLORARG2=TFACTOR)
    s.quad().expect(8, 8, "404040")


@fact("O43")
def unbound_texture(s):
    """A stage whose COLOROP reads a texture that is not bound ends the cascade: stage 0, and
    one between stages that have textures"""
    green, red = s.texture((1, 1), dwords(0xFF00FF00)), s.texture((1, 1), dwords(0xFFFF0000))
    for stage in (0, 1, 2):
        s.stage(stage, COLOROP=SELECTARG1, COLORARG1=TEXTURE, TEXCOORDINDEX=0)
    s.clear().stage(1, TEXTUREMAP=red).quad(color=0xFF0000FF, sets=[UNIT])
    s.expect(8, 8, "0000ff").present()
    s.stage(0, TEXTUREMAP=green).stage(1, TEXTUREMAP=0).stage(2, TEXTUREMAP=red)
    s.clear().quad(color=0xFF0000FF, sets=[UNIT]).expect(8, 8, "00ff00")
