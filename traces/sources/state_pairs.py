"""Pairs of traces about states: one that breaks a rule, and its legal twin with another value."""

import struct

from .dp2 import Stream, bits
from .malformed import Case
from .trace import CLIP_TRIANGLE, DIFFUSE, RED, TEX1, TRIANGLE, XYZ, XYZRHW
from .trace import Trace, clip_vertices, screen_vertices, textured_screen_vertices

LIGHTING, TRIANGLELIST = 137, 4
BUFFER = 9  # handle of the vertex buffer of level 8 and 9 draws
NAN, INFINITY = 0x7FC00000, 0x7F800000

SCREEN = XYZRHW | DIFFUSE
TEXTURED = XYZRHW | DIFFUSE | TEX1
CLIP = XYZ | DIFFUSE

UV_TRIANGLE = [(x, y, color, x / 64, y / 64) for x, y, color in TRIANGLE]


def vertices_of(fvf):
    """Three vertices of one of the formats above, or of XYZB1|DIFFUSE."""
    if fvf == SCREEN:
        return screen_vertices(TRIANGLE)
    if fvf == TEXTURED:
        return textured_screen_vertices(UV_TRIANGLE)
    if fvf == CLIP:
        return clip_vertices(CLIP_TRIANGLE)
    points = [(0.0, 0.75), (0.75, -0.75), (-0.75, -0.75)]
    if fvf == XYZ | DIFFUSE | TEX1:
        return b"".join(struct.pack("<3fI2f", x, y, 0.5, RED, x, y) for x, y in points)
    if fvf == 0x012:  # XYZ|NORMAL
        return b"".join(struct.pack("<6f", x, y, 0.5, 0, 0, -1) for x, y in points)
    return b"".join(struct.pack("<4fI", x, y, 0.5, 1, RED) for x, y in points)


def cap(name, value):
    """A capability: a number, or the bits of a float."""
    return {"name": name, "value": bits(value) if isinstance(value, float) else value}


class Scene:
    """A trace of one target and one context: objects, then one call with the tokens."""

    def __init__(self, level=9, caps=None, **context):
        header = {"caps": [cap(*pair) for pair in caps.items()]} if caps else {}
        if context.pop("d3d9ex", False):
            header["d3d9ex"] = True
        self.trace = Trace(None, level, **header).target()
        self.level = level
        self.context = context
        self.stream = Stream()
        self.vertices = {}
        self.place = None  # of the finding: an offset in the call, or an event behind it

    def depth(self, pixel_format="D24S8"):
        """A depth surface for the context."""
        self.trace.depth(2, pixel_format=pixel_format)
        self.context["depth"] = 2
        return self

    def texture(self, handle=4, **fields):
        """A texture."""
        self.trace.texture(handle, **fields)
        return self

    def op(self, name, *records, at=None, **fields):
        """A token; `at` is the number of the record that the finding is about."""
        if at is not None:
            size = {"TEXTURESTAGESTATE": 8, "RENDERSTATE": 8, "STATESET": 12, "CREATELIGHT": 4}
            self.place = len(self.stream.data) + 4 + (at and at * size.get(name, 8))
        self.stream.op(name, *records, **fields)
        return self

    def states(self, *records, at=None):
        """RENDERSTATE."""
        return self.op("RENDERSTATE", *records, at=at)

    def stages(self, *records, at=None):
        """TEXTURESTAGESTATE."""
        return self.op("TEXTURESTAGESTATE", *records, at=at)

    def draw(self, fvf=SCREEN, vertices=None):
        """One triangle; the finding is about this token unless a place is known."""
        data = vertices_of(fvf) if vertices is None else vertices
        size = len(data) // 3
        if self.level < 8:
            self.vertices = {"vertices": data, "fvf": fvf, "size": size}
        else:
            self.trace.buffer(BUFFER, data)
            name = "SETVERTEXSHADER" if self.level == 8 else "SETVERTEXSHADERDECL"
            self.stream.op(name, fvf).op("SETSTREAMSOURCE", (0, BUFFER, size))
        return self.draw_again()

    def draw_again(self):
        """The same triangle with what is bound."""
        if self.place is None:
            self.place = len(self.stream.data)
        if self.level < 8:
            self.stream.op("TRIANGLELIST", fixed=(0,), count=1)
        else:
            self.stream.op("DRAWPRIMITIVE", (TRIANGLELIST, 0, 1))
        return self

    def lit_off(self):
        """RENDERSTATE LIGHTING FALSE: vertices without normals."""
        return self.states((LIGHTING, 0))

    def end(self, destroys=True):
        """The trace, and the place of the finding in it."""
        self.trace.context(**self.context).dp2(self.stream, **self.vertices)
        event = len(self.trace.events) - 1
        place = self.place
        if destroys:
            self.trace.end(present=False)
        return self.trace, place if isinstance(place, str) else f"{event}+{place or 0:#x}"


class Pairs:
    """The cases of one topic."""

    def __init__(self):
        self.broken = []
        self.legal = []

    def add(self, rule, name, build, broken, legal, legal_name=None):
        """`build` makes (trace, place) from the value."""
        trace, place = build(broken)
        self.broken.append(Case(rule, name, trace, [(rule, place)]))
        if legal is not None:
            self.legal.append((rule, legal_name or name, build(legal)[0]))
