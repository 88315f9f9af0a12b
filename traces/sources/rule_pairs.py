"""Pairs of traces for a rule: one builder, called with a value that breaks the rule and with one that only just does not."""

from .malformed import Case

EVENT = None  # the place of a finding about a whole event


def cap(name, value):
    """A capability for the header of a trace."""
    return {"name": name, "value": value}


class Pair:
    """A builder takes one value and returns a Trace.

    `findings` are offsets in the command buffer of the last call, EVENT, or pairs (rule, offset).
    """

    def __init__(self, rule, name, build, broken, legal, *findings, event=None):
        self.rule = rule
        self.name = name
        self.build = build
        self.broken = broken
        self.legal = legal
        self.findings = findings
        self.event = event

    def case(self):
        """The trace that breaks the rule."""
        trace = self.build(self.broken)
        calls = [i for i, event in enumerate(trace.events) if event["event"] == "dp2"]
        event = calls[-1] if self.event is None else self.event
        found = [one if isinstance(one, tuple) else (self.rule, one) for one in self.findings]
        places = [(rule, f"{event}" if at is EVENT else f"{event}+{at:#x}") for rule, at in found]
        return Case(self.rule, self.name, trace.end(present=False), places)

    def twin(self):
        """The trace that does not."""
        return self.rule, self.name, self.build(self.legal).end(present=False)


def cases(pairs):
    """The broken traces."""
    return (pair.case() for pair in pairs)


def accepted(pairs):
    """The legal ones."""
    return (pair.twin() for pair in pairs)
