"""What tests of the program as a whole share: a folder to work in, small traces, and their main()."""

import argparse
import pathlib
import shutil
import sys
import tempfile
import unittest


class ProgramTest(unittest.TestCase):
    """A folder to work in."""

    program = None  # the dp2trace to test

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dp2trace-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def temporaries(self):
        """What lies there under temporary names."""
        return [path.name for path in self.folder.rglob("*.tmp")]


def clear(color, size):
    """A CLEAR token of the whole target."""
    return {"op": "CLEAR", "flags": ["TARGET"], "fill_color": color, "fill_depth": 1, "fill_stencil": 0, "rects": [[0, 0, size, size]]}


def states(**values):
    """A token that sets render states."""
    return {"op": "RENDERSTATE", "records": [{"render_state": name, "state": value} for name, value in values.items()]}


def beginning(size):
    """The events up to a context that draws into a square target."""
    return [
        {"event": "header"},
        {"event": "surface_create", "handle": 1, "kind": "target", "format": "X8R8G8B8", "width": size, "height": size},
        {"event": "context_create", "context": 1, "target": 1},
    ]


def call(commands, vertices=()):
    """An event with these tokens."""
    return {"event": "dp2", "context": 1, "vertex_type": "XYZRHW|DIFFUSE", "vertex_size": 20, "vertices": list(vertices), "commands": commands}


PRESENT = {"event": "present", "handle": 1}


def blended(size, draws):
    """The tokens that blend a triangle over the whole target so often, and its vertices."""
    vertices = [[x, y, 0, 1, "0x01010101"] for x, y in ((0, 0), (2 * size, 0), (0, 2 * size))]
    return [states(CULLMODE="NONE", ZENABLE="FALSE", ALPHABLENDENABLE=1)] + [{"op": "TRIANGLELIST", "v_start": 0}] * draws, vertices


def main(description):
    """Runs all tests of the script."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to test")
    options, rest = parser.parse_known_args()
    ProgramTest.program = options.program.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
