"""Texture contents as bytes of 32-bit pixels (X8R8G8B8), unless said otherwise."""

import math
import struct


def image(size, color):
    """A square from color(u, v), which gives (r, g, b) in 0..1."""
    def pixel(x, y):
        r, g, b = color((x + 0.5) / size, (y + 0.5) / size)
        return struct.pack("<4B", *(round(255 * min(max(c, 0.0), 1.0)) for c in (b, g, r)), 255)

    return b"".join(pixel(x, y) for y in range(size) for x in range(size))


def chain(size, color):
    """A full mip chain: each level is the picture at its own size."""
    levels = []
    while size:
        levels.append(image(size, color))
        size //= 2
    return levels


def mixed(first, second, part):
    """Between two colours."""
    return tuple(a + (b - a) * part for a, b in zip(first, second))


def bricks(u, v):
    """A brick wall."""
    row = int(v * 4)
    x = (u * 2 + (row & 1) * 0.5) % 1.0
    y = (v * 4) % 1.0
    if x < 0.06 or y < 0.12:
        return (0.75, 0.72, 0.66)
    shade = 0.85 + 0.15 * math.sin(37.0 * u * row + 11.0 * v)
    return (0.70 * shade, 0.28 * shade, 0.20 * shade)


def checks(first, second, count):
    """A checkerboard with `count` fields along each side."""
    return lambda u, v: first if (int(u * count) + int(v * count)) & 1 else second


def sky(direction):
    """A sky with a sun, seen along a direction; below the horizon a checkered floor."""
    x, y, z = direction
    if y < 0:
        scale = 1.5 / max(-y, 0.02)
        is_light = (math.floor(x * scale) + math.floor(z * scale)) & 1
        ground = (0.80, 0.78, 0.70) if is_light else (0.30, 0.22, 0.16)
        return mixed(ground, (0.72, 0.82, 0.92), min(1.0, 0.15 / max(-y, 0.02)) ** 2)
    length = math.sqrt(x * x + y * y + z * z)
    sun = max(0.0, (0.5 * x + 0.6 * y + 0.62 * z) / length) ** 90
    return mixed(mixed((0.72, 0.82, 0.92), (0.16, 0.36, 0.72), y / length), (1.0, 0.95, 0.8), sun)


def sky_faces(size):
    """The six faces of sky() in the order +X, -X, +Y, -Y, +Z, -Z."""
    directions = (
        lambda a, b: (1.0, -b, -a), lambda a, b: (-1.0, -b, a), lambda a, b: (a, 1.0, b),
        lambda a, b: (a, -1.0, -b), lambda a, b: (a, -b, 1.0), lambda a, b: (-a, -b, -1.0),
    )  # fmt: skip
    return [
        image(size, lambda u, v, at=at: sky(at(2 * u - 1, 2 * v - 1))) for at in directions
    ]


def ripples(size):
    """V8U8 slopes of round waves."""
    out = bytearray()
    for y in range(size):
        for x in range(size):
            du = dv = 0.0
            for cx, cy, waves in ((0.3, 0.35, 9.0), (0.8, 0.75, 6.0)):
                dx, dy = (x + 0.5) / size - cx, (y + 0.5) / size - cy
                r = math.hypot(dx, dy) + 1e-6
                slope = math.cos(2 * math.pi * waves * r) * math.exp(-3.0 * r)
                du, dv = du + slope * dx / r, dv + slope * dy / r
            out += struct.pack("<2b", *(round(120 * max(-1.0, min(1.0, c))) for c in (du, dv)))
    return bytes(out)
