"""The byte examples E1-E12 of lib/opcode/dp2.md 23, byte for byte."""

from .dp2 import Stream
from .opcodes import FVF_CLIP, bind
from .trace import RED, WHITE, XYZRHW, Trace, checkerboard, clip_vertices, screen_vertices

# name -> the bytes of the section
BYTES = {
    "e01-two-render-states": """
        08 00 02 00 08 00 00 00 03 00 00 00 09 00 00 00 02 00 00 00""",
    "e02-indexed-strip": """
        14 00 03 00 00 00 01 00 03 00 06 00 04 00 05 00""",
    "e03-odd-alignment-before-an-immediate-fan": """
        12 00 01 00 00 00
        17 00 01 00 07 00 00 00 00 00
        AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA
        AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA
        AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA AA
        1C 00 01 00 00 00 00 00 00 00 00 00 80 02 00 00 E0 01 00 00""",
    "e04-clear-with-zero-rectangles": """
        2A 00 00 00 09 00 00 00 FF 00 00 FF 00 00 80 3F 00 00 00 00
        CC CC CC CC CC CC CC CC CC CC CC CC CC CC CC CC
        3E 00 00 00""",
    "e05-rect-patch-with-segments-and-info": """
        3D 00 01 00 05 00 00 00 03 00 00 00
        00 00 80 40 00 00 80 40 00 00 80 40 00 00 80 40
        00 00 00 00 00 00 00 00 04 00 00 00 04 00 00 00 04 00 00 00 00 00 00 00 03 00 00 00""",
    # the section elides the bytes from 64 on: they are 0, so that the second record is (0, ENABLE)
    "e06-light-data-then-enable": "22 00 02 00 00 00 00 00 02 00 00 00" + " 00" * 112,
    "e07-palette": """
        1F 00 09 00 01 00 00 00 10 00 02 00 00 00 FF FF 00 FF 00 FF
        1E 00 01 00 01 00 00 00 00 20 00 00 07 00 00 00""",
    "e08-texblt": """
        26 00 01 00 03 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00
        03 00 00 00 03 00 00 00 0A 00 00 00 0A 00 00 00 00 00 00 00""",
    "e09-vertex-shader": """
        2D 00 01 00 11 00 00 00 10 00 00 00 08 00 00 00
        00 00 00 20 00 00 02 40 05 00 04 40 FF FF FF FF 01 01 FE FF FF FF 00 00
        2F 00 01 00 11 00 00 00""",
    "e10-constants": """
        53 00 01 00 00 00 00 00 01 00 00 00 01 00 00 00
        30 00 01 00 04 00 00 00 01 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 80 3F""",
    "e11-query": """
        54 00 01 00 01 00 00 00 09 00 00 00
        5B 00 01 00 01 00 00 00 02 00 00 00
        5B 00 01 00 01 00 00 00 01 00 00 00""",
    "e12-response-buffer": """
        58 00 01 00 14 00 00 00 01 00 00 00 04 00 00 00 D2 04 00 00""",
}


def example(name):
    """The bytes of an example."""
    return bytes.fromhex(BYTES[name])


def traces():
    """Yields (name, Trace); the event that carries the example's bytes is the last `dp2` event."""
    name = "e01-two-render-states"
    t = Trace("E1: FILLMODE = SOLID, SHADEMODE = GOURAUD", 6).target().context()
    yield name, t.dp2(example(name)).end(present=False)

    name = "e02-indexed-strip"
    t = Trace("E2: draws (1,3,6)(3,4,6)(6,4,5)", 6).target().context()
    points = [(4 + 8 * i, 8 + 40 * (i & 1), RED) for i in range(7)]
    yield name, t.draw(example(name), points).end()

    name = "e03-odd-alignment-before-an-immediate-fan"
    t = Trace("E3: two bytes of padding before the vertices, none behind them", 6)
    t.target(width=640, height=480).context()
    vertices = screen_vertices([(8, 8, RED), (56, 8, RED), (8, 56, RED)])
    vertices = b"".join(vertices[20 * i : 20 * i + 16] for i in range(3))
    yield name, t.dp2(example(name), vertices, XYZRHW, 16).end()

    name = "e04-clear-with-zero-rectangles"
    t = Trace("E4: TARGET|COMPUTERECTS, the bytes of the one RECT are garbage but present", 8)
    t.target().context(pure_device=True)
    yield name, t.dp2(example(name)).end()

    name = "e05-rect-patch-with-segments-and-info"
    t = Trace("E5: handle 5, cubic Bezier", 8).target()
    side = (-0.75, -0.25, 0.25, 0.75)
    t.buffer(4, clip_vertices([(x, -y, WHITE) for y in side for x in side])).context()
    t.dp2(bind(Stream(), FVF_CLIP, 16).op("RENDERSTATE", (137, 0), (22, 1)))
    yield name, t.dp2(example(name)).end()

    name = "e06-light-data-then-enable"
    t = Trace("E6: two records in one token; only the first has the 104-byte tail", 7)
    t.target().context().dp2(Stream().op("CREATELIGHT", 0))
    yield name, t.dp2(example(name)).end(present=False)

    name = "e07-palette"
    t = Trace("E7: the count 9 of UPDATEPALETTE is ignored", 7).target()
    t.texture(7, 4, pixel_format="P8").context()
    yield name, t.dp2(example(name)).end(present=False)

    name = "e08-texblt"
    t = Trace("E8: one rectangle of texture 2 to texture 3", 7).target()
    t.texture(2, 16, memory="SYSTEMMEMORY").texture(3, 16).context()
    t.update(2, checkerboard(16, WHITE, RED))
    yield name, t.dp2(example(name)).end(present=False)

    name = "e09-vertex-shader"
    text = "E9: stream 0, FLOAT3 to v0, D3DCOLOR to v5, END; vs_1_1 header and end"
    t = Trace(text, 8).target().context()
    yield name, t.dp2(example(name)).end(present=False)

    name = "e10-constants"
    t = Trace("E10: a BOOL constant takes 4 bytes, a float constant 16").target().context()
    yield name, t.dp2(example(name)).end(present=False)

    name = "e11-query"
    t = Trace("E11: create OCCLUSION 1, BEGIN (2), END (1)").target().context()
    yield name, t.dp2(example(name)).end(present=False)

    name = "e12-response-buffer"
    t = Trace("E12: the answer 1234 to the query of E11, over an empty stream").target().context()
    t.dp2(example("e11-query"), ddrval=0)
    data = example(name)
    t.dp2(None, ddrval=0, error_offset=len(data), response=data.hex())
    yield name, t.end(present=False)
