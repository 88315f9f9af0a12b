#!/usr/bin/env python3
"""Finds circles between the headers of lib.

A circle is a header that includes itself by way of others, or two subfolders whose headers include
each other: a subfolder counts as one thing, a header that stands directly in a folder of lib for
itself. Layers between folders are enforced by link lines.

usage: header_circles.py SOURCE_DIR
exit code: 0 none, 1 there are some
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include "([^"]+\.h)"', re.MULTILINE)


def includes(lib):
    """Header -> headers of lib that it includes, as paths below lib."""
    found = {}
    for path in sorted(lib.rglob("*.h")):
        name = path.relative_to(lib).as_posix()
        named = INCLUDE.findall(path.read_text(encoding="utf-8"))
        found[name] = [other for other in named if (lib / other).is_file()]
    return found


def place_of(header):
    """What a header counts as: its subfolder, or itself where it has none."""
    parts = header.split("/")
    return "/".join(parts[:-1]) if len(parts) > 2 else header


def between_places(headers):
    """Place -> places that its headers include."""
    graph = {}
    for header, others in headers.items():
        here = graph.setdefault(place_of(header), set())
        here.update(place_of(other) for other in others)
    return {place: sorted(others - {place}) for place, others in graph.items()}


def circles(graph):
    """The circles of a graph, each as a list of its nodes; none twice."""
    done, found = set(), []

    def visit(node, path):
        if node in path:
            found.append(path[path.index(node) :] + [node])
            return
        if node in done:
            return
        for other in graph.get(node, []):
            visit(other, [*path, node])
        done.add(node)

    for node in sorted(graph):
        visit(node, [])
    return found


def main(source):
    """Prints what it finds."""
    headers = includes(pathlib.Path(source) / "lib")
    if not headers:
        raise SystemExit(f"{source}/lib has no headers")
    found = circles(headers)
    if not found:
        found = circles(between_places(headers))
    for circle in found:
        print("a circle: " + " -> ".join(circle))
        for here, there in zip(circle, circle[1:]):
            for header, others in headers.items():
                for other in others:
                    if (place_of(header), place_of(other)) == (here, there):
                        print(f"    {header} includes {other}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
