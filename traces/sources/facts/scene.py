"""A scene: one fact as a trace, and the colours that have to come out of it.

A scene has a target (handle 1), perhaps a depth surface (handle 2) and one context. Its states are
those of the head of the facts file: depth test, lighting, culling and fog off. Coordinates are
pixels.
"""

from ..dp2 import Stream, bits, with_tail
from ..trace import DIFFUSE, RUNTIME_VERSION, XYZRHW, Trace, blob
from . import names
from .names import TARGET, TRIANGLESTRIP, ZBUFFER
from .vertices import pack, quad

# primitive type -> operation of the levels below 8
LEGACY_DRAWS = {
    2: "LINELIST",
    3: "LINESTRIP",
    4: "TRIANGLELIST",
    5: "TRIANGLESTRIP",
    6: "TRIANGLEFAN",
}
CUBE_FACES = ["POSITIVEX", "NEGATIVEX", "POSITIVEY", "NEGATIVEY", "POSITIVEZ", "NEGATIVEZ"]


def primitive_count(kind, vertices):
    """Primitives that the vertices make."""
    return {1: vertices, 2: vertices // 2, 3: vertices - 1, 4: vertices // 3}.get(
        kind, vertices - 2
    )


def numbered(table, values):
    """Names and values as pairs of numbers."""
    return [
        (table[name], bits(value) if isinstance(value, float) else value)
        for name, value in values.items()
    ]


class Scene:
    """A fact under construction."""

    def __init__(
        self,
        text,
        tolerance,
        *,
        level=9,
        size=(16, 16),
        pixel_format="X8R8G8B8",
        depth=None,
        samples=0,
        runtime_version=None,
        pure_device=False,
        **header,
    ):
        self.trace = Trace(text, level, **header)
        self.level = level
        self.size = size
        self.tolerance = tolerance
        self.lines = []  # of the .expected file
        self.frames = 0  # presented
        self.reads = 0
        self.has_open_frame = False
        self.stream = Stream()
        self.handles = 2  # the highest in use
        self.current_target = 1
        many = {"samples": samples} if samples else {}
        self.surface(1, "target", pixel_format, size, ["3DDEVICE", "VIDEOMEMORY"], **many)
        if depth:
            self.surface(2, "depth", depth, size, ["VIDEOMEMORY", "ZBUFFER"], **many)
        version = RUNTIME_VERSION[level] if runtime_version is None else runtime_version
        context = {"pure_device": True} if pure_device else {}
        self.trace.context(depth=2 if depth else 0, runtime_version=version, **context)
        self.states(ZENABLE=0, LIGHTING=0, CULLMODE=names.CULL_NONE, FOGENABLE=0)

    # ---- surfaces ----

    def new_handle(self):
        """A handle that is free."""
        self.handles += 1
        return self.handles

    def surface(self, handle, kind, pixel_format, size, caps, **fields):
        """Announces a surface."""
        self.event(
            "surface_create",
            handle=handle,
            kind=kind,
            caps=caps,
            format=pixel_format,
            width=size[0],
            height=size[1],
            **fields,
        )
        return handle

    def target(self, pixel_format, size=None, **fields):
        """Another render target."""
        caps = ["3DDEVICE", "VIDEOMEMORY"]
        return self.surface(
            self.new_handle(), "target", pixel_format, size or self.size, caps, **fields
        )

    def plain(self, pixel_format, size, data=None, memory="VIDEOMEMORY", **fields):
        """A surface for blits."""
        handle = self.surface(self.new_handle(), "plain", pixel_format, size, [memory], **fields)
        if data is not None:
            self.update(handle, data)
        return handle

    def texture(
        self,
        size,
        data=(),
        pixel_format="A8R8G8B8",
        levels=None,
        memory="VIDEOMEMORY",
        more_caps=(),
        **fields,
    ):
        """A texture; `data` is the bytes of level 0, or a list with those of each level."""
        data = [data] if isinstance(data, (bytes, bytearray)) else list(data)
        levels = levels or max(len(data), 1)
        caps = ["TEXTURE", *more_caps] + (["MIPMAP"] if levels > 1 else []) + [memory]
        if levels > 1:
            fields["levels"] = levels
        if fields.get("depth", 1) > 1:
            fields["caps2"] = ["VOLUME"]
        handle = self.surface(self.new_handle(), "texture", pixel_format, size, caps, **fields)
        for level, content in enumerate(data):
            self.update(handle, content, level)
        return handle

    def cube(self, size, faces, pixel_format="A8R8G8B8", memory="VIDEOMEMORY"):
        """A cube texture; `faces` are the bytes of the six faces, or nothing."""
        handle = self.surface(
            self.new_handle(),
            "texture",
            pixel_format,
            (size, size),
            ["TEXTURE", "COMPLEX", memory],
            caps2=["CUBEMAP"] + [f"CUBEMAP_{face}" for face in CUBE_FACES],
            faces=CUBE_FACES,
        )
        for face, content in enumerate(faces):
            self.event("surface_update", handle=handle, face=face, data=blob(content))
        return handle

    def update(self, handle, data, level=0):
        """CPU writes to a level."""
        self.flush()
        self.trace.update(handle, data, level)

    # ---- calls ----

    def op(self, name, *records, **fields):
        """Appends a token."""
        self.stream.op(name, *records, **fields)
        return self

    def flush(self, **fields):
        """Ends the call that is under construction."""
        if self.stream.data or fields:
            stream, self.stream = self.stream, Stream()
            self.trace.dp2(stream, **fields)

    def event(self, event, **fields):
        """Appends an event behind the tokens so far."""
        self.flush()
        self.trace.add(event, **fields)

    def states(self, **values):
        """Sets render states by name; a float is stored as its bits."""
        return self.op("RENDERSTATE", *numbered(names.RENDER_STATES, values))

    def stage(self, stage, **values):
        """Sets texture stage states by name."""
        records = numbered(names.STAGE_STATES, values)
        return self.op("TEXTURESTAGESTATE", *((stage, *record) for record in records))

    def show_texture(self, handle, stage=0, **values):
        """Binds a texture and lets the stage pass its colour and alpha on."""
        return self.stage(
            stage,
            TEXTUREMAP=handle,
            COLOROP=names.SELECTARG1,
            COLORARG1=names.TEXTURE,
            ALPHAOP=names.SELECTARG1,
            ALPHAARG1=names.TEXTURE,
            **values,
        )

    def blend(self, source, destination):
        """Turns blending on."""
        return self.states(ALPHABLENDENABLE=1, SRCBLEND=source, DESTBLEND=destination)

    def transform(self, which, matrix):
        """Sets a matrix."""
        if which == names.WORLD and self.level < 8:
            which = 1
        return self.op("SETTRANSFORM", (which, matrix))

    def material(
        self,
        diffuse=(0, 0, 0, 0),
        ambient=(0, 0, 0, 0),
        specular=(0, 0, 0, 0),
        emissive=(0, 0, 0, 0),
        power=0.0,
    ):
        """Sets the material."""
        return self.op("SETMATERIAL", (diffuse, ambient, specular, emissive, power))

    def light(
        self,
        index=0,
        kind=None,
        diffuse=(0, 0, 0, 0),
        specular=(0, 0, 0, 0),
        position=(0, 0, 0),
        direction=(0, 0, 1.0),
        reach=100.0,
        falloff=0.0,
        attenuation=(0, 0, 0),
        theta=0.0,
        phi=0.0,
    ):
        """Creates and enables a light; without `kind` it is never set."""
        self.op("CREATELIGHT", index)
        if kind is not None:
            data = Stream().struct(
                "D3DLIGHT7",
                kind,
                diffuse,
                specular,
                (0, 0, 0, 0),
                position,
                direction,
                reach,
                falloff,
                *attenuation,
                theta,
                phi,
            )
            self.op("SETLIGHT", with_tail(index, 2, tail=data))
        return self.op("SETLIGHT", (index, 0))

    def clear(self, color=0xFF000000, flags=TARGET, z=1.0, stencil=0, rects=None):
        """Clears rectangles, or all of the target."""
        rects = [(0, 0, *self.size)] if rects is None else rects
        first = rects[0] if rects else (0, 0, 0, 0)
        return self.op(
            "CLEAR", *rects[1:], fixed=(flags, color, z, stencil, first), count=len(rects)
        )

    def clear_all(self, color=0xFF000000, z=1.0, stencil=None):
        """Clears target, depth and, where a value is given, stencil."""
        flags = TARGET | ZBUFFER | (0 if stencil is None else names.STENCIL)
        return self.clear(color, flags, z, stencil or 0)

    # ---- drawing ----

    def draw(self, kind, fvf, vertices):
        """Draws from user memory."""
        data, size = pack(fvf, vertices)
        count = primitive_count(kind, len(vertices))
        if self.level >= 8:
            self.op("SETVERTEXSHADER" if self.level == 8 else "SETVERTEXSHADERDECL", fvf)
            self.op("SETSTREAMSOURCEUM", (0, size)).op("DRAWPRIMITIVE", (kind, 0, count))
        elif kind == names.POINTLIST:
            self.op("POINTS", (count, 0))
        else:
            self.op(LEGACY_DRAWS[kind], fixed=(0,), count=count)
        self.flush(vertices=data, fvf=fvf, size=size)
        self.has_open_frame = True
        return self

    def quad(self, rect=None, z=0.5, **attributes):
        """An untransformed quad that covers a rectangle of pixels under identity matrices."""
        left, top, right, bottom = rect or (0, 0, *self.size)
        xs = [2.0 * x / self.size[0] - 1.0 for x in (left, right)]
        ys = [1.0 - 2.0 * y / self.size[1] for y in (top, bottom)]
        points = [(x, y) for y in ys for x in xs]
        return self.draw(TRIANGLESTRIP, *quad(points, z=z, **attributes))

    def free_quad(self, points, z=0.5, **attributes):
        """An untransformed quad with these corners (x, y) in strip order."""
        return self.draw(TRIANGLESTRIP, *quad(points, z=z, **attributes))

    def screen_quad(self, rect=None, z=0.5, rhw=1.0, **attributes):
        """A transformed quad that covers a rectangle of pixels."""
        left, top, right, bottom = rect or (0, 0, *self.size)
        points = [(x, y) for y in (top, bottom) for x in (left, right)]
        return self.draw(TRIANGLESTRIP, *quad(points, z=z, rhw=rhw, **attributes))

    def screen_triangles(self, triangles):
        """Transformed triangles: each three points (x, y), and a colour."""
        vertices = [(x, y, 0.5, 1.0, color) for points, color in triangles for x, y in points]
        return self.draw(names.TRIANGLELIST, XYZRHW | DIFFUSE, vertices)

    # ---- results ----

    def expect(self, x, y, color, tolerance=None):
        """The colour of a pixel of the frame that is drawn now: 6 digits RGB or 8 digits ARGB."""
        self.has_open_frame = True
        return self._line("frame", self.frames + 1, x, y, color, tolerance)

    def present(self, handle=None):
        """The end of a frame."""
        self.event("present", handle=handle or self.current_target)
        self.frames += 1
        self.has_open_frame = False
        return self

    def read(self, handle, **area):
        """The CPU reads a surface here."""
        self.event("surface_read", handle=handle, **area)
        self.reads += 1
        return self

    def expect_read(self, x, y, color, tolerance=None):
        """The colour of a pixel of the last read."""
        return self._line("read", self.reads, x, y, color, tolerance)

    def expect_stencil(self, x, y, value, tolerance=None):
        """The stencil value of a pixel of the last read."""
        return self._line("stencil", self.reads, x, y, f"{value:02x}" * 3, tolerance)

    def _line(self, kind, number, x, y, color, tolerance):
        tolerance = self.tolerance if tolerance is None else tolerance
        self.lines.append(f"{kind} {number} {x} {y} {color} {tolerance}")
        return self

    def end(self):
        """Ends the trace; returns it."""
        if self.has_open_frame:
            self.present()
        self.flush()
        return self.trace.end(present=False)
