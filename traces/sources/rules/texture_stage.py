"""Texture stage states: DP2-TSS-*."""

from ..assembly import Code
from ..dp2 import bits, dwords, with_tail
from ..state_pairs import BUFFER, INFINITY, TEXTURED, Pairs, Scene, vertices_of
from ..trace import DIFFUSE, TEX1, XYZ

TEXTUREMAP, COLOROP, COLORARG1, COLORARG2, ALPHAOP, ALPHAARG1 = range(6)
BUMPENVMAT00, TEXCOORDINDEX, ADDRESSU, MAGFILTER, MINFILTER, MIPFILTER = 7, 11, 13, 16, 17, 18
MAXMIPLEVEL, MAXANISOTROPY, BUMPENVLSCALE, TEXTURETRANSFORMFLAGS = 20, 21, 22, 24
RESULTARG, CONSTANT, DISABLETEXTURECOLORKEY = 28, 32, 33
DISABLE, SELECTARG1, SELECTARG2, BUMPENVMAP = 1, 2, 3, 22
FROM_DIFFUSE = 0
# D3DPTFILTERCAPS: MINFPOINT, MINFLINEAR, MIPFPOINT, MAGFPOINT, MAGFLINEAR
POINT_ONLY, LINEAR_TOO = 0x01010100, 0x03010300


def one(state, stage=0, **fields):
    """A builder: the state of a stage is set to the value."""
    return lambda value: Scene(**fields).stages((stage, state, value), at=0).end()


def places(p):
    """Stages and numbers."""
    p.add("DP2-TSS-001", "combiner-8",
          lambda stage: Scene().stages((stage, COLOROP, 1), at=0).end(), 8, 7)  # fmt: skip
    p.add("DP2-TSS-001", "sampler-16",
          lambda stage: Scene().stages((stage, ADDRESSU, 1), at=0).end(), 16, 15)  # fmt: skip
    p.add("DP2-TSS-001", "sampler-261",
          lambda stage: Scene().stages((stage, ADDRESSU, 1), at=0).end(), 261, 260)  # fmt: skip
    p.add("DP2-TSS-001", "sampler-8-at-level-8",
          lambda stage: Scene(8).stages((stage, ADDRESSU, 1), at=0).end(), 8, 7)  # fmt: skip
    p.add("DP2-TSS-002", "number-35",
          lambda number: Scene().stages((0, number, 0), at=0).end(), 35, CONSTANT)  # fmt: skip
    p.add("DP2-TSS-003", "constant-at-level-8",
          lambda level: Scene(level).stages((0, CONSTANT, 0), at=0).end(), 8, 9)  # fmt: skip
    p.add("DP2-TSS-004", "colour-key",
          lambda number: Scene().stages((0, number, 1), at=0).end(),
          DISABLETEXTURECOLORKEY, CONSTANT)  # fmt: skip

    def handle(value):
        return (Scene(7).texture(4, levels=2, handles=[5])
                .stages((0, TEXTUREMAP, value), at=0).end())  # fmt: skip

    p.add("DP2-TSS-005", "never-created", handle, 6, 4)
    p.add("DP2-TSS-006", "sub-level", handle, 5, 4)
    p.add("DP2-TSS-006", "target", handle, 1, 0)


def single_values(p):
    """What one record shows."""
    p.add("DP2-TSS-007", "colour-27", one(COLOROP), 27, 26)
    p.add("DP2-TSS-007", "alpha-0", one(ALPHAOP), 0, 1)
    p.add("DP2-TSS-007", "colour-25-at-level-7", one(COLOROP, level=7), 25, 24)
    p.add("DP2-TSS-008", "bump", one(ALPHAOP), 23, 24)
    p.add("DP2-TSS-008", "modulatealpha-addcolor", one(ALPHAOP), 18, 17)
    p.add("DP2-TSS-010", "bit-6", one(COLORARG1), 0x42, 0x32)
    p.add("DP2-TSS-010", "selector-7", one(COLORARG2), 7, 6)
    p.add("DP2-TSS-010", "selector-6-at-level-8", one(ALPHAARG1, level=8), 6, 5)
    p.add("DP2-TSS-010", "selector-4-at-level-6", one(ALPHAARG1, level=6), 4, 3)
    p.add("DP2-TSS-011", "texture", one(RESULTARG), 2, 5)
    p.add("DP2-TSS-011", "modifier", one(RESULTARG), 0x11, 0x1)
    p.add("DP2-TSS-013", "coordinate-set-8", one(TEXCOORDINDEX), 8, 7)
    p.add("DP2-TSS-013", "generation-5", one(TEXCOORDINDEX), 0x50000, 0x40000)
    p.add("DP2-TSS-013", "generation-4-at-level-7", one(TEXCOORDINDEX, level=7), 0x40000, 0x30000)
    p.add("DP2-TSS-013", "generation-1-at-level-6", one(TEXCOORDINDEX, level=6), 0x10000, 1)
    p.add("DP2-TSS-016", "count-5", one(TEXTURETRANSFORMFLAGS), 5, 4)
    p.add("DP2-TSS-016", "bit-9", one(TEXTURETRANSFORMFLAGS), 0x302, 0x102)
    p.add("DP2-TSS-017", "projected-alone", one(TEXTURETRANSFORMFLAGS), 0x100, 0x101)
    p.add("DP2-TSS-018", "address-6", one(ADDRESSU), 6, 5)
    p.add("DP2-TSS-018", "mirror-once-at-level-7", one(ADDRESSU, level=7), 5, 4)
    p.add("DP2-TSS-019", "mip-3-of-runtime-9", one(MIPFILTER), 3, 2)
    p.add("DP2-TSS-019", "mip-0-of-runtime-7", one(MIPFILTER, level=7), 0, 1)
    p.add("DP2-TSS-019", "min-4-of-runtime-7", one(MINFILTER, level=7), 4, 3)
    p.add("DP2-TSS-020", "min-filter", one(MINFILTER), 0, 1)
    p.add("DP2-TSS-022", "zero", one(MAXANISOTROPY), 0, 1)
    p.add("DP2-TSS-024", "eight", one(BUMPENVMAT00), bits(8.0), 0x40FFFFFF)
    p.add("DP2-TSS-024", "below-minus-eight", one(BUMPENVMAT00), 0xC1000001, 0xC1000000)
    p.add("DP2-TSS-025", "infinity", one(BUMPENVLSCALE), INFINITY, 0x7F7FFFFF)


def cascades(p):
    """Draws whose stages do not fit together."""
    p.add("DP2-TSS-009", "alpha-disabled",
          lambda v: Scene(7).stages((0, COLOROP, SELECTARG2), (0, COLORARG2, FROM_DIFFUSE),
                                    (0, ALPHAOP, v)).draw().end(), DISABLE, SELECTARG2)  # fmt: skip
    p.add("DP2-TSS-012", "stage-0", lambda v: Scene().stages((0, RESULTARG, v)).draw().end(), 5, 1)

    def bump(pixel_format, last_operation):
        return (Scene(7).texture(4, pixel_format=pixel_format).texture(5)
                .stages((0, TEXTUREMAP, 4), (0, COLOROP, BUMPENVMAP), (1, TEXTUREMAP, 5),
                        (1, TEXCOORDINDEX, 0), (1, ALPHAOP, SELECTARG1),
                        (1, COLOROP, last_operation)).draw(TEXTURED).end())  # fmt: skip

    p.add("DP2-TSS-026", "colours", lambda f: bump(f, SELECTARG1), "A8R8G8B8", "V8U8")
    p.add("DP2-TSS-027", "stage-0", lambda op: bump("V8U8", op), DISABLE, SELECTARG1)


def textured(level=7, **fields):
    """A scene whose stage 0 shows texture 4 of the given kind."""
    return Scene(level, **fields.pop("scene", {})).texture(4, **fields)


def textures(p):
    """Draws whose stages do not fit their textures."""
    p.add("DP2-TSS-014", "set-1-of-one",
          lambda v: textured().stages((0, TEXTUREMAP, 4), (0, TEXCOORDINDEX, v))
          .draw(TEXTURED).end(), 1, 0)  # fmt: skip
    p.add("DP2-TSS-015", "stage-0", vertex_shader, 1, 0)
    p.add("DP2-TSS-021", "one-level",
          lambda v: textured(9).stages((0, TEXTUREMAP, 4), (0, MIPFILTER, v))
          .draw(TEXTURED).end(), 1, 0)  # fmt: skip
    p.add("DP2-TSS-023", "level-2-of-2",
          lambda v: textured(9, levels=2).stages((0, TEXTUREMAP, 4), (0, MAXMIPLEVEL, v))
          .draw(TEXTURED).end(), 2, 1)  # fmt: skip
    p.add("DP2-TSS-028", "target", feedback, 3, 4)
    p.add("DP2-TSS-028", "target-of-a-pixel-shader", shader_feedback, 1, 0)
    p.add("DP2-TSS-029", "linear",
          lambda caps: textured(9, pixel_format="A16B16G16R16F",
                                scene={"caps": {"texture_filter_caps": caps}})
          .stages((0, TEXTUREMAP, 4), (0, MINFILTER, 2)).draw(TEXTURED).end(),
          POINT_ONLY, LINEAR_TOO)  # fmt: skip


def vertex_shader(index):
    """A vertex shader hands on its coordinates; stage 0 has the TEXCOORDINDEX."""
    code = Code("vs_1_1; mov oPos, v0; mov oD0, v5; mov oT0, v7").data
    declaration = dwords(0x20000000, 0x40020000, 0x40040005, 0x40010007, 0xFFFFFFFF)
    scene = textured(8)
    scene.trace.buffer(BUFFER, vertices_of(XYZ | DIFFUSE | TEX1))
    scene.op("CREATEVERTEXSHADER",
             with_tail(17, len(declaration), len(code), tail=declaration + code))  # fmt: skip
    scene.op("SETVERTEXSHADER", 17).op("SETSTREAMSOURCE", (0, BUFFER, 24))
    scene.stages((0, TEXTUREMAP, 4), (0, TEXCOORDINDEX, index))
    return scene.draw_again().end()


def feedback_trace(scene):
    """A texture that is the render target of the context."""
    scene.trace.add("surface_create", handle=3, caps=["3DDEVICE", "TEXTURE", "VIDEOMEMORY"],
                    format="A8R8G8B8", width=64, height=64)  # fmt: skip
    scene.context["target"] = 3
    return scene


def feedback(texture):
    """Stage 0 reads texture 3 or 4; 3 is the target."""
    return feedback_trace(textured()).stages((0, TEXTUREMAP, texture)).draw(TEXTURED).end()


def shader_feedback(sampler):
    """Texture 3, the target, is in stage 1, and a pixel shader samples the stage or not."""
    code = Code(f"ps_1_1; tex t{sampler}; mov r0, t{sampler}").data
    scene = feedback_trace(textured(9))
    scene.op("CREATEPIXELSHADER", with_tail(18, len(code), tail=code)).op("SETPIXELSHADER", 18)
    return scene.stages((0, TEXTUREMAP, 4), (1, TEXTUREMAP, 3)).draw(TEXTURED).end()


def _pairs():
    p = Pairs()
    places(p)
    single_values(p)
    cascades(p)
    textures(p)
    return p


def cases():
    """Yields every Case."""
    return _pairs().broken


def accepted():
    """Yields (rule, name, Trace)."""
    return _pairs().legal
