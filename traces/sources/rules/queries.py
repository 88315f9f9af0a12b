"""Queries and their responses: DP2-QUERY."""

import struct

from ..dp2 import Stream
from ..pair_list import Pairs
from ..trace import Trace

VCACHE, EVENT, OCCLUSION, TIMESTAMP = 4, 8, 9, 10
END, BEGIN = 1, 2


class Queries(Pairs):
    """Traces with one call."""

    def one(self, number, name, stream, *offsets):
        """A broken trace where there are offsets, else a legal one."""
        t = Trace(None).target().context().dp2(stream)
        rule = f"DP2-QUERY-{number:03}"
        if offsets:
            self.stream(rule, name, t, *offsets)
        else:
            self.good(rule, name, t)


def created(kind=OCCLUSION, number=1):
    """A stream that creates a query: 12 bytes."""
    return Stream().op("CREATEQUERY", (number, kind))


def issued(*flags, kind=OCCLUSION, number=1):
    """The query is issued, one token each: the first record is at 16, the next at 28."""
    s = created(kind)
    for one in flags:
        s.op("ISSUEQUERY", (number, one))
    return s


def tokens():
    """DP2-QUERY-001 to DP2-QUERY-010."""
    q = Queries()
    q.one(1, "live-id", created().op("CREATEQUERY", (1, EVENT)), 16)
    q.one(1, "another-id", created().op("CREATEQUERY", (2, EVENT)))
    q.one(2, "issue", Stream().op("ISSUEQUERY", (2, END)), 4)
    q.one(2, "delete", created().op("DELETEQUERY", 2), 16)
    q.one(2, "known", created().op("DELETEQUERY", 1))
    for kind in (0, 3, 7, 19):
        q.one(3, f"type-{kind}", created(kind), 4)
    for kind in (4, 6, 8, 18):
        q.one(3, f"type-{kind}", created(kind))
    q.one(4, "4", issued(4), 16)
    q.one(4, "2-and-1", issued(BEGIN, END))
    q.one(5, "0", issued(0), 16)
    q.one(5, "begin", issued(BEGIN, END))
    q.one(6, "event", issued(BEGIN, kind=EVENT), 16)
    q.one(6, "timestamp", issued(BEGIN, kind=TIMESTAMP), 16)
    q.one(6, "occlusion", issued(BEGIN, END))
    q.one(7, "occlusion", issued(END), 16)
    q.one(7, "second-end", issued(BEGIN, END, END), 40)
    q.one(7, "event", issued(END, kind=EVENT))
    q.one(7, "begun-in-the-same-token", created().op("ISSUEQUERY", (1, BEGIN), (1, END)))
    q.one(8, "occlusion", issued(BEGIN | END), 16)
    q.one(8, "one-after-the-other", issued(BEGIN, END))
    q.one(9, "building", issued(BEGIN).op("DELETEQUERY", 1), 28)
    q.one(9, "ended", issued(BEGIN, END).op("DELETEQUERY", 1))
    q.one(10, "id-0", created(number=0), 4)
    q.one(10, "id-1", created(number=1))
    return q


def header(count, total, command=88):
    """A D3DHAL_DP2RESPONSE."""
    return struct.pack("<BBHI", command, 0, count, total)


def answer(data, number=1, size=None):
    """A D3DHAL_DP2RESPONSEQUERY and its data."""
    return struct.pack("<II", number, len(data) if size is None else size) + data


def group(*answers):
    """A whole group."""
    data = b"".join(answers)
    return header(len(answers), 8 + len(data)) + data


TRUE, FALSE = struct.pack("<I", 1), struct.pack("<I", 0)


def responses():
    """DP2-QUERY-009 and DP2-QUERY-011 to DP2-QUERY-016."""
    q = Queries()

    def answered(response, stream=None):
        t = Trace(None).target().context()
        return t.dp2(stream or issued(END, kind=EVENT), response=response.hex(), ddrval=0,
                     error_offset=len(response))  # fmt: skip

    def bad(number, name, *args):
        q.event(f"DP2-QUERY-{number:03}", name, answered(*args))

    def good(number, name, *args):
        q.good(f"DP2-QUERY-{number:03}", name, answered(*args))

    whole = group(answer(TRUE))
    bad(11, "command-89", header(0, 8, 89))
    bad(11, "total-size-7", header(0, 7))
    bad(11, "total-size-beyond-the-buffer", header(1, len(whole) + 1) + answer(TRUE))
    bad(11, "half-a-header", whole + bytes(4))
    good(11, "one-answer", whole)
    bad(12, "records-are-shorter", header(1, len(whole) + 4) + answer(TRUE) + bytes(4))
    bad(12, "records-are-longer", header(1, len(whole)) + answer(TRUE, size=8))
    good(12, "records-fill-the-group", whole)
    bad(13, "event-of-8-bytes", group(answer(TRUE + FALSE)))
    good(13, "event-of-4-bytes", whole)
    cache = created(VCACHE).op("ISSUEQUERY", (1, END))
    bad(13, "vcache-of-12-bytes", group(answer(bytes(12))), cache)
    good(13, "vcache-of-16-bytes", group(answer(bytes(16))), cache)
    bad(14, "not-issued", whole, created(EVENT))
    bad(14, "unknown", group(answer(TRUE, number=2)))
    good(14, "issued-in-the-call", whole)
    bad(15, "false", group(answer(FALSE)))
    good(15, "true", whole)
    bad(16, "count-1", header(1, 8, 87))
    bad(16, "size-12", header(0, 12, 87) + bytes(4))
    good(16, "empty", header(0, 8, 87))

    def again(response):
        return answered(response).dp2(issued(END, kind=EVENT, number=1).data[12:], ddrval=0)

    t = again(whole)
    t.dp2(Stream().op("DELETEQUERY", 1), ddrval=0)
    q.stream("DP2-QUERY-009", "issued", t, 4)
    t = answered(whole).dp2(Stream().op("DELETEQUERY", 1), ddrval=0)
    q.good("DP2-QUERY-009", "answered", t)
    return q


def cases():
    """Broken traces."""
    return [one for made in (tokens(), responses()) for one in made.cases()]


def accepted():
    """Legal traces."""
    return [one for made in (tokens(), responses()) for one in made.accepted()]
