"""Traces of kernel objects and opaque packets: an adapter, a device and a context, and calls on them."""

import struct

from .malformed import Case
from .trace import Trace

PROCESS = 1
ADAPTER, DEVICE, CONTEXT = 0x40000000, 0x40000020, 0x40000040
OTHER_DEVICE, OTHER_CONTEXT, THIRD_CONTEXT = 0x40000060, 0x40000080, 0x400000A0
RESOURCE, SYNC, UNKNOWN = 0x400000C0, 0x400000E0, 0x4FFFFFC0
FIRST, SECOND, THIRD = 0xC0000100, 0xC0000140, 0xC0000180

# The buffers that a context starts with.
TRIPLE = {
    "command_buffer": 0x10000000, "command_buffer_size": 4096,
    "allocation_list": 0x10010000, "allocation_list_size": 256,
    "patch_location_list": 0x10011000, "patch_location_list_size": 256,
}  # fmt: skip


def render_states(count):
    """RENDERSTATE with `count` records: 4 + 8 * count bytes."""
    return struct.pack("<BBH", 8, 0, count) + struct.pack("<2I", 8, 3) * count


class Kmt:
    """A trace under construction; every call names the one process."""

    def __init__(self, **header):
        self.trace = Trace(None, 9, pointer_width=64, **header)
        self.places = []
        self.has_target = False

    def add(self, event, **fields):
        """Appends a call; fields that are None are left out."""
        fields = {name: value for name, value in fields.items() if value is not None}
        self.trace.add(event, process=PROCESS, **fields)
        return self

    def here(self):
        """The call just added is the one that the finding is about."""
        self.places.append(str(len(self.trace.events) - 1))
        return self

    def adapter(self, **fields):
        """The adapter."""
        return self.add("adapter_open", adapter=ADAPTER, **fields)

    def device(self, device=DEVICE, **fields):
        """A device on it."""
        return self.add("device_create", adapter=ADAPTER, device=device, **fields)

    def context(self, context=CONTEXT, device=DEVICE, **fields):
        """A context of a device."""
        fields.setdefault("triple", TRIPLE)
        fields.setdefault("client_hint", "DX9")
        if context == CONTEXT and fields.get("kind") != "virtual" and not self.has_target:
            self.has_target = True
            self.trace.target(1, 8, 8)
            fields["d3d"] = {"target": 1}
        return self.add("kmt_context_create", device=device, context=context, **fields)

    def start(self, **fields):
        """All three; the fields are the context's."""
        return self.adapter().device().context(**fields)

    def allocation(self, handle=FIRST, device=DEVICE, flags=0, info=None, **fields):
        """An allocation of 64 bytes."""
        one = {"allocation": handle, "model_size": 64, **(info or {})}
        return self.add("allocation_create", device=device, flags=flags, allocations=[one], **fields)

    def resource(self, flags=1, handles=(FIRST,), **fields):
        """A resource with allocations."""
        infos = [{"allocation": handle, "model_size": 64} for handle in handles]
        return self.add("allocation_create", device=DEVICE, flags=flags, allocations=infos,
                        resource_out=RESOURCE, **fields)  # fmt: skip

    def packet(self, elements=None, patches=None, records=1, **fields):
        """A packet of one token without handle words, or of eight opaque bytes.

        It is opaque where its lists are none that tokens need: patch locations, and WriteOperation.
        In a packet of tokens the first allocation is the NULL element.
        """
        elements = [{"allocation": one} if isinstance(one, int) else one for one in elements or []]
        is_opaque = patches is not None or any("write_operation" in one for one in elements)
        if elements and not is_opaque and elements[0]["allocation"]:
            elements.insert(0, {"allocation": 0})
        data = "00" * 8 if is_opaque else render_states(records).hex()
        packet = {"context": CONTEXT, "payload": "opaque" if is_opaque else "dp2", **fields}
        if records:
            packet.setdefault("command_buffer", {"raw": data})
        if elements:
            packet["allocation_list"] = elements
        if patches:
            packet["patch_location_list"] = patches
        return self.add("render", **packet)

    def gdi_packet(self, **fields):
        """A packet of kernel origin: one GDI command of 8 bytes."""
        packet = {"payload": "renderkm", "origin": "kernel", "flags": 0x20,
                  "new_command_buffer_pointer": 0x20000000, **fields}  # fmt: skip
        return self.packet(command_buffer={"raw": "0100000008000000"}, **packet)

    def lock(self, handle=FIRST, flags=0, **fields):
        """A lock."""
        return self.add("lock", device=DEVICE, allocation=handle, flags=flags, **fields)

    def unlock(self, handle=FIRST):
        """The end of a lock."""
        return self.add("unlock", device=DEVICE, allocations=[handle])


class Pairs:
    """Collects pairs of traces that differ in one value."""

    def __init__(self):
        self.cases = []
        self.twins = []

    def add(self, rule, build, broken, legal, extra=(), header=None):
        """`build` makes a trace from a value; `broken` and `legal` are (name, value).

        The finding is about the call after which the builder says here(). `extra` are findings that
        come with it: (rule, place in the order of here(), True where it stands before).
        """
        kmt = Kmt(**(header or {}))
        build(kmt, broken[1])
        found = [(rule, kmt.places[-1])]
        for other, place, is_before in extra:
            found.insert(0 if is_before else len(found), (other, kmt.places[place]))
        self.cases.append(Case(rule, broken[0], kmt.trace, found))
        twin = Kmt(**(header or {}))
        build(twin, legal[1])
        self.twins.append((rule, legal[0], twin.trace))

