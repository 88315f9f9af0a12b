"""Contexts, surfaces, resource tokens: DP2-CTX, DP2-SURF, DP2-RES."""

from ..dp2 import Stream
from ..pair_list import Pairs
from ..trace import Trace, checkerboard

FACES = ("POSITIVEX", "NEGATIVEX", "POSITIVEY", "NEGATIVEY", "POSITIVEZ", "NEGATIVEZ")


def contexts():
    """DP2-CTX."""
    pairs = Pairs()
    for name, target in (("null", 0), ("dead", 9)):
        pairs.event("DP2-CTX-001", f"target-{name}", Trace(None).target().context(target=target))
    pairs.good("DP2-CTX-001", "live-target", Trace(None).target().context())

    def created(number):
        return Trace(None).target().add("context_create", context=number, target=1)

    pairs.event("DP2-CTX-002", "id-0", created(0))
    pairs.good("DP2-CTX-002", "id-1", created(1))
    pairs.event("DP2-CTX-002", "id-in-use", created(7).add("context_create", context=7, target=1))
    t = created(7).add("context_destroy", context=7).add("context_create", context=7, target=1)
    t.add("context_destroy", context=7)
    pairs.good("DP2-CTX-002", "id-reused", t)

    def destroyed(*events):
        t = Trace(None).target().context().add("context_destroy", context=1)
        for event in events:
            t.add(event, context=1)
        return t

    pairs.event("DP2-CTX-003", "call-after-the-destruction", destroyed("dp2"))
    pairs.event("DP2-CTX-003", "destroyed-twice", destroyed("context_destroy"))
    pairs.good("DP2-CTX-003", "destroyed-once", destroyed())

    def two(*numbers):
        t = Trace(None).target().target(handle=2)
        for number in (1, 2):
            t.add("context_create", context=number, target=number)
        for number in numbers:
            t.add("context_destroy", context=number)
        return t

    pairs.event("DP2-CTX-004", "one-of-two", two(1))
    pairs.good("DP2-CTX-004", "both", two(1, 2))

    def with_depth(handle, kind="depth"):
        t = Trace(None).target()
        t = t.depth() if kind == "depth" else t.texture(2, 64)
        return t.context(depth=handle)

    pairs.event("DP2-CTX-005", "a-texture", with_depth(2, "texture"))
    pairs.event("DP2-CTX-005", "dead", with_depth(3))
    pairs.good("DP2-CTX-005", "a-depth-surface", with_depth(2))

    def shared(target):
        t = Trace(None).target().target(handle=2)
        t.context()
        return t.add("context_create", context=2, target=target)

    pairs.event("DP2-CTX-006", "at-creation", shared(1))
    pairs.good("DP2-CTX-006", "two-targets", shared(2))

    def bound(target):
        t = shared(2).target(handle=3)
        return t.dp2(Stream().op("SETRENDERTARGET2", (0, target)))

    pairs.stream("DP2-CTX-006", "at-set-render-target", bound(2), 4)
    pairs.good("DP2-CTX-006", "set-another-target", bound(3))
    return pairs


def created(handle=1, fields=None, **more):
    """A trace that creates one surface."""
    surface = {"format": "A8R8G8B8", "width": 8, "height": 8}
    surface.update(fields or {})
    surface.update(more)
    surface = {key: value for key, value in surface.items() if value is not None}
    return Trace(None).add("surface_create", handle=handle, **surface)


def handles():
    """DP2-SURF-001 to DP2-SURF-007, DP2-SURF-019."""
    pairs = Pairs()
    pairs.event("DP2-SURF-001", "announced", created(0))
    pairs.good("DP2-SURF-001", "handle-1", created(1))

    def selected(handle, destroy=False):
        t = Trace(None).target().target(handle=2).context()
        if destroy:
            t.add("surface_destroy", handle=2)
        return t.dp2(Stream().op("SETRENDERTARGET2", (0, handle)))

    pairs.stream("DP2-SURF-002", "render-target", selected(3), 4)
    pairs.event("DP2-SURF-002", "update", created(1).update(2, bytes(4), rect=[0, 0, 1, 1]))
    pairs.good("DP2-SURF-002", "announced", selected(2))
    pairs.stream("DP2-SURF-003", "destroyed", selected(2, True), 4)
    pairs.good("DP2-SURF-003", "still-alive", selected(2))

    pairs.event("DP2-SURF-004", "other-width", created(1).add(
        "surface_create", handle=1, format="A8R8G8B8", width=16, height=8))  # fmt: skip
    pairs.good("DP2-SURF-004", "destroyed-before", created(1).add("surface_destroy", handle=1).add(
        "surface_create", handle=1, format="A8R8G8B8", width=16, height=8))  # fmt: skip
    level = {"levels": 2, "sub_surfaces": [{"handle": 2, "level": 1}]}
    t = created(1, level)
    pairs.event("DP2-SURF-004", "sub-surface", t.add(
        "surface_create", handle=2, format="A8R8G8B8", width=4, height=4))  # fmt: skip
    pairs.good("DP2-SURF-004", "beside-a-sub-surface", created(1, level).add(
        "surface_create", handle=3, format="A8R8G8B8", width=4, height=4))  # fmt: skip

    pairs.event("DP2-SURF-005", "equal", created(1).add(
        "surface_create", handle=1, format="A8R8G8B8", width=8, height=8))  # fmt: skip
    pairs.good("DP2-SURF-005", "another-handle", created(1).add(
        "surface_create", handle=2, format="A8R8G8B8", width=8, height=8))  # fmt: skip

    pairs.event("DP2-SURF-006", "unknown", created(1).add("surface_destroy", handle=2))
    pairs.event("DP2-SURF-006", "twice",
                created(1).add("surface_destroy", handle=1).add("surface_destroy", handle=1))  # fmt: skip
    pairs.good("DP2-SURF-006", "once", created(1).add("surface_destroy", handle=1))

    def unbound(handle):
        t = Trace(None).target().texture(2).context()
        t.dp2(Stream().op("TEXTURESTAGESTATE", (0, 0, 2)))
        if not handle:
            t.dp2(Stream().op("TEXTURESTAGESTATE", (0, 0, 0)))
        return t.add("surface_destroy", handle=2)

    pairs.event("DP2-SURF-007", "texture", unbound(2))
    pairs.good("DP2-SURF-007", "texture-unbound", unbound(0))
    t = Trace(None).target().context().add("surface_destroy", handle=1)
    pairs.event("DP2-SURF-007", "render-target", t)

    chain_of_two = {"levels": 2, "sub_surfaces": [{"handle": 2, "level": 1}]}
    pairs.event("DP2-SURF-023", "level-1", created(1, chain_of_two).add("surface_destroy", handle=2))
    pairs.good("DP2-SURF-023", "root", created(1, chain_of_two).add("surface_destroy", handle=1))

    pairs.event("DP2-SURF-019", "a-million-and-one", created(1_000_001))
    pairs.good("DP2-SURF-019", "a-million", created(1_000_000))
    return pairs


def chain(width, height, *extents, levels=None, **fields):
    """A mip chain whose sub-levels have recorded extents."""
    subs = [{"handle": 2 + i, "level": 1 + i, "width": w, "height": h}
            for i, (w, h) in enumerate(extents)]  # fmt: skip
    return created(1, fields, width=width, height=height, levels=levels or 1 + len(extents),
                   sub_surfaces=subs)  # fmt: skip


def mip_chains():
    """DP2-SURF-008 to DP2-SURF-010."""
    pairs = Pairs()
    pairs.event("DP2-SURF-008", "level-1", chain(8, 8, (3, 4)))
    pairs.good("DP2-SURF-008", "halves", chain(8, 8, (4, 4)))
    pairs.event("DP2-SURF-008", "rounded-up", chain(5, 5, (3, 3)))
    pairs.good("DP2-SURF-008", "rounded-down", chain(5, 5, (2, 2)))
    pairs.event("DP2-SURF-008", "zero-instead-of-one", chain(4, 1, (2, 0)))
    pairs.good("DP2-SURF-008", "never-below-one", chain(4, 1, (2, 1), (1, 1)))
    pairs.event("DP2-SURF-008", "level-1-of-three", chain(16, 16, (9, 8), (4, 4)))
    pairs.event("DP2-SURF-008", "the-next-level-follows", chain(16, 16, (6, 8), (3, 4)))

    pairs.event("DP2-SURF-009", "one-too-many", created(1, levels=5))
    pairs.good("DP2-SURF-009", "down-to-1x1", created(1, levels=4))
    pairs.event("DP2-SURF-009", "13x5", created(1, width=13, height=5, levels=5))
    pairs.good("DP2-SURF-009", "13x5-down-to-1x1", created(1, width=13, height=5, levels=4))
    volume = {"caps2": ["VOLUME"], "width": 2, "height": 2, "depth": 8}
    pairs.event("DP2-SURF-009", "volume", created(1, volume, levels=5))
    pairs.good("DP2-SURF-009", "depth-counts", created(1, volume, levels=4))

    def with_bits(root, sub):
        caps = [[], ["MIPMAPSUBLEVEL"]]
        return created(1, caps2=caps[root] or None, levels=2,
                       sub_surfaces=[{"handle": 2, "level": 1, "caps2": caps[sub]}])  # fmt: skip

    pairs.event("DP2-SURF-010", "sub-level-without", with_bits(0, 0))
    pairs.event("DP2-SURF-010", "top-level-with", with_bits(1, 1))
    pairs.good("DP2-SURF-010", "sub-level-with", with_bits(0, 1))
    return pairs


def sub_surfaces():
    """DP2-SURF-020 to DP2-SURF-022, DP2-SURF-024."""
    pairs = Pairs()
    pairs.event("DP2-SURF-020", "no-level", created(1, levels=0))
    pairs.good("DP2-SURF-020", "one-level", created(1, levels=1))

    def announced(*subs, levels=2, faces=None):
        caps = ["CUBEMAP", *(f"CUBEMAP_{face}" for face in faces)] if faces else None
        made = [{"handle": handle, "face": face, "level": level} for handle, face, level in subs]
        return created(1, levels=levels, faces=faces, caps2=caps, sub_surfaces=made)

    pairs.event("DP2-SURF-021", "level-2-of-2", announced((2, 0, 2)))
    pairs.event("DP2-SURF-021", "face-of-a-texture", announced((2, 1, 0)))
    pairs.event("DP2-SURF-021", "face-that-the-cube-lacks", announced((2, 3, 0), faces=["POSITIVEX", "NEGATIVEX"]))
    pairs.good("DP2-SURF-021", "level-1-of-2", announced((2, 0, 1)))
    pairs.good("DP2-SURF-021", "face-of-the-cube", announced((2, 1, 0), faces=["POSITIVEX", "NEGATIVEX"]))

    pairs.event("DP2-SURF-022", "the-root-again", announced((2, 0, 0)))
    pairs.event("DP2-SURF-022", "two-handles-for-a-level", announced((2, 0, 1), (3, 0, 1), levels=3))
    pairs.event("DP2-SURF-022", "one-handle-for-two-levels", announced((2, 0, 1), (2, 0, 2), levels=3))
    pairs.event("DP2-SURF-022", "handle-of-the-root", announced((1, 0, 1)))
    pairs.good("DP2-SURF-022", "each-its-own", announced((2, 0, 1), (3, 0, 2), levels=3))

    def capable(*caps, **fields):
        return created(1, caps=list(caps), **fields)

    pairs.event("DP2-SURF-024", "two-memories", capable("TEXTURE", "SYSTEMMEMORY", "VIDEOMEMORY"))
    pairs.good("DP2-SURF-024", "one-memory", capable("TEXTURE", "VIDEOMEMORY"))
    pairs.event("DP2-SURF-024", "depth-without-depth-format", capable("ZBUFFER", "VIDEOMEMORY"))
    pairs.good("DP2-SURF-024", "depth-format", capable("ZBUFFER", "VIDEOMEMORY", format="D16"))
    pairs.event("DP2-SURF-024", "faces-without-cubemap", capable("TEXTURE", "VIDEOMEMORY", faces=["POSITIVEX"]))
    pairs.event("DP2-SURF-024", "slices-without-volume", capable("TEXTURE", "VIDEOMEMORY", depth=2))
    pairs.good("DP2-SURF-024", "volume", capable("TEXTURE", "VIDEOMEMORY", depth=2, caps2=["VOLUME"]))
    return pairs


def cube(*subs, size=(8, 8), root="POSITIVEX", faces=None):
    """A cube map; a sub-surface is (face number, caps2 face, extent)."""
    made = []
    for i, (face, bit, extent) in enumerate(subs):
        bits = [f"CUBEMAP_{one}" for one in ([bit] if isinstance(bit, str) else bit)]
        sub = {"handle": 2 + i, "face": face, "caps2": ["CUBEMAP", *bits]}
        if extent:
            sub.update(width=extent[0], height=extent[1])
        made.append(sub)
    present = faces or ["POSITIVEX", *(FACES[sub["face"]] for sub in made)]
    roots = [f"CUBEMAP_{one}" for one in ([root] if isinstance(root, str) else root)]
    return created(1, width=size[0], height=size[1], caps2=["CUBEMAP", *roots],
                   faces=present, sub_surfaces=made)  # fmt: skip


def cubes():
    """DP2-SURF-011 to DP2-SURF-013."""
    pairs = Pairs()
    two = (1, "NEGATIVEX", None)
    pairs.event("DP2-SURF-011", "not-square", cube(size=(8, 4)))
    pairs.good("DP2-SURF-011", "square", cube(size=(8, 8)))
    pairs.event("DP2-SURF-011", "unequal-faces", cube((1, "NEGATIVEX", (4, 4))))
    pairs.good("DP2-SURF-011", "equal-faces", cube((1, "NEGATIVEX", (8, 8))))
    pairs.event("DP2-SURF-011", "same-face-bit", cube(two, (2, "NEGATIVEX", None)))
    pairs.good("DP2-SURF-011", "different-face-bits", cube(two, (2, "POSITIVEY", None)))

    pairs.event("DP2-SURF-012", "no-face-bit", cube(root=[]))
    pairs.event("DP2-SURF-012", "two-face-bits", cube((1, ["NEGATIVEX", "POSITIVEY"], None)))
    pairs.event("DP2-SURF-012", "other-faces-than-the-cube", cube(two, root=FACES[:3]))
    pairs.good("DP2-SURF-012", "one-face-bit", cube(two))
    pairs.good("DP2-SURF-012", "all-faces-of-the-cube", cube(two, root=FACES[:2]))

    pairs.event("DP2-SURF-013", "depth-0", created(1, caps2=["VOLUME"], depth=0))
    pairs.good("DP2-SURF-013", "depth-1", created(1, caps2=["VOLUME"], depth=1))
    return pairs


def formats():
    """DP2-SURF-014 to DP2-SURF-018."""
    pairs = Pairs()
    pairs.event("DP2-SURF-014", "d3dformat", created(1, format=19))
    pairs.good("DP2-SURF-014", "first-d3dformat", created(1, format=20))

    def layout(bits, red, green, blue, **fields):
        return created(1, format=None, pixel_format={
            "flags": ["RGB"], "bit_count": bits, "red_mask": red, "green_mask": green,
            "blue_mask": blue, **fields})  # fmt: skip

    pairs.event("DP2-SURF-014", "pixel-format", layout(16, 0xF800, 0x07E0, 0x000F))
    pairs.good("DP2-SURF-014", "r5g6b5", layout(16, 0xF800, 0x07E0, 0x001F))
    pairs.event("DP2-SURF-015", "overlap", layout(16, 0xF800, 0x0FE0, 0x001F))
    pairs.event("DP2-SURF-015", "outside-the-bit-count", layout(15, 0xF800, 0x07E0, 0x001F))
    pairs.event("DP2-SURF-015", "size", layout(16, 0xF800, 0x07E0, 0x001F, size=28))
    pairs.good("DP2-SURF-015", "r5g6b5", layout(16, 0xF800, 0x07E0, 0x001F))

    pairs.event("DP2-SURF-016", "10x8", created(1, format="DXT1", width=10))
    pairs.event("DP2-SURF-016", "8x2", created(1, format="DXT5", height=2))
    pairs.good("DP2-SURF-016", "12x8", created(1, format="DXT1", width=12))
    pairs.good("DP2-SURF-016", "lower-levels", created(1, format="DXT1", levels=4))

    pairs.event("DP2-SURF-017", "31-bytes", created(1, pitch=31))
    pairs.good("DP2-SURF-017", "32-bytes", created(1, pitch=32))
    pairs.event("DP2-SURF-017", "blocks", created(1, format="DXT1", pitch=15))
    pairs.good("DP2-SURF-017", "row-of-blocks", created(1, format="DXT1", pitch=16))
    rows = checkerboard(8, 0, 1)
    pairs.event("DP2-SURF-017", "update", created(1).update(1, rows, pitch=28))
    pairs.good("DP2-SURF-017", "update", created(1).update(1, rows, pitch=32))

    pairs.event("DP2-SURF-018", "one-byte-short", created(1).update(1, rows[:-1]))
    pairs.good("DP2-SURF-018", "all-bytes", created(1).update(1, rows))
    pairs.event("DP2-SURF-018", "pitch", created(1).update(1, rows, pitch=36))
    pairs.good("DP2-SURF-018", "last-row-without-padding",
               created(1).update(1, rows + bytes(28), pitch=36))  # fmt: skip
    return pairs


def resources():
    """DP2-RES."""
    pairs = Pairs()

    def managed(stream, more=("TEXTUREMANAGE",), **fields):
        t = Trace(None).target()
        t.texture(2, 8, 2, memory="SYSTEMMEMORY", caps2=list(more), **fields)
        return t.context().dp2(stream)

    for name, op, values in (
        ("set-priority", "SETPRIORITY", (1,)),
        ("set-tex-lod", "SETTEXLOD", (1,)),
        ("add-dirty-rect", "ADDDIRTYRECT", ((0, 0, 8, 8),)),
    ):
        for handle, state in ((0, "zero"), (3, "not-live")):
            pairs.stream("DP2-RES-001", f"{name}-{state}", managed(Stream().op(op, (handle, *values))), 4)
        pairs.good("DP2-RES-001", name, managed(Stream().op(op, (2, *values))))
        pairs.stream("DP2-RES-002", name, managed(Stream().op(op, (2, *values)), ()), 4)
        pairs.good("DP2-RES-002", name, managed(Stream().op(op, (2, *values))))
    pairs.stream("DP2-RES-003", "level-2-of-2", managed(Stream().op("SETTEXLOD", (2, 2))), 4)
    pairs.good("DP2-RES-003", "level-1-of-2", managed(Stream().op("SETTEXLOD", (2, 1))))

    def with_level(op, handle):
        t = Trace(None).target()
        t.texture(2, 8, 2, memory="SYSTEMMEMORY", caps2=["TEXTUREMANAGE"], handles=[3])
        return t.context().dp2(Stream().op(op, (handle, 1)))

    for name, op in (("set-priority", "SETPRIORITY"), ("set-tex-lod", "SETTEXLOD")):
        pairs.stream("DP2-RES-006", name, with_level(op, 3), 4)
        pairs.good("DP2-RES-006", name, with_level(op, 2))

    def rect(*values):
        return managed(Stream().op("ADDDIRTYRECT", (2, values)))

    def box(*values, more=("TEXTUREMANAGE", "VOLUME")):
        return managed(Stream().op("ADDDIRTYBOX", (2, values)), more, depth=4 if "VOLUME" in more else 1)

    pairs.stream("DP2-RES-004", "one-column-outside", rect(0, 0, 9, 8), 4)
    pairs.stream("DP2-RES-004", "inverted", rect(4, 0, 3, 8), 4)
    pairs.stream("DP2-RES-004", "negative", rect(-1, 0, 8, 8), 4)
    pairs.good("DP2-RES-004", "whole-level", rect(0, 0, 8, 8))
    pairs.stream("DP2-RES-004", "box", box(0, 0, 8, 8, 0, 5), 4)
    pairs.good("DP2-RES-004", "box", box(0, 0, 8, 8, 0, 4))
    volume = managed(Stream().op("ADDDIRTYRECT", (2, (0, 0, 8, 8))), ("TEXTUREMANAGE", "VOLUME"), depth=4)
    pairs.stream("DP2-RES-005", "rect-of-a-volume", volume, 4)
    pairs.good("DP2-RES-005", "rect-of-a-texture", rect(0, 0, 8, 8))
    pairs.stream("DP2-RES-005", "box-of-a-texture", box(0, 0, 8, 8, 0, 1, more=("TEXTUREMANAGE",)), 4)
    pairs.good("DP2-RES-005", "box-of-a-volume", box(0, 0, 8, 8, 0, 1))
    return pairs


def groups():
    """All groups of this file."""
    return [group() for group in (contexts, handles, mip_chains, sub_surfaces, cubes, formats, resources)]


def cases():
    """Broken traces."""
    return [one for group in groups() for one in group.cases()]


def accepted():
    """Legal traces."""
    return [one for group in groups() for one in group.accepted()]
