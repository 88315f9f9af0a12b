"""Calls on KMT objects: KMT-LOCK-*, KMT-SYNC-*, KMT-PRES-*, KMT-OFFER-*, KMT-SUBMIT-*."""

from ..kmt import (
    CONTEXT, DEVICE, FIRST, OTHER_CONTEXT, RESOURCE, SECOND, SYNC, THIRD_CONTEXT, UNKNOWN, Pairs,
)  # fmt: skip

READ_ONLY, WRITE_ONLY, APERTURE, DISCARD = 0x1, 0x2, 0x40, 0x80
NO_EXISTING_REFERENCE, ALTERNATE = 0x100, 0x200
PRIMARY = {"flags": 1}
BLT, COLOR_FILL, FLIP, SOURCE_KEY, DESTINATION_KEY = 0x1, 0x2, 0x4, 0x200, 0x400


def locks(pairs):
    """Lock and unlock."""

    def lock(kmt, flags):
        kmt.start().allocation().lock(flags=flags).here()

    def lock_handle(kmt, handle):
        kmt.start().allocation().lock(handle).here()

    pairs.add("KMT-LOCK-001", lock_handle, ("never-announced", UNKNOWN), ("live", FIRST))
    pairs.add("KMT-LOCK-002", lock, ("read-and-write-only", READ_ONLY | WRITE_ONLY), ("read-only", READ_ONLY))
    pairs.add("KMT-LOCK-002", lock, ("reserved-bit", 0x800), ("bit-10", 0x400))
    pairs.add("KMT-LOCK-002", lock, ("alternate-address", ALTERNATE), ("both", ALTERNATE | APERTURE))

    def offered(kmt, is_reclaimed):
        kmt.start().allocation().add("offer", device=DEVICE, allocations=[FIRST], priority=2)
        if is_reclaimed:
            kmt.add("reclaim", device=DEVICE, allocations=[FIRST])
        kmt.lock().here()

    pairs.add("KMT-LOCK-003", offered, ("offered", False), ("reclaimed", True))

    def again(kmt, flags):
        kmt.start().allocation().lock(flags=flags[0]).lock(flags=flags[1]).here()

    pairs.add("KMT-LOCK-004", again, ("with-the-aperture", (0, APERTURE)), ("both-with", (APERTURE, APERTURE)))
    pairs.add("KMT-LOCK-004", again, ("behind-an-alternate-address", (ALTERNATE | APERTURE, APERTURE)),
              ("behind-the-aperture", (APERTURE, 0)))  # fmt: skip
    pairs.add("KMT-LOCK-005", lock, ("alone", NO_EXISTING_REFERENCE), ("with-discard", NO_EXISTING_REFERENCE | DISCARD))

    def discard(kmt, info):
        kmt.start().allocation(info=info).lock(flags=DISCARD).here()

    pairs.add("KMT-LOCK-006", discard, ("primary", PRIMARY), ("no-primary", None))

    def read_only(kmt, flags):
        kmt.start().allocation(flags=0x81, resource_out=RESOURCE).lock(flags=flags).here()

    pairs.add("KMT-LOCK-010", read_only, ("for-writing", 0), ("for-reading", READ_ONLY))

    def renamed(kmt, handle):
        kmt.start().allocation().lock(flags=DISCARD, allocation_out=handle).here()

    pairs.add("KMT-LOCK-007", renamed, ("new-handle", SECOND), ("same-handle", FIRST))

    def unlock(kmt, is_locked):
        kmt.start().allocation()
        if is_locked:
            kmt.lock()
        kmt.unlock().here()

    pairs.add("KMT-LOCK-008", unlock, ("not-locked", False), ("locked", True))

    def pointer(kmt, value):
        kmt.start().allocation().lock(data_pointer=value, status=0).here()

    pairs.add("KMT-LOCK-009", pointer, ("null", None), ("not-null", 0x7FFE0000))


def sync(pairs):
    """Waits and signals."""

    def wait(kmt, objects):
        kmt.start().add("sync_create", device=DEVICE, sync=SYNC)
        kmt.add("sync_wait", context=CONTEXT, objects=objects).here()

    def wait_on(kmt, context):
        kmt.start().add("sync_create", device=DEVICE, sync=SYNC)
        kmt.add("sync_wait", context=context, objects=[SYNC]).here()

    pairs.add("KMT-SYNC-001", wait_on, ("context", UNKNOWN), ("context", CONTEXT))
    pairs.add("KMT-SYNC-001", wait, ("33-objects", [SYNC] * 33), ("32-objects", [SYNC] * 32))
    pairs.add("KMT-SYNC-002", wait, ("never-announced", [UNKNOWN]), ("live", [SYNC]))
    pairs.add("KMT-SYNC-003", wait, ("no-object", []), ("one-object", [SYNC]))

    def signal(kmt, broadcast):
        kmt.start().context(OTHER_CONTEXT).add("sync_create", device=DEVICE, sync=SYNC)
        kmt.add("sync_signal", context=CONTEXT, objects=[SYNC], broadcast_context=broadcast).here()

    pairs.add("KMT-SYNC-004", signal, ("owner", [CONTEXT]), ("another", [OTHER_CONTEXT]))
    pairs.add("KMT-SYNC-004", signal, ("65-contexts", [OTHER_CONTEXT] * 65), ("64-contexts", [OTHER_CONTEXT] * 64))

    def flags(kmt, value):
        kmt.start().add("sync_create", device=DEVICE, sync=SYNC)
        kmt.add("sync_signal", context=CONTEXT, objects=[SYNC], flags=value).here()

    pairs.add("KMT-SYNC-005", flags, ("bit-3", 8), ("bit-2", 4))
    pairs.add("KMT-SYNC-005", flags, ("cpu-event-on-windows-7", 2), ("at-submission-on-windows-7", 1),
              header={"os_profile": "win7"})  # fmt: skip


def presents(pairs):
    """Presents."""

    def present(kmt, fields):
        kmt.start().context(OTHER_CONTEXT).context(THIRD_CONTEXT)
        kmt.allocation(info=PRIMARY).allocation(SECOND)
        rects = {} if fields.get("flags", 0) & FLIP else {"sub_rects": [[0, 0, 1, 1]]}
        call = {"context": CONTEXT, "source": FIRST, "flags": BLT, **rects, **fields}
        kmt.add("kmt_present", **call).here()

    blt, flip = {"flags": BLT}, {"flags": FLIP}
    pairs.add("KMT-PRES-001", present, ("flip-and-blt", {"flags": FLIP | BLT}), ("flip", flip))
    pairs.add("KMT-PRES-001", present, ("blt-without-rectangles", {"flags": BLT, "sub_rects": []}), ("blt", blt))
    pairs.add("KMT-PRES-001", present, ("flip-of-no-primary", {"flags": FLIP, "source": SECOND}), ("flip-of-a-primary", flip))
    pairs.add("KMT-PRES-001", present, ("destination-is-source", {"destination": FIRST}), ("destination", {"destination": SECOND}))
    pairs.add("KMT-PRES-002", present, ("source", {"source": UNKNOWN}), ("source", blt))
    pairs.add("KMT-PRES-002", present, ("destination", {"destination": UNKNOWN}), ("destination", {"destination": SECOND}))
    pairs.add("KMT-PRES-003", present, ("blt", {"broadcast_context": [OTHER_CONTEXT]}),
              ("flip", {"flags": FLIP, "broadcast_context": [OTHER_CONTEXT]}))  # fmt: skip
    pairs.add("KMT-PRES-003", present, ("owner", {"flags": FLIP, "broadcast_context": [CONTEXT]}),
              ("another", {"flags": FLIP, "broadcast_context": [OTHER_CONTEXT]}))  # fmt: skip
    pairs.add("KMT-PRES-004", present, ("two-keys", {"flags": BLT | SOURCE_KEY | DESTINATION_KEY}),
              ("one-key", {"flags": BLT | SOURCE_KEY}))  # fmt: skip


def offers(pairs):
    """Offer and reclaim."""

    def offer(kmt, fields):
        kmt.start().resource().allocation(SECOND)
        kmt.add("offer", device=DEVICE, **{"allocations": [SECOND], "priority": 1, **fields}).here()

    pairs.add("KMT-OFFER-001", offer, ("both-lists", {"resources": [0x400000C0]}), ("one-list", {}))
    pairs.add("KMT-OFFER-001", offer, ("priority-5", {"priority": 5}), ("priority-4", {"priority": 4}))

    def gone(kmt, event):
        kmt.start().allocation().allocation(SECOND)
        kmt.add("offer", device=DEVICE, allocations=[SECOND], priority=1)
        if event is not None:
            kmt.add("allocation_destroy", device=DEVICE, allocations=[SECOND])
        kmt.add(event or "reclaim", device=DEVICE, allocations=[SECOND], **({"priority": 1} if event == "offer" else {}))
        kmt.here()

    pairs.add("KMT-OFFER-001", gone, ("destroyed-and-offered", "offer"), ("offered-and-reclaimed", None))
    pairs.add("KMT-OFFER-001", gone, ("destroyed-and-reclaimed", "reclaim"), ("reclaimed", None))

    def reclaim(kmt, is_offered):
        kmt.start().allocation()
        if is_offered:
            kmt.add("offer", device=DEVICE, allocations=[FIRST], priority=1)
        kmt.add("reclaim", device=DEVICE, allocations=[FIRST]).here()

    pairs.add("KMT-OFFER-002", reclaim, ("not-offered", False), ("offered", True))


def submissions(pairs):
    """D3DKMTSubmitCommand."""

    def submit(kmt, fields):
        kmt.adapter().device().context().context(OTHER_CONTEXT, kind="virtual", triple=None)
        kmt.allocation(info=PRIMARY)
        call = {"commands": 0x100000000, "command_length": 64, "broadcast_context": [OTHER_CONTEXT], **fields}
        kmt.add("submit_command", **call).here()

    pairs.add("KMT-SUBMIT-001", submit, ("legacy", {"broadcast_context": [CONTEXT]}), ("virtual", {}))
    pairs.add("KMT-SUBMIT-002", submit, ("no-context", {"broadcast_context": []}), ("one-context", {}))
    pairs.add("KMT-SUBMIT-003", submit, ("17-primaries", {"written_primaries": [FIRST] * 17}),
              ("16-primaries", {"written_primaries": [FIRST] * 16}))  # fmt: skip
    pairs.add("KMT-SUBMIT-003", submit, ("never-announced", {"written_primaries": [UNKNOWN]}),
              ("live", {"written_primaries": [FIRST]}))  # fmt: skip
    pairs.add("KMT-SUBMIT-005", submit, ("dp2", {"payload": "dp2"}), ("opaque", {}))


def _pairs():
    pairs = Pairs()
    for topic in (locks, sync, presents, offers, submissions):
        topic(pairs)
    return pairs


def cases():
    """The broken traces."""
    return _pairs().cases


def accepted():
    """The legal ones."""
    return _pairs().twins
