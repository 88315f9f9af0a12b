"""Shapes as lists of (position, normal, (u, v)) and triangle indices, clockwise from outside."""

import math
import struct

from .matrices import cross, normalize, subtract


def grid(rows, columns, point, is_flipped=False):
    """A grid of rows x columns cells whose vertices are point(i / rows, j / columns).

    Front faces have rows running down and columns running right; `is_flipped`: the other side.
    """
    vertices = [
        point(i / rows, j / columns) for i in range(rows + 1) for j in range(columns + 1)
    ]
    indices = []
    for i in range(rows):
        for j in range(columns):
            a = i * (columns + 1) + j
            b = a + columns + 1
            if is_flipped:
                indices += [a, b, a + 1, b, b + 1, a + 1]
            else:
                indices += [a, a + 1, b, b, a + 1, b + 1]
    return vertices, indices


def sphere(radius, rows=16, columns=24):
    """A globe; v runs from the north pole to the south pole."""

    def point(s, t):
        theta, phi = math.pi * s, 2 * math.pi * t
        n = (math.sin(theta) * math.cos(phi), math.cos(theta), math.sin(theta) * math.sin(phi))
        return tuple(radius * c for c in n), n, (t, s)

    return grid(rows, columns, point)


def torus(major, minor, rows=32, columns=16, knot=None):
    """A ring about the y axis, or a torus knot (p, q)."""
    p, q = knot or (1, 0)

    def center(angle):
        r = major + (0.4 * major * math.cos(q * angle / p) if knot else 0.0)
        return (r * math.cos(angle), 0.45 * major * math.sin(q * angle / p) if knot else 0.0,
                r * math.sin(angle))  # fmt: skip

    def point(s, t):
        a = 2 * math.pi * p * s
        here, ahead = center(a), center(a + 0.001)
        tangent = normalize(subtract(ahead, here))
        side = normalize(cross(tangent, (0.0, 1.0, 0.0)))
        up = cross(side, tangent)
        b = 2 * math.pi * t
        n = tuple(math.cos(b) * side[k] + math.sin(b) * up[k] for k in range(3))
        return tuple(here[k] + minor * n[k] for k in range(3)), n, (8 * s, 2 * t)

    return grid(rows, columns, point, is_flipped=True)


def plane(size, cells=1, repeat=1.0):
    """A square in the xz plane, seen from above."""

    def point(s, t):
        return (size * (t - 0.5), 0.0, size * (0.5 - s)), (0.0, 1.0, 0.0), (repeat * t, repeat * s)

    return grid(cells, cells, point)


def rounded(values):
    """Five decimals: the last bits of sines differ from one C library to the next."""
    return [round(value, 5) + 0.0 for value in values]


def pack(vertices):
    """XYZ|NORMAL|TEX1 vertices of 32 bytes."""
    return b"".join(struct.pack("<8f", *rounded((*p, *n, *uv))) for p, n, uv in vertices)


def pack_indices(indices):
    """16-bit indices."""
    return struct.pack(f"<{len(indices)}H", *indices)
