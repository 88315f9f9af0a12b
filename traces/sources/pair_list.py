"""Collects broken traces and their legal twins."""

from .malformed import Case


class Pairs:
    """Traces of some rules; each is told whether it is broken where it is added."""

    def __init__(self):
        self.all = []

    def good(self, rule, name, trace):
        """A legal trace."""
        self.all.append((rule, name, trace))

    def event(self, rule, name, trace):
        """A broken trace: the finding is about its last event."""
        self.all.append(Case(rule, name, trace, [(rule, str(len(trace.events) - 1))]))

    def stream(self, rule, name, trace, *offsets):
        """A broken trace: the findings are about places in its last call."""
        event = max(i for i, one in enumerate(trace.events) if one["event"] == "dp2")
        self.all.append(Case(rule, name, trace, [(rule, f"{event}+{one:#x}") for one in offsets]))

    def cases(self):
        """The broken traces."""
        return [one for one in self.all if isinstance(one, Case)]

    def accepted(self):
        """The legal traces."""
        return [one for one in self.all if not isinstance(one, Case)]
