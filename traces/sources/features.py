"""One small picture for each thing that the pipeline can do.

Where a state has several values, the picture is a grid with one cell for each, in the order of their
numbers, from left to right and from top to bottom. traces/features has the traces and the hashes of
their pictures; scripts/contact_sheet.sh shows them all.
"""

import math
import struct

from .assembly import assemble
from .dp2 import bits, dwords, floats, with_tail
from .facts import names
from .facts.names import UNIT
from .facts.scene import Scene
from .trace import DIFFUSE, NORMAL, TEX1, XYZ, XYZRHW

BLACK, WHITE, RED, GREEN, BLUE = 0xFF000000, 0xFFFFFFFF, 0xFFFF0000, 0xFF00FF00, 0xFF0000FF
YELLOW, CYAN, MAGENTA, GREY = 0xFFFFFF00, 0xFF00FFFF, 0xFFFF00FF, 0xFF808080
NIGHT = 0xFF202840
RAINBOW = [RED, YELLOW, BLUE, GREEN]
PASTEL = [0xFFE08060, 0xFF60C080, 0xFF6080E0, 0xFFE0D060]

# states that the facts do not need
LINEPATTERN, ROP2, LASTPIXEL, DITHERENABLE, STIPPLEDALPHA, STIPPLEENABLE, STIPPLEPATTERN = 10, 12, 16, 26, 33, 39, 64
WRAP0, PATCHEDGESTYLE, PATCHSEGMENTS, TWEENFACTOR, BLENDOP = 128, 163, 164, 170, 171
SLOPESCALEDEPTHBIAS, BLENDFACTOR, INDEXEDVERTEXBLENDENABLE, SEPARATEALPHABLENDENABLE = 175, 193, 167, 206
MIPMAPLODBIAS, MAXANISOTROPY = 19, 21  # of a stage
XYZB1, XYZB2, LASTBETA_UBYTE4 = 0x006, 0x008, 0x1000
COMPARISONS = range(1, 9)

FEATURES = []


def feature(**fields):
    """Registers a function that draws on a scene; its first line says what the picture shows."""

    def register(builder):
        FEATURES.append((builder.__name__.strip("_").replace("_", "-"), builder, fields))
        return builder

    return register


def traces():
    """Yields name and trace."""
    for name, builder, fields in FEATURES:
        s = Scene(builder.__doc__.splitlines()[0], 0, **{"size": (64, 64), **fields})
        if not fields.get("depth"):
            s.clear(NIGHT)
        else:
            s.clear_all(NIGHT, stencil=0 if "S8" in fields["depth"] else None)
        builder(s)
        yield name, s.end()


# ---- helpers ----


def cells(s, columns, rows, margin=1):
    """The rectangles of a grid."""
    width, height = s.size[0] // columns, s.size[1] // rows
    for row in range(rows):
        for column in range(columns):
            left, top = column * width, row * height
            yield left + margin, top + margin, left + width - margin, top + height - margin


def state(s, number, value):
    """Sets one render state by number."""
    s.op("RENDERSTATE", (number, bits(value) if isinstance(value, float) else value))


def stage_state(s, number, value, stage=0):
    """Sets one texture stage state by number."""
    s.op("TEXTURESTAGESTATE", (stage, number, bits(value) if isinstance(value, float) else value))


def picture(size, color_at):
    """The bytes of a square of A8R8G8B8 pixels."""
    return dwords([color_at(x, y) for y in range(size) for x in range(size)])


def checker(size, first=WHITE, second=0xFF3060C0, step=1):
    """A checkerboard."""
    return picture(size, lambda x, y: second if (x // step + y // step) & 1 else first)


def arrow(size=16):
    """A picture without symmetry: the letter F on a gradient."""
    letter = ("......", ".####.", ".#....", ".###..", ".#....", ".#....", "......", "......")

    def color(x, y):
        row = letter[y * 8 // size]
        column = x * 6 // size
        if row[column] == "#":
            return WHITE
        return 0xFF000000 | (x * 255 // size) << 16 | 0x4000 | (y * 255 // size)

    return picture(size, color)


def screen(s, kind, points, z=0.5):
    """Transformed vertices from (x, y, colour)."""
    return s.draw(kind, XYZRHW | DIFFUSE, [(x, y, z, 1.0, color) for x, y, color in points])


def texture_quad(s, rect, *, color=WHITE, coordinates=UNIT, **more):
    """A transformed textured quad."""
    return s.screen_quad(rect, color=color, sets=[coordinates], **more)


def coordinates(left, top, right, bottom):
    """Texture coordinates of the corners of a quad."""
    return ((left, top), (right, top), (left, bottom), (right, bottom))


def perspective(angle=0.9, near=0.5, far=20.0):
    """A left-handed projection for a square target."""
    scale = 1.0 / math.tan(angle / 2)
    depth = far / (far - near)
    return (scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, depth, 1.0, 0, 0, -near * depth, 0)


def rotated_y(angle, x=0.0, y=0.0, z=0.0):
    """A rotation about the vertical axis, and a move."""
    c, sn = math.cos(angle), math.sin(angle)
    return (c, 0, -sn, 0, 0, 1.0, 0, 0, sn, 0, c, 0, x, y, z, 1.0)


def sphere(columns=16, rows=10):
    """Triangles of a ball of radius 1: (position, normal) triples."""

    def at(column, row):
        a, b = 2 * math.pi * column / columns, math.pi * row / rows
        p = (math.sin(b) * math.cos(a), math.cos(b), math.sin(b) * math.sin(a))
        return tuple(round(v, 6) for v in p)

    for row in range(rows):
        for column in range(columns):
            a, b = at(column, row), at(column + 1, row)
            c, d = at(column, row + 1), at(column + 1, row + 1)
            yield from (a, b, c, b, d, c)


def ball(s, center=(0.0, 0.0, 3.2), columns=16, rows=10):
    """A lit ball in perspective; normals are positions."""
    s.transform(names.PROJECTION, perspective())
    s.transform(names.WORLD, names.translation(*center))
    s.draw(names.TRIANGLELIST, XYZ | NORMAL, [(p, p) for p in sphere(columns, rows)])


def lit(s, **states):
    """Lighting on, back faces off, a depth test, a bright grey material."""
    s.states(LIGHTING=1, ZENABLE=1, ZFUNC=names.LESSEQUAL, ZWRITEENABLE=1, CULLMODE=names.CULL_NONE, **states)
    s.material(diffuse=(0.9, 0.8, 0.7, 1.0), ambient=(0.9, 0.8, 0.7, 1.0), specular=(1.0, 1.0, 1.0, 1.0),
               power=12.0)  # fmt: skip


# ---- primitives ----

ZIGZAG = [(4, 8, RED), (14, 54, YELLOW), (24, 8, GREEN), (34, 54, CYAN), (44, 8, BLUE), (58, 54, MAGENTA)]


@feature()
def point_list(s):
    """Points: one pixel each"""
    screen(s, names.POINTLIST, [(4 + 6 * x, 4 + 6 * y, RAINBOW[(x + y) % 4]) for x in range(10) for y in range(10)])


@feature()
def line_list(s):
    """Lines in pairs of vertices, fanned out in all directions"""
    points = []
    for i in range(24):
        a = 2 * math.pi * i / 24
        points += [(32 + 6 * math.cos(a), 32 + 6 * math.sin(a), WHITE), (32 + 30 * math.cos(a), 32 + 30 * math.sin(a), RAINBOW[i % 4])]
    screen(s, names.LINELIST, points)


@feature()
def line_strip(s):
    """A strip of lines"""
    screen(s, names.LINESTRIP, ZIGZAG)


@feature()
def triangle_list(s):
    """Two triangles, each with three vertices of its own"""
    screen(s, names.TRIANGLELIST, ZIGZAG)


@feature()
def triangle_strip(s):
    """A strip of four triangles"""
    screen(s, names.TRIANGLESTRIP, ZIGZAG)


@feature()
def triangle_fan(s):
    """A fan of seven triangles around its first vertex"""
    rim = [(32 + 28 * math.cos(i * 0.8), 32 + 28 * math.sin(i * 0.8), RAINBOW[i % 4]) for i in range(8)]
    screen(s, names.TRIANGLEFAN, [(32, 32, WHITE), *rim])


@feature(level=7)
def indexed_edge_flags(s):
    """Indexed triangles in wireframe whose records hide some edges"""
    s.states(FILLMODE=2)
    s.op("INDEXEDTRIANGLELIST", (0, 1, 2, 0x0300), (2, 1, 3, 0x0600))
    data = b"".join(struct.pack("<4fI", x, y, 0.5, 1.0, c) for x, y, c in ZIGZAG)
    s.flush(vertices=data, fvf=XYZRHW | DIFFUSE, size=20)
    s.has_open_frame = True


@feature()
def fill_modes(s):
    """Fill modes point, wireframe and solid"""
    for mode, rect in zip((1, 2, 3), cells(s, 3, 1, 3)):
        s.states(FILLMODE=mode)
        left, top, right, bottom = rect
        screen(s, names.TRIANGLEFAN, [(left, 32, RED), ((left + right) / 2, top, YELLOW), (right, 32, GREEN),
                                      ((left + right) / 2, bottom, BLUE)])  # fmt: skip


@feature()
def shade_modes(s):
    """Flat above, Gouraud below"""
    for mode, rect in zip((names.FLAT, names.GOURAUD), cells(s, 1, 2, 3)):
        s.states(SHADEMODE=mode)
        s.screen_quad(rect, color=RAINBOW)


@feature()
def cull_modes(s):
    """Cull modes none, clockwise and counter-clockwise: above a clockwise triangle, below the other"""
    for mode, (left, _, right, _) in zip((1, 2, 3), cells(s, 3, 1, 2)):
        s.states(CULLMODE=mode)
        middle = (left + right) / 2
        screen(s, names.TRIANGLELIST, [(middle, 4, RED), (right, 28, RED), (left, 28, RED),
                                       (middle, 36, GREEN), (left, 60, GREEN), (right, 60, GREEN)])  # fmt: skip


@feature(level=7)
def line_pattern(s):
    """Line patterns with repeat factors 1 to 4"""
    for i in range(4):
        state(s, LINEPATTERN, i + 1 | 0x3C5F << 16)
        screen(s, names.LINESTRIP, [(4, 8 + 15 * i, WHITE), (60, 8 + 15 * i, YELLOW), (50, 16 + 15 * i, RED)])


@feature()
def last_pixel(s):
    """LASTPIXEL: above the strips of short lines keep their last pixel, below they lose it"""
    for value, top in ((1, 4), (0, 36)):
        state(s, LASTPIXEL, value)
        for row in range(8):
            screen(s, names.LINELIST, [(4 + row, top + 3 * row, WHITE), (12 + row, top + 3 * row, WHITE),
                                       (13 + row, top + 3 * row, YELLOW), (40 + row, top + 3 * row, YELLOW)])  # fmt: skip


@feature()
def antialiased_lines(s):
    """Antialiased lines: coverage times alpha"""
    s.states(ANTIALIASEDLINEENABLE=1)
    s.blend(names.SRCALPHA, names.INVSRCALPHA)
    line_list(s)


@feature()
def point_sizes(s):
    """Point sizes 1 to 20"""
    for i, size in enumerate((1, 2, 3, 5, 8, 12, 16, 20)):
        s.states(POINTSIZE=float(size))
        screen(s, names.POINTLIST, [(12 + 18 * (i % 4) - (i == 3) * 2, 16 + 30 * (i // 4), RAINBOW[i % 4])])


@feature()
def point_sprites(s):
    """Point sprites: the whole texture on each point"""
    s.show_texture(s.texture((16, 16), arrow()))
    s.states(POINTSPRITEENABLE=1, POINTSIZE=20.0)
    s.draw(names.POINTLIST, XYZRHW | DIFFUSE, [(x, y, 0.5, 1.0, WHITE) for x in (16, 46) for y in (16, 46)])


@feature()
def point_scale(s):
    """Points that shrink with their distance"""
    s.transform(names.PROJECTION, perspective(far=50.0))
    s.states(POINTSCALEENABLE=1, POINTSCALE_A=0.0, POINTSCALE_B=0.0, POINTSCALE_C=1.0, POINTSIZE=0.5)
    s.draw(names.POINTLIST, XYZ | DIFFUSE, [(-1.2 + 0.5 * i, 0.9 - 0.15 * i, 2.5 + 1.4 * i, RAINBOW[i % 4]) for i in range(9)])


@feature(depth="D24S8")
def depth_biases(s):
    """Three coplanar quads: without bias, with DEPTHBIAS, with SLOPESCALEDEPTHBIAS, each behind a grey plane"""
    s.states(ZENABLE=1, ZFUNC=names.LESS, ZWRITEENABLE=1)
    slope = [0.3, 0.7, 0.3, 0.7]
    s.screen_quad((0, 0, 64, 64), z=slope, color=GREY)
    for color, bias, slope_bias, top in ((RED, 0.0, 0.0, 6), (GREEN, -0.01, 0.0, 26), (YELLOW, 0.0, -1.0, 46)):
        s.states(DEPTHBIAS=bias)
        state(s, SLOPESCALEDEPTHBIAS, slope_bias)
        s.screen_quad((0, top, 64, top + 12), z=slope, color=color)


@feature(samples=4)
def multisampling(s):
    """Edges of four samples a pixel"""
    triangle_fan(s)


@feature()
def viewport(s):
    """The same quad in four viewports"""
    for rect, color in zip(cells(s, 2, 2, 3), PASTEL):
        s.op("VIEWPORTINFO", (rect[0], rect[1], rect[2] - rect[0], rect[3] - rect[1]))
        s.free_quad([(-2, 0.8), (0.8, 2), (-0.8, -2), (2, -0.8)], color=[color, WHITE, BLACK, color])


@feature()
def scissor(s):
    """A scissor rectangle cuts a quad"""
    s.screen_quad(color=0xFF405060)
    s.op("SETSCISSORRECT", (12, 20, 52, 44)).states(SCISSORTESTENABLE=1)
    s.screen_quad(color=RAINBOW)


@feature()
def clip_planes(s):
    """Two user clip planes cut a corner and the right side off"""
    s.op("SETCLIPPLANE", (0, (-1.0, 0.0, 0.0, 0.5)), (1, (1.0, 1.0, 0.0, 0.8))).states(CLIPPLANEENABLE=3)
    s.quad(color=RAINBOW)


# ---- vertices ----


@feature()
def vertex_blending(s):
    """Two matrices and a weight: the right side of a bar turns away"""
    s.states(VERTEXBLEND=1)
    s.transform(257, rotated_y(0.0, 0.0, 0.55, 0.0))
    row = [((x, y, 0.5), (1.0 - x) / 2, PASTEL[i % 4]) for i in range(17) for x in (i / 8 - 1,) for y in (0.1, -0.5)]
    s.draw(names.TRIANGLESTRIP, XYZB1 | DIFFUSE, row)


@feature()
def indexed_vertex_blending(s):
    """Three bars, each moved by the matrix that its vertices name"""
    s.states(VERTEXBLEND=1)
    state(s, INDEXEDVERTEXBLENDENABLE, 1)
    for i, y in enumerate((0.6, 0.0, -0.6)):
        s.transform(256 + i, names.translation(0.3 * i - 0.3, y, 0.0))
    for i in range(3):
        points = [((x, y, 0.5), 1.0, struct.unpack("<f", bytes((i, i, 0, 0)))[0], PASTEL[i])
                  for y in (0.2, -0.2) for x in (-0.6, 0.6)]  # fmt: skip
        s.draw(names.TRIANGLESTRIP, XYZB2 | LASTBETA_UBYTE4 | DIFFUSE, points)


@feature()
def tweening(s):
    """A square becomes a star: TWEENFACTOR 0, 1/3, 2/3 and 1"""
    elements = [(0, 0, 2, 0, 0, 0), (0, 12, 2, 0, 0, 1), (0, 24, 4, 0, 10, 0)]
    tail = b"".join(struct.pack("<HHBBBB", *one) for one in elements)
    s.op("CREATEVERTEXSHADERDECL", with_tail(1, len(elements), tail=tail)).op("SETVERTEXSHADERDECL", 1)
    s.states(VERTEXBLEND=255)
    for i, (cx, cy) in enumerate(((-0.5, 0.5), (0.5, 0.5), (-0.5, -0.5), (0.5, -0.5))):
        state(s, TWEENFACTOR, i / 3)
        data = struct.pack("<6fI", cx, cy, 0.5, cx, cy, 0.5, WHITE)
        for k in range(17):
            a = 2 * math.pi * k / 16
            square = 0.3 / max(abs(math.cos(a)), abs(math.sin(a)))
            star = 0.4 if k % 2 == 0 else 0.12
            data += struct.pack("<6fI", cx + square * math.cos(a), cy + square * math.sin(a), 0.5,
                                cx + star * math.cos(a), cy + star * math.sin(a), 0.5, PASTEL[k % 4])  # fmt: skip
        s.op("SETVERTEXSHADERDECL", 1).op("SETSTREAMSOURCEUM", (0, 28)).op("DRAWPRIMITIVE", (names.TRIANGLEFAN, 0, 16))
        s.flush(vertices=data, size=28)
    s.has_open_frame = True


@feature(depth="D24S8")
def light_directional(s):
    """A directional light and its highlight on a ball"""
    lit(s, SPECULARENABLE=1)
    s.light(0, names.LIGHT_DIRECTIONAL, (1.0, 1.0, 1.0, 1.0), (0.8, 0.8, 0.8, 1.0), direction=(1.0, -1.0, 1.0))
    ball(s)


@feature(depth="D24S8")
def light_point(s):
    """A red point light on the left, a blue one on the right, both with attenuation"""
    lit(s)
    s.light(0, names.LIGHT_POINT, (1.0, 0.2, 0.1, 1.0), position=(-2.0, 0.5, 2.0), attenuation=(0.0, 0.6, 0.0))
    s.light(1, names.LIGHT_POINT, (0.1, 0.3, 1.0, 1.0), position=(2.0, -0.5, 2.0), attenuation=(0.0, 0.0, 0.4))
    ball(s)


@feature(depth="D24S8")
def light_spot(s):
    """A spot light with inner and outer cone on a wall"""
    lit(s)
    s.light(0, names.LIGHT_SPOT, (1.0, 1.0, 0.8, 1.0), position=(-0.6, 0.6, 0.0), direction=(0.3, -0.3, 1.0),
            attenuation=(1.0, 0, 0), falloff=1.0, theta=0.4, phi=0.9)  # fmt: skip
    s.transform(names.PROJECTION, perspective())
    points = [(x / 8 - 1.5, y / 8 - 1.5) for x in range(25) for y in range(25)]
    quads = []
    for x, y in points:
        a, b, c, d = (x, y), (x + 0.125, y), (x, y + 0.125), (x + 0.125, y + 0.125)
        quads += [((*p, 2.5), (0.0, 0.0, -1.0)) for p in (a, c, b, b, c, d)]
    s.draw(names.TRIANGLELIST, XYZ | NORMAL, quads)


@feature(depth="D24S8")
def light_ambient_emissive(s):
    """Ambient light alone above, an emissive material below"""
    lit(s, AMBIENT=0xFF604020)
    s.light(0, names.LIGHT_DIRECTIONAL, (0.4, 0.4, 0.4, 1.0), direction=(1.0, 0.0, 1.0))
    ball(s, (-0.7, 0.6, 4.0))
    s.material(diffuse=(0.3, 0.3, 0.3, 1.0), emissive=(0.0, 0.4, 0.2, 1.0))
    ball(s, (0.7, -0.6, 4.0))


@feature(depth="D24S8")
def materials(s):
    """Four materials under one light: red, green and dull, blue and shiny, black and shiny"""
    lit(s, SPECULARENABLE=1, LOCALVIEWER=1)
    s.light(0, names.LIGHT_DIRECTIONAL, (1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0), direction=(0.6, -0.8, 1.0))
    rows = [((1.0, 0.2, 0.1, 1.0), 0.0, 0.0), ((0.1, 0.8, 0.3, 1.0), 0.4, 3.0),
            ((0.2, 0.3, 1.0, 1.0), 1.0, 20.0), ((0.0, 0.0, 0.0, 1.0), 1.0, 60.0)]  # fmt: skip
    for i, (diffuse, shine, power) in enumerate(rows):
        s.material(diffuse=diffuse, ambient=diffuse, specular=(shine, shine, shine, 1.0), power=power)
        ball(s, (i % 2 * 2.2 - 1.1, 1.1 - i // 2 * 2.2, 5.0))


@feature()
def material_sources(s):
    """Diffuse colour from the material, the vertex colour and the specular colour of the vertex"""
    s.states(LIGHTING=1, COLORVERTEX=1)
    s.material(diffuse=(1.0, 0.6, 0.2, 1.0))
    s.light(0, names.LIGHT_DIRECTIONAL, (1.0, 1.0, 1.0, 1.0), direction=(0.0, 0.0, 1.0))
    for source, rect in zip((names.MATERIAL, names.COLOR1, names.COLOR2), cells(s, 3, 1, 2)):
        s.states(DIFFUSEMATERIALSOURCE=source)
        s.quad(rect, normal=(0, 0, -1.0), color=[GREEN, CYAN, GREEN, CYAN], specular=[MAGENTA, BLUE, BLUE, MAGENTA])


# ---- depth, stencil, tests, blending ----


@feature(depth="D24S8")
def depth_functions(s):
    """The eight depth functions: a bar that rises through a plane"""
    s.states(ZENABLE=1, ZWRITEENABLE=1, ZFUNC=names.ALWAYS)
    s.screen_quad(z=0.5, color=0xFF506070)
    s.states(ZWRITEENABLE=0)
    for function, rect in zip(COMPARISONS, cells(s, 4, 2, 2)):
        s.states(ZFUNC=function)
        s.screen_quad(rect, z=[0.25, 0.25, 0.75, 0.75], color=YELLOW)


@feature(depth="D24S8")
def z_buffer(s):
    """Three planes that go through each other"""
    s.states(ZENABLE=1, ZWRITEENABLE=1, ZFUNC=names.LESSEQUAL)
    s.screen_quad((4, 4, 60, 60), z=[0.1, 0.9, 0.1, 0.9], color=PASTEL[0])
    s.screen_quad((4, 4, 60, 60), z=[0.9, 0.1, 0.9, 0.1], color=PASTEL[1])
    s.screen_quad((12, 12, 52, 52), z=[0.1, 0.1, 0.9, 0.9], color=PASTEL[2])


@feature(depth="D24S8")
def w_buffer(s):
    """Two planes in perspective that go through each other, with a w-buffer"""
    s.states(ZENABLE=2, ZWRITEENABLE=1, ZFUNC=names.LESSEQUAL)
    s.op("WINFO", (0.5, 20.0)).transform(names.PROJECTION, perspective())
    s.free_quad([(-1, 1), (1, 1), (-1, -1), (1, -1)], z=[2.0, 6.0, 2.0, 6.0], color=PASTEL[0])
    s.free_quad([(-1, 1), (1, 1), (-1, -1), (1, -1)], z=[6.0, 2.0, 6.0, 2.0], color=PASTEL[1])


@feature(depth="D24S8")
def stencil_functions(s):
    """The eight stencil functions, against the values 0 to 3 in four stripes; the reference is 1"""
    stripes(s)
    s.states(STENCILENABLE=1, STENCILREF=1, STENCILPASS=names.KEEP, STENCILFAIL=names.KEEP, STENCILZFAIL=names.KEEP)
    for function, rect in zip(COMPARISONS, cells(s, 1, 8)):
        s.states(STENCILFUNC=function)
        s.screen_quad(rect, color=YELLOW)


def stripes(s):
    """Stencil values 0 to 3 in four columns."""
    for value, rect in enumerate(cells(s, 4, 1, 0)):
        s.clear(0xFF304050 + 0x101010 * value, names.TARGET | names.STENCIL, 1.0, value, [rect])


@feature(depth="D24S8")
def stencil_operations(s):
    """The eight stencil operations on the values 0 to 3; the result as brightness, 32 a step"""
    stripes(s)
    s.states(STENCILENABLE=1, STENCILREF=6, STENCILFUNC=names.ALWAYS)
    rects = list(cells(s, 1, 8))
    for operation, rect in zip(range(1, 9), rects):
        s.states(STENCILPASS=operation)
        s.screen_quad(rect, color=BLACK)
    s.states(STENCILPASS=names.KEEP, STENCILFUNC=names.EQUAL)
    for value in (0, 1, 2, 3, 4, 6, 0xFF, 0xFE, 0xFD, 0xFC):
        level = value * 32 if value < 8 else 255 - (255 - value) * 16
        s.states(STENCILREF=value)
        s.screen_quad(color=0xFF000000 | level * 0x10101)


@feature(depth="D24S8")
def two_sided_stencil(s):
    """Front faces count up and back faces count down; what is not 0 behind it becomes yellow"""
    s.states(STENCILENABLE=1, TWOSIDEDSTENCILMODE=1, STENCILFUNC=names.ALWAYS, STENCILPASS=7,
             CCW_STENCILFUNC=names.ALWAYS, CCW_STENCILPASS=8, COLORWRITEENABLE=0)  # fmt: skip
    screen(s, names.TRIANGLELIST, [(4, 4, RED), (60, 32, RED), (4, 60, RED), (60, 4, RED), (4, 32, RED), (60, 60, RED)])
    s.states(COLORWRITEENABLE=15, TWOSIDEDSTENCILMODE=0, STENCILFUNC=names.NOTEQUAL, STENCILREF=0, STENCILPASS=names.KEEP)
    s.screen_quad(color=YELLOW)


@feature()
def alpha_test(s):
    """The eight alpha functions on an alpha ramp; the reference is 128"""
    s.states(ALPHATESTENABLE=1, ALPHAREF=128)
    for function, rect in zip(COMPARISONS, cells(s, 1, 8)):
        s.states(ALPHAFUNC=function)
        s.screen_quad(rect, color=[0x0000FF80, 0xFFFFFF80, 0x0000FF80, 0xFFFFFF80])


def blend_grid(s, pairs, columns, rows):
    """A ramp of colour and alpha over a striped ground, blended by each pair."""
    for i in range(8):
        s.screen_quad((0, i * 8, 64, i * 8 + 8), color=(0xFF804020, 0xFF2060A0, 0xFFC0C0C0, 0xFF101010)[i % 4])
    for (source, destination), rect in zip(pairs, cells(s, columns, rows)):
        s.blend(source, destination)
        s.screen_quad(rect, color=[0x00FF4040, 0xFFFFFF40, 0x004040FF, 0xFF40FFFF])


@feature(pixel_format="A8R8G8B8")
def blend_source_factors(s):
    """Source factors 1 to 11 and BLENDFACTOR, each with the destination factor ZERO"""
    state(s, BLENDFACTOR, 0xFF80FF40)
    blend_grid(s, [(factor, names.ZERO) for factor in (*range(1, 12), 14)], 4, 3)


@feature(pixel_format="A8R8G8B8")
def blend_destination_factors(s):
    """Destination factors 1 to 11 and INVBLENDFACTOR, each with the source factor ONE"""
    state(s, BLENDFACTOR, 0xFF80FF40)
    blend_grid(s, [(names.ONE, factor) for factor in (*range(1, 12), 15)], 4, 3)


@feature(pixel_format="A8R8G8B8")
def blend_usual_pairs(s):
    """Alpha, premultiplied, additive, multiplied, both factors by BOTHSRCALPHA, screen"""
    blend_grid(s, [(5, 6), (2, 6), (2, 2), (9, 1), (12, 1), (2, 4)], 3, 2)


@feature()
def blend_operations(s):
    """ADD, SUBTRACT, REVSUBTRACT, MIN and MAX"""
    s.screen_quad(color=[0xFF200080, 0xFF2080FF, 0xFF802080, 0xFF80FF20])
    s.blend(names.ONE, names.ONE)
    for operation, rect in zip(range(1, 6), cells(s, 1, 5, 2)):
        state(s, BLENDOP, operation)
        s.screen_quad(rect, color=[0xFF400000, 0xFFFF8000, 0xFF400000, 0xFFFF8000])


@feature(pixel_format="A8R8G8B8")
def blend_separate_alpha(s):
    """Alpha is added up while colours are mixed; a last pass shows the alpha as brightness on the right"""
    s.clear(0x20404080)
    s.blend(names.SRCALPHA, names.INVSRCALPHA)
    s.op("RENDERSTATE", (SEPARATEALPHABLENDENABLE, 1), (207, names.ONE), (208, names.ONE), (209, 1))
    for i in range(5):
        s.screen_quad((4 + 8 * i, 4 + 8 * i, 28 + 8 * i, 28 + 8 * i), color=0x40FF8020)
    state(s, SEPARATEALPHABLENDENABLE, 0)
    s.blend(names.DESTALPHA, names.ZERO)
    s.screen_quad((32, 0, 64, 64), color=WHITE)


@feature()
def write_mask(s):
    """Colour write masks 0 to 15"""
    for mask, rect in enumerate(cells(s, 4, 4)):
        s.states(COLORWRITEENABLE=mask)
        s.screen_quad(rect, color=0xFFFFF0E0)


@feature(pixel_format="R5G6B5")
def dithering(s):
    """A dark ramp on a 16-bit target, without dithering above and with it below"""
    for value, rect in zip((0, 1), cells(s, 1, 2, 0)):
        state(s, DITHERENABLE, value)
        s.screen_quad(rect, color=[0xFF000000, 0xFF404060, 0xFF102000, 0xFF604040])


@feature(pixel_format="A8R8G8B8")
def srgb_write(s):
    """A grey ramp, stored as it is above and through the sRGB curve below"""
    for value, rect in zip((0, 1), cells(s, 1, 2, 0)):
        s.states(SRGBWRITEENABLE=value)
        s.screen_quad(rect, color=[BLACK, WHITE, BLACK, WHITE])


@feature(pixel_format="A8R8G8B8")
def srgb_texture(s):
    """A grey ramp texture, read as it is above and through the sRGB curve below"""
    s.show_texture(s.texture((16, 16), picture(16, lambda x, y: 0xFF000000 | x * 17 * 0x10101)))
    for value, rect in zip((0, 1), cells(s, 1, 2, 0)):
        s.stage(0, SRGBTEXTURE=value)
        texture_quad(s, rect)


@feature(level=6)
def stipple(s):
    """A 32x32 stipple pattern"""
    for row in range(32):
        state(s, STIPPLEPATTERN + row, 0xFF00FF00 if row & 8 else 0x0F0F0F0F << (row & 3))
    state(s, STIPPLEENABLE, 1)
    s.screen_quad(color=RAINBOW)


@feature(level=6)
def stippled_alpha(s):
    """Alpha as a pattern of drawn pixels"""
    state(s, STIPPLEDALPHA, 1)
    s.screen_quad(color=[0x00FFFFFF, WHITE, 0x00FFFF00, YELLOW])


@feature(level=6)
def raster_operations(s):
    """The sixteen binary raster operations of ROP2"""
    for i in range(4):
        s.screen_quad((i * 16, 0, i * 16 + 8, 64), color=0xFF6090C0)
    for operation, rect in zip(range(1, 17), cells(s, 4, 4)):
        state(s, ROP2, operation)
        s.screen_quad(rect, color=0xFFF0A050)


# ---- fog ----


def fog(s, **states):
    """Quads that go into the distance, in fog."""
    s.transform(names.PROJECTION, perspective(1.2, 0.5, 20.0))
    s.states(FOGENABLE=1, FOGCOLOR=0xFFC0D0E0, FOGSTART=2.0, FOGEND=14.0, FOGDENSITY=0.15, ZENABLE=0, **states)
    s.clear(0xFFC0D0E0)
    floor = [((x, -1.0, z), PASTEL[0]) for z in (14.0, 1.0) for x in (-14.0, 14.0)]
    s.draw(names.TRIANGLESTRIP, XYZ | DIFFUSE, floor)
    for z in range(12, 1, -2):
        for x in (-1.6, 1.0):
            corners = [((x + dx, y, float(z)), PASTEL[z // 2 % 4]) for y in (1.2, -1.0) for dx in (0.0, 0.6)]
            s.draw(names.TRIANGLESTRIP, XYZ | DIFFUSE, corners)


def fog_feature(kind, mode, number, **states):
    """Registers a fog picture."""

    def builder(s):
        fog(s, **{kind: number}, **states)

    builder.__name__ = f"fog_{mode}"
    builder.__doc__ = f"Fog: {mode.replace('_', ', ')}"
    feature(depth="D24S8")(builder)


for _mode, _number in (("exp", 1), ("exp2", 2), ("linear", 3)):
    fog_feature("FOGTABLEMODE", f"table_{_mode}", _number)
    fog_feature("FOGVERTEXMODE", f"vertex_{_mode}", _number)
fog_feature("FOGVERTEXMODE", "vertex_range", 3, RANGEFOGENABLE=1)


@feature()
def fog_factor(s):
    """Fog factors from the alpha of the specular colour"""
    s.states(FOGENABLE=1, FOGCOLOR=0xFFFF8000)
    s.screen_quad((4, 4, 60, 60), color=BLUE, specular=[0x00000000, 0xFF000000, 0x00000000, 0xFF000000])


# ---- textures ----


@feature()
def address_modes(s):
    """Wrap, mirror, clamp, border and mirror-once"""
    s.show_texture(s.texture((16, 16), arrow()), BORDERCOLOR=0xFFFF8000)
    for mode, rect in zip(range(1, 6), cells(s, 3, 2)):
        s.stage(0, ADDRESSU=mode, ADDRESSV=mode)
        texture_quad(s, rect, coordinates=coordinates(-1.3, -1.3, 2.3, 2.3))


@feature()
def wrap_states(s):
    """WRAP0: the coordinate goes from 0.8 over 1 to 0.2 below, back through 0.5 above"""
    s.show_texture(s.texture((16, 16), arrow()))
    for value, rect in zip((0, 1), cells(s, 1, 2)):
        state(s, WRAP0, value)
        texture_quad(s, rect, coordinates=coordinates(0.8, 0.0, 0.2, 1.0))


@feature(size=(96, 64))
def filters(s):
    """Magnified and minified: point, linear, anisotropic"""
    chain = [checker(32 >> level, WHITE, 0xFFC03020, 2) for level in range(6)]
    s.show_texture(s.texture((32, 32), chain))
    rects = list(cells(s, 3, 2))
    for i, mode in enumerate((1, 2, 3)):
        s.stage(0, MAGFILTER=min(mode, 2), MINFILTER=mode, MIPFILTER=0)
        stage_state(s, MAXANISOTROPY, 8)
        texture_quad(s, rects[i], coordinates=coordinates(0.2, 0.2, 0.45, 0.45))
        left, top, right, bottom = rects[3 + i]
        corners = [(left + 10, top, 0.2), (right - 10, top, 0.2), (left, bottom, 1.0), (right, bottom, 1.0)]
        s.draw(names.TRIANGLESTRIP, XYZRHW | DIFFUSE | TEX1,
               [(x, y, 0.5, w, WHITE, u * 3.0, v * 3.0) for (x, y, w), (u, v) in zip(corners, UNIT)])  # fmt: skip


LEVEL_COLORS = (WHITE, RED, YELLOW, GREEN, CYAN, BLUE, MAGENTA)


def coloured_chain(s):
    """A texture of 64x64 whose levels have colours of their own."""
    chain = [checker(64 >> i, color, color & 0xFFC0C0C0) for i, color in enumerate(LEVEL_COLORS)]
    return s.texture((64, 64), chain)


def receding(s, rect):
    """A plane into the distance."""
    left, top, right, bottom = rect
    middle = (left + right) / 2
    corners = [(middle - 4, top, 0.06), (middle + 4, top, 0.06), (left, bottom, 1.0), (right, bottom, 1.0)]
    s.draw(names.TRIANGLESTRIP, XYZRHW | DIFFUSE | TEX1,
           [(x, y, 0.5, w, WHITE, u * 2.0, v * 2.0) for (x, y, w), (u, v) in zip(corners, UNIT)])  # fmt: skip


@feature(size=(96, 64))
def mip_filters(s):
    """Coloured levels: no mip filter, point, linear"""
    s.show_texture(coloured_chain(s), MAGFILTER=2, MINFILTER=2)
    for mode, rect in enumerate(cells(s, 3, 1)):
        s.stage(0, MIPFILTER=mode)
        receding(s, rect)


@feature(size=(96, 64))
def mip_bias(s):
    """Coloured levels with a bias of -1.5, 0 and 1.5"""
    s.show_texture(coloured_chain(s), MAGFILTER=2, MINFILTER=2, MIPFILTER=2)
    for bias, rect in zip((-1.5, 0.0, 1.5), cells(s, 3, 1)):
        stage_state(s, MIPMAPLODBIAS, bias)
        receding(s, rect)


@feature(size=(96, 64))
def max_mip_level(s):
    """Coloured levels, where MAXMIPLEVEL is 0, 1 and 3"""
    s.show_texture(coloured_chain(s), MAGFILTER=2, MINFILTER=2, MIPFILTER=2)
    for level, rect in zip((0, 1, 3), cells(s, 3, 1)):
        s.stage(0, MAXMIPLEVEL=level)
        receding(s, rect)


@feature(size=(102, 68))
def mip_generation(s):
    """GENERATEMIPSUBLEVELS: the levels of a checkerboard that the driver made"""
    handle = s.texture((32, 32), checker(32, WHITE, RED, 8), levels=6, caps3=["LIGHTWEIGHTMIPMAP", "AUTOGENMIPMAP"])
    s.op("GENERATEMIPSUBLEVELS", (handle, 2))
    s.show_texture(handle, MIPFILTER=1)
    for level, rect in enumerate(cells(s, 3, 2)):
        s.stage(0, MAXMIPLEVEL=level)
        texture_quad(s, rect)


@feature(depth="D24S8")
def cube_map(s):
    """A cube of six colours, seen through the normals of a ball"""
    faces = [checker(8, color, color & 0xFF9F9F9F, 2) for color in (RED, CYAN, GREEN, MAGENTA, BLUE, YELLOW)]
    s.show_texture(s.cube(8, faces), TEXCOORDINDEX=0x10000, TEXTURETRANSFORMFLAGS=names.COUNT3)
    s.states(ZENABLE=1, ZWRITEENABLE=1, ZFUNC=names.LESSEQUAL)
    s.transform(names.TEXTURE0, rotated_y(0.7))
    s.transform(names.VIEW, names.IDENTITY)
    ball(s)


@feature()
def volume(s):
    """Four slices of a volume texture, and a cut across"""
    data = b"".join(checker(4, color, BLACK, 2) for color in (RED, YELLOW, GREEN, BLUE))
    s.show_texture(s.texture((4, 4), data, depth=4), MAGFILTER=2, MINFILTER=2, ADDRESSW=names.CLAMP)
    for i, rect in enumerate(cells(s, 2, 2)):
        low = 0.125 + 0.25 * i
        high = 0.875 if i == 3 else low
        texture_quad(s, rect, coordinates=((0.0, 0.0, low), (1.0, 0.0, low), (0.0, 1.0, high), (1.0, 1.0, high)))


@feature(level=7)
def color_key(s):
    """Texels of the key colour are not drawn"""
    s.screen_quad(color=PASTEL)
    handle = s.texture((16, 16), checker(16, 0xFFFF00FF, 0xFF102030, 4), color_key={"low": 0xFFFF00FF, "high": 0xFFFF00FF})
    s.states(COLORKEYENABLE=1)
    s.show_texture(handle)
    texture_quad(s, (8, 8, 56, 56))


@feature()
def palette(s):
    """A palettised texture; the left half was drawn before the palette changed"""
    handle = s.texture((16, 16), bytes((x // 4 + y // 4 * 4) for y in range(16) for x in range(16)), "P8")
    ramp = [0xFF000000 | i * 17 << 16 | 0x2000 | (15 - i) * 17 for i in range(16)]
    s.op("UPDATEPALETTE", fixed=(1, 0, 16), count=1, tail=dwords(ramp)).op("SETPALETTE", (1, 0, handle))
    s.show_texture(handle)
    texture_quad(s, (0, 0, 32, 64))
    s.op("UPDATEPALETTE", fixed=(1, 5, 6), count=1, tail=dwords(WHITE, RED, GREEN, BLUE, YELLOW, CYAN))
    texture_quad(s, (32, 0, 64, 64))


@feature()
def texture_transform(s):
    """A texture turned, scaled, moved and projected by its matrix"""
    s.show_texture(s.texture((16, 16), arrow()))
    c, sn = math.cos(0.5), math.sin(0.5)
    matrices = ((c, sn, 0, 0, -sn, c, 0, 0), (2.0, 0, 0, 0, 0, 3.0, 0, 0), (1.0, 0, 0, 0, 0, 1.0, 0, 0, 0.25, 0.4), (1.0, 0, 0.5, 0, 0, 1.0, 0.3, 0, 0, 0, 1.0))
    for rect, matrix, flags in zip(cells(s, 2, 2), matrices, (2, 2, 2, 3 | names.PROJECTED)):
        s.stage(0, TEXTURETRANSFORMFLAGS=flags)
        s.transform(names.TEXTURE0, tuple(matrix) + names.IDENTITY[len(matrix):])
        s.quad(rect, color=WHITE, sets=[UNIT])


def generated(s, mode, transform, center=(0.0, 0.0, 3.2)):
    """A ball with generated coordinates."""
    s.show_texture(s.texture((16, 16), arrow()), TEXCOORDINDEX=mode, TEXTURETRANSFORMFLAGS=names.COUNT2)
    s.states(ZENABLE=1, ZWRITEENABLE=1, ZFUNC=names.LESSEQUAL)
    s.transform(names.TEXTURE0, transform)
    ball(s, center)


HALF = (0.5, 0, 0, 0, 0, -0.5, 0, 0, 0, 0, 1.0, 0, 0.5, 0.5, 0, 1.0)


@feature(depth="D24S8")
def texgen_normal(s):
    """Coordinates from the normal in camera space"""
    generated(s, 0x10000, HALF)


@feature(depth="D24S8")
def texgen_position(s):
    """Coordinates from the position in camera space"""
    generated(s, 0x20000, HALF, (0.4, -0.4, 3.2))


@feature(depth="D24S8")
def texgen_reflection(s):
    """Coordinates from the reflection vector in camera space"""
    generated(s, 0x30000, HALF)


@feature(depth="D24S8")
def texgen_sphere_map(s):
    """Coordinates of a sphere map"""
    generated(s, 0x40000, names.IDENTITY)


def stage_grid(s, operations, columns, rows, *, alpha=False):
    """A textured quad for each operation of stage 0: texture, diffuse colour, constant."""
    ramp = picture(16, lambda x, y: (y * 17) << 24 | (x * 17) << 16 | 0x6000 | (255 - x * 17))
    handle = s.texture((16, 16), ramp)
    s.states(TEXTUREFACTOR=0x80FFC040)
    s.stage(0, TEXTUREMAP=handle, COLORARG1=names.TEXTURE, COLORARG2=names.FROM_DIFFUSE, COLORARG0=names.TFACTOR,
            ALPHAOP=names.SELECTARG1, ALPHAARG1=names.TEXTURE, ALPHAARG2=names.FROM_DIFFUSE)  # fmt: skip
    if alpha:
        s.stage(0, COLOROP=names.SELECTARG1, ALPHAARG0=names.TFACTOR)
        s.blend(names.SRCALPHA, names.INVSRCALPHA)
    for operation, rect in zip(operations, cells(s, columns, rows)):
        s.stage(0, **{"ALPHAOP" if alpha else "COLOROP": operation})
        texture_quad(s, rect, color=[0x40FF8080, 0xC080FF80, 0x408080FF, 0xFFFFFFFF])


@feature()
def stage_select_and_modulate(s):
    """SELECTARG1, SELECTARG2, MODULATE, MODULATE2X, MODULATE4X"""
    stage_grid(s, range(2, 7), 3, 2)


@feature()
def stage_add(s):
    """ADD, ADDSIGNED, ADDSIGNED2X, SUBTRACT, ADDSMOOTH"""
    stage_grid(s, range(7, 12), 3, 2)


@feature()
def stage_blend(s):
    """BLENDDIFFUSEALPHA, BLENDTEXTUREALPHA, BLENDFACTORALPHA, BLENDTEXTUREALPHAPM, BLENDCURRENTALPHA"""
    stage_grid(s, range(12, 17), 3, 2)


@feature()
def stage_modulate_and_add(s):
    """The four operations that modulate one channel and add another"""
    stage_grid(s, range(18, 22), 2, 2)


@feature()
def stage_dot_product(s):
    """DOTPRODUCT3, MULTIPLYADD, LERP"""
    stage_grid(s, range(24, 27), 3, 1)


@feature()
def stage_alpha(s):
    """Alpha operations SELECTARG1, MODULATE, ADD, SUBTRACT, LERP, ADDSMOOTH shown by blending"""
    stage_grid(s, (2, 4, 7, 10, 26, 11), 3, 2, alpha=True)


@feature()
def stage_arguments(s):
    """Arguments diffuse, texture, factor, specular, and complement and alpha of the texture"""
    ramp = picture(16, lambda x, y: (y * 17) << 24 | (x * 17) << 16 | 0x6000 | (255 - x * 17))
    s.states(TEXTUREFACTOR=0x80FFC040)
    s.stage(0, TEXTUREMAP=s.texture((16, 16), ramp), COLOROP=names.SELECTARG1)
    arguments = (names.FROM_DIFFUSE, names.TEXTURE, names.TFACTOR, names.FROM_SPECULAR, names.TEXTURE | names.COMPLEMENT,
                 names.TEXTURE | names.ALPHAREPLICATE)  # fmt: skip
    for argument, rect in zip(arguments, cells(s, 3, 2)):
        s.stage(0, COLORARG1=argument)
        texture_quad(s, rect, color=PASTEL, specular=[0xFF00FFFF, 0xFFFF00FF, 0xFF0000FF, 0xFF00FF00])


@feature()
def stage_cascade(s):
    """Three stages: a checkerboard, times a gradient, plus a circle"""
    s.stage(0, TEXTUREMAP=s.texture((8, 8), checker(8)), COLOROP=names.SELECTARG1, COLORARG1=names.TEXTURE)
    gradient = s.texture((16, 16), picture(16, lambda x, y: 0xFF000000 | x * 17 << 16 | y * 17 << 8 | 0xC0))
    s.stage(1, TEXTUREMAP=gradient, COLOROP=names.MODULATE, COLORARG1=names.TEXTURE, COLORARG2=names.CURRENT, TEXCOORDINDEX=0)
    circle = s.texture((32, 32), picture(32, lambda x, y: 0xFF808000 if (x - 16) ** 2 + (y - 16) ** 2 < 120 else BLACK))
    s.stage(2, TEXTUREMAP=circle, COLOROP=names.ADD, COLORARG1=names.TEXTURE, COLORARG2=names.CURRENT, TEXCOORDINDEX=0)
    texture_quad(s, (4, 4, 60, 60))


def bump(s, operation, pixel_format, data, **states):
    """A bump map over a checkerboard, in two stages."""
    s.stage(0, TEXTUREMAP=s.texture((32, 32), data, pixel_format), COLOROP=operation, COLORARG1=names.TEXTURE,
            BUMPENVMAT00=0.12, BUMPENVMAT01=0.0, BUMPENVMAT10=0.0, BUMPENVMAT11=0.12, MAGFILTER=2, MINFILTER=2,
            **states)  # fmt: skip
    ground = s.texture((32, 32), checker(32, WHITE, 0xFF207040, 4))
    s.stage(1, TEXTUREMAP=ground, COLOROP=names.SELECTARG1, COLORARG1=names.TEXTURE, TEXCOORDINDEX=0, MAGFILTER=2, MINFILTER=2)
    texture_quad(s, (4, 4, 60, 60))


def slopes():
    """A round wave as pairs of signed bytes."""
    for y in range(32):
        for x in range(32):
            dx, dy = x - 15.5, y - 15.5
            distance = math.hypot(dx, dy)
            wave = math.sin(distance * 0.8)
            yield round(110 * wave * dx / distance), round(110 * wave * dy / distance), round(127 + 120 * wave)


@feature()
def bump_map(s):
    """BUMPENVMAP: rings of a V8U8 map bend a checkerboard"""
    bump(s, names.BUMPENVMAP, "V8U8", b"".join(struct.pack("<bb", u, v) for u, v, _ in slopes()))


@feature()
def bump_map_luminance(s):
    """BUMPENVMAPLUMINANCE: the same with light and shadow of an X8L8V8U8 map"""
    data = b"".join(struct.pack("<bbBB", u, v, light, 0) for u, v, light in slopes())
    bump(s, names.BUMPENVMAPLUMINANCE, "X8L8V8U8", data, BUMPENVLSCALE=1.0, BUMPENVLOFFSET=0.0)


@feature()
def compressed_texture(s):
    """DXT1: blocks of two colours and their mixtures, with transparent texels below"""
    def block(first, second, indices):
        return struct.pack("<HHI", first, second, indices)

    opaque = [block(0xF800 + i * 32, 0x001F + i, 0xE4E4E4E4) for i in range(8)]
    holes = [block(0x001F + i, 0xFFE0, 0x1B1BE4E4) for i in range(8)]
    s.states(ALPHATESTENABLE=1, ALPHAREF=1, ALPHAFUNC=names.GREATEREQUAL)
    s.show_texture(s.texture((16, 16), b"".join(opaque + holes), "DXT1"))
    texture_quad(s, (4, 4, 60, 60))


@feature()
def texture_formats(s):
    """Nine formats with the same gradient: R5G6B5, A1R5G5B5, A4R4G4B4, X8R8G8B8, R3G3B2, L8, A8L8, R8G8B8, A8R3G3B2"""
    def pack565(x, y):
        return struct.pack("<H", (x * 2) << 11 | (y * 4) << 5 | 12)

    rows = [
        ("R5G6B5", pack565),
        ("A1R5G5B5", lambda x, y: struct.pack("<H", 0x8000 | x * 2 << 10 | y * 2 << 5 | 12)),
        ("A4R4G4B4", lambda x, y: struct.pack("<H", 0xF000 | x << 8 | y << 4 | 6)),
        ("X8R8G8B8", lambda x, y: struct.pack("<I", x * 17 << 16 | y * 17 << 8 | 96)),
        ("R3G3B2", lambda x, y: struct.pack("<B", (x >> 1) << 5 | (y >> 1) << 2 | 1)),
        ("L8", lambda x, y: struct.pack("<B", x * 8 + y * 8)),
        ("A8L8", lambda x, y: struct.pack("<BB", x * 17, 255)),
        ("R8G8B8", lambda x, y: struct.pack("<BBB", 96, y * 17, x * 17)),
        ("A8R3G3B2", lambda x, y: struct.pack("<BB", (x >> 1) << 5 | (y >> 1) << 2 | 1, 255)),
    ]
    for (name, pack), rect in zip(rows, cells(s, 3, 3)):
        s.show_texture(s.texture((16, 16), b"".join(pack(x, y) for y in range(16) for x in range(16)), name))
        texture_quad(s, rect)


@feature()
def specular_add(s):
    """SPECULARENABLE: the specular colour is added behind the texture, on the right only"""
    s.show_texture(s.texture((8, 8), checker(8, 0xFF4060A0, 0xFF203040)))
    for value, rect in zip((0, 1), cells(s, 2, 1)):
        s.states(SPECULARENABLE=value)
        texture_quad(s, rect, specular=[BLACK, 0xFFFFC000, BLACK, 0xFFC04000])


@feature()
def render_to_texture(s):
    """A target is drawn to, then shown three times as a texture"""
    handle = s.surface(s.new_handle(), "texture", "X8R8G8B8", (64, 64), ["TEXTURE", "3DDEVICE", "VIDEOMEMORY"])
    s.op("SETRENDERTARGET2", (0, handle)).clear(0xFF604020)
    triangle_fan(s)
    s.op("SETRENDERTARGET2", (0, 1))
    s.show_texture(handle, MAGFILTER=2, MINFILTER=2)
    for rect in ((2, 2, 30, 30), (34, 2, 62, 62), (2, 34, 30, 62)):
        texture_quad(s, rect)


@feature()
def multiple_targets(s):
    """Two targets from one pixel shader: frame 1 is the first, frame 2 the second"""
    other = s.target("X8R8G8B8")
    s.op("SETRENDERTARGET2", (1, other)).clear(NIGHT)
    code = dwords(0xFFFF0200, (0x0200001F, 0x80000000, 0x900F0000), (0x05000051, 0xA00F0000), [bits(v) for v in (1.0, 0.5, 0.0, 1.0)],
                  (0x02000001, 0x800F0000, 0x90E40000), (0x02000001, 0x800F0800, 0x80E40000), (0x03000003, 0x800F0001, 0xA0E40000, 0x80E40000),
                  (0x02000001, 0x800F0801, 0x80E40001), 0xFFFF)  # fmt: skip
    s.op("CREATEPIXELSHADER", with_tail(1, len(code), tail=code)).op("SETPIXELSHADER", 1)
    s.screen_quad((4, 4, 60, 60), color=RAINBOW)
    s.present()
    s.present(other)


@feature(size=(128, 64))
def shaders(s):
    """A vertex shader of version 1.1 slants a strip; a pixel shader of version 1.4 colours it by texture"""
    code = dwords(0xFFFE0101, (0x1F, 0x80000000, 0x900F0000), (0x1F, 0x80000005, 0x900F0001),
                  (0x04, 0xC00F0000, 0x90000000, 0xA0E40000, 0x90E40000), (0x01, 0xE0030000, 0x90E40001), 0xFFFF)  # fmt: skip
    pixel = dwords(0xFFFF0104, (0x42, 0x800F0000, 0xB0E40000), (0x01, 0x80080000, 0xA0E40000), 0xFFFF)
    s.op("CREATEVERTEXSHADERFUNC", with_tail(1, len(code), tail=code)).op("SETVERTEXSHADERFUNC", 1)
    s.op("SETVERTEXSHADERCONST", with_tail(0, 1, tail=floats(0.0, 0.4, 0.0, 0.0)))
    s.op("CREATEPIXELSHADER", with_tail(1, len(pixel), tail=pixel)).op("SETPIXELSHADER", 1)
    s.stage(0, TEXTUREMAP=s.texture((16, 16), arrow()))
    points = [((x, y, 0.5), (i / 4, v)) for i in range(17) for x in (i / 9 - 0.9,) for y, v in ((0.4, 0.0), (-0.4, 1.0))]
    s.draw(names.TRIANGLESTRIP, XYZ | TEX1, points)


@feature(size=(128, 64), samples=4)
def centroid(s):
    """Red where a coordinate leaves its range: at edges of four samples, left at pixel centres, right with _centroid"""
    for i, name in enumerate(("dcl", "dcl_centroid")):
        code = assemble(f"""ps_2_0; def c0, 1, 0, 0, 1; def c1, 0.25, 0.5, 0.875, 1; {name} t0.xy
            mov r0, c0; cmp r1, t0.x, c1, r0; add r2.x, c1.w, -t0.x; cmp r1, r2.x, r1, r0; mov oC0, r1""")
        s.op("CREATEPIXELSHADER", with_tail(i + 1, len(code), tail=code)).op("SETPIXELSHADER", i + 1)
        points = [((x + i, y, 0.5), (u, v)) for x, y, u, v in ((-0.7, 0.8, 0.0, 0.0), (-0.3, 0.9, 1.0, 0.0),
                                                              (-0.9, -0.7, 0.0, 1.0), (-0.1, -0.9, 1.0, 1.0))]  # fmt: skip
        s.draw(names.TRIANGLESTRIP, XYZ | TEX1, points)


# ---- patches ----


def stream(s, data, stride, fvf):
    """Binds a vertex buffer."""
    s.flush()
    handle = s.new_handle()
    s.trace.buffer(handle, data)
    s.op("SETVERTEXSHADERDECL", fvf).op("SETSTREAMSOURCE", (0, handle, stride))


def rect_patch(s, basis, degree, size, mode=2, segments=8.0, counts=None):
    """A wavy net of control points as a patch, in wireframe over its filled self."""
    vertices = []
    for row in range(size):
        for column in range(size):
            u, v = column / (size - 1), row / (size - 1)
            bend = 0.45 * math.sin(u * 5.0 + v * 2.0)
            vertices.append(struct.pack("<3fI", 1.7 * u - 0.85, 0.8 - 1.6 * v + bend * 0.4, 0.5, PASTEL[(row + column) % 4]))
    stream(s, b"".join(vertices), 16, XYZ | DIFFUSE)
    info = s.stream.struct("D3DRECTPATCH_INFO", 0, 0, size, size, size, basis, degree)
    tail = floats(*(counts or [segments] * 4)) + info
    for fill in (3, mode):
        s.states(FILLMODE=fill)
        if fill != 3:
            s.stage(0, COLOROP=names.SELECTARG1, COLORARG1=names.TFACTOR).states(TEXTUREFACTOR=BLACK)
        s.op("DRAWRECTPATCH", with_tail(0, 3, tail=tail))
    s.has_open_frame = True


@feature()
def patch_bezier(s):
    """A cubic Bezier patch of 7x7 control points"""
    rect_patch(s, 0, 3, 7)


@feature()
def patch_bspline(s):
    """A cubic B-spline patch"""
    rect_patch(s, 1, 3, 6)


@feature()
def patch_catmull_rom(s):
    """A Catmull-Rom patch: it goes through its inner control points"""
    rect_patch(s, 2, 3, 6)


@feature()
def patch_linear(s):
    """A linear patch"""
    rect_patch(s, 0, 1, 4)


@feature()
def patch_quintic(s):
    """A Bezier patch of degree 5"""
    rect_patch(s, 0, 5, 6)


@feature()
def patch_edge_segments(s):
    """A patch whose edges have 2, 9, 5 and 3 segments, with continuous edges"""
    state(s, PATCHEDGESTYLE, 1)
    rect_patch(s, 0, 3, 4, counts=[2.0, 9.0, 5.0, 3.5])


@feature()
def patch_triangle(s):
    """A cubic triangle patch"""
    rows = [(0.85 - 0.55 * row, [0.5 * (2 * i - row) * 0.55 for i in range(row + 1)]) for row in range(4)]
    data = b"".join(struct.pack("<3fI", x, y + 0.12 * math.cos(6 * x), 0.5, PASTEL[i % 4]) for y, row in rows for i, x in enumerate(row))
    stream(s, data, 16, XYZ | DIFFUSE)
    tail = floats(7.0, 7.0, 7.0) + s.stream.struct("D3DTRIPATCH_INFO", 0, 10, 0, 3)
    for mode in (3, 2):
        s.states(FILLMODE=mode)
        if mode == 2:
            s.stage(0, COLOROP=names.SELECTARG1, COLORARG1=names.TFACTOR).states(TEXTUREFACTOR=BLACK)
        s.op("DRAWTRIPATCH", with_tail(0, 3, tail=tail))
    s.has_open_frame = True


@feature(depth="D24S8")
def n_patches(s):
    """The same coarse ball, flat shaded, with 1 and with 4 segments of N-patches"""
    lit(s, SHADEMODE=names.FLAT)
    s.light(0, names.LIGHT_DIRECTIONAL, (1.0, 1.0, 1.0, 1.0), direction=(0.6, -0.8, 1.0))
    for segments, x in ((1.0, -0.75), (4.0, 0.75)):
        state(s, PATCHSEGMENTS, segments)
        ball(s, (x, 0.0, 4.0), 6, 4)


# ---- blits and state blocks ----


def arrow_source(s):
    """A plain surface with the letter."""
    return s.plain("X8R8G8B8", (16, 16), arrow())


@feature()
def surface_blit(s):
    """SURFACEBLT: a whole surface twice, a part of it, and a part of the target onto itself"""
    source = arrow_source(s)
    for part, place in (((0, 0, 16, 16), (8, 8)), ((0, 0, 16, 16), (40, 8)), ((2, 0, 12, 8), (24, 28))):
        rect = (*place, place[0] + part[2] - part[0], place[1] + part[3] - part[1])
        s.op("SURFACEBLT", (source, part, 0, 1, rect, 0, 0))
    s.op("SURFACEBLT", (1, (8, 8, 34, 24), 0, 1, (30, 42, 56, 58), 0, 0))
    s.has_open_frame = True


@feature()
def stretching_blit(s):
    """BLT: stretched by points, stretched linearly, shrunk linearly"""
    source = arrow_source(s)
    for rect, flags in (((2, 2, 62, 24), 1), ((2, 26, 44, 62), 2), ((50, 36, 60, 46), 2)):
        s.op("BLT", (source, (0, 0, 16, 16), 0, 1, rect, 0, flags))
    s.has_open_frame = True


@feature()
def color_fill(s):
    """COLORFILL of four rectangles"""
    for rect, color in zip(cells(s, 2, 2, 4), PASTEL):
        s.op("COLORFILL", (1, rect, color))
    s.has_open_frame = True


@feature(size=(108, 36))
def texture_blit(s):
    """TEXBLT: a texture loads its levels from system memory, then a part of them again"""
    chain = [checker(32 >> i, color, BLACK, 4) for i, color in enumerate((WHITE, RED, GREEN))]
    source = s.texture((32, 32), chain, memory="SYSTEMMEMORY")
    other = s.texture((32, 32), [checker(32 >> i, YELLOW, BLUE, 2) for i in range(3)], memory="SYSTEMMEMORY")
    texture = s.texture((32, 32), levels=3)
    s.op("TEXBLT", (texture, source, (0, 0), (0, 0, 32, 32), 0), (texture, other, (8, 8), (8, 8, 24, 24), 0))
    s.show_texture(texture, MIPFILTER=1)
    for level, rect in enumerate(cells(s, 3, 1)):
        s.stage(0, MAXMIPLEVEL=level)
        texture_quad(s, rect)


@feature()
def directdraw_blit(s):
    """The blt event: stretched, mirrored parts, and with a source colour key"""
    source = arrow_source(s)
    s.event("blt", src=source, dest=1, dest_rect=[2, 2, 40, 40], flags=names.BLT_WAIT)
    s.event("blt", src=source, src_rect=[4, 0, 16, 8], dest=1, dest_rect=[20, 34, 62, 62], flags=names.BLT_WAIT | names.BLT_KEYSRCOVERRIDE,
            src_color_key={"low": 0xFFFFFF, "high": 0xFFFFFF})  # fmt: skip
    s.has_open_frame = True


@feature(depth="D24S8")
def clear_rectangles(s):
    """CLEAR of nested rectangles; the depth of the middle one hides part of the quad"""
    for i, color in enumerate(PASTEL):
        s.clear(color, rects=[(4 + 6 * i, 4 + 6 * i, 60 - 6 * i, 60 - 6 * i)])
    s.clear(0, names.ZBUFFER, 0.25, rects=[(22, 22, 42, 42)])
    s.states(ZENABLE=1, ZFUNC=names.LESS)
    s.screen_quad((0, 28, 64, 36), z=0.5, color=WHITE)


@feature()
def state_blocks(s):
    """A state block is recorded, applied, captured and applied again"""
    s.op("STATESET", (0, 1, 0)).states(FILLMODE=2, SHADEMODE=names.FLAT).op("STATESET", (1, 1, 0))
    rects = list(cells(s, 2, 2, 4))
    s.screen_quad(rects[0], color=RAINBOW)
    s.op("STATESET", (3, 1, 0))
    s.screen_quad(rects[1], color=RAINBOW)
    s.states(FILLMODE=3).op("STATESET", (4, 1, 0)).states(FILLMODE=1).op("STATESET", (3, 1, 0))
    s.screen_quad(rects[2], color=RAINBOW)
    s.states(SHADEMODE=names.GOURAUD)
    s.screen_quad(rects[3], color=RAINBOW)
