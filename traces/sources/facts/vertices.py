"""Vertices of the scenes: packing by flexible vertex format, and quads.

Source: lib/opcode/dp2.md 6.
"""

import struct

from ..dp2 import flatten
from ..trace import DIFFUSE, NORMAL, SPECULAR, XYZ, XYZRHW

PSIZE = 0x020
XYZB3 = 0x00A

# struct codes by position kind
POSITIONS = {
    0x002: "3f",
    0x004: "4f",
    0x006: "4f",
    0x008: "5f",
    0x00A: "6f",
    0x00C: "7f",
    0x00E: "8f",
}
# struct codes of the attributes behind the position
ATTRIBUTES = {NORMAL: "3f", PSIZE: "f", DIFFUSE: "I", SPECULAR: "I"}
# number of coordinates of a texture set -> two bits of the format
DIMENSION_BITS = {2: 0, 3: 1, 4: 2, 1: 3}


def format_of_sets(dimensions):
    """The bits of the texture sets with these numbers of coordinates."""
    bits = len(dimensions) << 8
    for index, dimension in enumerate(dimensions):
        bits |= DIMENSION_BITS[dimension] << (16 + 2 * index)
    return bits


def struct_code(fvf):
    """The struct format of one vertex."""
    code = "<" + POSITIONS[fvf & 0xE]
    code += "".join(part for bit, part in ATTRIBUTES.items() if fvf & bit)
    counts = {bits: dimension for dimension, bits in DIMENSION_BITS.items()}
    for index in range((fvf >> 8) & 15):
        code += f"{counts[(fvf >> (16 + 2 * index)) & 3]}f"
    return code


def pack(fvf, vertices):
    """The bytes of the vertices; each is a nest of numbers in memory order."""
    code = struct.Struct(struct_code(fvf))
    return b"".join(code.pack(*flatten(vertex)) for vertex in vertices), code.size


def four(value):
    """One value for each corner; a list of four is that already."""
    return value if isinstance(value, list) else [value] * 4


def corners_of_set(coordinates):
    """The coordinates of each corner: four of them in a tuple, or one for all."""
    return coordinates if isinstance(coordinates[0], tuple) else (coordinates,) * 4


def quad(points, *, z, rhw=None, normal=None, psize=None, color=None, specular=None, sets=()):
    """Format and vertices of a quad; `points` are its corners (x, y) in strip order.

    With `rhw` the vertices are transformed ones.
    """
    fvf = XYZ if rhw is None else XYZRHW
    columns = [points, four(z)] + ([] if rhw is None else [four(rhw)])
    for bit, value in ((NORMAL, normal), (PSIZE, psize), (DIFFUSE, color), (SPECULAR, specular)):
        if value is not None:
            fvf |= bit
            columns.append(four(value))
    corners = [corners_of_set(coordinates) for coordinates in sets]
    fvf |= format_of_sets([len(one[0]) for one in corners])
    return fvf, list(zip(*columns, *corners))
