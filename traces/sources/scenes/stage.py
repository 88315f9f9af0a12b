"""A level 9 device with a target and a depth buffer, and what scenes do with it."""

import math
import struct

from ..dp2 import Stream, bits, with_tail
from ..trace import NORMAL, TEX1, XYZ, Trace, blob
from .matrices import IDENTITY, look_at, perspective
from .meshes import pack, pack_indices, rounded

WIDTH, HEIGHT = 320, 240
TARGET, DEPTH = 1, 2

# render states
ZENABLE, ZWRITEENABLE, CULLMODE, LIGHTING, AMBIENT = 7, 14, 22, 137, 139
ALPHABLENDENABLE, SRCBLEND, DESTBLEND, SPECULARENABLE = 27, 19, 20, 29
FOGENABLE, FOGCOLOR, FOGTABLEMODE, FOGSTART, FOGEND, FOGDENSITY, FOGVERTEXMODE = 28, 34, 35, 36, 37, 38, 140
NORMALIZENORMALS, COLORWRITEENABLE, ZFUNC = 143, 168, 23
STENCILENABLE, STENCILFAIL, STENCILZFAIL, STENCILPASS, STENCILFUNC, STENCILREF = 52, 53, 54, 55, 56, 57
DIFFUSEMATERIALSOURCE = 145
# texture stage states
TEXTUREMAP, COLOROP, COLORARG1, COLORARG2, ALPHAOP, ALPHAARG1 = 0, 1, 2, 3, 4, 5
BUMPENVMAT00, BUMPENVMAT01, BUMPENVMAT10, BUMPENVMAT11, TEXCOORDINDEX = 7, 8, 9, 10, 11
ADDRESSU, ADDRESSV, MAGFILTER, MINFILTER, MIPFILTER, TEXTURETRANSFORMFLAGS = 13, 14, 16, 17, 18, 24
# transforms
VIEW, PROJECTION, TEXTURE0, WORLD = 2, 3, 16, 256

FVF_MESH = XYZ | NORMAL | TEX1


class Stage:
    """A trace under construction, with a stream that collects tokens until the frame ends."""

    def __init__(self, text, eye=(0.0, 1.5, -5.0), at=(0.0, 0.0, 0.0)):
        self.trace = Trace(text, 9)
        self.trace.target(TARGET, WIDTH, HEIGHT).depth(DEPTH, WIDTH, HEIGHT)
        self.trace.context(TARGET, DEPTH)
        self.stream = Stream()
        self.next_handle = 10
        self.stream.op("VIEWPORTINFO", (0, 0, WIDTH, HEIGHT)).op("ZRANGE", (0.0, 1.0))
        self.states((ZENABLE, 1), (CULLMODE, 3), (LIGHTING, 1))
        self.camera(eye, at)

    # ---- states ----

    def states(self, *pairs):
        """Render states; floats become their bits."""
        self.stream.op("RENDERSTATE", *[(n, bits(v) if isinstance(v, float) else v) for n, v in pairs])

    def stage_states(self, stage, *pairs):
        """Texture stage states of one stage."""
        records = [(stage, n, bits(v) if isinstance(v, float) else v) for n, v in pairs]
        self.stream.op("TEXTURESTAGESTATE", *records)

    def transform(self, state, matrix):
        """One matrix."""
        self.stream.op("SETTRANSFORM", (state, rounded(matrix)))

    def camera(self, eye, at, angle=math.radians(45), near=0.5, far=100.0):
        """View and projection."""
        self.transform(VIEW, look_at(eye, at))
        self.transform(PROJECTION, perspective(angle, WIDTH / HEIGHT, near, far))
        self.transform(WORLD, IDENTITY)

    def material(self, diffuse, specular=(0, 0, 0, 0), power=0.0, ambient=None, emissive=(0, 0, 0, 0)):
        """SETMATERIAL."""
        self.stream.op("SETMATERIAL", (*diffuse, *(ambient or diffuse), *specular, *emissive, power))

    def light(self, index, kind, diffuse, position=(0, 0, 0), direction=(0, 0, 1), specular=(0, 0, 0, 0),
              attenuation=(1.0, 0.0, 0.0), reach=1000.0):  # fmt: skip
        """Creates, sets and enables a light: 1 point, 3 directional."""
        data = struct.pack(
            "<I12f3f3f7f", kind, *diffuse, *specular, 0, 0, 0, 0, *position, *direction,
            reach, 1.0, *attenuation, 0.0, 0.0)  # fmt: skip
        self.stream.op("CREATELIGHT", index)
        self.stream.op("SETLIGHT", with_tail(index, 2, tail=data), (index, 0))

    # ---- resources ----

    def handle(self):
        """A fresh surface handle."""
        self.next_handle += 1
        return self.next_handle - 1

    def texture(self, levels, pixel_format="X8R8G8B8", **fields):
        """A square texture from the bytes of its levels."""
        handle = self.handle()
        size = math.isqrt(len(levels[0]) // fields.pop("pixel_bytes", 4))
        self.trace.texture(handle, size, len(levels), pixel_format, **fields)
        for level, data in enumerate(levels):
            self.trace.update(handle, data, level)
        return handle

    def cube(self, faces, size):
        """A cube map from six faces."""
        names = ["POSITIVEX", "NEGATIVEX", "POSITIVEY", "NEGATIVEY", "POSITIVEZ", "NEGATIVEZ"]
        handle = self.handle()
        self.trace.texture(
            handle, size, pixel_format="X8R8G8B8", caps2=["CUBEMAP"] + [f"CUBEMAP_{face}" for face in names], faces=names)  # fmt: skip
        for face, data in enumerate(faces):
            self.trace.add("surface_update", handle=handle, face=face, data=blob(data))
        return handle

    def mesh(self, shape):
        """Buffers for a shape; gives what draw() takes."""
        vertices, indices = shape
        vertex_buffer, index_buffer = self.handle(), self.handle()
        self.trace.buffer(vertex_buffer, pack(vertices))
        self.trace.buffer(index_buffer, pack_indices(indices), "index_buffer", "INDEX16")
        return vertex_buffer, index_buffer, len(vertices), len(indices) // 3

    # ---- drawing ----

    def clear(self, color=0xFF000000, stencil=0):
        """Target, depth and stencil."""
        self.stream.op("CLEAR", fixed=(7, color, 1.0, stencil, (0, 0, WIDTH, HEIGHT)), count=1)

    def draw(self, mesh, world=IDENTITY):
        """A mesh of XYZ|NORMAL|TEX1 vertices."""
        vertex_buffer, index_buffer, vertices, triangles = mesh
        self.transform(WORLD, world)
        self.stream.op("SETVERTEXSHADERDECL", FVF_MESH)
        self.stream.op("SETSTREAMSOURCE", (0, vertex_buffer, 32))
        self.stream.op("SETINDICES", (index_buffer, 2))
        self.stream.op("DRAWINDEXEDPRIMITIVE", (4, 0, 0, vertices, 0, triangles))

    def end(self):
        """Sends the stream and shows the frame."""
        self.trace.dp2(self.stream)
        return self.trace.end()
