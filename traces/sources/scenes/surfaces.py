"""A scene of Bezier patches."""

import math
import struct

from ..dp2 import with_tail
from ..trace import NORMAL, XYZ
from .lighting import DIRECTIONAL, POINT_LIGHT
from .matrices import cross, normalize, rotation_y, subtract
from .meshes import rounded
from .stage import AMBIENT, CULLMODE, NORMALIZENORMALS, SPECULARENABLE, WORLD

# A quarter circle as a cubic Bezier curve: the distance of the inner control points.
KAPPA = 4 / 3 * (math.sqrt(2) - 1)
HASSEGS, HASINFO = 1, 2
BEZIER, CUBIC = 0, 3
SEGMENTS = 10.0

# Profiles as (radius, height): each four points are a cubic curve, neighbours share one.
BODY = [(0.00, 0.00), (0.35, 0.00), (0.75, 0.02), (0.75, 0.12),
        (0.98, 0.25), (1.05, 0.45), (1.05, 0.62), (1.05, 0.92), (0.85, 1.10), (0.70, 1.25)]  # fmt: skip
LID = [(0.70, 1.25), (0.60, 1.34), (0.14, 1.34), (0.10, 1.44),
       (0.05, 1.50), (0.22, 1.66), (0.00, 1.66)]  # fmt: skip
# Paths of a tube as (x, y, radius).
SPOUT = [(0.95, 0.50, 0.26), (1.40, 0.50, 0.22), (1.35, 1.05, 0.12), (1.72, 1.22, 0.10)]
HANDLE = [(-0.92, 1.02, 0.09), (-1.55, 1.10, 0.09), (-1.60, 0.95, 0.09), (-1.55, 0.72, 0.09),
          (-1.50, 0.45, 0.09), (-1.20, 0.35, 0.09), (-0.95, 0.30, 0.09)]  # fmt: skip


def curves(points):
    """The cubic pieces of a chain of control points."""
    return [points[i : i + 4] for i in range(0, len(points) - 3, 3)]


def quarter(index):
    """Control points of a quarter of the unit circle."""
    a = index * math.pi / 2
    c, s = math.cos(a), math.sin(a)
    flat = [(1.0, 0.0), (1.0, KAPPA), (KAPPA, 1.0), (0.0, 1.0)]
    return [(x * c - y * s, x * s + y * c) for x, y in flat]


def lathe(profile):
    """Patches of 4x4 points of a body of revolution."""
    for piece in curves(profile):
        for index in range(4):
            yield [(radius * x, height, radius * z) for radius, height in piece for x, z in quarter(index)]


def tube(path):
    """Patches of a tube along a path in the xy plane."""
    for piece in curves(path):
        for index in range(4):
            points = []
            for k, (x, y, radius) in enumerate(piece):
                ahead, behind = piece[min(k + 1, 3)], piece[max(k - 1, 0)]
                along = normalize((ahead[0] - behind[0], ahead[1] - behind[1], 0.0))
                side = (-along[1], along[0])
                points += [(x + radius * a * side[0], y + radius * a * side[1], radius * b) for a, b in quarter(index)]
            yield points


def normals(points, sign):
    """A normal for each control point, from its neighbours; at a pole from the next row."""
    def point(r, c):
        return points[4 * r + c]

    out = []
    for r in range(4):
        for c in range(4):
            u = subtract(point(r, min(c + 1, 3)), point(r, max(c - 1, 0)))
            v = subtract(point(min(r + 1, 3), c), point(max(r - 1, 0), c))
            if sum(k * k for k in u) < 1e-9:
                row = 1 if r == 0 else 2
                u = subtract(point(row, min(c + 1, 3)), point(row, max(c - 1, 0)))
            n = tuple(sign * k for k in cross(u, v))
            out.append(normalize(n) if sum(k * k for k in n) > 1e-12 else (0.0, 1.0, 0.0))
    return out


def teapot_of_patches(stage):
    """A teapot of cubic Bezier patches, tessellated into ten segments along every edge"""
    stage.camera((0.0, 2.3, -4.0), (0.1, 0.72, 0.0))
    stage.clear(0xFF2A3038)
    stage.light(0, DIRECTIONAL, (0.85, 0.82, 0.78, 1.0), direction=(0.6, -0.8, 0.7), specular=(1.0, 1.0, 1.0, 1.0))
    stage.light(1, POINT_LIGHT, (0.25, 0.3, 0.45, 1.0), position=(-4.0, 1.0, -2.0))
    stage.material((0.75, 0.30, 0.22, 1.0), specular=(0.8, 0.8, 0.8, 1.0), power=40.0)
    stage.states((AMBIENT, 0xFF383840), (SPECULARENABLE, 1), (NORMALIZENORMALS, 1), (CULLMODE, 1))
    patches = [(points, -1) for path in (BODY, LID) for points in lathe(path)]
    patches += [(points, 1) for path in (SPOUT, HANDLE) for points in tube(path)]
    data = b"".join(
        struct.pack("<6f", *rounded((*p, *n))) for points, sign in patches for p, n in zip(points, normals(points, sign)))
    buffer = stage.handle()
    stage.trace.buffer(buffer, data)
    stage.transform(WORLD, rotation_y(0.45))
    stage.stream.op("SETVERTEXSHADERDECL", XYZ | NORMAL)
    stage.stream.op("SETSTREAMSOURCE", (0, buffer, 24))
    segments = struct.pack("<4f", *[SEGMENTS] * 4)
    for index in range(len(patches)):
        info = stage.stream.struct("D3DRECTPATCH_INFO", 0, 4 * index, 4, 4, 4, BEZIER, CUBIC)
        stage.stream.op("DRAWRECTPATCH", with_tail(0, HASSEGS | HASINFO, tail=segments + info))
