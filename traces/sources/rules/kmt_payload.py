"""The payload of packets against its lists: KMT-DP2-*, KMT-OPQ-*."""

import struct

from ..dp2 import Stream
from ..malformed import Case
from ..packets import DEPTH, DEVICE, PROCESS, TARGET, VERTICES, Packets
from ..trace import CLIP_TRIANGLE, blob, clip_vertices

INDICES, TEXTURE = 0xC00001C0, 0xC0000200
SET_STREAM, SET_TARGET, SET_DEPTH, SET_INDICES, DRAW_INDEXED, TEXTURE_STATE = 49, 85, 86, 51, 53, 25
WRITE = 1


def element(allocation, value=0):
    """An element of the allocation list."""
    return struct.pack("<II", allocation, value)


def entry(index, slot, driver, patch, split, offset=0):
    """An element of the patch-location list."""
    return struct.pack("<6I", index, slot, driver, offset, patch, split)


NULL = element(0)


class Scene:
    """A device whose driver patches nothing, so that no advice about patching mixes in; one context."""

    def __init__(self, **header):
        self.packets = Packets(None, 64, **header)
        for event in self.trace.events:
            if event["event"] == "adapter_open":
                event["no_dma_patching"] = True

    @property
    def trace(self):
        """The trace under construction."""
        return self.packets.trace

    @property
    def number(self):
        """Of the last event."""
        return len(self.trace.events) - 1

    def context(self, **changes):
        """Changes the context's event."""
        for event in self.trace.events:
            if event["event"] == "kmt_context_create":
                event.update(changes)
        return self

    def add(self, event, **fields):
        """Appends an event."""
        self.trace.add(event, **fields)
        return self

    def packet(self, stream, allocations=(), patches=(), **fields):
        """A packet without a recorded result."""
        data = bytes(stream.data if isinstance(stream, Stream) else stream)
        fields.setdefault("status", None)
        self.packets.render(
            raw=False, command_buffer=data, allocation_list=b"".join(allocations),
            patch_location_list=b"".join(patches), **fields)  # fmt: skip
        return self


def stream_source(handle=3, stream=0):
    """SETSTREAMSOURCE: the handle word is at 8."""
    return Stream().op("SETSTREAMSOURCE", (stream, handle, 16))


LISTED = (NULL, element(VERTICES))
ENTRY = entry(1, 32, SET_STREAM, 8, 0)


def bound(scene=None, stream=None, allocations=LISTED, patches=(ENTRY,), **fields):
    """One vertex stream is bound; what is given differs from the canonical packet."""
    return (scene or Scene()).packet(stream or stream_source(), allocations, patches, **fields)


def two_streams(first, second):
    """Two streams of one buffer with these two entries."""
    stream = Stream().op("SETSTREAMSOURCE", (0, 3, 16)).op("SETSTREAMSOURCE", (1, 3, 16))
    return Scene().packet(stream, LISTED, (first, second))


FIRST, SECOND = ENTRY, entry(1, 33, SET_STREAM, 24, 16)


def target_bound(value):
    """The target is bound and listed with this Value."""
    stream = Stream().op("SETRENDERTARGET2", (0, 1))
    return Scene().packet(stream, (NULL, element(TARGET, value)), (entry(1, 1, SET_TARGET, 8, 0),))


def cleared(*allocations, flags=1):
    """The target that is bound since the creation of the context is cleared."""
    stream = Stream().op("CLEAR", fixed=(flags, 0xFF0000FF, 1.0, 0, (0, 0, 64, 64)), count=1)
    return Scene().packet(stream, (NULL, *allocations))


def drawn(listed, indexed=False, **fields):
    """A draw in a packet of its own, with what an earlier packet bound."""
    scene = Scene()
    state = Stream().op("SETVERTEXSHADER", 0x42).op("RENDERSTATE", (137, 0))
    scene.packet(state, status=0)
    kept = [NULL, element(VERTICES)]
    words = [ENTRY]
    stream = stream_source()
    if indexed:
        scene.trace.events.insert(1, {"event": "surface_create", "handle": 4, "kind": "index_buffer",
                                      "caps": ["EXECUTEBUFFER", "VIDEOMEMORY"], "format": "INDEX16", "width": 6})
        scene.trace.events.insert(2, {"event": "surface_update", "handle": 4, "data": blob(struct.pack("<3H", 0, 1, 2))})
        scene.add("allocation_create", process=PROCESS, device=DEVICE, status=0,
                  allocations=[{"allocation": INDICES, "model_size": 6, "model_kind": "index_buffer"}])
        scene.add("dp2_bind", process=PROCESS, device=DEVICE, handle=4, allocation=INDICES, kind="index_buffer", size=6)
        stream.op("SETINDICES", (4, 2))
        kept.append(element(INDICES))
        words.append(entry(2, 48, SET_INDICES, 20, 16))
    scene.packet(stream, kept, words, status=0)
    if indexed:
        draw = Stream().op("DRAWINDEXEDPRIMITIVE", (4, 0, 0, 3, 0, 1))
    else:
        draw = Stream().op("DRAWPRIMITIVE", (4, 0, 1))
    targets = [element(TARGET, WRITE), element(DEPTH, WRITE)]
    return scene.packet(draw, (NULL, *targets, *listed), **fields)


def textured(listed):
    """A draw with a texture that an earlier packet bound."""
    scene = Scene()
    scene.trace.events.insert(1, {"event": "surface_create", "handle": 5, "caps": ["TEXTURE", "VIDEOMEMORY"],
                                  "format": "A8R8G8B8", "width": 4, "height": 4})
    scene.add("allocation_create", process=PROCESS, device=DEVICE, status=0,
              allocations=[{"allocation": TEXTURE, "model_size": 64, "model_kind": "texture"}])
    scene.add("dp2_bind", process=PROCESS, device=DEVICE, handle=5, allocation=TEXTURE, kind="texture", size=64)
    state = Stream().op("SETVERTEXSHADER", 0x42).op("RENDERSTATE", (137, 0))
    state.op("TEXTURESTAGESTATE", (0, 11, 0x20000), (0, 0, 5))
    at = len(state.data) - 4
    scene.packet(state, (NULL, element(TEXTURE)), (entry(1, 16, TEXTURE_STATE | 1 << 16, at, at - 16),), status=0)
    stream = Stream().op("SETSTREAMSOURCE", (0, 3, 16)).op("DRAWPRIMITIVE", (4, 0, 1))
    lists = (NULL, element(VERTICES), element(TARGET, WRITE), element(DEPTH, WRITE), *listed)
    return scene.packet(stream, lists, (ENTRY,))


def environment(**changes):
    """A packet with vertices beside its commands."""
    fields = {"flags": ["USERMEMVERTICES"], "vertex_type": 0x42, "vertex_size": 16, "vertex_length": 3,
              "vertex_source": "inline", "vertices": blob(clip_vertices(CLIP_TRIANGLE))}  # fmt: skip
    fields.update(changes)
    if fields["vertex_source"] != "inline":
        del fields["vertices"]
    stream = Stream().op("RENDERSTATE", (137, 0))
    return Scene().packet(stream, LISTED, dp2_env=fields)


def aliased(**second):
    """A blit between two handles; the second one is another allocation unless it is said otherwise."""
    scene = Scene()
    for handle in (7, 6):
        scene.trace.events.insert(1, {"event": "surface_create", "handle": handle, "caps": ["TEXTURE", "VIDEOMEMORY"],
                                      "format": "A8R8G8B8", "width": 4, "height": 4})
    scene.add("allocation_create", process=PROCESS, device=DEVICE, status=0, allocations=[
        {"allocation": TEXTURE, "model_size": 64, "model_kind": "texture"},
        {"allocation": TEXTURE + 0x40, "model_size": 64, "model_kind": "texture"}])
    scene.add("dp2_bind", process=PROCESS, device=DEVICE, handle=6, allocation=TEXTURE, kind="texture", size=64)
    other = second.get("allocation", TEXTURE + 0x40)
    scene.add("dp2_bind", process=PROCESS, device=DEVICE, handle=7, allocation=other, kind="texture", size=64)
    stream = Stream().op("BLT", (6, (0, 0, 4, 4), 0, 7, (0, 0, 4, 4), 0, 0))
    lists = [NULL, element(TEXTURE, WRITE if other == TEXTURE else 0)]
    if other != TEXTURE:
        lists.append(element(other, WRITE))
    patches = (entry(1, 64, 81, 4, 0), entry(1 if other == TEXTURE else 2, 65, 81 | 1 << 8, 28, 0))
    return scene.packet(stream, lists, patches)


def no_target(depth_only):
    """A clear in a context without a target."""
    scene = Scene().context(d3d={"target": 1, "depth": 2})
    scene.packet(Stream().op("SETRENDERTARGET2", (0, 0)), (NULL,), (entry(0, 1, SET_TARGET, 8, 0),), status=0)
    flags = 2 if depth_only else 1
    stream = Stream().op("CLEAR", fixed=(flags, 0xFF0000FF, 1.0, 0, (0, 0, 64, 64)), count=1)
    return scene.packet(stream, (NULL, element(DEPTH, WRITE)))


def patch_handle(with_entry):
    """A cached patch is drawn; its Handle is a word of the patch cache."""
    scene = Scene()
    stream = Stream().op("SETSTREAMSOURCE", (0, 3, 16))
    stream.op("DRAWRECTPATCH", (9, 0))
    patches = (ENTRY, entry(1, 32, SET_STREAM, 20, 16)) if with_entry else (ENTRY,)
    return scene.packet(stream, (NULL, element(VERTICES), element(TARGET, WRITE), element(DEPTH, WRITE)), patches)


def kernel(*commands, tail=b""):
    """GDI commands of kernel origin."""
    data = b"".join(struct.pack("<II", op, size) + bytes(max(0, size - 8)) for op, size in commands) + tail
    return Scene().packet(data, (NULL,), payload="renderkm", origin="kernel", flags=0x20,
                          new_command_buffer_pointer=0x20000000, new_allocation_list_pointer=0x20001000)  # fmt: skip


def bind(**fields):
    """DP2 handle 9 is bound."""
    fields = {"handle": 9, "allocation": VERTICES, "kind": "vertex_buffer", "size": 48, **fields}
    return Scene().add("dp2_bind", process=PROCESS, device=DEVICE, **fields)


def identity_bind(mode):
    """A binding in a trace with this handle mode."""
    return Scene(dp2_handle_mode=mode).add("dp2_bind", process=PROCESS, device=DEVICE, handle=9, allocation=VERTICES,
                                           kind="vertex_buffer", size=48)  # fmt: skip


# (rule, name, broken trace, position, legal twin); "E" is the last event
def pairs():
    """Every rule with its traces."""
    yield 7, "unbound-handle", bound(stream=stream_source(8), patches=(entry(1, 32, SET_STREAM, 8, 0),)), "E+0x8", bound()
    yield 8, "source-of-a-blit", zero_source(0), "E+0x8", zero_source(3)
    yield 9, "not-listed", bound(allocations=(NULL, element(DEPTH))), "E+0x8", bound()
    yield (10, "word-that-is-no-handle", two_streams(FIRST, entry(1, 33, SET_STREAM, 20, 16)), "E", two_streams(FIRST, SECOND))
    yield 11, "second-word", two_streams_with((FIRST,)), "E+0x18", two_streams(FIRST, SECOND)
    yield 12, "entry-twice", two_streams_with((FIRST, FIRST, SECOND)), "E", two_streams(FIRST, SECOND)
    yield 13, "second-entry-first", one_token_twice(False), "E", one_token_twice(True)
    yield 14, "into-the-prefix", prefixed(4), "E", prefixed(24)
    yield 15, "split-behind-the-header", bound(patches=(entry(1, 32, SET_STREAM, 8, 4),)), "E", bound()
    yield (16, "another-element", bound(allocations=(NULL, element(VERTICES), element(DEPTH)),
                                        patches=(entry(2, 32, SET_STREAM, 8, 0),)), "E", bound())  # fmt: skip
    yield 17, "operand-1", bound(patches=(entry(1, 32, SET_STREAM | 1 << 8, 8, 0),)), "E", bound()
    yield 18, "slot-of-stream-1", bound(patches=(entry(1, 33, SET_STREAM, 8, 0),)), "E", bound()
    yield 19, "offset-16", bound(patches=(entry(1, 32, SET_STREAM, 8, 0, 16),)), "E", bound()
    yield 20, "target-not-written", target_bound(0), "E", target_bound(WRITE)
    yield 21, "carried-target", cleared(element(TARGET)), "E+0x0", cleared(element(TARGET, WRITE))
    yield 22, "carried-stream", drawn(()), "E+0x0", drawn((element(VERTICES),))
    yield 22, "carried-texture", textured(()), "E+0x10", textured((element(TEXTURE),))
    yield (22, "carried-indices", drawn((element(VERTICES),), True), "E+0x0",
           drawn((element(VERTICES), element(INDICES)), True))  # fmt: skip
    yield 23, "clear-without-target", no_target(False), "E+0x0", no_target(True)
    yield 24, "depth-as-stream", depth_as_stream(2), "E+0x8", depth_as_stream(3)
    yield 25, "odd-prefix", odd(15), "E", odd(16)
    yield 26, "cached-patch", patch_handle(True), "E", patch_handle(False)
    yield 27, "flag-is-clear", environment(flags=0), "E", environment()
    yield 27, "four-vertices-of-three", environment(vertex_length=4), "E", environment(vertex_length=3)
    yield (28, "element-2-of-2", environment(flags=0, vertex_source="allocation", allocation_index=2), "E",
           environment(flags=0, vertex_source="allocation", allocation_index=1))  # fmt: skip
    yield 29, "two-handles-of-one-allocation", aliased(allocation=TEXTURE), "E+0x1c", aliased()
    yield 30, "no-patch-list", bound(patches=()), "E+0x8", bound()
    yield (31, "no-null-element", bound(allocations=(element(VERTICES),), patches=(entry(0, 32, SET_STREAM, 8, 0),)), "E",
           bound())  # fmt: skip
    yield 32, "slot-is-not-released", released(False), "E+0x18", released(True)
    yield 33, "handle-0", bind(handle=0), "E", bind()
    yield 33, "offset-behind-the-allocation", bind(base_offset=48), "E", bind(base_offset=47)
    yield 33, "identity", identity_bind("identity"), "E", identity_bind("table")
    yield 34, "bound-twice", bind(handle=3), "E", bind(handle=4)
    yield (34, "unbound-twice", Scene().add("dp2_unbind", process=PROCESS, device=DEVICE, handle=9), "E",
           Scene().add("dp2_unbind", process=PROCESS, device=DEVICE, handle=3))  # fmt: skip
    destroy = {"process": PROCESS, "device": DEVICE, "allocations": [VERTICES], "status": 0}
    yield (34, "destroyed-while-bound", Scene().add("allocation_destroy", **destroy), "E",
           Scene().add("dp2_unbind", process=PROCESS, device=DEVICE, handle=3).add("allocation_destroy", **destroy))  # fmt: skip


def two_streams_with(patches):
    """Two streams of one buffer with these entries."""
    stream = Stream().op("SETSTREAMSOURCE", (0, 3, 16)).op("SETSTREAMSOURCE", (1, 3, 16))
    return Scene().packet(stream, LISTED, patches)


def one_token_twice(ascending):
    """Two targets in one token, so that SplitOffset is the same; the entries in this order."""
    stream = Stream().op("SETRENDERTARGET2", (0, 1), (1, 1))
    patches = [entry(1, 1, SET_TARGET, 8, 0), entry(1, 2, SET_TARGET | 1 << 16, 16, 0)]
    return Scene().packet(stream, (NULL, element(TARGET, WRITE)), patches if ascending else patches[::-1])


def behind_a_prefix(prefix, patches):
    """Commands behind a prefix of this many bytes."""
    data = bytes(stream_source().data)
    return Scene(length_origin="offset").packet(
        bytes(prefix) + data, LISTED, patches, command_offset=prefix, command_length=len(data))  # fmt: skip


def prefixed(patch):
    """Commands behind a prefix of 16 bytes."""
    patches = (entry(1, 32, SET_STREAM, 24, 16),) if patch == 24 else (entry(1, 32, SET_STREAM, patch, 0), entry(1, 32, SET_STREAM, 24, 16))
    return behind_a_prefix(16, patches)


def odd(prefix):
    """One vertex stream is bound behind a prefix of this many bytes."""
    return behind_a_prefix(prefix, (entry(1, 32, SET_STREAM, prefix + 8, prefix),))


def zero_source(handle):
    """BUFFERBLT into the vertex buffer."""
    scene = Scene()
    stream = Stream().op("BUFFERBLT", (3, handle, 0, (32, 16), 0))
    patches = [entry(1, 65, 64, 4, 0)]
    if handle:
        patches.append(entry(1, 64, 64 | 1 << 8, 8, 0))
    return scene.packet(stream, (NULL, element(VERTICES, WRITE)), patches)


def depth_as_stream(handle):
    """A stream source that is bound as something else."""
    allocation = {2: DEPTH, 3: VERTICES}[handle]
    return Scene().packet(stream_source(handle), (NULL, element(allocation)), (ENTRY,))


def released(with_entry):
    """A stream is bound and released."""
    stream = Stream().op("SETSTREAMSOURCE", (0, 3, 16)).op("SETSTREAMSOURCE", (0, 0, 0))
    patches = (ENTRY, entry(0, 32, SET_STREAM, 24, 16)) if with_entry else (ENTRY,)
    return Scene().packet(stream, LISTED, patches)


def opaque_pairs():
    """KMT-OPQ-*."""
    yield 2, "opcode-8", kernel((8, 16)), "E+0x0", kernel((7, 16))
    yield 2, "size-behind-the-end", kernel((1, 8), tail=struct.pack("<II", 1, 9)), "E+0x8", kernel((1, 8), (1, 8))


def all_pairs():
    """Both groups with their full ids."""
    for group, rows in (("KMT-DP2", pairs()), ("KMT-OPQ", opaque_pairs())):
        for number, name, broken, position, legal in rows:
            yield f"{group}-{number:03}", name, broken, position, legal


# Advice and findings that come with a broken trace by nature, before or behind its own: (rule, position).
BEFORE = {
    "entry-twice": [("KMT-PATCH-007", "E")],
    "second-entry-first": [("KMT-PATCH-007", "E")],
    "two-handles-of-one-allocation": [("KMT-PATCH-007", "E")],
    "odd-prefix": [("DP2-STREAM-012", "E+0xf")],
}
BEHIND = {"word-that-is-no-handle": [("KMT-DP2-011", "E+0x18")]}


def cases():
    """The broken traces."""
    for rule, name, broken, position, _ in all_pairs():
        found = [*BEFORE.get(name, []), (rule, position), *BEHIND.get(name, [])]
        yield Case(rule, name, broken.trace, [(one, at.replace("E", str(broken.number), 1)) for one, at in found])


def accepted():
    """The legal ones."""
    for rule, name, _, _, legal in all_pairs():
        yield rule, name, legal.trace
