"""Scenes about light: materials, fog, shadow volumes."""

import math

from . import meshes
from .images import bricks, chain, checks
from .matrices import multiply, rotation_x, rotation_y, scaling, translation
from .stage import (
    ALPHABLENDENABLE,
    ALPHAOP,
    AMBIENT,
    COLORARG1,
    COLORARG2,
    COLOROP,
    COLORWRITEENABLE,
    CULLMODE,
    DESTBLEND,
    FOGCOLOR,
    FOGDENSITY,
    FOGENABLE,
    FOGTABLEMODE,
    LIGHTING,
    MAGFILTER,
    MINFILTER,
    MIPFILTER,
    SPECULARENABLE,
    SRCBLEND,
    STENCILENABLE,
    STENCILFAIL,
    STENCILFUNC,
    STENCILPASS,
    STENCILREF,
    STENCILZFAIL,
    TEXTUREMAP,
    ZFUNC,
    ZWRITEENABLE,
)

MODULATE, SELECTARG1, SELECTARG2 = 4, 2, 3
POINT, LINEAR = 1, 2
ALWAYS, NOTEQUAL, LESS = 8, 6, 2
KEEP, INCR, DECR = 1, 7, 8
POINT_LIGHT, DIRECTIONAL = 1, 3


def textured(stage, texture, operation=MODULATE):
    """Stage 0 with trilinear filtering."""
    stage.stage_states(
        0, (TEXTUREMAP, texture), (COLOROP, operation), (COLORARG1, 2), (COLORARG2, 0),
        (MAGFILTER, LINEAR), (MINFILTER, LINEAR), (MIPFILTER, LINEAR))  # fmt: skip


def lit_textured_knot(stage):
    """A torus knot of brick under a white sun and a blue lamp, with specular highlights"""
    stage.camera((0.0, 2.2, -5.2), (0.0, 0.0, 0.0))
    stage.clear(0xFF182028)
    textured(stage, stage.texture(chain(64, bricks)))
    stage.material((1.0, 1.0, 1.0, 1.0), specular=(0.7, 0.7, 0.7, 1.0), power=24.0)
    stage.light(0, DIRECTIONAL, (0.95, 0.9, 0.8, 1.0), direction=(0.5, -0.7, 0.6), specular=(1.0, 1.0, 1.0, 1.0))
    stage.light(1, POINT_LIGHT, (0.2, 0.35, 1.0, 1.0), position=(-3.0, -1.0, -2.0), attenuation=(0.4, 0.15, 0.0))
    stage.states((AMBIENT, 0xFF303038), (SPECULARENABLE, 1))
    knot = stage.mesh(meshes.torus(1.35, 0.34, 120, 14, knot=(2, 3)))
    stage.draw(knot, rotation_x(-0.5))


def columns_in_fog(stage):
    """Rows of columns that vanish in exponential table fog"""
    fog = 0xFFB8C4CC
    stage.camera((0.6, 1.7, -2.0), (0.0, 1.1, 6.0))
    stage.clear(fog)
    stage.states((FOGENABLE, 1), (FOGCOLOR, fog), (FOGTABLEMODE, 1), (FOGDENSITY, 0.13), (AMBIENT, 0xFF505058))
    stage.light(0, DIRECTIONAL, (0.9, 0.85, 0.75, 1.0), direction=(0.6, -0.6, 0.5))
    stage.material((1.0, 1.0, 1.0, 1.0))
    textured(stage, stage.texture(chain(64, checks((0.45, 0.42, 0.36), (0.62, 0.6, 0.52), 2))))
    stage.draw(stage.mesh(meshes.plane(60.0, 4, 30.0)), translation(0.0, 0.0, 20.0))
    column = stage.mesh(meshes.grid(1, 20, column_point, is_flipped=True))
    textured(stage, stage.texture(chain(32, lambda u, v: (0.78, 0.74, 0.66))))
    for row in range(10):
        for x in (-1.7, 1.7):
            stage.draw(column, translation(x, 0.0, 1.5 + 2.2 * row))


def column_point(s, t):
    """The wall of a column of radius 0.32 and height 3."""
    angle = 2 * math.pi * t
    n = (math.cos(angle), 0.0, math.sin(angle))
    return (0.32 * n[0], 3.0 * s, 0.32 * n[2]), n, (4 * t, 2 * s)


def stencil_shadow(stage):
    """A ring above a floor; its shadow volume is counted in the stencil buffer, depth fail"""
    stage.camera((0.5, 3.2, -4.6), (0.0, 0.3, 0.2))
    stage.clear(0xFF20242C)
    sun = (0.55, -1.0, 0.35)
    stage.light(0, DIRECTIONAL, (0.9, 0.9, 0.85, 1.0), direction=sun)
    stage.states((AMBIENT, 0xFF404048))
    stage.material((1.0, 1.0, 1.0, 1.0))
    textured(stage, stage.texture(chain(64, checks((0.75, 0.75, 0.7), (0.5, 0.52, 0.55), 8))))
    floor = stage.mesh(meshes.plane(7.0))
    stage.draw(floor)
    ring = meshes.torus(1.0, 0.3, 40, 16)
    place = multiply(rotation_x(-0.8), rotation_y(0.4), translation(-0.2, 1.4, 0.0))
    stage.material((0.9, 0.45, 0.15, 1.0))
    stage.stage_states(0, (COLOROP, SELECTARG2), (TEXTUREMAP, 0))
    stage.draw(stage.mesh(ring), place)
    draw_shadow(stage, shadow_volume(ring, place, sun))


def shadow_volume(shape, place, sun):
    """The closed volume behind the lit triangles of a shape, in world space."""
    vertices, indices = shape
    points = [
        tuple(sum((*p, 1.0)[k] * place[4 * k + j] for k in range(4)) for j in range(3))
        for p, _, _ in vertices
    ]
    keys = [tuple(round(c, 4) for c in p) for p in points]
    far = [tuple(p[k] + 4.0 * sun[k] for k in range(3)) for p in points]
    # A little behind the lit surface, which the near cap would otherwise cut.
    points = [tuple(p[k] + 0.04 * sun[k] for k in range(3)) for p in points]
    out = []

    def add(*corners):
        out.extend(corners)

    edges = {}
    for a, b, c in zip(*[iter(indices)] * 3):
        p, q, r = points[a], points[b], points[c]
        u, v = [q[k] - p[k] for k in range(3)], [r[k] - p[k] for k in range(3)]
        normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        if sum(n * s for n, s in zip(normal, sun)) >= 0:
            continue
        add(points[a], points[b], points[c])
        add(far[a], far[c], far[b])
        for i, j in ((a, b), (b, c), (c, a)):
            edges.setdefault((keys[i], keys[j]), (i, j))
    for (first, second), (i, j) in edges.items():
        if (second, first) not in edges:
            add(points[i], far[i], points[j])
            add(points[j], far[i], far[j])
    return [(p, (0.0, 1.0, 0.0), (0.0, 0.0)) for p in out], list(range(len(out)))


def draw_shadow(stage, volume):
    """Counts the volume's faces behind what is drawn, then darkens where the count is not 0."""
    mesh = stage.mesh(volume)
    stage.states((ZWRITEENABLE, 0), (COLORWRITEENABLE, 0), (ZFUNC, LESS), (STENCILENABLE, 1), (STENCILFUNC, ALWAYS),
                 (STENCILFAIL, KEEP), (STENCILPASS, KEEP))  # fmt: skip
    stage.states((CULLMODE, 2), (STENCILZFAIL, INCR))
    stage.draw(mesh)
    stage.states((CULLMODE, 3), (STENCILZFAIL, DECR))
    stage.draw(mesh)
    stage.states((COLORWRITEENABLE, 15), (STENCILFUNC, NOTEQUAL), (STENCILREF, 0), (STENCILZFAIL, KEEP),
                 (ZFUNC, ALWAYS), (LIGHTING, 0), (ALPHABLENDENABLE, 1), (SRCBLEND, 1), (DESTBLEND, 3), (CULLMODE, 1))  # fmt: skip
    # Dims by a grey: destination * (1 - source).
    stage.states((60, 0xFF909090))
    stage.stage_states(0, (COLOROP, SELECTARG1), (COLORARG1, 3), (ALPHAOP, SELECTARG1))
    stage.camera((0.0, 5.0, -0.01), (0.0, 0.0, 0.0))
    stage.draw(stage.mesh(meshes.plane(40.0)), scaling(1.0, 1.0, 1.0))
