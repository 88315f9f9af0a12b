"""Shader objects, declarations and constants: DP2-VSH, DP2-CONST. The code of shaders is in shader_rules.py, too."""

import struct

from .. import rule_pairs
from ..assembly import END, Code
from ..dp2 import Stream, dwords, floats, with_tail, words
from ..rule_pairs import Pair, cap
from ..trace import TRIANGLE, Trace, screen_vertices

LIST = 4  # D3DPT_TRIANGLELIST
VS_1_1, VS_2_0, PS_1_1 = 0xFFFE0101, 0xFFFE0200, 0xFFFF0101
MOV, R0, V0 = 1, 0x800F0000, 0x90E40000
VERTEX_CODE = Code("vs_1_1; mov oPos, v0").data
PIXEL_CODE = Code("ps_1_1; mov r0, v0").data
NO_VERSION = dwords(0x12340101, MOV, R0, V0, END)
BLOCK_BEGIN, BLOCK_END, BLOCK_EXECUTE = 0, 1, 3  # D3DHAL_STATESET

# Declaration tokens of level 8.
NOP, STREAM_0, POSITION_FLOAT3, UNDEFINED, CONSTANT, LAST = (
    0, 0x20000000, 0x40020000, 0xC0000000, 0x82000000, 0xFFFFFFFF)  # fmt: skip

# Declaration elements of level 9.
FLOAT2, FLOAT4, D3DCOLOR, UNUSED = 1, 3, 4, 17
POSITION, TEXCOORD, POSITIONT, COLOR, SAMPLE = 0, 5, 9, 10, 13


def call(stream, level=9, **header):
    """A call with these tokens."""
    return Trace(None, level, **header).target().context().dp2(stream)


def pixel_shader(handle=1, code=PIXEL_CODE):
    """A token of 32 bytes with the default code."""
    return Stream().op("CREATEPIXELSHADER", with_tail(handle, len(code), tail=code))


def element(offset, kind, usage, index=0, stream=0):
    """One D3DVERTEXELEMENT9."""
    return words(stream, offset) + bytes((kind, 0, usage, index))


END_ELEMENT = element(0, UNUSED, 0, stream=0xFF)


def declaration(*elements, handle=1):
    """A token that creates the declaration."""
    return Stream().op("CREATEVERTEXSHADERDECL", with_tail(handle, len(elements), tail=b"".join(elements)))


def level8(tokens, code=b"", handle=17):
    """A call that creates a level 8 shader from declaration tokens."""
    tail = dwords(*tokens)
    return call(Stream().op("CREATEVERTEXSHADER", with_tail(handle, len(tail), len(code), tail=tail + code)), 8)


def plain_declaration(handle):
    return call(declaration(element(0, FLOAT4, POSITIONT), END_ELEMENT, handle=handle))


def second_handle(handle):
    s = pixel_shader(1)
    return call(s.raw(pixel_shader(handle).data))


def use(operation):
    """A pixel shader is created, then an operation takes a handle; the handle lies at 36."""
    return lambda handle: call(pixel_shader(1).op(operation, handle))


def delete_while_current(current):
    """The deleted handle lies at 44."""
    return call(pixel_shader(1).op("SETPIXELSHADER", current).op("DELETEPIXELSHADER", 1))


def pixel_code(code):
    return call(pixel_shader(1, code))


def vertex_code(code):
    return call(Stream().op("CREATEVERTEXSHADERFUNC", with_tail(1, len(code), tail=code)))


def version(code):
    return call(pixel_shader(1, code), caps=[cap("pixel_shader_version", PS_1_1)])


def usage(value):
    return call(declaration(element(0, FLOAT4, POSITIONT), element(16, D3DCOLOR, value), END_ELEMENT))


def order(elements):
    return call(declaration(*elements))


def colour_at(offset):
    elements = element(0, FLOAT4, POSITIONT), element(offset, D3DCOLOR, COLOR), END_ELEMENT
    return call(declaration(*elements), caps=[cap("dev_caps2", 0)])


def coordinates(index):
    elements = element(0, FLOAT4, POSITIONT), element(16, FLOAT2, TEXCOORD), element(24, FLOAT2, TEXCOORD, index)
    return call(declaration(*elements, END_ELEMENT))


def draw(elements, stride, vertices):
    """A draw from user memory; its token lies at 40 + 8 for each element."""
    s = declaration(*elements, END_ELEMENT).op("SETVERTEXSHADERDECL", 1)
    s.op("SETSTREAMSOURCEUM", (0, stride)).op("DRAWPRIMITIVE", (LIST, 0, 1))
    return Trace(None).target().context().dp2(s, vertices=vertices)


def draw_stride(stride):
    elements = element(0, FLOAT4, POSITIONT), element(16, D3DCOLOR, COLOR)
    return draw(elements, stride, screen_vertices(TRIANGLE))


def draw_coordinates(index):
    elements = element(0, FLOAT4, POSITIONT), element(16, FLOAT2, TEXCOORD, index)
    corners = b"".join(struct.pack("<6f", x, y, 0.5, 1.0, 0.0, 0.0) for x, y, _ in TRIANGLE)
    return draw(elements, 24, corners)


def constants(operation, first, data, count=1):
    """A call that sets constants."""
    return call(Stream().op(operation, with_tail(first, count, tail=data)))


def constant_at_draw(value):
    """The draw lies at 68."""
    s = pixel_shader(1, Code("ps_1_1; mov r0, c0").data).op("SETPIXELSHADER", 1)
    s.op("SETPIXELSHADERCONST", with_tail(0, 1, tail=floats(value, 0, 0, 1)))
    return Trace(None, 8).target().context().draw(s.op("TRIANGLELIST", fixed=(0,), count=1))


def shader_at_draw(is_deleted):
    """A draw at 48, or at 40 where the shader is deleted behind it."""
    s = pixel_shader(1).op("SETPIXELSHADER", 1)
    if is_deleted:
        s.op("DELETEPIXELSHADER", 1)
    s.op("TRIANGLELIST", fixed=(0,), count=1)
    if not is_deleted:
        s.op("DELETEPIXELSHADER", 1)
    return Trace(None, 8).target().context().draw(s)


def refused_uses(code):
    """A pixel shader is created at 0, set, drawn with, deleted, drawn with; another one gets its handle.

    The legal one is not current when it is deleted.
    """
    triangle = ("INDEXEDTRIANGLELIST", (0, 1, 2, 0x700))
    s = pixel_shader(1, code).op("SETPIXELSHADER", 1).op(*triangle)
    if code == PIXEL_CODE:
        s.op("SETPIXELSHADER", 0)
    s.op("DELETEPIXELSHADER", 1).op(*triangle)
    return Trace(None, 8).target().context().draw(s.raw(pixel_shader(1).data))


def refused_and_replaced(code):
    """A pixel shader is created at 0, another one gets its handle; only one that was not refused is deleted before."""
    s = pixel_shader(1, code)
    if code == PIXEL_CODE:
        s.op("DELETEPIXELSHADER", 1)
    return call(s.raw(pixel_shader(1).data))


def refused_in_a_block(code):
    """A pixel shader is created at 0, bound by a state block, deleted; the block is executed."""
    s = pixel_shader(1, code).op("STATESET", (BLOCK_BEGIN, 1, 0))
    s.op("SETPIXELSHADER", 1).op("STATESET", (BLOCK_END, 1, 0))
    return call(s.op("DELETEPIXELSHADER", 1).op("STATESET", (BLOCK_EXECUTE, 1, 0)), 8)


def shader_pairs():
    """The pairs of DP2-VSH about objects, code and level 8 declarations."""

    def pair(number, name, build, broken, legal, place=4):
        return Pair(f"DP2-VSH-{number:03}", name, build, broken, legal, place)

    bare = (STREAM_0, POSITION_FLOAT3, LAST)
    yield pair(1, "declaration-0", plain_declaration, 0, 1)
    yield pair(1, "even-handle", lambda v: level8(bare, VERTEX_CODE, v), 16, 17)
    yield pair(2, "pixel-shader-1-twice", second_handle, 1, 2, 36)
    yield pair(3, "delete", use("DELETEPIXELSHADER"), 2, 1, 36)
    yield pair(3, "set", use("SETPIXELSHADER"), 2, 1, 36)
    yield pair(4, "pixel-shader", delete_while_current, 1, 0, 44)
    yield Pair("DP2-VSH-021", "pixel-shader", shader_at_draw, True, False, ("DP2-VSH-004", 44), 48)
    yield pair(5, "pixel-shader-0", use("DELETEPIXELSHADER"), 0, 1, 36)
    yield pair(6, "end-is-cut", vertex_code, VERTEX_CODE[:-1], VERTEX_CODE)
    yield pair(6, "no-code", vertex_code, b"", VERTEX_CODE)
    yield pair(6, "three-bytes", pixel_code, PIXEL_CODE[:3], PIXEL_CODE)
    yield pair(7, "no-end", level8, bare[:2], bare)
    yield pair(7, "end-is-not-last", level8, (*bare, NOP), (STREAM_0, POSITION_FLOAT3, NOP, LAST))
    yield pair(8, "register-17", level8, (STREAM_0, 0x40020011, LAST), (STREAM_0, 0x40020010, LAST))
    yield pair(8, "type-6", level8, (*bare[:2], UNDEFINED, LAST), (*bare[:2], NOP, LAST))
    yield pair(9, "data-first", level8, (POSITION_FLOAT3, STREAM_0, LAST), bare)
    yield pair(10, "constant-of-three-floats", level8,
               (CONSTANT, 0, 0, LAST), (CONSTANT, 0, 0, 0, 0, LAST))  # fmt: skip
    yield pair(11, "no-version", pixel_code, NO_VERSION, PIXEL_CODE, 12)
    yield pair(11, "refused-and-used", refused_uses, NO_VERSION, PIXEL_CODE, 12)
    yield pair(11, "refused-and-replaced", refused_and_replaced, NO_VERSION, PIXEL_CODE, 12)
    yield pair(11, "refused-in-a-block", refused_in_a_block, NO_VERSION, PIXEL_CODE, 12)
    yield pair(11, "vertex-shader", pixel_code, VERTEX_CODE, PIXEL_CODE, 12)
    yield pair(11, "pixel-shader", vertex_code, PIXEL_CODE, VERTEX_CODE, 12)
    yield pair(12, "no-end", pixel_code, PIXEL_CODE[:-4], PIXEL_CODE, 28)
    yield pair(12, "longest-comment", vertex_code, dwords(VS_1_1, 0x7FFFFFFE, END),
               dwords(VS_1_1, 0x0001FFFE, 0) + VERTEX_CODE[4:], 16)  # fmt: skip
    yield pair(12, "length-of-an-instruction", vertex_code, dwords(VS_2_0, 0x02000001, 0xC00F0000), VERTEX_CODE, 16)
    yield pair(12, "operand-is-missing", pixel_code, dwords(PS_1_1, MOV, R0), PIXEL_CODE, 16)
    yield pair(13, "instruction", pixel_code, dwords(PS_1_1, MOV, R0, V0, 0x80000001, END), PIXEL_CODE, 28)
    yield pair(13, "operand", pixel_code, dwords(PS_1_1, MOV, R0 & ~0x80000000, V0, END), PIXEL_CODE, 16)
    yield pair(14, "ps-1-4-of-1-1", version, Code("ps_1_4; mov r0, v0").data, PIXEL_CODE)


def declaration_pairs():
    """The pairs of DP2-VSH about level 9 declarations."""

    def pair(number, name, build, broken, legal, place=4):
        return Pair(f"DP2-VSH-{number:03}", name, build, broken, legal, place)

    position, color = element(0, FLOAT4, POSITIONT), element(16, D3DCOLOR, COLOR)
    yield pair(15, "usage-14", usage, SAMPLE + 1, SAMPLE)
    yield pair(16, "end-is-not-last", order, (position, END_ELEMENT, color), (position, color, END_ELEMENT))
    yield pair(17, "stride-16", draw_stride, 16, 20, 60)
    yield pair(18, "colour-in-the-position", colour_at, 12, 16)
    yield pair(19, "two-first-sets", coordinates, 0, 1)
    yield pair(20, "second-set-alone", draw_coordinates, 1, 0, 56)


def constant_pairs():
    """The pairs of DP2-CONST."""

    def pair(number, name, build, broken, legal, place=4):
        return Pair(f"DP2-CONST-{number:03}", name, build, broken, legal, place)

    def booleans(first):
        return constants("SETPIXELSHADERCONSTB", first, dwords(1))

    yield pair(1, "boolean-16", booleans, 16, 15)
    yield pair(2, "none", lambda n: constants("SETVERTEXSHADERCONST", 0, floats(1, 1, 1, 1) * n, n), 0, 1)
    yield pair(3, "nan", lambda v: constants("SETVERTEXSHADERCONST", 0, floats(v, 0, 0, 0)), float("nan"), 1.0)
    yield pair(4, "two", lambda v: constants("SETVERTEXSHADERCONSTB", 0, dwords(v)), 2, 1)
    yield pair(5, "two", constant_at_draw, 2.0, 1.0, 68)


def pairs():
    """Yields every Pair."""
    yield from shader_pairs()
    yield from declaration_pairs()
    yield from constant_pairs()


def cases():
    return rule_pairs.cases(pairs())


def accepted():
    return rule_pairs.accepted(pairs())
