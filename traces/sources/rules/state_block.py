"""State blocks: DP2-SBLK-*."""

from ..dp2 import Stream
from ..state_pairs import Pairs, Scene

BEGIN, END, DELETE, EXECUTE, CAPTURE, CREATE = range(6)
ALL = 1
FILLMODE, SHADEMODE = 8, 9


def recorded(scene, handle=1, ends=True):
    """A block of one state."""
    scene.op("STATESET", (BEGIN, handle, 0)).states((FILLMODE, 3))
    return scene.op("STATESET", (END, handle, 0)) if ends else scene


def recordings(p):
    """BEGIN and END."""

    def second_begin(ends):
        scene = recorded(Scene(7), ends=ends).op("STATESET", (BEGIN, 2, 0), at=0)
        return scene.states((SHADEMODE, 2)).op("STATESET", (END, 0, 0)).end()

    p.add("DP2-SBLK-002", "begin-twice", second_begin, False, True)

    def lone_end(begins):
        scene = recorded(Scene(7), ends=False) if begins else Scene(7)
        return scene.op("STATESET", (END, 1, 0), at=0).end()

    p.add("DP2-SBLK-003", "end-alone", lone_end, False, True)
    p.add("DP2-SBLK-004", "another-handle",
          lambda n: recorded(Scene(7), ends=False).op("STATESET", (END, n, 0), at=0).end(),
          2, 1)  # fmt: skip

    def block_type(kind):
        scene = Scene(7).op("STATESET", (BEGIN, 1, kind), at=0).states((FILLMODE, 3))
        return scene.op("STATESET", (END, 1, 0)).end()

    p.add("DP2-SBLK-008", "begin-of-type-4", block_type, 4, 3)

    def draw_inside(ends):
        scene = recorded(Scene(8), ends=ends).draw()
        return (scene if ends else scene.op("STATESET", (END, 1, 0))).end()

    p.add("DP2-SBLK-010", "triangle", draw_inside, False, True)

    def still_open(ends):
        scene = recorded(Scene(7), ends=ends)
        trace, _ = scene.end()
        return trace, f"{len(trace.events) - 1}"

    p.add("DP2-SBLK-011", "context-is-destroyed", still_open, False, True)

    def empty(has_state):
        scene = Scene(7).op("STATESET", (BEGIN, 1, 0))
        if has_state:
            scene.states((FILLMODE, 3))
        return scene.op("STATESET", (END, 1, 0), at=0).end()

    p.add("DP2-SBLK-012", "no-state", empty, False, True)


def blocks(p):
    """What is done with a block."""
    p.add("DP2-SBLK-001", "operation-6",
          lambda op: Scene(8, pure_device=True).op("STATESET", (op, 1, ALL), at=0).end(),
          6, CREATE)  # fmt: skip
    p.add("DP2-SBLK-001", "create-at-level-7",
          lambda level: Scene(level, pure_device=True).op("STATESET", (CREATE, 1, ALL), at=0).end(),
          7, 8)  # fmt: skip
    p.add("DP2-SBLK-005", "execute",
          lambda n: recorded(Scene(7)).op("STATESET", (EXECUTE, n, 0), at=0).end(), 2, 1)  # fmt: skip
    p.add("DP2-SBLK-005", "deleted",
          lambda n: recorded(recorded(Scene(7)), 2)
          .op("STATESET", (DELETE, n, 0), (CAPTURE, 1, 0), at=1).end(), 1, 2)  # fmt: skip

    def inside(operation, handle):
        def build(ends):
            scene = recorded(recorded(Scene(7)), 2, ends=ends)
            scene.op("STATESET", (operation, handle, 0), at=0)
            return (scene if ends else scene.op("STATESET", (END, 2, 0))).end()

        return build

    p.add("DP2-SBLK-006", "execute-inside-a-recording", inside(EXECUTE, 1), False, True)
    p.add("DP2-SBLK-006", "capture-of-the-recorded-block", inside(CAPTURE, 2), False, True)

    def again(handle):
        scene = recorded(Scene(7)).op("STATESET", (BEGIN, handle, 0), at=0)
        return scene.states((SHADEMODE, 2)).op("STATESET", (END, handle, 0)).end()

    p.add("DP2-SBLK-007", "begin-again", again, 1, 2)
    p.add("DP2-SBLK-008", "create-of-type-0",
          lambda kind: Scene(8, pure_device=True).op("STATESET", (CREATE, 1, kind), at=0).end(),
          0, ALL)  # fmt: skip
    p.add("DP2-SBLK-009", "ordinary-device",
          lambda pure: Scene(8, pure_device=pure).op("STATESET", (CREATE, 1, ALL), at=0).end(),
          False, True)  # fmt: skip

    def deleted_texture(is_deleted):
        scene = Scene(7).texture(4).texture(5)
        scene.op("STATESET", (BEGIN, 1, 0)).stages((0, 0, 4)).op("STATESET", (END, 1, 0))
        trace, _ = scene.end(destroys=False)
        trace.add("surface_destroy", handle=4 if is_deleted else 5)
        trace.dp2(Stream().op("STATESET", (EXECUTE, 1, 0)))
        event = len(trace.events) - 1
        return trace.end(present=False), f"{event}+0x4"

    p.add("DP2-SBLK-013", "texture", deleted_texture, True, False)


def _pairs():
    p = Pairs()
    recordings(p)
    blocks(p)
    return p


def cases():
    """Yields every Case."""
    return _pairs().broken


def accepted():
    """Yields (rule, name, Trace)."""
    return _pairs().legal
