"""Transforms, viewport, clip planes and scissor: DP2-XFORM-*, DP2-VIEW-*."""

import math

from ..state_pairs import CLIP, TEXTURED, Pairs, Scene
from ..trace import DIFFUSE, TEX1, XYZ

IDENTITY = (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0)
SHIFTED = IDENTITY[:8] + (0.5, 0, 1.0, 0) + IDENTITY[12:]
WORLD, VIEW, PROJECTION, TEXTURE0, WORLDMATRIX = 1, 2, 3, 16, 256
LIGHTING, CLIPPLANEENABLE, SCISSORTESTENABLE, TEXTURETRANSFORMFLAGS = 137, 152, 174, 24
ABOVE_1 = 1.0000001192092896


def transform(number, matrix=IDENTITY, **fields):
    """One SETTRANSFORM; its record is at 4."""
    return Scene(**fields).op("SETTRANSFORM", (number, *matrix), at=0).end()


def transforms(p):
    """DP2-XFORM-*."""
    p.add("DP2-XFORM-001", "number-7", lambda n: transform(n, level=7), 7, 6)
    p.add("DP2-XFORM-001", "number-24", lambda n: transform(n, level=7), 24, 23)
    p.add("DP2-XFORM-001", "number-512", lambda n: transform(n), 512, 511)
    p.add("DP2-XFORM-002", "world-of-runtime-9", transform, WORLD, WORLDMATRIX)
    p.add("DP2-XFORM-002", "world-matrix-of-runtime-7",
          lambda n: transform(n, level=7), WORLDMATRIX, WORLD)  # fmt: skip
    p.add("DP2-XFORM-003", "view", transform, 0x80000000 + VIEW, VIEW)
    p.add("DP2-XFORM-004", "view",
          lambda v: transform(VIEW, IDENTITY[:12] + (v,) + IDENTITY[13:]), math.inf, 3.0)  # fmt: skip

    def texture_matrix(flags):
        return (Scene(7).texture().op("SETTRANSFORM", (TEXTURE0, *SHIFTED)).lit_off()
                .op("TEXTURESTAGESTATE", (0, 0, 4), (0, TEXTURETRANSFORMFLAGS, flags))
                .draw(XYZ | DIFFUSE | TEX1).end())  # fmt: skip

    p.add("DP2-XFORM-005", "stage-0", texture_matrix, 0, 2)
    p.add("DP2-XFORM-006", "w-is-zero",
          lambda v: transform(PROJECTION, IDENTITY[:15] + (v,)), 0.0, 1.0)  # fmt: skip
    p.add("DP2-XFORM-006", "column-of-zeros",
          lambda v: transform(PROJECTION, (v,) + IDENTITY[1:]), 0.0, 0.25)  # fmt: skip
    p.add("DP2-XFORM-007", "matrix-4",
          lambda n: transform(n, caps={"max_vertex_blend_matrix_index": 3}),
          WORLDMATRIX + 4, WORLDMATRIX + 3)  # fmt: skip
    p.add("DP2-XFORM-008", "view-was-never-set",
          lambda n: Scene().op("SETTRANSFORM", (n, *IDENTITY))
          .op("MULTIPLYTRANSFORM", (VIEW, *SHIFTED), at=0).end(), PROJECTION, VIEW)  # fmt: skip


def viewport(rectangle, level=9):
    """One VIEWPORTINFO, without a draw."""
    return Scene(level).op("VIEWPORTINFO", rectangle, at=0).end()


def scissor(rectangle):
    """One SETSCISSORRECT, without a draw."""
    return Scene().op("SETSCISSORRECT", rectangle, at=0).end()


def plane(index=0, normal=(0.0, 1.0, 0.0), **fields):
    """One SETCLIPPLANE."""
    return Scene(**fields).op("SETCLIPPLANE", (index, *normal, 0.5), at=0).end()


def views(p):
    """DP2-VIEW-*."""
    p.add("DP2-VIEW-001", "no-width", lambda w: viewport((0, 0, w, 64)), 0, 1)
    p.add("DP2-VIEW-001", "no-height", lambda h: viewport((0, 0, 64, h)), 0, 1)
    p.add("DP2-VIEW-002", "right", lambda x: viewport((x, 0, 1, 64)), 0xFFFFFFFF, 0xFFFFFFFE)
    p.add("DP2-VIEW-003", "one-column",
          lambda w: Scene(7).op("VIEWPORTINFO", (0, 0, w, 64)).draw().end(), 65, 64)  # fmt: skip
    p.add("DP2-VIEW-004", "plane", lambda v: plane(normal=(v, 1.0, 0.0)), math.nan, 0.0)
    p.add("DP2-VIEW-004", "depth-range",
          lambda v: Scene().op("ZRANGE", (v, 1.0), at=0).end(), math.nan, 0.0)  # fmt: skip
    p.add("DP2-VIEW-004", "w-range",
          lambda v: Scene().op("WINFO", (1.0, v), at=0).end(), math.inf, 3e38)  # fmt: skip
    p.add("DP2-VIEW-005", "above-1",
          lambda v: Scene().op("ZRANGE", (0.0, v), at=0).end(), ABOVE_1, 1.0)  # fmt: skip
    p.add("DP2-VIEW-005", "negative",
          lambda v: Scene().op("ZRANGE", (v, 1.0), at=0).end(), -0.25, -0.0)  # fmt: skip
    p.add("DP2-VIEW-006", "exchanged",
          lambda v: Scene().op("ZRANGE", (0.5, v), at=0).end(), 0.25, 0.5)  # fmt: skip
    p.add("DP2-VIEW-007", "equal",
          lambda v: Scene().op("WINFO", (1.0, v), at=0).end(), 1.0, 1.5)  # fmt: skip
    p.add("DP2-VIEW-007", "near-is-0",
          lambda v: Scene().op("WINFO", (v, 1.0), at=0).end(), 0.0, 0.5)  # fmt: skip
    p.add("DP2-VIEW-008", "plane-32", plane, 32, 31)
    p.add("DP2-VIEW-009", "plane-6-of-6",
          lambda n: plane(n, caps={"max_user_clip_planes": 6}), 6, 5)  # fmt: skip

    def normal(y):
        return (Scene(7).op("SETCLIPPLANE", (0, 0.0, y, 0.0, 0.5))
                .states((LIGHTING, 0), (CLIPPLANEENABLE, 1)).draw(CLIP).end())  # fmt: skip

    p.add("DP2-VIEW-010", "no-normal", normal, 0.0, 1.0)
    p.add("DP2-VIEW-011", "left-above-right", scissor, (10, 10, 9, 20), (10, 10, 10, 20))
    p.add("DP2-VIEW-011", "negative", scissor, (0, -1, 9, 20), (0, 0, 9, 20))
    p.add("DP2-VIEW-012", "one-row",
          lambda bottom: Scene().op("SETSCISSORRECT", (0, 0, 64, bottom))
          .states((SCISSORTESTENABLE, 1)).draw(TEXTURED).end(), 65, 64)  # fmt: skip


def _pairs():
    p = Pairs()
    transforms(p)
    views(p)
    return p


def cases():
    """Yields every Case."""
    return _pairs().broken


def accepted():
    """Yields (rule, name, Trace)."""
    return _pairs().legal
