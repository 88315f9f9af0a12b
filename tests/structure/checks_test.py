#!/usr/bin/env python3
"""The checks of this folder on small trees that are wrong."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import header_circles  # noqa: E402
import test_mirror  # noqa: E402
import verb_sizes  # noqa: E402


def run(check, files):
    """Exit code and output of a check over a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            return check.main(folder), out.getvalue()


def including(*names):
    """The text of a header."""
    return "".join(f'#include "{name}"\n' for name in names)


class HeaderCircles(unittest.TestCase):
    """header_circles.py"""

    def test_headers(self):
        """Two headers of a folder."""
        files = {"lib/a/x.h": including("a/y.h"), "lib/a/y.h": including("a/x.h")}
        code, text = run(header_circles, files)
        self.assertEqual(code, 1)
        self.assertIn("a/x.h -> a/y.h -> a/x.h", text)

    def test_subfolders(self):
        """Two subfolders by way of different headers."""
        files = {
            "lib/a/b/x.h": including("a/c/y.h"),
            "lib/a/c/y.h": "",
            "lib/a/c/z.h": including("a/b/w.h"),
            "lib/a/b/w.h": "",
        }
        code, text = run(header_circles, files)
        self.assertEqual(code, 1)
        self.assertIn("a/c/z.h includes a/b/w.h", text)

    def test_none(self):
        """A header above its subfolder and one below it are no circle."""
        files = {
            "lib/a/plan.h": including("a/b/x.h"),
            "lib/a/b/x.h": including("a/math.h"),
            "lib/a/math.h": "",
        }
        self.assertEqual(run(header_circles, files), (0, ""))


class TestMirror(unittest.TestCase):
    """test_mirror.py"""

    FILES = {
        "lib/a/x.h": "",
        "tests/unit/a/x_test.cpp": "",
        "tests/unit/mirror.txt": "",
    }

    def complaint(self, **files):
        """The output for these files on top of FILES."""
        code, text = run(test_mirror, self.FILES | files)
        self.assertEqual(code, 1 if text.strip() else 0)
        return text

    def test_none(self):
        """A tree in order."""
        self.assertEqual(self.complaint().strip(), "")

    def test_folders(self):
        """A folder on one side only."""
        self.assertIn("lib has no such folder", self.complaint(**{"tests/unit/b/y_test.cpp": ""}))
        self.assertIn("no reason for it", self.complaint(**{"lib/c/z.cpp": ""}))

    def test_files(self):
        """A test of nothing, with and without a reason; a reason without a test."""
        files = {"tests/unit/a/y_test.cpp": ""}
        self.assertIn("a/y_test.cpp: lib has no such file", self.complaint(**files))
        files["tests/unit/mirror.txt"] = "a/y_test.cpp: all of a\n"
        self.assertEqual(self.complaint(**files).strip(), "")
        files = {"tests/unit/mirror.txt": "a/x_test.cpp: all of a\n"}
        self.assertIn("listed without need", self.complaint(**files))


class VerbSizes(unittest.TestCase):
    """verb_sizes.py"""

    def test_sizes(self):
        """120 lines, and one more."""
        name = "apps/dp2trace/a_command.cpp"
        self.assertEqual(run(verb_sizes, {name: "x\n" * 120})[0], 0)
        self.assertEqual(run(verb_sizes, {name: "x\n" * 121})[0], 1)


if __name__ == "__main__":
    unittest.main()
