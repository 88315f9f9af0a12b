"""The worked packet of lib/kmt/packets.md 6.9, and its variants."""

import struct

from .dp2 import Stream
from .trace import CLIP_TRIANGLE, Trace, blob, clip_vertices

PROCESS, ADAPTER, DEVICE, CONTEXT = 1, 0x40000000, 0x40000020, 0x40000040
TARGET, DEPTH, VERTICES = 0xC0000100, 0xC0000140, 0xC0000180

COMMANDS = bytes.fromhex(
    "29 00 01 00 01 00 00 00 02 00 00 00 31 00 01 00"
    "00 00 00 00 03 00 00 00 10 00 00 00 34 00 01 00"
    "04 00 00 00 00 00 00 00 01 00 00 00"
)
ALLOCATIONS = bytes.fromhex(
    "00 00 00 00 00 00 00 00 00 01 00 c0 01 00 00 00"
    "40 01 00 c0 01 00 00 00 80 01 00 c0 00 00 00 00"
)
PATCHES = bytes.fromhex(
    "01 00 00 00 01 00 00 00 29 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00"
    "02 00 00 00 05 00 00 00 29 01 00 00 00 00 00 00 08 00 00 00 00 00 00 00"
    "03 00 00 00 20 00 00 00 31 00 00 00 00 00 00 00 14 00 00 00 0c 00 00 00"
)


def raw_structure(packet, width=64, vista=False):
    """D3DKMT_RENDER as bytes, from the named fields of a render event (section 1.1)."""
    pointer, gap = ("Q", "4x") if width == 64 else ("I", "")
    counts = {
        "allocation_count": len(packet.get("allocation_list", b"")) // 8,
        "patch_location_count": len(packet.get("patch_location_list", b"")) // 24,
        "command_length": len(packet.get("command_buffer", b"")),
    }
    broadcast = list(packet.get("broadcast_context", []))

    def get(name):
        return packet.get(name, counts.get(name, 0))

    data = struct.pack("<5I", *(get(name) for name in (
        "context", "command_offset", "command_length", "allocation_count",
        "patch_location_count")))  # fmt: skip
    data += struct.pack(f"<{gap}{pointer}I", get("new_command_buffer_pointer"),
                        get("new_command_buffer_size"))  # fmt: skip
    data += struct.pack(f"<{gap}{pointer}I", get("new_allocation_list_pointer"),
                        get("new_allocation_list_size"))  # fmt: skip
    data += struct.pack(f"<{gap}{pointer}I", get("new_patch_location_list_pointer"),
                        get("new_patch_location_list_size"))  # fmt: skip
    data += struct.pack("<IQI", get("flags"), get("present_history_token"),
                        get("broadcast_context_count"))  # fmt: skip
    data += struct.pack("<64I", *(broadcast + [0] * 64)[:64])
    data += struct.pack("<I", 0)  # QueuedBufferCount
    if not vista:
        data += struct.pack(f"<Q{pointer}I{gap}", get("new_command_buffer"),
                            get("private_driver_data"), get("private_driver_data_size"))  # fmt: skip
    size = {(64, False): 368, (32, False): 336, (64, True): 344, (32, True): 320}[width, vista]
    assert len(data) == size, (len(data), size)
    return data


class Packets:
    """A trace of render packets: adapter, device, context, three allocations, their bindings."""

    def __init__(self, text, width=64, **header):
        if width != 32:
            header["pointer_width"] = width
        self.width = width
        self.vista = header.get("os_profile") == "vista"
        self.trace = t = Trace(text, 9, **header)
        triple = {
            "command_buffer": 0x10000000, "command_buffer_size": 65536,
            "allocation_list": 0x10010000, "allocation_list_size": 256,
            "patch_location_list": 0x10011000, "patch_location_list_size": 256,
        }  # fmt: skip
        is_identity = header.get("dp2_handle_mode") == "identity"
        target, depth, vertices = (TARGET, DEPTH, VERTICES) if is_identity else (1, 2, 3)
        t.target(target).depth(depth).buffer(vertices, clip_vertices(CLIP_TRIANGLE))
        t.add("adapter_open", process=PROCESS, adapter=ADAPTER, max_allocation_list_slot_id=127,
              status=0)  # fmt: skip
        t.add("device_create", process=PROCESS, adapter=ADAPTER, device=DEVICE, status=0)
        t.add("kmt_context_create", process=PROCESS, device=DEVICE, context=CONTEXT,
              client_hint="DX9", triple=triple, d3d={"target": target, "depth": depth}, status=0)  # fmt: skip
        t.add("allocation_create", process=PROCESS, device=DEVICE, status=0, allocations=[
            {"allocation": TARGET, "model_size": 16384, "model_kind": "target"},
            {"allocation": DEPTH, "model_size": 16384, "model_kind": "depth"},
            {"allocation": VERTICES, "model_size": 48, "model_kind": "vertex_buffer"},
        ])  # fmt: skip
        self.bound = []
        bindings = [(1, TARGET, "target", 16384), (2, DEPTH, "depth", 16384),
                    (3, VERTICES, "vertex_buffer", 48)]  # fmt: skip
        if not is_identity:
            self.bound = [handle for handle, *_ in bindings]
            for handle, allocation, kind, size in bindings:
                t.add("dp2_bind", process=PROCESS, device=DEVICE, handle=handle,
                      allocation=allocation, kind=kind, size=size)  # fmt: skip

    def render(self, raw=True, **packet):
        """One packet. Byte fields are bytes; `raw` adds the structure as bytes."""
        packet.setdefault("context", CONTEXT)
        event = {"process": PROCESS, **packet}
        if raw is True:
            raw = raw_structure(packet, self.width, self.vista)
        for name in ("command_buffer", "allocation_list", "patch_location_list"):
            data = event.pop(name, b"")
            if data:
                event[name] = {"raw": data.hex()}
        if raw:
            event["raw_in"] = raw.hex()
        event.setdefault("status", 0)
        if event["status"] is None:
            del event["status"]
        self.trace.add("render", **event)
        return self

    def preamble(self):
        """A packet without handle words: vertex format and lighting, which the draw needs."""
        stream = Stream().op("SETVERTEXSHADER", 0x42).op("RENDERSTATE", (137, 0))
        return self.render(raw=False, command_buffer=bytes(stream.data))

    def worked(self, **changes):
        """The packet of the specification, changed."""
        packet = {"context": CONTEXT, "command_buffer": COMMANDS, "allocation_list": ALLOCATIONS,
                  "patch_location_list": PATCHES}  # fmt: skip
        return self.render(**{**packet, **changes})

    def unbind(self, handle):
        """A DP2 handle stands for nothing from here on."""
        self.bound.remove(handle)
        self.trace.add("dp2_unbind", process=PROCESS, device=DEVICE, handle=handle)
        return self

    def end(self):
        """The objects go."""
        t = self.trace
        for handle in list(self.bound):
            self.unbind(handle)
        t.add("allocation_destroy", process=PROCESS, device=DEVICE,
              allocations=[TARGET, DEPTH, VERTICES], status=0)  # fmt: skip
        t.add("kmt_context_destroy", process=PROCESS, context=CONTEXT, status=0)
        t.add("device_destroy", process=PROCESS, device=DEVICE, status=0)
        return t.add("adapter_close", process=PROCESS, adapter=ADAPTER, status=0)


def changed(data, offset, replacement):
    """`data` with bytes replaced."""
    result = bytearray(data)
    result[offset : offset + len(replacement)] = replacement
    return bytes(result)


def swapped():
    """The patch list with the entries 1 and 2 exchanged."""
    return PATCHES[:24] + PATCHES[48:] + PATCHES[24:48]


# name -> (what changes, the rules that must fire)
NEGATIVE = {
    "command-length-43": (
        {"command_length": 43, "command_buffer": COMMANDS[:43]}, ["KMT-DP2-003"]),
    "command-offset-45": ({"command_offset": 45}, ["KMT-RENDER-010"]),
    "allocation-count-257": (
        {"allocation_list": ALLOCATIONS + bytes(253 * 8)}, ["KMT-RENDER-013"]),
    "allocation-count-3": (
        {"allocation_list": ALLOCATIONS[:24]}, ["KMT-PATCH-002", "KMT-DP2-009"]),
    "allocation-1-not-written": (
        {"allocation_list": changed(ALLOCATIONS, 12, bytes(4))}, ["KMT-DP2-020"]),
    "allocation-3-reserved-bit": (
        {"allocation_list": changed(ALLOCATIONS, 28, b"\x20")}, ["KMT-ALLOC-005"]),
    "patch-0-reserved-byte": (
        {"patch_location_list": changed(PATCHES, 7, b"\x01")}, ["KMT-PATCH-003"]),
    "patch-2-offset-16": (
        {"patch_location_list": changed(PATCHES, 2 * 24 + 16, b"\x10")},
        ["KMT-DP2-010", "KMT-DP2-011"]),
    "patch-1-offset-4": (
        {"patch_location_list": changed(PATCHES, 24 + 16, b"\x04")},
        ["KMT-DP2-012", "KMT-DP2-011"]),
    "patches-1-and-2-swapped": ({"patch_location_list": swapped()}, ["KMT-PATCH-006"]),
    "context-0": ({"context": 0}, ["KMT-STATE-001"]),
    "flags-0x80": ({"flags": 0x80}, ["KMT-FLAGS-001"]),
}  # fmt: skip


def traces():
    """Yields (name, Trace)."""
    for width, suffix in ((64, ""), (32, "-32")):
        text = f"The worked packet of a {width}-bit process: one triangle"
        packets = Packets(text, width).preamble().worked()
        packets.trace.present()
        yield "worked-packet" + suffix, packets.end()

        packets = Packets(
            f"The worked packet on Windows Vista, {width}-bit: the structure is shorter",
            width, os_profile="vista")  # fmt: skip
        yield "worked-packet-vista" + suffix, packets.preamble().worked().end()

    packets = Packets("A prefix before the commands; CommandLength counts it", 64)
    prefix = b"producer data!!!"
    moved = b"".join(
        PATCHES[24 * i : 24 * i + 16]
        + struct.pack("<II", *(16 + x for x in struct.unpack_from("<II", PATCHES, 24 * i + 16)))
        for i in range(3)
    )
    fields = {"command_buffer": prefix + COMMANDS, "command_offset": 16}
    packets.preamble().worked(**fields, patch_location_list=moved)
    yield "length-origin-zero", packets.end()

    packets = Packets("The same with a CommandLength that counts from CommandOffset", 64,
                      length_origin="offset")  # fmt: skip
    packets.preamble().worked(**fields, patch_location_list=moved, command_length=len(COMMANDS))
    yield "length-origin-offset", packets.end()

    packets = Packets("Handle words that are allocation handles", 64, dp2_handle_mode="identity")
    commands = b"".join((COMMANDS[:4], struct.pack("<II", TARGET, DEPTH), COMMANDS[12:20],
                         struct.pack("<I", VERTICES), COMMANDS[24:]))  # fmt: skip
    yield "identity-handles", packets.preamble().worked(command_buffer=commands).end()

    packets = Packets("Vendor commands: nothing of the buffer is interpreted", 64)
    packets.render(
        payload="opaque", command_offset=4, command_buffer=bytes(range(64)),
        allocation_list=ALLOCATIONS + bytes(8) + ALLOCATIONS[8:16],
        patch_location_list=struct.pack("<6I", 1, 0x00ABCDEF, 7, 0xFFFF, 0, 0) * 2)  # fmt: skip
    yield "opaque", packets.end()

    packets = Packets("GDI commands of kernel origin: an array of DXGK_RENDERKM_COMMAND", 64)
    commands = struct.pack("<II", 2, 24) + bytes(16) + struct.pack("<II", 1, 8)
    packets.render(payload="renderkm", origin="kernel", flags=0x20, command_buffer=commands,
                   allocation_list=ALLOCATIONS[:16], new_command_buffer_pointer=0x20000000,
                   new_allocation_list_pointer=0x20001000)  # fmt: skip
    yield "render-km", packets.end()

    packets = Packets("Results: the next triple, a resize, a broadcast, a redirected present", 64)
    packets.preamble()
    out = {
        "command_buffer": 0x10020000, "command_buffer_size": 131072,
        "allocation_list": 0x10050000, "allocation_list_size": 512,
        "patch_location_list": 0x10060000, "patch_location_list_size": 512,
    }  # fmt: skip
    packets.worked(
        flags=0x17, new_command_buffer_size=131072, new_allocation_list_size=512,
        new_patch_location_list_size=512, present_history_token=0x123456789ABCDEF0, out=out,
        queued_buffer_count=1)  # fmt: skip
    yield "results", packets.end()

    packets = Packets("Inline vertices beside the commands of a packet", 64)
    stream = Stream().op("TRIANGLELIST", fixed=(0,), count=1)
    packets.render(
        raw=False, command_buffer=bytes(stream.data), allocation_list=ALLOCATIONS[:24],
        dp2_env={"flags": ["USERMEMVERTICES"], "vertex_type": 0x42, "vertex_size": 16,
                 "vertex_source": "inline", "vertices": blob(clip_vertices(CLIP_TRIANGLE))},
    )  # fmt: skip
    yield "inline-vertices", packets.end()


def negatives():
    """Yields (name, Trace, rules): the negative vectors of the section."""
    for name, (changes, rules) in NEGATIVE.items():
        packets = Packets(f"The worked packet with one change: {name}", 64).preamble()
        yield name, packets.worked(**changes, status=None).end(), rules
