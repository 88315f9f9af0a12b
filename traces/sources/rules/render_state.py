"""Render states: DP2-RS-*."""

from ..dp2 import bits
from ..state_pairs import CLIP, NAN, SCREEN, Pairs, Scene, vertices_of
from ..trace import DIFFUSE

WRAP0, CLIPPLANEENABLE, COLORWRITEENABLE, VERTEXBLEND = 128, 152, 168, 151
FOGENABLE, FOGTABLEMODE, FOGSTART, FOGEND, FOGDENSITY = 28, 35, 36, 37, 38
STENCILENABLE, STENCILREF, CULLMODE, TWOSIDEDSTENCILMODE = 52, 57, 22, 185
SCENECAPTURE, EVICTMANAGEDTEXTURES, TEXTUREHANDLE, ZENABLE = 62, 61, 1, 7
POINTSIZE, POINTSIZE_MIN, POINTSIZE_MAX, LIGHTING = 154, 155, 166, 137
PATCHSEGMENTS, MINTESSELLATIONLEVEL, MAXTESSELLATIONLEVEL, ADAPTIVE = 164, 178, 179, 184
OVERRIDE = 256
LINEAR_FOG, USEW = 3, 2
XYZB1 = 0x006


def one(number, **fields):
    """A builder: the state with this number is set to the value."""
    return lambda value: Scene(**fields).states((number, value), at=0).end()


def single_values(p):
    """What one record shows."""
    p.add("DP2-RS-001", "number-210", lambda n: Scene().states((n, 1), at=0).end(), 210, 209)
    p.add("DP2-RS-001", "number-63", lambda n: Scene(7).states((n, 0), at=0).end(), 63, 64)
    p.add("DP2-RS-001", "number-512", lambda n: Scene(7).states((n, 0), at=0).end(), 512, 7)
    p.add("DP2-RS-002", "level-8", lambda level: Scene(level).states((174, 1), at=0).end(), 8, 9)
    p.add("DP2-RS-003", "zbias-of-runtime-9",
          lambda version: Scene(runtime_version=version).states((47, 1), at=0).end(), 5, 4)  # fmt: skip
    p.add("DP2-RS-004", "compare-function-9", one(23), 9, 8)
    p.add("DP2-RS-004", "fill-mode-0", one(8), 0, 1)
    p.add("DP2-RS-004", "blend-operation-6", one(171), 6, 5)
    p.add("DP2-RS-005", "dither-2", one(26), 2, 1)
    p.add("DP2-RS-006", "source-16", one(19), 16, 15)
    p.add("DP2-RS-006", "source-18-of-9ex", one(19, d3d9ex=True), 18, 17)
    p.add("DP2-RS-007", "destination-12", one(20), 12, 11)
    p.add("DP2-RS-007", "destination-alpha-13", one(208), 13, 14)
    p.add("DP2-RS-008", "blend-factor-at-level-8", one(19, level=8), 14, 13)
    p.add("DP2-RS-009", "phong", one(9), 3, 2)
    p.add("DP2-RS-010", "repeat-256", one(10, level=8), 0xFFFF0100, 0xFFFF00FF)
    p.add("DP2-RS-011", "reference-256", one(24), 256, 255)
    p.add("DP2-RS-013", "fog-start", one(FOGSTART), NAN, 0x7F7FFFFF)
    p.add("DP2-RS-014", "above-1", one(FOGDENSITY), 0x3F800001, 0x3F800000)
    p.add("DP2-RS-014", "negative", one(FOGDENSITY), bits(-0.5), 0x80000000)
    p.add("DP2-RS-016", "bit-4", one(WRAP0), 0x1F, 0xF)
    p.add("DP2-RS-016", "level-6-bit-2", one(WRAP0, level=6), 4, 3)
    p.add("DP2-RS-017", "plane-6-of-6", one(CLIPPLANEENABLE, caps={"max_user_clip_planes": 6}),
          0x40, 0x20)  # fmt: skip
    p.add("DP2-RS-019", "bit-4", one(COLORWRITEENABLE), 0x1F, 0xF)
    p.add("DP2-RS-020", "bias-17", one(47, level=8), 17, 16)
    p.add("DP2-RS-021", "value-4", one(VERTEXBLEND), 4, 3)
    p.add("DP2-RS-021", "tweening-at-level-7", one(VERTEXBLEND, level=7), 255, 3)
    p.add("DP2-RS-023", "below-0", one(POINTSIZE), bits(-1.0), 0)
    p.add("DP2-RS-025", "override-of-runtime-8",
          lambda n: Scene(8).states((n, 0), at=0).end(), OVERRIDE + ZENABLE, ZENABLE)  # fmt: skip
    p.add("DP2-RS-025", "override-of-state-0",
          lambda n: Scene(7).states((n, 0), at=0).end(), OVERRIDE, ZENABLE)  # fmt: skip
    p.add("DP2-RS-026", "zenable",
          lambda n: Scene(7).states((n, 0), at=0).end(), OVERRIDE + ZENABLE, ZENABLE)  # fmt: skip
    p.add("DP2-RS-031", "decal-mask", one(21, level=6), 5, 4)
    p.add("DP2-RS-032", "mip-nearest", one(17, level=6), 3, 2)
    p.add("DP2-RS-033", "below-1", one(MINTESSELLATIONLEVEL), bits(0.5), bits(1.0))
    p.add("DP2-RS-034", "position-quadratic", one(172), 2, 3)
    p.add("DP2-RS-034", "normal-cubic", one(173), 3, 2)
    p.add("DP2-RS-035", "three", one(196), 3, 4)


def histories(p):
    """What hangs on earlier records, or on objects."""
    p.add("DP2-RS-027", "begins-twice",
          lambda v: Scene(7).states((SCENECAPTURE, 1), (SCENECAPTURE, v), at=1).end(), 1, 0)  # fmt: skip
    p.add("DP2-RS-027", "ends-without-beginning",
          lambda v: Scene(7).states((SCENECAPTURE, v), at=0).end(), 0, 1)  # fmt: skip
    p.add("DP2-RS-039", "fill-mode", lambda v: Scene().states((8, 3), (8, v), at=1).end(), 3, 2)

    def draw_between(draws):
        scene = Scene().states((8, 3))
        if draws:
            scene.draw()
        return scene.op("ZRANGE", (0.0, 1.0)).states((8, 3), at=0).end()

    p.add("DP2-RS-039", "without-a-draw-between", draw_between, False, True)

    def scene_of_draw(is_over):
        scene = Scene(8)
        if is_over:
            return scene.states((SCENECAPTURE, 1), (SCENECAPTURE, 0)).draw().end()
        return scene.states((SCENECAPTURE, 1)).draw().states((SCENECAPTURE, 0)).end()

    p.add("DP2-RS-028", "after-the-scene", scene_of_draw, True, False)

    def eviction(caps2):
        return Scene(7).texture(caps2=caps2).states((EVICTMANAGEDTEXTURES, 1), at=0).end()

    p.add("DP2-RS-029", "no-managed-texture", eviction, [], ["TEXTUREMANAGE"])
    p.add("DP2-RS-030", "never-created",
          lambda handle: Scene(7, runtime_version=2).texture(4)
          .states((TEXTUREHANDLE, handle), at=0).end(), 5, 4)  # fmt: skip


def depth_draws(p):
    """Draws that combine states with the depth surface."""
    p.add("DP2-RS-012", "reference-256",
          lambda v: Scene().depth().states((STENCILENABLE, 1), (STENCILREF, v)).draw().end(),
          256, 255)  # fmt: skip
    p.add("DP2-RS-036", "never-sent",
          lambda is_sent: (Scene(7).op("WINFO", (1.0, 100.0)) if is_sent else Scene(7)).depth()
          .states((ZENABLE, USEW)).draw().end(), False, True)  # fmt: skip
    p.add("DP2-RS-037", "no-stencil",
          lambda f: Scene().depth(f).states((STENCILENABLE, 1)).draw().end(), "D16", "D24S8")  # fmt: skip
    p.add("DP2-RS-038", "culls-clockwise",
          lambda v: Scene().depth().states((STENCILENABLE, 1), (TWOSIDEDSTENCILMODE, 1),
                                           (CULLMODE, v)).draw().end(), 2, 1)  # fmt: skip


def vertex_draws(p):
    """Draws that combine states with each other and with the vertices."""
    p.add("DP2-RS-015", "no-distance",
          lambda end: Scene().states((FOGENABLE, 1), (FOGTABLEMODE, LINEAR_FOG),
                                     (FOGSTART, bits(0.5)), (FOGEND, bits(end))).draw().end(),
          0.5, 0.75)  # fmt: skip

    def clip_plane(index):
        return (Scene(7).op("SETCLIPPLANE", (index, 0.0, 1.0, 0.0, 0.5))
                .states((LIGHTING, 0), (CLIPPLANEENABLE, 2)).draw(CLIP).end())  # fmt: skip

    p.add("DP2-RS-018", "plane-1", clip_plane, 0, 1)
    blended = XYZB1 | DIFFUSE
    p.add("DP2-RS-022", "two-weights",
          lambda v: Scene(7).states((LIGHTING, 0), (VERTEXBLEND, v))
          .draw(blended, vertices_of(blended)).end(), 2, 1)  # fmt: skip
    p.add("DP2-RS-023", "minimum-above-maximum",
          lambda v: Scene().states((POINTSIZE_MIN, bits(v))).draw(SCREEN).end(), 65.0, 64.0)  # fmt: skip
    p.add("DP2-RS-024", "default-of-64",
          lambda v: Scene(caps={"max_point_size": v}).draw(SCREEN).end(), 63.0, 64.0)  # fmt: skip
    p.add("DP2-RS-033", "minimum-above-maximum",
          lambda v: Scene().states((PATCHSEGMENTS, bits(2.0)), (MINTESSELLATIONLEVEL, bits(v)),
                                   (MAXTESSELLATIONLEVEL, bits(2.0)), (ADAPTIVE, 1))
          .draw(SCREEN).end(), 3.0, 2.0)  # fmt: skip


def _pairs():
    p = Pairs()
    single_values(p)
    histories(p)
    depth_draws(p)
    vertex_draws(p)
    return p


def cases():
    """Yields every Case."""
    return _pairs().broken


def accepted():
    """Yields (rule, name, Trace)."""
    return _pairs().legal
