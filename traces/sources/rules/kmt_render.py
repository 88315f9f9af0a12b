"""Parameters, flags and results of packets: KMT-RENDER-*, KMT-FLAGS-*, KMT-OUT-*."""

import struct

from ..kmt import (
    CONTEXT, DEVICE, FIRST, OTHER_CONTEXT, OTHER_DEVICE, SECOND, THIRD_CONTEXT, TRIPLE, UNKNOWN, Kmt, Pairs,
    render_states,
)  # fmt: skip
from ..malformed import Case
from ..packets import SIMPLE_PATCHES, Packets, changed, raw_structure

REDIRECTED, RENDER_KM, READBACK = 0x10, 0x20, 0x40
TOKEN = 0x123456789ABC
TRY_AGAIN = 0xC01E0104
PATCH = {"allocation_index": 0, "slot_id": 1}


def parameters(pairs):
    """Extent, counts, reserved fields."""

    def packet(kmt, fields):
        kmt.start().context(OTHER_CONTEXT).context(THIRD_CONTEXT)
        kmt.packet(**fields).here()

    pairs.add("KMT-RENDER-010", packet, ("behind-the-length", {"command_offset": 13}), ("at-the-length", {"command_offset": 12}))

    def sized_patches(kmt, changes):
        patches = [PATCH, {**PATCH, "allocation_index": 1, "patch_offset": 4, "split_offset": 4}]
        kmt.start(triple={**TRIPLE, **changes}).allocation().allocation(SECOND).packet([FIRST, SECOND], patches).here()

    def sized_buffer(kmt, size):
        kmt.start(triple={**TRIPLE, "command_buffer_size": size}).packet().here()

    def sized_list(kmt, size):
        kmt.start(triple={**TRIPLE, "allocation_list_size": size}).allocation().allocation(SECOND)
        kmt.packet([FIRST, SECOND]).here()

    pairs.add("KMT-RENDER-011", sized_buffer, ("11-bytes", 11), ("12-bytes", 12))
    offset = {"command_buffer": {"raw": "00" * 4 + render_states(1).hex()}, "command_offset": 4}

    pairs.add("KMT-RENDER-012", packet, ("offset-4", offset), ("offset-0", {}))
    stated = Kmt(length_origin="offset")
    packet(stated, {**offset, "command_length": 12})
    pairs.twins.append(("KMT-RENDER-012", "stated", stated.trace))
    pairs.add("KMT-RENDER-013", sized_list, ("two-elements", 2), ("three-elements", 3))
    pairs.add("KMT-RENDER-014", sized_patches, ("one-element", {"patch_location_list_size": 1}),
              ("two-elements", {"patch_location_list_size": 2}))  # fmt: skip

    def without_list(kmt, elements):
        kmt.start().allocation().packet(elements, [PATCH]).here()

    pairs.add("KMT-RENDER-015", without_list, ("no-allocation", []), ("one-allocation", [FIRST]),
              [("KMT-PATCH-002", -1, False)])  # fmt: skip
    pairs.add("KMT-RENDER-016", packet, ("empty", {"records": 0}),
              ("empty-present", {"records": 0, "flags": REDIRECTED, "present_history_token": TOKEN}))  # fmt: skip
    pairs.add("KMT-RENDER-017", packet, ("pointer", {"private_driver_data": 8}), ("null", {"private_driver_data": 0}))
    pairs.add("KMT-RENDER-018", packet, ("size", {"private_driver_data_size": 8}), ("size-0", {"private_driver_data_size": 0}))
    pairs.add("KMT-RENDER-019", packet, ("address", {"new_command_buffer": 4096}), ("address-0", {"new_command_buffer": 0}))

    def broadcast(*handles, count=None):
        return {"broadcast_context": list(handles), "broadcast_context_count": len(handles) if count is None else count}

    pairs.add("KMT-RENDER-020", packet, ("65", broadcast(count=65)), ("one", broadcast(OTHER_CONTEXT)))
    pairs.add("KMT-RENDER-021", packet, ("never-announced", broadcast(UNKNOWN)), ("live", broadcast(OTHER_CONTEXT)))
    pairs.add("KMT-RENDER-022", packet, ("owner", broadcast(CONTEXT)), ("another", broadcast(OTHER_CONTEXT)))
    pairs.add("KMT-RENDER-023", packet, ("twice", broadcast(OTHER_CONTEXT, OTHER_CONTEXT)),
              ("two", broadcast(OTHER_CONTEXT, THIRD_CONTEXT)))  # fmt: skip

    def devices(kmt, device):
        kmt.start().device(OTHER_DEVICE).context(OTHER_CONTEXT, device=device).packet(**broadcast(OTHER_CONTEXT)).here()

    pairs.add("KMT-RENDER-024", devices, ("another-device", OTHER_DEVICE), ("same-device", DEVICE))
    pairs.add("KMT-RENDER-025", packet, ("two-of-which-one-counts", broadcast(OTHER_CONTEXT, THIRD_CONTEXT, count=1)),
              ("two-count", broadcast(OTHER_CONTEXT, THIRD_CONTEXT)))  # fmt: skip

    def on_device(kmt, fields):
        kmt.adapter().device(triple=TRIPLE).context().packet(context=DEVICE, **fields).here()

    pairs.add("KMT-RENDER-026", on_device, ("broadcast", broadcast(CONTEXT)), ("alone", {}), [("KMT-STATE-005", -1, True)])
    pairs.add("KMT-RENDER-027", packet, ("token-alone", {"present_history_token": TOKEN}), ("no-token", {}))
    redirected = {"flags": REDIRECTED}
    pairs.add("KMT-RENDER-028", packet, ("no-token", redirected), ("token", {**redirected, "present_history_token": TOKEN}))

    def resize(size, flags=1):
        return {"flags": flags, "new_command_buffer_size": size}

    pairs.add("KMT-RENDER-029", packet, ("size-0", resize(0)), ("size-4096", resize(4096)))
    pairs.add("KMT-RENDER-030", packet, ("size-4095", resize(4095)), ("size-4096", resize(4096)))
    pairs.add("KMT-RENDER-031", packet, ("no-flag", resize(4096, 0)), ("flag", resize(4096)))

    def gdi(kmt, fields):
        kmt.start(client_hint="CDD").allocation().gdi_packet(**fields).here()

    pairs.add("KMT-RENDER-032", gdi, ("no-buffer", {"new_command_buffer_pointer": None}), ("buffer", {}))
    listed = {"elements": [FIRST], "new_allocation_list_pointer": 0x20001000}
    pairs.add("KMT-RENDER-032", gdi, ("no-list", {"elements": [FIRST]}), ("list", listed))
    pairs.add("KMT-RENDER-033", gdi, ("patch-locations", {**listed, "patches": [PATCH]}), ("no-patch-location", listed))
    pairs.add("KMT-RENDER-034", packet, ("pointer", {"new_command_buffer_pointer": 0x20000000}), ("null", {}))

    def contract(kmt, is_guaranteed):
        triple = {**TRIPLE, "command_buffer_size": 16}
        kmt.adapter().device(guaranteed_contract=is_guaranteed).context(triple=triple)
        kmt.packet(out={**triple, "command_buffer_size": 32}).packet(records=2).here()

    pairs.add("KMT-RENDER-035", contract, ("grown-by-itself", True), ("no-contract", None))

    def far(kmt, value):
        kmt.start().allocation().packet([FIRST], [{**PATCH, "patch_offset": value}]).here()

    pairs.add("KMT-RENDER-036", far, ("opaque", 0xFFFFFFFC), ("opaque", 4))


def flags(pairs):
    """D3DKMT_RENDERFLAGS."""

    def packet(kmt, value):
        kmt.start().packet(flags=value).here()

    def kernel(kmt, fields):
        kmt.start(client_hint="CDD").gdi_packet(**fields).here()

    def origin(kmt, fields):
        kmt.start(client_hint="CDD").packet(**fields).here()

    pairs.add("KMT-FLAGS-001", packet, ("bit-7", 0x80), ("none", 0))
    pairs.add("KMT-FLAGS-001", packet, ("readback-on-windows-7", READBACK), ("none-on-windows-7", 0),
              header={"os_profile": "win7"})  # fmt: skip
    pairs.add("KMT-FLAGS-002", kernel, ("user", {"origin": "user"}), ("kernel", {}))
    both = {"flags": RENDER_KM | READBACK}
    pairs.add("KMT-FLAGS-003", packet, ("user", READBACK), ("clear", 0))
    pairs.add("KMT-FLAGS-004", origin, ("alone", {"origin": "kernel", "flags": READBACK}), ("clear", {"origin": "kernel"}))
    pairs.add("KMT-FLAGS-005", kernel, ("resize", {"flags": RENDER_KM | 1, "new_command_buffer_size": 4096}), ("readback", both))
    pairs.add("KMT-FLAGS-006", kernel, ("redirected", {"flags": RENDER_KM | REDIRECTED, "present_history_token": TOKEN}),
              ("no-present", {}))  # fmt: skip
    pairs.add("KMT-FLAGS-007", packet, ("set", 0x08), ("clear", 0))
    pairs.add("KMT-FLAGS-008", kernel, ("opaque", {"payload": "opaque"}), ("renderkm", {}))


def results(pairs):
    """What the call returned."""

    def packet(kmt, fields):
        kmt.start().packet(**{"status": 0, **fields}).here()

    def out(**changes):
        return {"out": {**TRIPLE, **changes}}

    resize = {"flags": 1, "new_command_buffer_size": 8192}
    pairs.add("KMT-OUT-001", packet, ("null", out(command_buffer=0)), ("buffer", out()))
    pairs.add("KMT-OUT-002", packet, ("null", out(allocation_list=0)), ("list", out()))
    pairs.add("KMT-OUT-003", packet, ("smaller", out(command_buffer_size=4095)), ("as-before", out()))
    pairs.add("KMT-OUT-004", packet, ("not-granted", {**resize, **out()}), ("granted", {**resize, **out(command_buffer_size=8192)}))
    pairs.add("KMT-OUT-005", packet, ("grown", out(allocation_list_size=257)), ("as-before", out()))
    pairs.add("KMT-OUT-006", packet, ("status", {"status": 0xC01E0001}), ("try-again", {"status": TRY_AGAIN}))
    zero = {"out": dict.fromkeys(TRIPLE, 0)}
    pairs.add("KMT-OUT-007", packet, ("no-outputs", {"status": TRY_AGAIN, **zero}), ("not-recorded", {"status": TRY_AGAIN}))
    pairs.add("KMT-OUT-007", packet, ("complete-outputs", {"status": TRY_AGAIN, **out()}), ("success", out()))
    pairs.add("KMT-OUT-008", packet, ("accepted", {"private_driver_data": 8}), ("nothing-to-object", {}),
              [("KMT-RENDER-017", -1, True)])  # fmt: skip
    pairs.add("KMT-OUT-009", packet, ("refused", {"status": 0xC000000D}), ("accepted", {}))

    def primary(kmt, is_new):
        kmt.start().allocation(info={"flags": 1}).packet([FIRST], status=0xC01E0106)
        if is_new:
            kmt.allocation(SECOND, info={"flags": 1})
        kmt.packet(status=0).here()

    pairs.add("KMT-OUT-011", primary, ("no-new-primary", False), ("new-primary", True))
    pairs.add("KMT-OUT-012", packet, ("removed", {"status": 0xC00002B6}), ("try-again", {"status": TRY_AGAIN}))

    def written(kmt, address):
        kmt.start().packet(buffers={"command_buffer": address}).here()

    pairs.add("KMT-OUT-010", written, ("elsewhere", 0x7000), ("the-current-buffer", TRIPLE["command_buffer"]))

    def queue(kmt, count):
        raw = changed(raw_structure({"context": CONTEXT}), 340, struct.pack("<I", count))
        kmt.start().packet(status=0, queued_buffer_count=count or None, raw_out=raw.hex()).here()

    pairs.add("KMT-OUT-013", queue, ("count-0", 0), ("count-1", 1))
    pairs.add("KMT-OUT-014", packet, ("older-value", {"status": 0x401E0117}), ("value", {"status": 0xC01E0009}))


def dp2_wrap():
    """KMT-RENDER-036 with severity error: a packet of tokens."""
    packets = Packets(None, 64)
    patches = SIMPLE_PATCHES + struct.pack("<6I", 1, 33, 0x31, 0, 0xFFFFFFFC, 4)
    packets.simple(status=None, patch_location_list=patches)
    event = len(packets.trace.events) - 1
    return Case("KMT-RENDER-036", "dp2", packets.end(), [("KMT-RENDER-036", str(event))])


def _pairs():
    pairs = Pairs()
    for topic in (parameters, flags, results):
        topic(pairs)
    return pairs


def cases():
    """The broken traces."""
    return _pairs().cases + [dp2_wrap()]


def accepted():
    """The legal ones."""
    return _pairs().twins + [("KMT-RENDER-036", "dp2", Packets(None, 64).simple(status=None).end())]
