"""The lists of packets: KMT-ALLOC-*, KMT-PATCH-*."""

import struct

from ..kmt import (
    CONTEXT, DEVICE, FIRST, OTHER_CONTEXT, OTHER_DEVICE, SECOND, TRIPLE, UNKNOWN, Pairs,
)  # fmt: skip
from ..malformed import Case
from ..packets import SIMPLE_ALLOCATIONS, Packets, changed

APERTURE, DISCARD, READ_ONLY = 0x40, 0x80, 0x80
PRIMARY = {"flags": 1}
NO_PATCHING = {**TRIPLE, "allocation_list_size": 16, "patch_location_list": 0, "patch_location_list_size": 0}


def element(handle=FIRST, **bits):
    """An element of the allocation list."""
    return {"allocation": handle, **bits}


def patch(index=0, slot=1, at=0, **fields):
    """A patch location at the start of a command."""
    return {"allocation_index": index, "slot_id": slot, "patch_offset": at, "split_offset": at, **fields}


def allocations(pairs):
    """The allocation list."""

    def listed(kmt, elements):
        kmt.start().context(OTHER_CONTEXT).allocation().allocation(SECOND).packet(elements).here()

    pairs.add("KMT-ALLOC-001", listed, ("never-announced", [UNKNOWN]), ("live", [FIRST]))

    def of_device(kmt, device):
        kmt.start().device(OTHER_DEVICE).allocation(device=device).packet([FIRST]).here()

    pairs.add("KMT-ALLOC-002", of_device, ("another-device", OTHER_DEVICE), ("same-device", DEVICE))

    def destroyed(kmt, handle):
        kmt.start().allocation().allocation(SECOND)
        kmt.add("allocation_destroy", device=DEVICE, allocations=[handle]).packet([FIRST]).here()

    pairs.add("KMT-ALLOC-003", destroyed, ("destroyed", FIRST), ("another-destroyed", SECOND))
    pairs.add("KMT-ALLOC-004", listed, ("context", [CONTEXT]), ("allocation", [FIRST]))
    pairs.add("KMT-ALLOC-005", listed, ("bit-5", [element(reserved=1)]), ("no-reserved-bit", [FIRST]))
    pairs.add("KMT-ALLOC-005", listed, ("offer-on-windows-7", [element(offer_priority=1)]),
              ("no-offer-on-windows-7", [FIRST]), header={"os_profile": "win7"})  # fmt: skip
    pairs.add("KMT-ALLOC-006", listed, ("priority-5", [element(offer_priority=5)]), ("priority-4", [element(offer_priority=4)]))
    pairs.add("KMT-ALLOC-007", listed, ("twice", [FIRST, FIRST]), ("two", [FIRST, SECOND]))
    written = element(write_operation=True)
    pairs.add("KMT-ALLOC-008", listed, ("other-flags", [FIRST, written]), ("one-element", [written]))
    pairs.add("KMT-ALLOC-009", listed, ("flags", [element(0, do_not_retire_instance=True), FIRST]), ("no-flags", [0, FIRST]))
    pairs.add("KMT-ALLOC-010", listed, ("element-2", [0, FIRST, 0]), ("element-0", [0, FIRST]))

    def offered(kmt, is_reclaimed):
        kmt.start().allocation().add("offer", device=DEVICE, allocations=[FIRST], priority=2)
        if is_reclaimed:
            kmt.add("reclaim", device=DEVICE, allocations=[FIRST])
        kmt.packet([FIRST]).here()

    pairs.add("KMT-ALLOC-011", offered, ("offered", False), ("reclaimed", True))

    def locked(kmt, values):
        flags, is_unlocked = values
        kmt.start().allocation().lock(flags=flags)
        if is_unlocked:
            kmt.unlock()
        kmt.packet([FIRST]).here()

    pairs.add("KMT-ALLOC-012", locked, ("locked", (0, False)), ("unlocked", (0, True)))
    pairs.add("KMT-ALLOC-013", locked, ("locked", (APERTURE, False)), ("unlocked", (APERTURE, True)))

    def renamed(kmt, handle):
        kmt.start().allocation().lock(flags=DISCARD, allocation_out=SECOND).here().unlock(SECOND)
        kmt.packet([SECOND]).packet([handle]).here()

    pairs.add("KMT-ALLOC-014", renamed, ("old-handle", FIRST), ("new-handle", SECOND), [("KMT-LOCK-007", 0, True)])

    def created(kmt, flags):
        kmt.start().allocation(flags=flags).packet([written]).here()

    pairs.add("KMT-ALLOC-015", created, ("read-only", READ_ONLY), ("not-read-only", 0))
    kept = [element(do_not_retire_instance=True)]

    def kept_in(kmt, count):
        kmt.start().context(OTHER_CONTEXT).allocation()
        kmt.packet(kept, broadcast_context=[OTHER_CONTEXT][:count], broadcast_context_count=count).here()

    pairs.add("KMT-ALLOC-016", kept_in, ("no-broadcast", 0), ("broadcast", 1))
    pairs.add("KMT-ALLOC-017", listed, ("priority-1", [element(offer_priority=1)]), ("priority-0", [FIRST]))

    def primary(kmt, handle):
        kmt.start().allocation(info=PRIMARY).packet([FIRST], status=0xC01E0106)
        kmt.allocation(SECOND, info=PRIMARY).packet([handle]).here()

    pairs.add("KMT-ALLOC-018", primary, ("old-primary", FIRST), ("new-primary", SECOND))

    def displayed(kmt, info):
        kmt.start(no_patching=True, triple=NO_PATCHING).allocation(info=info).packet([FIRST]).here()

    pairs.add("KMT-ALLOC-020", displayed, ("no-primary", None), ("primary", PRIMARY))


def patch_locations(pairs):
    """The patch-location list."""

    def patched(kmt, patches):
        kmt.adapter(max_allocation_list_slot_id=127).device().context()
        kmt.allocation().allocation(SECOND).packet([0, FIRST, SECOND], patches).here()

    def no_patching(kmt, patches):
        kmt.start(no_patching=True, triple=None).allocation(info=PRIMARY).packet([FIRST], patches).here()

    pairs.add("KMT-PATCH-001", no_patching, ("patch-location", [patch()]), ("no-patch-location", []))
    pairs.add("KMT-PATCH-002", patched, ("index-3", [patch(1), patch(2, at=2), patch(3, at=4)]),
              ("index-2", [patch(1), patch(2, at=4)]))  # fmt: skip

    def one(kmt, entry):
        kmt.adapter(max_allocation_list_slot_id=127).device().context().allocation().packet([0, FIRST], [entry]).here()

    pairs.add("KMT-PATCH-003", one, ("bit-24", patch(1, reserved=1)), ("24-bits", patch(1, slot=1)))
    pairs.add("KMT-PATCH-004", one, ("slot-128", patch(1, slot=128)), ("slot-126", patch(1, slot=126)))
    pairs.add("KMT-PATCH-005", one, ("slot-127", patch(1, slot=127)), ("slot-126", patch(1, slot=126)))
    falling = [patch(1, at=4), patch(2, at=0)]
    pairs.add("KMT-PATCH-006", patched, ("falling", falling), ("rising", [patch(1), patch(2, at=4)]))
    shared = [patch(1), patch(2, slot=2)]
    pairs.add("KMT-PATCH-007", patched, ("shared", shared), ("rising", [patch(1), patch(2, at=4)]))
    pairs.add("KMT-PATCH-008", one, ("behind", patch(1, split_offset=4)), ("at-the-word", patch(1)))
    pairs.add("KMT-PATCH-009", one, ("at-the-end", patch(1, at=8)), ("last-byte", patch(1, at=7)))
    pairs.add("KMT-PATCH-010", one, ("offset-64", patch(1, allocation_offset=64)), ("offset-63", patch(1, allocation_offset=63)))
    unbound = [patch(1), patch(2, at=4)]
    pairs.add("KMT-PATCH-011", patched, ("offset-4", [*unbound, patch(0, at=6, allocation_offset=4)]),
              ("offset-0", [*unbound, patch(0, at=6)]))  # fmt: skip

    def instances(kmt, order):
        kmt.start().allocation().lock(flags=DISCARD, allocation_out=SECOND).here().unlock(SECOND)
        kmt.packet([FIRST, SECOND], [patch(order[0]), patch(order[1], at=4)]).here()

    pairs.add("KMT-PATCH-012", instances, ("newer-first", (1, 0)), ("older-first", (0, 1)), [("KMT-LOCK-007", 0, True)])

    def leak(kmt, slots):
        kmt.adapter(wddm_version=120).device().context().allocation().allocation(SECOND)
        kmt.packet([FIRST, SECOND], [patch(0, slots[0]), patch(1, slots[1], at=4)]).here()

    pairs.add("KMT-PATCH-013", leak, ("left-over", (1, 2)), ("bound-anew", (1, 1)))

    def unused(kmt, elements):
        kmt.start().allocation().allocation(SECOND).packet(elements, [patch()]).here()

    pairs.add("KMT-PATCH-014", unused, ("one-of-two", [FIRST, SECOND]), ("all", [FIRST]))


def over_declared(value):
    """KMT-ALLOC-021: a vertex buffer that tokens only read."""
    packets = Packets(None, 64)
    packets.simple(status=None, allocation_list=changed(SIMPLE_ALLOCATIONS, 12, struct.pack("<I", value)))
    event = len(packets.trace.events) - 1
    return packets.end(), str(event)


def _pairs():
    pairs = Pairs()
    allocations(pairs)
    patch_locations(pairs)
    return pairs


def cases():
    """The broken traces."""
    trace, event = over_declared(1)
    return [*_pairs().cases, Case("KMT-ALLOC-021", "vertices-written", trace, [("KMT-ALLOC-021", event)])]


def accepted():
    """The legal ones."""
    return [*_pairs().twins, ("KMT-ALLOC-021", "vertices-read", over_declared(0)[0])]
