"""DP2 command streams as bytes, packed from the layouts of dp2-ops.json.

The layouts come from the specification's own data file, never from the program's tables, so that a
trace made here is a second opinion about them.
"""

import json
import struct

# struct codes of the scalar types of dp2-ops.json
FORMATS = {
    "u8": "B",
    "u16": "H",
    "i16": "h",
    "u32": "I",
    "i32": "i",
    "f32": "f",
    "f32x3": "3f",
    "f32x4": "4f",
    "matrix": "16f",
    "point": "2i",
    "rect": "4i",
    "box": "6I",
    "range": "2I",
}


def flatten(values):
    """Yields the scalars of nested tuples and lists in order."""
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from flatten(value)
        else:
            yield value


def pack(layout, values):
    """Packs the values of one structure; `layout` is a field list of dp2-ops.json."""
    code = "<" + "".join(FORMATS[field["type"]] for field in layout)
    return struct.pack(code, *flatten(values))


def bits(value):
    """The u32 that holds the f32 `value`."""
    return struct.unpack("<I", struct.pack("<f", value))[0]


def floats(*values):
    """Packs f32 values."""
    flat = list(flatten(values))
    return struct.pack(f"<{len(flat)}f", *flat)


def dwords(*values):
    """Packs u32 values."""
    flat = list(flatten(values))
    return struct.pack(f"<{len(flat)}I", *flat)


def words(*values):
    """Packs u16 values."""
    flat = list(flatten(values))
    return struct.pack(f"<{len(flat)}H", *flat)


class Operations:
    """The operation table of dp2-ops.json."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        self.structs = data["structs"]
        self.by_name = {
            op["name"].removeprefix("D3DDP2OP_"): op
            for op in data["ops"]
            if op["name"].startswith("D3DDP2OP_")
        }

    def names(self):
        """All operation names by ascending value."""
        return sorted(self.by_name, key=lambda name: self.by_name[name]["value"])


class Stream:
    """Builds one command stream."""

    table = None  # the Operations, set once by make_traces.py

    def __init__(self, command_offset=0):
        self.data = bytearray()
        self.command_offset = command_offset

    def op(self, name, *records, fixed=(), count=None, tail=b"", reserved=0):
        """Appends one token.

        A record is a tuple of values, or a pair (values, tail bytes) written as `with_tail()`.
        Without `count` it follows from the number of records.
        """
        row = self.table.by_name[name]
        if count is None:
            rule = row["element_count"]
            if rule == "count":
                count = len(records)
            elif rule.startswith("count+"):
                count = len(records) - int(rule.removeprefix("count+"))
            else:
                raise ValueError(f"{name} needs a count")
        self.data += struct.pack("<BBH", row["value"], reserved, count)
        self.data += pack(row["fixed_header_fields"], fixed)
        for record in records:
            extra = b""
            if isinstance(record, Tailed):
                record, extra = record.values, record.tail
            elif not isinstance(record, (tuple, list)):
                record = (record,)
            self.data += pack(row["element_fields"], record) + extra
        self.data += tail
        return self

    def raw(self, data):
        """Appends bytes, or hex digits."""
        self.data += bytes.fromhex(data) if isinstance(data, str) else data
        return self

    def align(self):
        """Appends the filler that aligns immediate vertices."""
        self.data += bytes(-(self.command_offset + len(self.data)) % 4)
        return self

    def struct(self, name, *values):
        """Packs one structure of the specification."""
        return pack(self.table.structs[name]["fields"], values)


class Tailed:
    """A record and the variable data behind it."""

    def __init__(self, values, tail):
        self.values = values
        self.tail = tail


def with_tail(*values, tail):
    """A record with a tail."""
    return Tailed(values, tail)
