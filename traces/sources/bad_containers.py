"""Containers that break one rule each. traces/rules/TRACE-*.json has what must be found in them."""

import struct

from . import container as box


def cases():
    """Yields (rule, name, bytes)."""

    def good():
        c = box.Container()
        c.events(box.header_event(), box.marker_event("one"), box.marker_event("two"))
        return c

    def case(number, name, content):
        return f"TRACE-{number:03}", name, content

    yield case(2, "text", b"this is not a trace, but long enough to be one: " + bytes(16))
    yield case(2, "empty", b"")
    yield case(2, "png", bytes.fromhex("89504e470d0a1a0a0000000d49484452") + bytes(32))

    head = box.file_header(major=2)
    yield case(3, "version-2", box.Container(head).events(box.header_event()).finish())

    c = good().events(box.event(4000, b"future", box.OPTIONAL), box.marker_event("three"))
    yield case(4, "optional-event", c.finish())
    c = good()
    c.raw(box.chunk(9, b"a chunk of the future", 0, c.count))
    yield case(4, "chunk-type", c.events(box.marker_event("three")).finish())

    c = good()
    c.events(box.event(4000, b"future"), box.marker_event("three"))
    yield case(5, "unknown-event", c.finish())

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
        c.events(box.event(box.MARKER, payload), box.marker_event("three"))
        yield case(6, name, c.finish())
    c = good()
    c.events(box.event(box.MARKER, struct.pack("<QI", 1, 1) + b"t", flags=2))
    yield case(6, "flags-of-a-known-kind", c.finish())

    c = good()
    c.events(box.marker_event("three"), box.marker_event("four"))
    yield case(7, "inside-a-chunk", bytes(c.data[:-6]))
    whole = good().finish()
    yield case(7, "inside-the-footer", whole[:-1])
    yield case(7, "inside-the-file-header", whole[:12])
    c = good()
    yield case(19, "zeros-behind-the-last-chunk", bytes(c.data) + bytes(300))
    yield case(13, "text-behind-the-last-chunk", bytes(c.data) + b"noise" * 60)
    c = good()
    c.raw(b"usb 1-1: connected\r\n").events(box.marker_event("three"))
    yield case(13, "text-between-two-chunks", c.finish())
    c = good()
    yield case(13, "text-between-two-recordings", bytes(c.data) + b"boot 2\r\n" + bytes(c.data))
    yield case(7, "garbage-behind-the-last-chunk", bytes(c.data) + b"noise\xff" * 60)
    c.events(box.marker_event("three"), box.marker_event("four"))
    cut = bytes(c.data[:-6]) + bytes(6)
    yield case(7, "chunk-ends-in-zeros", cut + bytes(200))
    yield case(7, "cut-before-another-capture", bytes(c.data[:-6]) + whole)

    c = good()
    place = len(c.data)
    c.events(box.marker_event("lost")).events(box.marker_event("three"))
    data = bytearray(c.finish())
    data[place + 48 + 12] ^= 0x20
    yield case(8, "flipped-bit-in-a-chunk", bytes(data))
    data[place + 48 + 12] ^= 0x20
    data[place + 20] ^= 0x01
    yield case(8, "flipped-bit-in-a-chunk-header", bytes(data))
    c = good()
    c.raw(b"bytes that are not a chunk, between two that are\xff").events(box.marker_event("three"))
    yield case(8, "bytes-between-chunks", c.finish())
    c = good()
    c.count += 2
    yield case(8, "chunk-is-missing", c.events(box.marker_event("five")).finish())

    c = good()
    place = len(c.data)
    data = bytearray(c.finish())
    data[place + 50] ^= 1
    yield case(9, "index-data", bytes(data))
    data = bytearray(good().finish())
    data[-1] ^= 1
    yield case(9, "footer-data", bytes(data))
    c = good()
    data = c.finish(file_size=1)
    yield case(9, "footer-with-another-file-size", data)

    c = good()
    c.raw(box.chunk(box.EVENTS, box.marker_event("lost"), 1, 3, box.ZSTD, raw_size=0xFFFFFFFF))
    c.count += 1
    yield case(10, "four-gigabytes", c.events(box.marker_event("three")).finish())

    c = box.Container().events(box.marker_event("first"), box.header_event())
    yield case(11, "header-is-event-1", c.finish())
    c = box.Container().events(box.marker_event("first"), box.header_event())
    yield case(11, "appended-without-header", whole + c.finish())

    c = good()
    c.raw(box.chunk(box.EVENTS, box.marker_event("again"), 1, 1))
    yield case(12, "chunk-goes-back", c.events(box.marker_event("three")).finish())
    c = good()
    c.events(box.marker_event("three"), raw_size=77)
    yield case(12, "raw-size", c.finish())
    c = good()
    c.events(box.marker_event("three"), compression=7)
    yield case(12, "compression-7", c.finish())
    c = good()
    c.events(box.marker_event("three") + bytes(5))
    yield case(12, "bytes-behind-the-last-event", c.finish())
    c = good()
    c.raw(box.chunk(box.EVENTS, box.marker_event("three"), 2, 3))
    c.count += 2
    yield case(12, "event-count", c.events(box.marker_event("five")).finish())

    data = good().finish()
    yield case(13, "a-word", data + b"more")
    yield case(13, "bytes-before-another-capture", data + b"more" + data)
    yield case(13, "text-of-a-port-before-it", b"BIOS 1.02\r\n640 KB OK\r\n" + data)

    c = good()
    place = len(c.data)
    c.events(box.marker_event("changed"))
    data = bytearray(c.finish())
    data[place + 48 + 20] ^= 0x20  # a letter of the text
    yield case(15, "changed-while-it-was-recorded", bytes(data))

    yield case(19, "behind-a-chunk", bytes(good().data))
    yield case(19, "behind-the-index", whole[:-96])

    c = box.Container().events(box.header_event())
    yield "RECORD-RETURN-002", "header-alone", bytes(c.data)
    c.events(box.marker_event("DriverInit"))
    yield "RECORD-RETURN-002", "header-and-marker", bytes(c.data)
    yield case(19, "before-another-capture", bytes(good().data) + whole)
