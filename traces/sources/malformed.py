"""Inputs that break one rule each, with the findings that they must give, and their legal twins.

A finding is (rule, position): "EVENT+0xOFFSET" in a command buffer, "EVENT" for a whole event,
"0xOFFSET" in a container, "LINE:POINTER" in a JSON text, "-" without a place.
"""

import struct

from . import container as box
from .dp2 import Stream, dwords, floats, with_tail
from .packets import (
    SIMPLE_ALLOCATIONS, SIMPLE_COMMANDS, SIMPLE_PATCHES, Packets, changed, raw_structure,
)  # fmt: skip
from .trace import TRIANGLE, Trace, screen_vertices
from .words import placed

FILLMODE, SHADEMODE = 8, 9


class Case:
    """One file: a Trace (written as JSON), a text (JSON as it is) or bytes (a container)."""

    def __init__(self, rule, name, content, findings):
        self.rule = rule
        self.name = name
        self.content = content
        self.findings = [(one, placed(one, name, place)) for one, place in findings]

    @property
    def suffix(self):
        """The file name extension."""
        return ".dp2t" if isinstance(self.content, bytes) else ".json"


def stream_case(rule, name, stream, *findings, level=9, **fields):
    """A trace with one call; findings are (rule, offset)."""
    t = Trace(None, level).target().context()
    t.dp2(stream, **fields)
    event = len(t.events) - 1
    return Case(rule, name, t, [(one, f"{event}+{offset:#x}") for one, offset in findings])


def stream_cases():
    """The rules of the bytes of a DP2 stream."""
    state = Stream().op("RENDERSTATE", (FILLMODE, 3)).data

    def case(number, name, stream, *offsets, rule=None, **fields):
        rule = rule or f"DP2-STREAM-{number:03}"
        findings = [one if isinstance(one, tuple) else (rule, one) for one in offsets]
        return stream_case(rule, name, stream, *findings, **fields)

    yield case(1, "one-byte", Stream().raw(state).raw("01"), 12)
    yield case(1, "three-bytes", "080001", 0)
    yield case(1, "last-byte-not-zero", Stream().raw(state).raw("000001"), 12)
    yield case(1, "with-command-offset", "080001", 64, command_offset=64)

    yield case(2, "start-vertex", "1200010000", 0)
    yield case(2, "header-alone", Stream().raw(state).raw("29000100"), 12)
    yield case(2, "clear-without-its-rectangle", "2a000100" + "00" * 16, 0)
    yield case(2, "palette", "1f000100010000000000", 0)

    yield case(3, "records", Stream().raw("08000300").raw(state[4:] * 2), 0)
    yield case(3, "one-byte-short", state[:-1], 0)
    yield case(3, "largest-count", Stream().raw("0800ffff").raw(state[4:]), 0)
    yield case(3, "indices", "140003000000" + "0000" * 4, 0)
    yield case(3, "indices-of-an-empty-strip", "140000000000" + "0000", 0)
    yield case(3, "second-rectangle", "2a000200" + "00" * 32, 0)

    code = dwords(0xFFFE0101, 0x0000FFFF)
    s = Stream().op("CREATEVERTEXSHADER", with_tail(17, 16, 8, tail=bytes(16) + code[:4]))
    yield case(4, "second-tail", s, 0, level=8)
    s = Stream().op("CREATEPIXELSHADER", with_tail(1, 8, tail=code[:7]))
    yield case(4, "shader-code", s, 0, level=8)
    s = Stream().op("UPDATEPALETTE", fixed=(1, 0, 2), count=1, tail=bytes(7))
    yield case(4, "palette-entries", s, 0, level=7)
    s = Stream().op("SETLIGHT", with_tail(0, 2, tail=bytes(103)))
    yield case(4, "light", s, 0, level=7)
    s = Stream().op("DRAWRECTPATCH", with_tail(1, 3, tail=floats(1, 1, 1, 1) + bytes(24)))
    yield case(4, "patch-info", s, 0, level=8)
    s = Stream().op("SETVERTEXSHADERCONST", with_tail(0, 0x0FFFFFFF, tail=bytes(16)))
    yield case(4, "largest-size-that-32-bits-count", s, 0, level=8)

    s = Stream().op("SETVERTEXSHADERCONST", with_tail(0, 0x10000000, tail=bytes(16)))
    yield case(5, "float-constants", s, 0, level=8)
    s = Stream().op("SETPIXELSHADERCONSTB", with_tail(0, 0x40000000, tail=bytes(16)))
    yield case(5, "boolean-constants", s, 0)
    s = Stream().op("CREATEVERTEXSHADERDECL", (1, 0x20000000))
    yield case(5, "declaration-elements", s, 0)
    s = Stream().raw(state).op("SETVERTEXSHADERCONSTI", (0, 0xFFFFFFFF))
    yield case(5, "integer-constants", s, 12)

    for value in (0, 4, 7, 9, 10, 12, 14, 68, 70, 78, 92, 99, 255):
        yield case(6, f"operation-{value}", Stream().raw(state).raw(bytes((value, 0, 1, 0))), 12)

    yield case(7, "exit", Stream().raw(state).raw("0b000000ffff"), 12)

    yield case(8, "continue", Stream().raw(state).raw("5700000008000000"), 12)
    yield case(8, "query", "5800010014000000" + "01000000" + "04000000" + "d2040000", 0)

    s = Stream().op("RENDERSTATE", (FILLMODE, 3), reserved=1)
    yield case(9, "reserved", s.op("SETCLIPPLANE", (0, 1, 0, 0, 0), reserved=255), 1, 13)

    for count in (1, 2, 3):
        yield case(10, f"{count}-bytes", Stream().raw(state).raw(bytes(count)), 12)

    t = Trace(None).target().context()
    t.dp2(state, command_length=16)
    yield Case("DP2-STREAM-011", "commands", t, [("DP2-STREAM-011", "3")])
    t = Trace(None, 6).target().context()
    s = Stream().op("TRIANGLELIST", fixed=(0,), count=1)
    t.draw(s, vertex_length=4)
    yield Case("DP2-STREAM-011", "vertices", t, [("DP2-STREAM-011", "3")])

    s = Stream().op("TRIANGLELIST", fixed=(0,), count=1).raw(state)
    vertices = {"vertices": screen_vertices(TRIANGLE), "fvf": 0x44, "size": 20, "level": 6}
    yield case(12, "after-a-triangle-list", s, 6, **vertices)

    s = Stream().op("RENDERSTATE").op("SETCLIPPLANE", count=0)
    yield case(13, "empty-tokens", s, 0, 4, level=8)

    yield case(14, "render-states", Stream().raw(state).op("RENDERSTATE", (SHADEMODE, 2)), 12)
    s = Stream().op("TEXTURESTAGESTATE", (0, 1, 2)).op("TEXTURESTAGESTATE", (0, 4, 2))
    yield case(14, "texture-stage-states", s, 12)

    for size in (0, 12):
        s = Stream().raw(state).op("EXT", (0, size))
        yield case(15, f"size-{size}", s, ("DP2-STREAM-016", 12), 20)
    yield case(16, "size-8", Stream().raw(state).op("EXT", (0, 8)), 12)

    vertices = screen_vertices(TRIANGLE)
    s = Stream().op("TRIANGLEFAN_IMM", fixed=(7,), count=1).raw(vertices[:-1])
    yield case(0, "fan", s, 0, rule="DP2-IMM-001", level=6, size=20, fvf=0x44)
    s = Stream().op("TRIANGLELIST", fixed=(0,), count=1)
    s.op("LINELIST_IMM", count=1).raw(vertices[:40])
    yield case(0, "padding-is-missing", s, 6, rule="DP2-IMM-001", level=6, size=20, fvf=0x44,
               vertices=vertices)  # fmt: skip

    s = Stream().op("DRAWRECTPATCH", (1, 4))
    yield case(0, "rect-patch", s, 8, rule="DP2-PATCH-001", level=8)
    s = Stream().op("DRAWTRIPATCH", with_tail(1, 1, tail=floats(1, 1, 1)), (1, 0x80000001))
    yield case(0, "tri-patch", s, 28, rule="DP2-PATCH-001", level=8)


def next_triple(command_buffer):
    """Outputs of a packet: buffers of the sizes that the context has."""
    return {"command_buffer": command_buffer, "command_buffer_size": 65536,
            "allocation_list": 0x10010000, "allocation_list_size": 256,
            "patch_location_list": 0x10011000, "patch_location_list_size": 256}  # fmt: skip


def packet_case(name, rule, width=64, header=None, preamble=True, **changes):
    """A packet of one token with changes; the finding has the packet's event number."""
    packets = Packets(None, width, **(header or {}))
    if preamble:
        packets.preamble()
    packets.simple(status=None, **changes)
    event = len(packets.trace.events) - 1
    return Case(rule, name, packets.end(), [(rule, str(event))])


def packet_cases():
    """The decoding rules of D3DKMT_RENDER packets."""
    plain = {"context": 0x40000040, "command_buffer": SIMPLE_COMMANDS,
             "allocation_list": SIMPLE_ALLOCATIONS, "patch_location_list": SIMPLE_PATCHES}  # fmt: skip
    raw64, raw32 = raw_structure(plain, 64), raw_structure(plain, 32)
    raw_vista = raw_structure(plain, 64, vista=True)
    yield packet_case("one-byte-short", "KMT-DEC-001", raw=raw64[:-1])
    yield packet_case("other-pointer-width", "KMT-DEC-001", raw=raw32)
    yield packet_case("vista-size-on-windows-10", "KMT-DEC-001", raw=raw_vista)
    vista = {"os_profile": "vista"}
    yield packet_case("windows-10-size-on-vista", "KMT-DEC-001", header=vista, raw=raw64)

    t = Packets(None, 32, pointer_width=48)
    t.simple(raw=False, status=None)
    yield Case("KMT-DEC-002", "48-bits", t.end(), [("KMT-DEC-002", "0")])

    yield packet_case("number-7", "KMT-DEC-003", payload=7, raw=False)

    yield packet_case("longer", "KMT-DEC-004", command_length=17)
    yield packet_case("shorter", "KMT-DEC-004", command_length=12)
    offset = {"length_origin": "offset"}
    yield packet_case("with-length-origin-offset", "KMT-DEC-004", header=offset, command_offset=12,
                      command_length=44)  # fmt: skip

    yield packet_case("count", "KMT-DEC-005", allocation_count=3)
    yield packet_case("half-an-element", "KMT-DEC-005", allocation_count=2, raw=False,
                      allocation_list=SIMPLE_ALLOCATIONS[:-4])  # fmt: skip
    yield packet_case("count", "KMT-DEC-006", patch_location_count=2)
    yield packet_case("half-an-element", "KMT-DEC-006", patch_location_count=1, raw=False,
                      patch_location_list=SIMPLE_PATCHES[:-12])  # fmt: skip

    yield packet_case("new-command-buffer", "KMT-DEC-007", header=vista, raw=False,
                      new_command_buffer=0)  # fmt: skip
    yield packet_case("private-data", "KMT-DEC-007", header=vista, raw=False,
                      private_driver_data=0)  # fmt: skip

    yield packet_case("flags", "KMT-DEC-008", raw=changed(raw64, 68, b"\x08"))
    yield packet_case("command-length", "KMT-DEC-008", raw=changed(raw64, 8, b"\x0f"),
                      command_length=16)  # fmt: skip
    yield packet_case("broadcast-context", "KMT-DEC-008", raw=changed(raw64, 84, b"\x44"),
                      broadcast_context=[0])  # fmt: skip
    yield packet_case("64th-broadcast-context", "KMT-DEC-008", raw=changed(raw64, 336, b"\x01"),
                      broadcast_context=[0] * 64)  # fmt: skip

    yield packet_case("pointer", "KMT-DEC-009", 32, raw=False, out=next_triple(0x100000000))  # fmt: skip

    yield packet_case("hole", "KMT-DEC-010", raw=changed(raw64, 20, b"\xcc\xcc\xcc\xcc"))
    yield packet_case("end", "KMT-DEC-010", raw=changed(raw64, 364, b"\x01"))


    def payload_case(rule, name, stream, *findings):
        packets = Packets(None, 64)
        packets.render(command_buffer=bytes(stream.data), status=None)
        event = len(packets.trace.events) - 1
        places = [(one, f"{event}+{offset:#x}") for one, offset in findings]
        return Case(rule, name, packets.end(), places)

    def stream():
        return Stream().op("RENDERSTATE", (FILLMODE, 3))

    for value in (0, 11, 99):
        data = stream().raw(bytes((value, 0, 1, 0)))
        yield payload_case("KMT-DP2-001", f"operation-{value}", data, ("KMT-DP2-001", 12))
    data = stream().raw("5700000008000000")
    yield payload_case("KMT-DP2-002", "continue", data, ("KMT-DP2-002", 12))
    data = stream().raw("58000000")
    yield payload_case("KMT-DP2-002", "query", data, ("KMT-DP2-002", 12))
    data = stream().raw("0800020007000000")
    yield payload_case("KMT-DP2-003", "records", data, ("KMT-DP2-003", 12))
    data = stream().raw("1200010000")
    yield payload_case("KMT-DP2-003", "start-vertex", data, ("KMT-DP2-003", 12))
    data = stream().op("SETVERTEXSHADERCONST", with_tail(0, 0x10000000, tail=bytes(16)))
    yield payload_case("KMT-DP2-003", "tail-overflows", data, ("KMT-DP2-003", 12))
    yield payload_case("KMT-DP2-004", "zeros", stream().raw("000000"), ("KMT-DP2-004", 12))
    yield payload_case("KMT-DP2-004", "one-byte", stream().raw("08"), ("KMT-DP2-004", 12))
    data = Stream().op("RENDERSTATE", (FILLMODE, 3), reserved=1)
    yield payload_case("KMT-DP2-006", "reserved", data, ("KMT-DP2-006", 1))


def container_cases():
    """The rules of the binary container."""

    def good():
        c = box.Container()
        c.events(box.header_event(), box.marker_event("one"), box.marker_event("two"))
        return c

    def case(number, name, content, *places):
        rule = f"TRACE-{number:03}"
        places = [place if isinstance(place, tuple) else (rule, place) for place in places]
        return Case(rule, name, content, places)

    yield case(2, "text", b"this is not a trace, but long enough to be one: " + bytes(16), "0x0")
    yield case(2, "empty", b"", "0x0")
    yield case(2, "png", bytes.fromhex("89504e470d0a1a0a0000000d49484452") + bytes(32), "0x0")

    head = box.file_header(major=2)
    yield case(3, "version-2", box.Container(head).events(box.header_event()).finish(), "0x8")

    c = good().events(box.event(4000, b"future", box.OPTIONAL), box.marker_event("three"))
    yield case(4, "optional-event", c.finish(), "-")
    c = good()
    place = len(c.data)
    c.raw(box.chunk(9, b"a chunk of the future", 0, c.count))
    yield case(4, "chunk-type", c.events(box.marker_event("three")).finish(), f"{place:#x}")

    c = good()
    place = len(c.data)
    c.events(box.event(4000, b"future"), box.marker_event("three"))
    yield case(5, "unknown-event", c.finish(), f"{place:#x}")

    payloads = {
        "ends-inside-a-field": struct.pack("<QI", 1, 8) + b"text",
        "default-is-present": struct.pack("<QI", 1, 0),
        "bytes-behind-the-last-field": struct.pack("<QI", 1, 1) + b"t?",
        "presence-of-no-field": struct.pack("<QI", 1 | 1 << 63, 1) + b"t",
        "text-is-not-utf-8": struct.pack("<QI", 1, 2) + b"\xc3\x28",
        "no-presence-mask": b"1234",
    }
    for name, payload in payloads.items():
        c = good()
        place = len(c.data)
        c.events(box.event(box.MARKER, payload), box.marker_event("three"))
        yield case(6, name, c.finish(), f"{place:#x}")
    c = good()
    place = len(c.data)
    c.events(box.event(box.MARKER, struct.pack("<QI", 1, 1) + b"t", flags=2))
    yield case(6, "flags-of-a-known-kind", c.finish(), f"{place:#x}")

    c = good()
    yield case(7, "no-index", bytes(c.data), f"{len(c.data):#x}")
    place = len(c.data)
    c.events(box.marker_event("three"), box.marker_event("four"))
    yield case(7, "inside-a-chunk", bytes(c.data[:-6]), f"{place:#x}")
    whole = good().finish()
    yield case(7, "inside-the-footer", whole[:-1], f"{len(whole) - 96:#x}")
    yield case(7, "inside-the-file-header", whole[:12], "0x0")
    c = good()
    place = len(c.data)
    yield case(7, "zeros-behind-the-last-chunk", bytes(c.data) + bytes(300), f"{place:#x}")
    yield case(7, "garbage-behind-the-last-chunk", bytes(c.data) + b"noise" * 60, f"{place:#x}")
    c.events(box.marker_event("three"), box.marker_event("four"))
    cut = bytes(c.data[:-6]) + bytes(6)
    yield case(7, "chunk-ends-in-zeros", cut + bytes(200), f"{place:#x}")
    yield case(7, "cut-before-another-capture", bytes(c.data[:-6]) + whole, f"{place:#x}")

    c = good()
    place = len(c.data)
    c.events(box.marker_event("lost")).events(box.marker_event("three"))
    data = bytearray(c.finish())
    data[place + 48 + 12] ^= 0x20
    yield case(8, "flipped-bit-in-a-chunk", bytes(data), f"{place:#x}")
    data[place + 48 + 12] ^= 0x20
    data[place + 20] ^= 0x01
    yield case(8, "flipped-bit-in-a-chunk-header", bytes(data), f"{place:#x}")
    c = good()
    place = len(c.data)
    c.raw(b"bytes that are no chunk, between two that are").events(box.marker_event("three"))
    yield case(8, "bytes-between-chunks", c.finish(), f"{place:#x}")
    c = good()
    place = len(c.data)
    c.count += 2
    yield case(8, "chunk-is-missing", c.events(box.marker_event("five")).finish(), f"{place:#x}")

    c = good()
    place = len(c.data)
    data = bytearray(c.finish())
    data[place + 50] ^= 1
    yield case(9, "index-data", bytes(data), f"{place:#x}")
    data = bytearray(good().finish())
    data[-1] ^= 1
    yield case(9, "footer-data", bytes(data), f"{len(data) - 96:#x}")
    c = good()
    data = c.finish(file_size=1)
    yield case(9, "footer-with-another-file-size", data, f"{len(data) - 96:#x}")

    c = good()
    place = len(c.data)
    c.raw(box.chunk(box.EVENTS, box.marker_event("lost"), 1, 3, box.ZSTD, raw_size=0xFFFFFFFF))
    c.count += 1
    yield case(10, "four-gigabytes", c.events(box.marker_event("three")).finish(), f"{place:#x}")

    c = box.Container().events(box.marker_event("first"), box.header_event())
    yield case(11, "header-is-event-1", c.finish(), "0x10")
    c = box.Container().events(box.marker_event("first"), box.header_event())
    yield case(11, "appended-without-header", whole + c.finish(), f"{len(whole) + 16:#x}")

    c = good()
    place = len(c.data)
    c.raw(box.chunk(box.EVENTS, box.marker_event("again"), 1, 1))
    yield case(12, "chunk-goes-back", c.events(box.marker_event("three")).finish(), f"{place:#x}")
    c = good()
    place = len(c.data)
    c.events(box.marker_event("three"), raw_size=77)
    yield case(12, "raw-size", c.finish(), f"{place:#x}")
    c = good()
    place = len(c.data)
    c.events(box.marker_event("three"), compression=7)
    yield case(12, "compression-7", c.finish(), f"{place:#x}")
    c = good()
    place = len(c.data)
    c.events(box.marker_event("three") + bytes(5))
    yield case(12, "bytes-behind-the-last-event", c.finish(), f"{place:#x}")
    c = good()
    place = len(c.data)
    c.raw(box.chunk(box.EVENTS, box.marker_event("three"), 2, 3))
    c.count += 2
    yield case(12, "event-count", c.events(box.marker_event("five")).finish(), f"{place:#x}")

    data = good().finish()
    yield case(13, "a-word", data + b"more", f"{len(data):#x}")
    yield case(13, "bytes-before-another-capture", data + b"more" + data, f"{len(data):#x}")

    c = good()
    place = len(c.data)
    c.events(box.marker_event("changed"))
    data = bytearray(c.finish())
    data[place + 48 + 20] ^= 0x20  # a letter of the text
    yield case(15, "changed-while-it-was-recorded", bytes(data), f"{place:#x}")


def recording_cases():
    """Traces that a recorder made: from the middle, with results as events of their own."""
    t = Trace(None, 7, start="bare").add("marker", text="a call in the middle of a frame")
    t.dp2(Stream().op("VIEWPORTINFO", (0, 0, 64, 48)), context=0x8A001000)
    t.add("present", handle=5)
    yield Case("TRACE-016", "context", t, [("TRACE-016", "2"), ("TRACE-016", "3")])
    t = Trace(None, 7, start="bare").target().context()
    t.dp2(Stream().op("TEXTURESTAGESTATE", (0, 0, 9)))
    yield Case("TRACE-016", "texture", t, [("TRACE-016", "3")])

    t = Trace(None, 7).target().context().add("call_result", call=2).add("call_result", call=2)
    yield Case("TRACE-017", "twice", t, [("TRACE-017", "4")])
    t = Trace(None, 7).target().add("call_result", call=1).add("call_result", call=3)
    yield Case("TRACE-017", "no-call", t, [("TRACE-017", "2"), ("TRACE-017", "3")])


def json_cases():
    """The rules of the JSON form. A `^` in a text marks the place, which gives the line."""

    def case(number, name, text, pointer):
        rule = f"JSON-{number:03}"
        line = text[: text.index("^")].count("\n") + 1
        return Case(rule, name, text.replace("^", "", 1), [(rule, f"{line}:{pointer}")])

    head = '[\n{"event":"header"},\n'
    first = "/1/commands/0"
    record = first + "/records/0"

    def dp2(fields):
        return head + '{"event":"dp2",' + fields + "}\n]\n"

    def token(fields):
        return dp2('"commands":[' + fields + "]")

    def marker(fields):
        return head + '{"event":"marker",' + fields + "}\n]\n"

    yield case(1, "number", marker('"position":^01'), "/1")
    yield case(1, "comma", head + '{"event":"marker"^ "text":"x"}\n]\n', "/1")
    yield case(1, "literal", head + '{"event":"surface_update","x":^nul}\n]\n', "/1")
    yield case(1, "control-character", marker('"text":^"a\tb"'), "/1")
    yield case(1, "escape", marker('"text":^"a\\qb"'), "/1")
    yield case(1, "lone-surrogate", marker('"text":^"\\ud800"'), "/1")
    yield case(1, "text-behind-the-array", '[\n{"event":"header"}\n]\n^[]\n', "/1")

    yield case(2, "empty", "^", "/0")
    yield case(2, "after-an-event", '[\n{"event":"header"}^', "/1")
    yield case(2, "inside-an-event", head + '{"event":"marker","te^', "/1")
    yield case(2, "after-a-comma", head + "^", "/1")

    yield case(3, "an-object", '^{"event":"header"}\n', "/0")
    yield case(3, "a-number-in-the-array", head + "^7\n]\n", "/1")

    yield case(4, "arrays", marker('"text":' + "[" * 30 + "^[" + "]" * 31), "/1")

    yield case(5, "key-of-an-event", marker('"text":"a",^"text":"b"'), "/1/text")
    yield case(5, "event", marker('^"event":"marker"'), "/1/event")
    yield case(5, "key-of-a-record", token(
        '{"op":"RENDERSTATE","records":[{"render_state":8,"state":3,^"state":3}]}'),
        record + "/state")  # fmt: skip

    yield case(6, "key-of-an-event", marker('^"colour":1'), "/1/colour")
    yield case(6, "key-of-a-token", token('{"op":"TRIANGLELIST","v_start":0,^"v_end":1}'),
               first + "/v_end")  # fmt: skip

    yield case(7, "event", head + '^{"text":"what am I"}\n]\n', "/1")
    yield case(7, "op", token('^{"records":[]}'), first)

    yield case(8, "text-for-a-number", dp2('"vertex_size":^"big"'), "/1/vertex_size")
    yield case(8, "number-for-a-text", marker('"text":^7'), "/1/text")
    yield case(8, "number-for-an-array", dp2('"commands":^7'), "/1/commands")
    yield case(8, "null", dp2('"vertices":^null'), "/1/vertices")

    yield case(9, "u32", dp2('"vertex_size":^4294967296'), "/1/vertex_size")
    yield case(9, "negative", dp2('"vertex_size":^-1'), "/1/vertex_size")
    yield case(9, "u16", token(
        '{"op":"TEXTURESTAGESTATE","records":[{"stage":^65536,"ts_state":1,"value":1}]}'),
        record + "/stage")  # fmt: skip

    yield case(10, "fraction", dp2('"vertex_size":^1.5'), "/1/vertex_size")
    yield case(10, "exponent", dp2('"vertex_size":^1e3'), "/1/vertex_size")
    yield case(10, "above-64-bits", dp2('"context":^18446744073709551616'), "/1/context")

    yield case(11, "event", head + '{"event":^"dp3"}\n]\n', "/1/event")
    yield case(11, "operation", token('{"op":^"NOSUCHOP"}'), first + "/op")
    yield case(11, "flag", dp2('"flags":["USERMEMVERTICES",^"NOSUCHFLAG"]'), "/1/flags/1")
    yield case(11, "format", head + '{"event":"surface_create","format":^"X9"}\n]\n', "/1/format")
    yield case(11, "render-state", token(
        '{"op":"RENDERSTATE","records":[{"render_state":^"NOSUCH","state":1}]}'),
        record + "/render_state")  # fmt: skip

    yield case(12, "base64", dp2('"vertices":^"AA*="'), "/1/vertices")
    yield case(12, "odd-hex", dp2('"response":^"abc"'), "/1/response")
    yield case(12, "raw-hex", token('{"raw":^"xy"}'), first + "/raw")

    yield case(13, "outside", dp2('"vertices":{"file":^"../secret.bin"}'), "/1/vertices/file")
    yield case(13, "missing", dp2('"vertices":{"file":^"x.blobs/none.bin"}'), "/1/vertices/file")

    yield case(15, "no-header", '[\n^{"event":"marker","text":"first"}\n]\n', "/0")
    yield Case("JSON-015", "no-events", "[\n]\n", [("JSON-015", "-")])

    yield case(16, "rect", head + '{"event":"present","rect":^[0,0,1]}\n]\n', "/1/rect")
    yield case(16, "plane", token(
        '{"op":"SETCLIPPLANE","records":[{"index":0,"plane":^[1,2,3]}]}'), record + "/plane")


def cases():
    """Yields every Case."""
    yield from stream_cases()
    yield from packet_cases()
    yield from container_cases()
    yield from recording_cases()
    yield from json_cases()


def accepted():
    """Yields (rule, name, Trace): traces that only just do not break the rule."""
    yield from accepted_streams()
    yield from accepted_packets()
    yield from accepted_recordings()


def accepted_recordings():
    """Yields (rule, name, Trace) for the rules of recordings."""
    t = Trace("From the middle, with everything that is named described", 7, start="bare")
    yield "TRACE-016", "nothing-is-missing", t.target().context().dp2(
        Stream().op("VIEWPORTINFO", (0, 0, 64, 48)))  # fmt: skip
    t = Trace("A call and its result", 7).target().context()
    t.dp2(Stream().op("VIEWPORTINFO", (0, 0, 64, 48)))
    yield "TRACE-017", "once", t.add("call_result", call=len(t.events) - 1)


def accepted_streams():
    """Yields (rule, name, Trace) for the rules of a DP2 stream."""

    def case(rule, name, stream, level=9, **fields):
        return rule, name, Trace(None, level).target().context().dp2(stream, **fields)

    state = Stream().op("RENDERSTATE", (FILLMODE, 3)).data
    yield case("DP2-STREAM-001", "no-byte-remains", state)
    s = Stream().op("CLEAR", count=1, fixed=(1, 0, 1.0, 0, (0, 0, 64, 64)))
    yield case("DP2-STREAM-002", "clear-with-its-rectangle", s, 7)
    yield case("DP2-STREAM-003", "all-records", bytes.fromhex("08000300") + state[4:] * 3)
    yield case("DP2-STREAM-003", "indices-of-an-empty-strip",
               bytes.fromhex("140000000000" + "0000" * 2), 6)  # fmt: skip
    s = Stream().op("UPDATEPALETTE", fixed=(1, 0, 2), count=9, tail=bytes(8))
    yield case("DP2-STREAM-004", "palette-entries", s, 7)
    light = dwords(3) + floats([1.0] * 12, [0.0] * 3, 0, 0, 1) + bytes(28)  # directional
    s = Stream().op("CREATELIGHT", 0).op("SETLIGHT", with_tail(0, 2, tail=light), (0, 0))
    yield case("DP2-STREAM-004", "light", s, 7)
    s = Stream().op("CREATEVERTEXSHADER", with_tail(17, 4, 0, tail=dwords(0xFFFFFFFF)))
    yield case("DP2-STREAM-005", "small-sizes", s, 8)
    s = Stream().op("SETCONVOLUTIONKERNELMONO", (1, 1, 0))
    yield "DP2-STREAM-006", "operation-97", Trace(None, d3d9ex=True).target().context().dp2(s)
    yield case("DP2-STREAM-007", "no-exit", state)
    yield case("DP2-STREAM-008", "operation-86", Stream().op("SETDEPTHSTENCIL", 0))
    yield case("DP2-STREAM-009", "reserved-is-0", state)
    s = Stream().raw(state).op("ZRANGE", (0.0, 0.0))
    yield case("DP2-STREAM-010", "zeros-that-belong-to-a-token", s, 7)
    yield case("DP2-STREAM-011", "exact-length", state, command_length=12)
    s = Stream().op("INDEXEDTRIANGLELIST2", (0, 1, 2), fixed=(0,)).raw(state)
    yield case("DP2-STREAM-012", "aligned-after-twelve-bytes", s, 6, size=20, fvf=0x44,
               vertices=screen_vertices(TRIANGLE))  # fmt: skip
    yield case("DP2-STREAM-013", "count-1", state)
    s = Stream().raw(state).op("TEXTURESTAGESTATE", (0, 1, 2)).raw(state)
    yield case("DP2-STREAM-014", "other-operation-between", s)
    s = Stream().op("TRIANGLEFAN_IMM", fixed=(7,), count=1).raw(screen_vertices(TRIANGLE))
    yield case("DP2-IMM-001", "fan", s, 6, size=20, fvf=0x44)
    s = Stream().op("TRIANGLELIST", fixed=(0,), count=1).op("LINELIST_IMM", count=1).align()
    yield case("DP2-IMM-001", "padding", s.raw(screen_vertices(TRIANGLE)[:40]), 6, size=20, fvf=0x44,
               vertices=screen_vertices(TRIANGLE))  # fmt: skip
    yield case("DP2-STREAM-015", "size-8", Stream().op("EXT", (0, 8)), 7)
    yield case("DP2-STREAM-016", "operation-36",
               Stream().op("SETTRANSFORM", (1, (0.0,) * 16)), 7)  # fmt: skip
    yield case("DP2-PATCH-001", "both-bits", Stream().op("DRAWRECTPATCH", with_tail(
        5, 3, tail=floats(1, 1, 1, 1) + dwords(0, 0, 4, 4, 4, 0, 3))), 8)  # fmt: skip


def accepted_packets():
    """Yields (rule, name, Trace) for the rules of packets."""

    def case(rule, name, width=64, header=None, **changes):
        packets = Packets(None, width, **(header or {})).preamble()
        return rule, name, packets.simple(status=None, **changes).end()

    def payload(rule, name, stream):
        packets = Packets(None, 64)
        packets.render(command_buffer=bytes(stream.data), status=None)
        return rule, name, packets.end()

    yield case("KMT-DEC-001", "vista", header={"os_profile": "vista"})
    yield case("KMT-DEC-001", "windows-10-of-32-bits", 32)
    yield case("KMT-DEC-002", "32-bits", 32)
    yield case("KMT-DEC-003", "opaque", payload="opaque")
    yield case("KMT-DEC-004", "exact-length", command_length=16)
    offset = {"length_origin": "offset"}
    moved = SIMPLE_PATCHES[:16] + struct.pack("<2I", 12, 4)
    yield case("KMT-DEC-004", "with-length-origin-offset", header=offset, command_offset=4,
               command_length=16, command_buffer=bytes(4) + SIMPLE_COMMANDS,
               patch_location_list=moved)  # fmt: skip
    yield case("KMT-DEC-005", "exact-count", allocation_count=2)
    yield case("KMT-DEC-006", "exact-count", patch_location_count=1)
    yield case("KMT-DEC-007", "windows-10", new_command_buffer=0, private_driver_data=0)
    yield case("KMT-DEC-008", "every-field", flags=1, new_command_buffer_size=131072,
               present_history_token=0x0123456789ABCDEF, broadcast_context=[0] * 63 + [2])  # fmt: skip
    yield case("KMT-DEC-009", "largest-pointer", 32, raw=False, out=next_triple(0xFFFFFFFF))
    yield case("KMT-DEC-010", "zeros")
    state = Stream().op("RENDERSTATE", (FILLMODE, 3))
    yield payload("KMT-DP2-001", "operation-8", state)
    yield payload("KMT-DP2-002", "operation-86", Stream().op("SETDEPTHSTENCIL", 0))
    yield payload("KMT-DP2-003", "ends-with-the-extent", state)
    yield payload("KMT-DP2-004", "nothing-remains", state)
    yield payload("KMT-DP2-006", "reserved-is-0", state)
