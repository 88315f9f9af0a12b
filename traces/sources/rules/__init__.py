"""Traces that break one rule each, and their legal twins: one module a topic, found by its name.

A module has cases(), which yields malformed.Case objects, and accepted(), which yields (rule, name, Trace).
The twin differs from the broken trace in the one thing that the rule is about.
"""

import importlib
import pkgutil


def _modules():
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]


def cases():
    """The broken traces of all topics."""
    for module in _modules():
        yield from module.cases()


def accepted():
    """The legal traces of all topics."""
    for module in _modules():
        yield from module.accepted()
