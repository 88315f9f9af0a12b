"""Patches and queries: DP2-PATCH, DP2-QUERY."""

import struct

from ..dp2 import Stream, bits, floats, with_tail
from ..pair_list import Pairs
from ..trace import DIFFUSE, GREEN, SPECULAR, XYZ, Trace, clip_vertices

PATCHEDGESTYLE, PATCHSEGMENTS, DELETERTPATCH = 163, 164, 169
HASSEGS, HASINFO = 1, 2
BEZIER, BSPLINE, INTERPOLATE = 0, 1, 2
FORMAT = XYZ | DIFFUSE
POINTS = 64  # control points in the buffer


def scene(level=8, points=POINTS, **header):
    """Target, control points in vertex buffer 4, the context."""
    t = Trace(None, level, **header).target()
    t.buffer(4, clip_vertices([(i % 8 / 8, i // 8 / 8, GREEN) for i in range(points)]))
    return t.context()


def bound(fvf=FORMAT):
    """Tokens that select vertex format and stream, and turn lighting off."""
    s = Stream().op("RENDERSTATE", (137, 0), (22, 1)).op("SETVERTEXSHADER", fvf)
    return s.op("SETSTREAMSOURCE", (0, 4, 16))


def rect(width=4, height=4, stride=None, basis=BEZIER, degree=3, start=(0, 0)):
    """A D3DRECTPATCH_INFO."""
    stride = start[0] + width if stride is None else stride
    return struct.pack("<7I", *start, width, height, stride, basis, degree)


def tri(count=10, basis=BEZIER, degree=3, start=0):
    """A D3DTRIPATCH_INFO."""
    return struct.pack("<4I", start, count, basis, degree)


def drawn(stream, op="DRAWRECTPATCH", handle=0, info=None, segments=None):
    """Appends one patch; returns the place of its record."""
    flags = (HASSEGS if segments else 0) | (HASINFO if info else 0)
    place = len(stream.data) + 4
    tail = (floats(*segments) if segments else b"") + (info or b"")
    stream.op(op, with_tail(handle, flags, tail=tail))
    return place


class Patches(Pairs):
    """Traces with one patch each."""

    def one(self, rule, name, is_bad, info=None, segments=None, op="DRAWRECTPATCH", states=(), handle=0,
            stream=None, **fields):  # fmt: skip
        """A patch from the bound stream."""
        s = bound() if stream is None else stream
        if states:
            s.op("RENDERSTATE", *states)
        place = drawn(s, op, handle, info, segments)
        t = scene(**fields).dp2(s)
        rule = f"DP2-PATCH-{rule:03}"
        if is_bad:
            self.stream(rule, name, t, place)
        else:
            self.good(rule, name, t)


def infos():
    """DP2-PATCH-012 to DP2-PATCH-021, DP2-PATCH-025, DP2-PATCH-027."""
    p = Patches()
    p.one(1, "both-bits", False, rect(), (1, 1, 1, 1))
    p.one(12, "basis-3", True, rect(basis=3))
    p.one(12, "degree-2", True, rect(3, 3, degree=2))
    p.one(12, "basis-2", False, rect(basis=INTERPOLATE))
    p.one(13, "interpolate-of-degree-5", True, rect(6, 6, basis=INTERPOLATE, degree=5))
    p.one(13, "interpolate-of-degree-3", False, rect(basis=INTERPOLATE))
    p.one(14, "three-points-for-degree-3", True, rect(4, 3, basis=BSPLINE))
    p.one(14, "four-points-for-degree-3", False, rect(4, 4, basis=BSPLINE))
    p.one(15, "six-points", True, rect(4, 6))
    p.one(15, "six-points-of-a-spline", False, rect(4, 6, basis=BSPLINE))
    p.one(16, "seven-by-four", True, rect(7, 4))
    p.one(16, "four-by-four", False, rect(4, 4))
    p.one(17, "stride-4-behind-one", True, rect(stride=4, start=(1, 0)))
    p.one(17, "stride-5-behind-one", False, rect(stride=5, start=(1, 0)))
    p.one(18, "one-point-outside", True, rect(), points=15)
    p.one(18, "to-the-last-point", False, rect(), points=16)
    p.one(18, "beyond-64-bits", True, rect(stride=0xFFFFFFFF, start=(0, 0xFFFFFFFC)))
    p.one(19, "bspline", True, tri(basis=BSPLINE), op="DRAWTRIPATCH")
    p.one(19, "bezier", False, tri(), op="DRAWTRIPATCH")
    p.one(20, "nine-points", True, tri(9), op="DRAWTRIPATCH")
    p.one(20, "ten-points", False, tri(10), op="DRAWTRIPATCH")
    p.one(20, "21-points-of-degree-5", False, tri(21, degree=5), op="DRAWTRIPATCH")
    unbound = Stream().op("RENDERSTATE", (137, 0)).op("SETVERTEXSHADER", FORMAT)
    p.one(21, "unbound", True, rect(), stream=unbound)
    p.one(21, "bound", False, rect())
    none, some, all_of_them = (
        {"caps": [{"name": "dev_caps", "value": value}]} for value in (0, 0x400000, 0x600000))
    quintic = rect(6, 6, degree=5)
    p.one(25, "no-patches", True, rect(), **none)
    p.one(25, "patches", False, rect(), **some)
    p.one(25, "degree-5", True, quintic, **some)
    p.one(25, "degree-5", False, quintic, **all_of_them)
    return p


def tangents():
    """DP2-PATCH-027."""
    p = Patches()

    def trace(op, info, method):
        elements = struct.pack("<HHBBBB", 0, 0, 2, 0, 0, 0) + struct.pack("<HHBBBB", 0, 0, 2, method, 6, 0)
        end = struct.pack("<HHBBBB", 0xFF, 0, 17, 0, 0, 0)
        s = Stream().op("RENDERSTATE", (137, 0))
        s.op("CREATEVERTEXSHADERDECL", with_tail(1, 3, tail=elements + end)).op("SETVERTEXSHADERDECL", 1)
        s.op("SETSTREAMSOURCE", (0, 4, 16))
        place = drawn(s, op, 0, info)
        return place, scene(9).dp2(s)

    for name, method in (("partialu", 1), ("partialv", 2)):
        place, t = trace("DRAWTRIPATCH", tri(), method)
        p.stream("DP2-PATCH-027", name, t, place)
    p.good("DP2-PATCH-027", "rectangle", trace("DRAWRECTPATCH", rect(), 1)[1])
    return p


def segments():
    """DP2-PATCH-006 to DP2-PATCH-011."""
    p = Patches()
    for number, name, value, good in (
        (6, "infinite", float("inf"), 9999.0),
        (6, "nan", float("nan"), None),
        (7, "0", 0.0, 1.0),
        (7, "negative", -1.0, None),
        (8, "one-half", 0.5, 1.0),
        (9, "10000", 10000.0, 9999.0),
        (10, "fraction", 2.5, 2.0),
    ):
        p.one(number, name, True, rect(), (1.0, 1.0, value, 1.0))
        if good is not None:
            p.one(number, f"{good:g}", False, rect(), (1.0, 1.0, good, 1.0))
    p.one(10, "continuous", False, rect(), (1.0, 1.0, 2.5, 1.0), states=((PATCHEDGESTYLE, 1),))
    return p


def default_segments():
    """DP2-PATCH-011: the value of PATCHSEGMENTS is looked at where a patch uses it."""
    p = Patches()

    def trace(value, counts=None):
        s = bound().op("RENDERSTATE", (PATCHSEGMENTS, bits(value)))
        place = drawn(s, info=rect(), segments=counts)
        return place, scene().dp2(s)

    for name, value in (("0", 0.0),):
        place, t = trace(value)
        p.stream("DP2-PATCH-011", name, t, place)
    p.good("DP2-PATCH-011", "1", trace(1.0)[1])
    p.good("DP2-PATCH-011", "not-used", trace(0.0, (1, 1, 1, 1))[1])
    return p


def cache():
    """DP2-PATCH-002 to DP2-PATCH-005, DP2-PATCH-022 to DP2-PATCH-024, DP2-PATCH-026."""
    p = Patches()

    def case(rule, name, is_bad, stream, place):
        t = scene().dp2(stream)
        if is_bad:
            p.stream(f"DP2-PATCH-{rule:03}", name, t, place)
        else:
            p.good(f"DP2-PATCH-{rule:03}", name, t)

    def delete(stream, handle=5):
        return stream.op("RENDERSTATE", (DELETERTPATCH, handle))

    p.one(2, "handle-0", True)
    p.one(2, "handle-0-with-info", False, rect())
    p.one(3, "unknown", True, handle=5)

    def defined(then=None):
        s = bound()
        drawn(s, handle=5, info=rect())
        return delete(then(s)) if then else delete(s)

    def cached(info=None, op="DRAWRECTPATCH", between=None):
        s = bound()
        drawn(s, handle=5, info=rect())
        if between:
            between(s)
        place = drawn(s, op, 5, info)
        return delete(s), place

    case(3, "cached", False, *cached())
    case(4, "redefined", True, *cached(rect()))
    case(4, "drawn-from-the-cache", False, *cached())
    case(4, "deleted-before", False, *cached(rect(), between=delete))
    case(5, "rectangle-drawn-as-triangle", True, *cached(op="DRAWTRIPATCH"))
    case(5, "rectangle-drawn-as-rectangle", False, *cached())
    case(22, "another-format", True, *cached(between=lambda s: s.op("SETVERTEXSHADER", XYZ | SPECULAR)))
    case(22, "same-format", False, *cached(between=lambda s: s.op("SETVERTEXSHADER", FORMAT)))
    case(24, "stream-is-unbound", True, *cached(between=lambda s: s.op("SETSTREAMSOURCE", (0, 0, 0))))
    case(24, "same-stream", False, *cached(between=lambda s: s.op("SETSTREAMSOURCE", (0, 4, 16))))

    s = Stream().op("RENDERSTATE", (DELETERTPATCH, 5))
    case(23, "unknown", True, s, 4)
    case(23, "0", True, Stream().op("RENDERSTATE", (DELETERTPATCH, 0)), 4)
    case(23, "cached", False, defined(), 0)
    s = bound()
    drawn(s, handle=5, info=rect())
    p.event("DP2-PATCH-026", "not-deleted", scene().dp2(s))
    p.good("DP2-PATCH-026", "deleted", scene().dp2(defined()))
    return p


def groups():
    """All groups of this file."""
    return [group() for group in (infos, tangents, segments, default_segments, cache)]


def cases():
    """Broken traces."""
    return [one for group in groups() for one in group.cases()]


def accepted():
    """Legal traces."""
    return [one for group in groups() for one in group.accepted()]
