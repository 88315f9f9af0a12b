"""Scenes about textures: cube maps, bump mapping, mip levels."""

from . import meshes
from .images import bricks, chain, checks, image, ripples, sky, sky_faces
from .lighting import LINEAR, MODULATE, SELECTARG1, textured
from .matrices import IDENTITY, multiply, rotation_x, rotation_y, scaling, translation
from .stage import (
    ADDRESSU,
    ADDRESSV,
    AMBIENT,
    BUMPENVMAT00,
    BUMPENVMAT01,
    BUMPENVMAT10,
    BUMPENVMAT11,
    COLORARG1,
    COLOROP,
    CULLMODE,
    LIGHTING,
    MAGFILTER,
    MINFILTER,
    MIPFILTER,
    NORMALIZENORMALS,
    TEXCOORDINDEX,
    TEXTURE0,
    TEXTUREMAP,
    TEXTURETRANSFORMFLAGS,
    ZWRITEENABLE,
)

CLAMP = 3
CAMERASPACEPOSITION, CAMERASPACEREFLECTIONVECTOR = 0x20000, 0x30000
COUNT3 = 3
BUMPENVMAP = 22


def mirror_ball(stage):
    """A mirroring ball and ring under a painted sky: reflection vectors into a cube map"""
    stage.camera((0.0, 0.9, -4.6), (0.0, 0.0, 0.0))
    stage.clear()
    stage.states((LIGHTING, 0), (NORMALIZENORMALS, 1))
    cube = stage.cube(sky_faces(64), 64)
    stage.stage_states(
        0, (TEXTUREMAP, cube), (COLOROP, SELECTARG1), (COLORARG1, 2), (MAGFILTER, LINEAR), (MINFILTER, LINEAR))
    # The sky itself: a ball around the camera; its position in space is the direction.
    eye_to_world = rotation_x(0.19)
    stage.transform(TEXTURE0, eye_to_world)
    stage.stage_states(0, (TEXCOORDINDEX, CAMERASPACEPOSITION), (TEXTURETRANSFORMFLAGS, COUNT3))
    stage.states((CULLMODE, 1), (ZWRITEENABLE, 0))
    stage.draw(stage.mesh(meshes.sphere(50.0, 12, 16)), translation(0.0, 0.9, -4.6))
    stage.states((CULLMODE, 3), (ZWRITEENABLE, 1))
    stage.stage_states(0, (TEXCOORDINDEX, CAMERASPACEREFLECTIONVECTOR))
    stage.draw(stage.mesh(meshes.sphere(1.0, 24, 36)))
    ring = stage.mesh(meshes.torus(1.6, 0.16, 60, 14))
    stage.draw(ring, multiply(rotation_x(-0.35), rotation_y(0.5)))


def bumpy_water(stage):
    """A floor under water: a V8U8 map of waves bends the coordinates of the picture below"""
    stage.camera((0.0, 2.6, -2.4), (0.0, 0.0, 0.2))
    stage.clear(0xFF101820)
    stage.states((LIGHTING, 0))
    waves = stage.texture([ripples(128)], "V8U8", pixel_bytes=2)
    floor = stage.texture(chain(128, bricks))
    stage.stage_states(
        0, (TEXTUREMAP, waves), (COLOROP, BUMPENVMAP), (COLORARG1, 2), (MAGFILTER, LINEAR), (MINFILTER, LINEAR),
        (BUMPENVMAT00, 0.05), (BUMPENVMAT01, 0.0), (BUMPENVMAT10, 0.0), (BUMPENVMAT11, 0.05))  # fmt: skip
    stage.stage_states(
        1, (TEXTUREMAP, floor), (COLOROP, SELECTARG1), (COLORARG1, 2), (TEXCOORDINDEX, 0),
        (MAGFILTER, LINEAR), (MINFILTER, LINEAR), (MIPFILTER, LINEAR))  # fmt: skip
    stage.draw(stage.mesh(meshes.plane(3.4, 8)), IDENTITY)


def plane_to_the_horizon(stage):
    """A checkered plane to the horizon, trilinear; below it the same with a coloured mip chain"""
    stage.camera((0.0, 0.8, -4.0), (0.0, 0.5, 0.0), far=400.0)
    stage.clear(0xFFB8D0E8)
    stage.states((LIGHTING, 0), (AMBIENT, 0xFFFFFFFF))
    field = checks((0.95, 0.95, 0.9), (0.15, 0.3, 0.2), 2)
    plain = stage.texture(averaged(image(64, field), 64))
    colors = [(1, 1, 1), (1, 0.4, 0.4), (1, 0.8, 0.3), (0.5, 1, 0.4), (0.3, 0.9, 1), (0.4, 0.5, 1), (0.9, 0.4, 1)]
    tinted = stage.texture([
        image(64 >> level, lambda u, v, tint=tint: tuple(a * b for a, b in zip(field(u, v), tint)))
        for level, tint in enumerate(colors)
    ])  # fmt: skip
    half = stage.mesh(meshes.plane(1.0, 16, 40.0))
    for texture, side in ((plain, -1.0), (tinted, 1.0)):
        textured(stage, texture, SELECTARG1)
        stage.draw(half, multiply(scaling(80.0, 1.0, 160.0), translation(40.0 * side, 0.0, 70.0)))


def averaged(data, size):
    """The mip chain of a 32-bit picture by averages of 2x2 pixels."""
    levels = [data]
    while size > 1:
        source, size = levels[-1], size // 2
        row = 8 * size
        levels.append(bytes(
            (source[(2 * y) * row + 8 * x + c] + source[(2 * y) * row + 8 * x + 4 + c]
             + source[(2 * y + 1) * row + 8 * x + c] + source[(2 * y + 1) * row + 8 * x + 4 + c] + 2) // 4
            for y in range(size) for x in range(size) for c in range(4)))  # fmt: skip
    return levels
