"""The binary container, written by hand: for files that the program itself would never write.

Source: traces/README.md.
"""

import struct

MAGIC = b"\x89D2T\r\n\x1a\n"
SYNC = bytes.fromhex("fe9cd2c8a7ffb1e5")
EVENTS, INDEX, FOOTER = 1, 2, 3
NONE, ZSTD = 0, 1

HEADER, MARKER, PRESENT = 1, 12, 11  # kinds of events
OPTIONAL = 1  # event flag

MASK = (1 << 64) - 1
PRIME_1 = 0x9E3779B185EBCA87
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def _u64(data, at):
    return struct.unpack_from("<Q", data, at)[0]


def _fold(a, b):
    product = a * b
    return (product & MASK) ^ (product >> 64)


def _mix(data, at, secret):
    return _fold(_u64(data, at) ^ _u64(SECRET, secret), _u64(data, at + 8) ^ _u64(SECRET, secret + 8))


def _avalanche(value):
    value &= MASK
    value ^= value >> 37
    value = value * 0x165667919E3779F9 & MASK
    return value ^ (value >> 32)


def xxh3_64(data):
    """XXH3-64 with seed 0 of 9 to 240 bytes."""
    size = len(data)
    if not 9 <= size <= 240:
        raise ValueError("only short inputs are supported")
    if size <= 16:
        low = _u64(data, 0) ^ _u64(SECRET, 24) ^ _u64(SECRET, 32)
        high = _u64(data, size - 8) ^ _u64(SECRET, 40) ^ _u64(SECRET, 48)
        swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
        return _avalanche(size + swapped + high + _fold(low, high))
    total = size * PRIME_1
    if size <= 128:
        for i in reversed(range((size - 1) // 32 + 1)):
            total += _mix(data, 16 * i, 32 * i) + _mix(data, size - 16 * (i + 1), 32 * i + 16)
        return _avalanche(total)
    for i in range(8):
        total += _mix(data, 16 * i, 16 * i)
    total = _avalanche(total)
    for i in range(8, size // 16):
        total += _mix(data, 16 * i, 16 * (i - 8) + 3)
    return _avalanche(total + _mix(data, size - 16, 136 - 17))


def event(kind, payload, flags=0):
    """One event as it lies in a chunk."""
    return struct.pack("<HHI", kind, flags, len(payload)) + payload


def header_event():
    """The header with nothing but defaults."""
    return event(HEADER, struct.pack("<Q", 0))


def marker_event(text):
    """A marker with a text."""
    data = text.encode("utf-8")
    return event(MARKER, struct.pack("<QI", 1, len(data)) + data)


def file_header(major=1, minor=0, magic=MAGIC):
    """The first 16 bytes."""
    return magic + struct.pack("<HHI", major, minor, 0)


def chunk(kind, data, events, first, compression=NONE, raw_size=None, **damage):
    """A chunk of any type; `damage` replaces header fields before they are hashed."""
    fields = {
        "kind": kind, "compression": compression, "events": events, "first": first,
        "raw_size": len(data) if raw_size is None else raw_size, "stored_size": len(data),
        "data_hash": xxh3_64(data),
    }  # fmt: skip
    fields.update(damage)
    head = SYNC + struct.pack(
        "<BBHIQIIQ", fields["kind"], fields["compression"], 0, fields["events"], fields["first"],
        fields["raw_size"], fields["stored_size"], fields["data_hash"])  # fmt: skip
    return head + struct.pack("<Q", xxh3_64(head)) + data


class Container:
    """A container under construction."""

    def __init__(self, head=None):
        self.data = bytearray(file_header() if head is None else head)
        self.chunks = []
        self.frames = []
        self.count = 0

    def events(self, *events, **damage):
        """A chunk with these events."""
        for number, one in enumerate(events, self.count):
            if struct.unpack_from("<H", one)[0] == PRESENT:
                self.frames.append(number)
        data = b"".join(events)
        self.chunks.append((len(self.data), self.count, len(events), len(data)))
        self.data += chunk(EVENTS, data, len(events), self.count, **damage)
        self.count += len(events)
        return self

    def raw(self, data):
        """Bytes between chunks."""
        self.data += data
        return self

    def finish(self, index=None, **footer):
        """The index and the footer; `index` replaces the index's data, `footer` its fields."""
        if index is None:
            index = struct.pack("<3Q", self.count, len(self.chunks), len(self.frames))
            index += b"".join(struct.pack("<QQII", *entry) for entry in self.chunks)
            index += struct.pack(f"<{len(self.frames)}Q", *self.frames)
        offset = len(self.data)
        self.data += chunk(INDEX, index, 0, self.count)
        fields = {
            "index_offset": offset, "index_size": len(self.data) - offset, "events": self.count,
            "frames": len(self.frames), "chunks": len(self.chunks),
            "file_size": len(self.data) + 96,
        }  # fmt: skip
        fields.update(footer)
        self.data += chunk(FOOTER, struct.pack("<6Q", *fields.values()), 0, self.count)
        return bytes(self.data)
