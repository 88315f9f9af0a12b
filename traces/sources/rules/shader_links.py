"""Draws whose shaders and declaration do not fit together, and their legal twins."""

from ..assembly import assemble
from ..dp2 import Stream, dwords, with_tail
from ..malformed import Case
from ..trace import Trace

TRIANGLELIST = 4
VERTEX_SHADER, PIXEL_SHADER, DECLARATION = 2, 3, 5  # handles
USAGES = {"position": 0, "texcoord": 5, "color": 10}
FLOAT3 = 2

VS_1_1 = "vs_1_1; dcl_position v0; mov oPos, v0"
VS_2_0 = "vs_2_0; dcl_position v0; mov oPos, v0"
VS_3_0 = "vs_3_0; dcl_position v0; dcl_position o0; mov o0, v0"


def element(usage, index=0):
    """An element in stream 0, all of them at its start."""
    return Stream().struct("D3DVERTEXELEMENT9", 0, 0, FLOAT3, 0, USAGES[usage], int(index))


def bound(vertex, pixel, elements):
    """A stream that creates and binds both shaders and a declaration."""
    stream = Stream()
    if vertex:
        code = assemble(vertex)
        stream.op("CREATEVERTEXSHADERFUNC", with_tail(VERTEX_SHADER, len(code), tail=code))
    tail = b"".join(elements)
    stream.op("CREATEVERTEXSHADERDECL", with_tail(DECLARATION, len(elements), tail=tail))
    if pixel:
        code = assemble(pixel)
        stream.op("CREATEPIXELSHADER", with_tail(PIXEL_SHADER, len(code), tail=code))
        stream.op("SETPIXELSHADER", PIXEL_SHADER)
    stream.op("SETVERTEXSHADERDECL", DECLARATION)
    stream.op("SETVERTEXSHADERFUNC", VERTEX_SHADER if vertex else 0)
    return stream.op("SETSTREAMSOURCEUM", (0, 12))


def trace_of(vertex, pixel, elements=("position",), draws=1):
    """A trace with `draws` draws in one call, and the offset of the first."""
    stream = bound(vertex, pixel, [element(*one.split(" ")) for one in elements])
    offset = len(stream.data)
    for _ in range(draws):
        stream.op("DRAWPRIMITIVE", (TRIANGLELIST, 0, 1))
    trace = Trace(None).target().context()
    return trace.dp2(stream, vertices=bytes(36), size=12), offset


def level8_trace(vertex):
    """The same with a shader of level 8, whose declaration names v0; v5 would be a colour."""
    declaration, code = dwords(0x20000000, 0x40020000, 0xFFFFFFFF), assemble(vertex)
    stream = Stream().op("CREATEVERTEXSHADER", with_tail(
        17, len(declaration), len(code), tail=declaration + code))  # fmt: skip
    stream.op("SETVERTEXSHADER", 17).op("SETSTREAMSOURCEUM", (0, 12))
    offset = len(stream.data)
    stream.op("DRAWPRIMITIVE", (TRIANGLELIST, 0, 1))
    trace = Trace(None, 8).target().context()
    return trace.dp2(stream, vertices=bytes(36), size=12), offset


# (rule, name, vertex shader, pixel shader, elements)
BROKEN = (
    (70, "vs-2-0-and-ps-3-0", VS_2_0, "ps_3_0; mov oC0, c0", ("position",)),
    (70, "vs-3-0-and-ps-2-0", VS_3_0, "ps_2_0; mov oC0, c0", ("position",)),
    (71, "coordinate", VS_3_0, "ps_3_0; dcl_texcoord v0; mov oC0, v0", ("position",)),
    (71, "one-component",
     "vs_3_0; dcl_position v0; dcl_position o0; dcl_texcoord1 o1.xyz; mov o0, v0; mov o1.xyz, v0",
     "ps_3_0; dcl_texcoord1 v0; mov oC0, v0", ("position",)),
    (72, "coordinate-of-tex", VS_1_1, "ps_1_1; tex t0; mov r0, t0", ("position",)),
    (72, "specular", "vs_2_0; dcl_position v0; mov oPos, v0; mov oD0, v0",
     "ps_2_0; dcl v0; dcl v1; add r0, v0, v1; mov oC0, r0", ("position",)),
    (73, "colour", "vs_2_0; dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1", None,
     ("position",)),
    (73, "second-coordinate",
     "vs_3_0; dcl_position v0; dcl_texcoord1 v1; dcl_position o0; add o0, v0, v1",
     "ps_3_0; mov oC0, c0", ("position", "texcoord")),
)  # fmt: skip

# The same form.
LEGAL = (
    (70, "both-3-0", VS_3_0, "ps_3_0; mov oC0, c0", ("position",)),
    (70, "vs-1-1-and-ps-2-0", VS_1_1, "ps_2_0; mov oC0, c0", ("position",)),
    (71, "coordinate",
     "vs_3_0; dcl_position v0; dcl_position o0; dcl_texcoord o1.xy; mov o0, v0; mov o1.xy, v0",
     "ps_3_0; dcl_texcoord v0.xy; mov oC0, v0.xyxy", ("position",)),
    (71, "fixed-function-vertices", None, "ps_3_0; dcl_texcoord v0; mov oC0, v0", ("position",)),
    (72, "coordinate-of-tex", "vs_1_1; dcl_position v0; mov oPos, v0; mov oT0, v0",
     "ps_1_1; tex t0; mov r0, t0", ("position",)),
    (73, "all-inputs", "vs_2_0; dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1", None,
     ("color", "position", "texcoord 3")),
)  # fmt: skip


def cases():
    """Yields every Case: the finding is at the first draw, whatever follows."""
    for number, name, vertex, pixel, elements in BROKEN:
        rule = f"DP2-SHADER-{number:03}"
        trace, offset = trace_of(vertex, pixel, elements, draws=2)
        yield Case(rule, name, trace, [(rule, f"{len(trace.events) - 1}+{offset:#x}")])
    rule = "DP2-SHADER-073"
    trace, offset = level8_trace("vs_1_1; mov oPos, v0; mov oD0, v5")
    yield Case(rule, "register-of-level-8", trace, [(rule, f"{len(trace.events) - 1}+{offset:#x}")])


def accepted():
    """Yields (rule, name, Trace): shaders that fit."""
    for number, name, vertex, pixel, elements in LEGAL:
        yield f"DP2-SHADER-{number:03}", name, trace_of(vertex, pixel, elements)[0]
    yield "DP2-SHADER-073", "register-of-level-8", level8_trace("vs_1_1; mov oPos, v0")[0]
