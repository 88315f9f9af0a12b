"""Row-vector matrices in the order of D3DMATRIX: sixteen numbers, row by row."""

import math

IDENTITY = (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0)


def multiply(first, *others):
    """first * others[0] * ...: the first acts first."""
    result = first
    for other in others:
        result = tuple(
            sum(result[4 * i + k] * other[4 * k + j] for k in range(4))
            for i in range(4) for j in range(4))  # fmt: skip
    return result


def translation(x, y, z):
    """Moves by (x, y, z)."""
    return (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, x, y, z, 1.0)


def scaling(x, y, z):
    """Stretches along the axes."""
    return (x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1.0)


def rotation_x(angle):
    """Turns about x, radians."""
    c, s = math.cos(angle), math.sin(angle)
    return (1.0, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1.0)


def rotation_y(angle):
    """Turns about y, radians."""
    c, s = math.cos(angle), math.sin(angle)
    return (c, 0, -s, 0, 0, 1.0, 0, 0, s, 0, c, 0, 0, 0, 0, 1.0)


def look_at(eye, at):
    """A left-handed view matrix; y is up."""
    z = normalize(subtract(at, eye))
    x = normalize(cross((0.0, 1.0, 0.0), z))
    y = cross(z, x)
    return (
        x[0], y[0], z[0], 0.0, x[1], y[1], z[1], 0.0, x[2], y[2], z[2], 0.0,
        -dot(x, eye), -dot(y, eye), -dot(z, eye), 1.0)  # fmt: skip


def perspective(angle, aspect, near, far):
    """A left-handed projection; `angle` is the vertical field of view, radians."""
    h = 1.0 / math.tan(angle / 2)
    q = far / (far - near)
    return (h / aspect, 0, 0, 0, 0, h, 0, 0, 0, 0, q, 1.0, 0, 0, -q * near, 0)


def subtract(a, b):
    """a - b."""
    return tuple(p - q for p, q in zip(a, b))


def dot(a, b):
    """The scalar product."""
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    """The vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def normalize(a):
    """Unit length."""
    length = math.sqrt(dot(a, a))
    return tuple(p / length for p in a)
