"""KMT objects and the calls that make and destroy them: KMT-STATE-*, KMT-RES-*."""

from ..kmt import (
    ADAPTER, CONTEXT, DEVICE, FIRST, OTHER_CONTEXT, OTHER_DEVICE, RESOURCE, SECOND, THIRD, TRIPLE, UNKNOWN, Pairs,
)  # fmt: skip

GPU_EXCEPTION, REMOVED = 0xC01E0200, 0xC00002B6
INVALID_PARAMETER, TOO_MANY_REFERENCES = 0xC000000D, 0xC01E0103
CREATE_RESOURCE, CREATE_SHARED, CREATE_CACHED = 0x1, 0x2, 0x200
STANDARD = 0x10000 | 0x800 | CREATE_SHARED | CREATE_RESOURCE


def state(pairs):
    """The objects that packets and calls name."""

    def packet_on(kmt, handle):
        kmt.start().allocation().packet(context=handle).here()

    pairs.add("KMT-STATE-001", packet_on, ("context-0", 0), ("context", CONTEXT))
    pairs.add("KMT-STATE-002", packet_on, ("never-announced", UNKNOWN), ("context", CONTEXT))
    pairs.add("KMT-STATE-003", packet_on, ("allocation", FIRST), ("context", CONTEXT))

    def destroyed(kmt, is_destroyed):
        kmt.start().context(OTHER_CONTEXT)
        kmt.add("kmt_context_destroy", context=CONTEXT if is_destroyed else OTHER_CONTEXT)
        kmt.packet().here()

    pairs.add("KMT-STATE-002", destroyed, ("destroyed", True), ("another-destroyed", False))

    def implicit(kmt, triple):
        kmt.adapter().device(triple=triple).packet(context=DEVICE).here()

    pairs.add("KMT-STATE-004", implicit, ("no-command-buffer", None), ("command-buffer", TRIPLE))

    def on_device(kmt, handle):
        kmt.adapter().device(triple=TRIPLE).context().packet(context=handle).here()

    pairs.add("KMT-STATE-005", on_device, ("device", DEVICE), ("context", CONTEXT))

    def kind(kmt, value):
        kmt.start(kind=value, triple=None).packet().here()

    pairs.add("KMT-STATE-006", kind, ("virtual", "virtual"), ("legacy", None))

    def after_present(kmt, status):
        kmt.start().allocation()
        kmt.add("kmt_present", context=CONTEXT, source=FIRST, flags=["Blt"],
                sub_rects=[[0, 0, 1, 1]], status=status)  # fmt: skip
        kmt.packet().here()

    pairs.add("KMT-STATE-007", after_present, ("after-an-exception", GPU_EXCEPTION),
              ("after-another-failure", INVALID_PARAMETER))  # fmt: skip

    def after_lock(kmt, status):
        kmt.start().allocation().lock(status=status).packet().here()

    pairs.add("KMT-STATE-008", after_lock, ("after-a-removal", REMOVED),
              ("after-another-failure", TOO_MANY_REFERENCES))  # fmt: skip

    def closing(kmt, closes_first):
        kmt.start()
        if closes_first:
            kmt.add("adapter_close", adapter=ADAPTER)
        kmt.packet().here()
        if not closes_first:
            kmt.add("adapter_close", adapter=ADAPTER)

    pairs.add("KMT-STATE-009", closing, ("closed-before", True), ("closed-behind", False))


def creation(pairs):
    """Create and destroy calls."""

    def returned(kmt, handle):
        kmt.start().context(handle).here()

    pairs.add("KMT-STATE-010", returned, ("context", CONTEXT), ("another-value", OTHER_CONTEXT))

    def returned_sync(kmt, handle):
        kmt.start().add("sync_create", device=DEVICE, sync=handle).here()

    pairs.add("KMT-STATE-010", returned_sync, ("synchronisation-object", CONTEXT),
              ("synchronisation-object", OTHER_CONTEXT))  # fmt: skip

    def destroy(kmt, handle):
        kmt.start().add("kmt_context_destroy", context=handle).here()

    pairs.add("KMT-STATE-011", destroy, ("never-announced", UNKNOWN), ("context", CONTEXT))
    pairs.add("KMT-STATE-011", destroy, ("other-type", DEVICE), ("context", CONTEXT))

    def destroy_twice(kmt, handle):
        kmt.start().context(OTHER_CONTEXT).add("kmt_context_destroy", context=CONTEXT)
        kmt.add("kmt_context_destroy", context=handle).here()

    pairs.add("KMT-STATE-011", destroy_twice, ("twice", CONTEXT), ("each-once", OTHER_CONTEXT))

    def destroy_device(kmt, has_context):
        kmt.start()
        if not has_context:
            kmt.add("kmt_context_destroy", context=CONTEXT)
        kmt.add("device_destroy", device=DEVICE).here()

    pairs.add("KMT-STATE-012", destroy_device, ("context-remains", True), ("empty", False))

    def result(kmt, changes):
        kmt.adapter().device().context(triple={**TRIPLE, **changes}).here()

    pairs.add("KMT-STATE-013", result, ("no-command-buffer", {"command_buffer": 0}), ("complete", {}))
    pairs.add("KMT-STATE-013", result, ("list-at-null", {"allocation_list": 0}),
              ("no-list", {"allocation_list": 0, "allocation_list_size": 0}))  # fmt: skip

    def on(kmt, device):
        kmt.adapter().device().context(device=device).here()

    pairs.add("KMT-STATE-014", on, ("device", OTHER_DEVICE), ("device", DEVICE))

    def with_fields(name):
        return lambda kmt, value: kmt.adapter().device().context(**{name: value}).here()

    pairs.add("KMT-STATE-015", with_fields("flags"), ("bit-6", 0x40), ("bit-5", 0x20))

    def device_flags(kmt, value):
        kmt.adapter().device(flags=value).here()

    win7 = {"os_profile": "win7"}
    pairs.add("KMT-STATE-015", device_flags, ("disable-gpu-timeout-on-windows-7", 0x4),
              ("vsync-on-windows-7", 0x2), header=win7)  # fmt: skip
    pairs.add("KMT-STATE-016", with_fields("client_hint"), ("hint-21", 21), ("hint-20", 20))

    def no_patching(kmt, changes):
        sizes = {"allocation_list_size": 16, "patch_location_list_size": 0, "patch_location_list": 0}
        kmt.adapter().device().context(no_patching=True, triple={**TRIPLE, **sizes, **changes}).here()

    pairs.add("KMT-STATE-017", no_patching, ("17-allocations", {"allocation_list_size": 17}),
              ("16-allocations", {}))  # fmt: skip
    pairs.add("KMT-STATE-017", no_patching,
              ("patch-list", {"patch_location_list": 4096, "patch_location_list_size": 1}),
              ("no-patch-list", {}))  # fmt: skip

    def gdi(kmt, size):
        triple = {**TRIPLE, "allocation_list_size": size}
        kmt.adapter().device().context(client_hint="CDD", triple=triple).here()

    pairs.add("KMT-STATE-019", gdi, ("255-elements", 255), ("256-elements", 256))

    def kernel(kmt, size):
        kmt.start(triple={**TRIPLE, "allocation_list_size": size}).gdi_packet().here()

    pairs.add("KMT-STATE-019", kernel, ("packet-of-kernel-origin", 255), ("packet-of-kernel-origin", 256))


def resources(pairs):
    """Allocations and resources."""

    def add_to(kmt, flags):
        kmt.start().resource(flags)
        kmt.allocation(SECOND, resource=RESOURCE, resource_out=RESOURCE).here()

    pairs.add("KMT-RES-001", add_to, ("shared-resource", CREATE_RESOURCE | CREATE_SHARED),
              ("resource", CREATE_RESOURCE))  # fmt: skip

    def on_device(kmt, device):
        kmt.start().allocation(device=device).here()

    pairs.add("KMT-RES-001", on_device, ("device", OTHER_DEVICE), ("device", DEVICE))

    def create(kmt, flags):
        out = RESOURCE if flags & CREATE_RESOURCE else None
        kmt.start().allocation(flags=flags, resource_out=out).here()

    both = CREATE_SHARED | CREATE_RESOURCE
    pairs.add("KMT-RES-002", create, ("shared-alone", CREATE_SHARED), ("shared-resource", both))
    pairs.add("KMT-RES-002", create, ("security-alone", 0x40), ("security-and-shared", 0x40 | both))

    def create_by(kmt, origin):
        kmt.start().allocation(flags=CREATE_CACHED, origin=origin).here()

    pairs.add("KMT-RES-003", create_by, ("user", "user"), ("kernel", "kernel"))

    def handle(kmt, value):
        kmt.start().allocation().allocation(value).here()

    pairs.add("KMT-RES-004", handle, ("in-use", FIRST), ("new", SECOND))
    pairs.add("KMT-RES-004", handle, ("handle-0", 0), ("not-0", SECOND))

    def out(kmt, value):
        kmt.start().allocation(flags=CREATE_RESOURCE, resource_out=value).here()

    pairs.add("KMT-RES-004", out, ("no-resource", None), ("resource", RESOURCE))

    def standard(kmt, handles):
        kmt.start().resource(STANDARD, handles).here()

    pairs.add("KMT-RES-005", standard, ("two", (FIRST, SECOND)), ("one", (FIRST,)))

    def destroy_both(kmt, allocations):
        kmt.start().resource()
        kmt.add("allocation_destroy", device=DEVICE, resource=RESOURCE, allocations=allocations).here()

    pairs.add("KMT-RES-006", destroy_both, ("resource-and-list", [FIRST]), ("resource", None))

    def destroy_list(kmt, second):
        kmt.start().resource(handles=(FIRST, SECOND, 0xC00001C0)).allocation(THIRD)
        kmt.add("allocation_destroy", device=DEVICE, allocations=[FIRST, second]).here()

    pairs.add("KMT-RES-007", destroy_list, ("with-and-without-resource", THIRD), ("one-resource", SECOND))

    def open_share(kmt, external):
        kmt.start()
        kmt.add("resource_open", device=DEVICE, global_share=0xC0000004, external=external,
                resource=RESOURCE, allocations=[{"allocation": FIRST}]).here()  # fmt: skip

    pairs.add("KMT-RES-008", open_share, ("unknown-share", None), ("external", True))

    def open_count(kmt, handles):
        kmt.start().resource(CREATE_RESOURCE | CREATE_SHARED, global_share=0xC0000004)
        kmt.device(OTHER_DEVICE)
        kmt.add("resource_open", device=OTHER_DEVICE, global_share=0xC0000004, resource=UNKNOWN,
                allocations=[{"allocation": handle} for handle in handles]).here()  # fmt: skip

    pairs.add("KMT-RES-008", open_count, ("two-of-one", (SECOND, THIRD)), ("one-of-one", (SECOND,)))

    def individually(kmt, destroys_resource):
        kmt.adapter().device().resource()
        kmt.add("allocation_destroy", device=DEVICE, allocations=[FIRST])
        if destroys_resource:
            kmt.add("allocation_destroy", device=DEVICE, resource=RESOURCE)
        kmt.add("device_destroy", device=DEVICE).here()

    pairs.add("KMT-RES-009", individually, ("allocations-only", False), ("resource-too", True))

    def queued(kmt, is_locked):
        kmt.start().allocation().packet([FIRST], status=0, queued_buffer_count=1)
        if is_locked:
            kmt.lock().unlock()
        kmt.add("allocation_destroy", device=DEVICE, allocations=[FIRST]).here()

    pairs.add("KMT-RES-010", queued, ("queued", False), ("a-lock-has-waited", True))


def _pairs():
    pairs = Pairs()
    state(pairs)
    creation(pairs)
    resources(pairs)
    return pairs


def cases():
    """The broken traces."""
    return _pairs().cases


def accepted():
    """The legal ones."""
    return _pairs().twins
