"""Traces as lists of events: what the tool's JSON form says, with command bytes as hex."""

import base64
import struct

from .dp2 import Stream

# Driver level -> runtime version of the context (2 = 6.0, 3 = 7.0, 4 = 8.0, 5 = 9.0).
RUNTIME_VERSION = {6: 2, 7: 3, 8: 4, 9: 5}

# Vertex formats (FVF).
XYZ = 0x002
XYZRHW = 0x004
NORMAL = 0x010
DIFFUSE = 0x040
SPECULAR = 0x080
TEX1 = 0x100

RED = 0xFFFF0000
GREEN = 0xFF00FF00
BLUE = 0xFF0000FF
WHITE = 0xFFFFFFFF
YELLOW = 0xFFFFFF00
GREY = 0xFF808080

# A triangle that covers the middle of a 64x64 target, as transformed vertices x, y, z, rhw, colour.
TRIANGLE = [(32, 8, RED), (56, 56, GREEN), (8, 56, BLUE)]
# The same triangle before transformation (identity matrices): x, y, z, colour.
CLIP_TRIANGLE = [(0.0, 0.75, RED), (0.75, -0.75, GREEN), (-0.75, -0.75, BLUE)]


def blob(data):
    """Bytes as the JSON form writes them."""
    return base64.b64encode(bytes(data)).decode("ascii")


def screen_vertices(points, z=0.5):
    """XYZRHW|DIFFUSE vertices of 20 bytes from (x, y, colour)."""
    return b"".join(struct.pack("<4fI", x, y, z, 1.0, color) for x, y, color in points)


def textured_screen_vertices(points, z=0.5):
    """XYZRHW|DIFFUSE|TEX1 vertices of 28 bytes from (x, y, colour, u, v)."""
    return b"".join(struct.pack("<4fI2f", x, y, z, 1.0, c, u, v) for x, y, c, u, v in points)


def clip_vertices(points, z=0.5):
    """XYZ|DIFFUSE vertices of 16 bytes from (x, y, colour)."""
    return b"".join(struct.pack("<3fI", x, y, z, color) for x, y, color in points)


def quad(left, top, right, bottom, color=WHITE):
    """Four corners in strip order with texture coordinates 0..1."""
    return [
        (left, top, color, 0.0, 0.0),
        (right, top, color, 1.0, 0.0),
        (left, bottom, color, 0.0, 1.0),
        (right, bottom, color, 1.0, 1.0),
    ]


def checkerboard(size, first, second):
    """A square of 32-bit pixels in two colours."""
    return b"".join(
        struct.pack("<I", second if (x + y) & 1 else first)
        for y in range(size)
        for x in range(size)
    )


class Trace:
    """A trace under construction."""

    def __init__(self, text, level=9, **header):
        self.level = level
        self.events = [{"event": "header", "generator": "make_traces.py", "driver_level": level}]
        self.events[0].update(header)
        if text:
            self.add("marker", text=text)

    def add(self, event, **fields):
        """Appends an event."""
        self.events.append({"event": event, **fields})
        return self

    # ---- surfaces ----

    def target(self, handle=1, width=64, height=64, **fields):
        """A render target."""
        return self.add(
            "surface_create", handle=handle, kind="target", caps=["3DDEVICE", "VIDEOMEMORY"],
            format="X8R8G8B8", width=width, height=height, **fields)  # fmt: skip

    def depth(self, handle=2, width=64, height=64, pixel_format="D24S8"):
        """A depth surface."""
        return self.add(
            "surface_create", handle=handle, kind="depth", caps=["VIDEOMEMORY", "ZBUFFER"],
            format=pixel_format, width=width, height=height)  # fmt: skip

    def texture(self, handle, size=8, levels=1, pixel_format="A8R8G8B8", memory="VIDEOMEMORY",
                **fields):  # fmt: skip
        """A square texture; `handles` names the sub-levels' handles."""
        handles = fields.pop("handles", None)
        caps = ["TEXTURE", memory] + (["MIPMAP"] if levels > 1 else [])
        if handles:
            fields["sub_surfaces"] = [
                {"handle": sub, "level": level + 1} for level, sub in enumerate(handles)
            ]
        return self.add(
            "surface_create", handle=handle, caps=caps + fields.pop("more_caps", []),
            format=pixel_format, width=fields.pop("width", size),
            height=fields.pop("height", size), levels=levels, **fields)  # fmt: skip

    def buffer(self, handle, data, kind="vertex_buffer", pixel_format="VERTEXDATA",
               memory="VIDEOMEMORY"):  # fmt: skip
        """A vertex or index buffer with its contents."""
        fields = {"caps2": ["VERTEXBUFFER"]} if kind == "vertex_buffer" else {}
        self.add(
            "surface_create", handle=handle, kind=kind, caps=["EXECUTEBUFFER", memory], **fields,
            format=pixel_format, width=len(data))  # fmt: skip
        return self.add("surface_update", handle=handle, data=blob(data))

    def update(self, handle, data, level=0, **fields):
        """CPU writes to a level."""
        return self.add("surface_update", handle=handle, level=level, **fields, data=blob(data))

    # ---- contexts and calls ----

    def context(self, target=1, depth=0, **fields):
        """The context 1."""
        fields.setdefault("runtime_version", RUNTIME_VERSION[self.level])
        return self.add("context_create", context=1, target=target, depth=depth, **fields)

    def dp2(self, stream=None, vertices=None, fvf=0, size=0, **fields):
        """One D3dDrawPrimitives2 call; `stream` is a Stream, bytes or hex digits."""
        if isinstance(stream, str):
            stream = bytes.fromhex(stream)
        data = bytes(stream.data if isinstance(stream, Stream) else stream or b"")
        event = {"context": 1}
        if vertices is not None:
            event["flags"] = ["USERMEMVERTICES"]
        if fvf:
            event["vertex_type"] = fvf
        if size:
            event["vertex_size"] = size
        event.update(fields)
        if data:
            event["commands"] = [{"raw": data.hex()}]
        if vertices is not None:
            event["vertices"] = blob(vertices)
        return self.add("dp2", **event)

    def draw(self, stream, points=None, **fields):
        """A call with XYZRHW|DIFFUSE user memory vertices from (x, y, colour)."""
        vertices = screen_vertices(TRIANGLE if points is None else points)
        return self.dp2(stream, vertices, XYZRHW | DIFFUSE, 20, **fields)

    def draw_textured(self, stream, points, **fields):
        """A call with XYZRHW|DIFFUSE|TEX1 user memory vertices from (x, y, colour, u, v)."""
        return self.dp2(
            stream, textured_screen_vertices(points), XYZRHW | DIFFUSE | TEX1, 28, **fields)

    def present(self, handle=1):
        """The end of a frame."""
        return self.add("present", handle=handle)

    def end(self, present=True):
        """The end of the trace: a frame, and the context goes."""
        if present:
            self.present()
        return self.add("context_destroy", context=1)
