#!/usr/bin/env python3
"""The checks of this folder on small trees that are wrong."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import citations  # noqa: E402
import folder_rows  # noqa: E402
import header_circles  # noqa: E402
import modelled_states  # noqa: E402
import os_only  # noqa: E402
import read_caps  # noqa: E402
import test_mirror  # noqa: E402
import verb_sizes  # noqa: E402
import words  # noqa: E402


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


class Citations(unittest.TestCase):
    """citations.py"""

    PAGE = "# 3 Draws\n\n## 3.1 Lists\n\n| L5 | a fact |\n"

    def test_places_that_are_there(self):
        """Headings, their parents and rows of tables."""
        files = {"lib/a/page.md": self.PAGE, "lib/a/x.h": "// Source: lib/a/page.md 3 and 3.1; lib/a/page.md L5.\n"}
        self.assertEqual(run(citations, files), (0, ""))

    def test_places_that_are_not(self):
        """A section, a page and a document that nobody can open."""
        text = "// lib/a/page.md 3.1 to 3.2\n// lib/b/page.md 1\n// DP2 specification, 3\n"
        code, words = run(citations, {"lib/a/page.md": self.PAGE, "lib/a/x.h": text})
        self.assertEqual(code, 1)
        self.assertIn("lib/a/x.h:1: lib/a/page.md has no section 3.2", words)
        self.assertIn("lib/a/x.h:2: lib/b/page.md does not exist", words)
        self.assertIn("lib/a/x.h:3: 'DP2 specification' is not", words)


class OsOnly(unittest.TestCase):
    """os_only.py"""

    def test_the_system_in_its_folder(self):
        """lib/os may do all of it, and what is not a path may be a string."""
        text = "#include <unistd.h>\n#ifdef _WIN32\nfs::path(text).string();\n"
        self.assertEqual(run(os_only, {"lib/os/x.cpp": text, "lib/a/x.cpp": "node.string();\n", "apps/a/x.cpp": ""}), (0, ""))

    def test_the_system_elsewhere(self):
        """A header, a macro, and both ways between path and text."""
        text = "#include <sys/stat.h>\n#if defined(_WIN32)\nfs::path(text);\nentry->path().filename().string();\n"
        code, words = run(os_only, {"lib/a/x.cpp": text, "apps/a/x.h": "#include <windows.h>\n"})
        self.assertEqual(code, 1)
        self.assertEqual(len(words.splitlines()), 5)


class ModelledStates(unittest.TestCase):
    """modelled_states.py"""

    def tree(self, ignored, code):
        """A tree with two render states, the names of those that are ignored, and a file that draws."""
        row = 'DP2TRACE_IGNORED_STATE(RenderState, {}, 0, "why")\n'
        return {
            "lib/d3d/render_states.def": "DP2TRACE_RENDER_STATE(ZEnable, 7,)\nDP2TRACE_RENDER_STATE(MonoEnable, 11,)\n",
            "lib/d3d/texture_stage_states.def": "DP2TRACE_TEXTURE_STAGE_STATE(ColorOp, 1,)\n",
            "lib/d3d/ignored_states.def": "".join(row.format(name) for name in ignored),
            "lib/d3d/legacy_states.cpp": "",
            "lib/raster/x.cpp": "Tss::ColorOp;" + code,
        }

    def test_tables_that_are_right(self):
        """A state that is read, and one that is not and has a row."""
        self.assertEqual(run(modelled_states, self.tree(["MonoEnable"], "RenderState::ZEnable")), (0, ""))

    def test_tables_that_are_wrong(self):
        """A state that nothing reads without a row, and a row for one that is read."""
        code, words = run(modelled_states, self.tree(["ZEnable"], "RenderState::ZEnable"))
        self.assertEqual(code, 1)
        self.assertIn("ZEnable is read", words)
        self.assertIn("nothing reads MonoEnable", words)


class ReadCaps(unittest.TestCase):
    """read_caps.py"""

    def tree(self, rules, code):
        """A tree with one member, its rules, and a file that reads members."""
        why = "" if rules else "no"
        return {
            "lib/d3d/caps.def": f'DP2TRACE_CAP(ZCmpCaps, "z_cmp_caps", kHex,  "ZCmpCaps", "{rules}", "{why}")\n',
            "lib/rules/x.def": 'DP2TRACE_RULE(kA, "DP2-CAPS-001", kError)\n',
            "lib/validate/x.cpp": code,
        }

    def test_a_table_that_is_right(self):
        """A member that its rule reads."""
        self.assertEqual(run(read_caps, self.tree("DP2-CAPS-001", "Cap::ZCmpCaps")), (0, ""))

    def test_tables_that_are_wrong(self):
        """A rule that does not read, a rule that is not there, a member without its rule."""
        self.assertIn("nothing reads ZCmpCaps", run(read_caps, self.tree("DP2-CAPS-001", ""))[1])
        self.assertIn("there is no rule DP2-X-001", run(read_caps, self.tree("DP2-X-001", "Cap::ZCmpCaps"))[1])
        code, words = run(read_caps, self.tree("", "Cap::ZCmpCaps"))
        self.assertEqual(code, 1)
        self.assertIn("ZCmpCaps is read", words)
        self.assertIn("no member names DP2-CAPS-001", words)


class FolderRows(unittest.TestCase):
    """folder_rows.py"""

    def test_folders_and_rows(self):
        """A folder without a row, and a row without a folder."""
        page = "# Library\n\n## Layers\n\n| `a` | - | |\n| `c` | - | |\n\n## Life\n"
        code, words = run(folder_rows, {"lib/README.md": page, "lib/a/CMakeLists.txt": "", "lib/b/CMakeLists.txt": ""})
        self.assertEqual(code, 1)
        self.assertIn("lib/b has no row", words)
        self.assertIn("there is no lib/c", words)
        self.assertNotIn("lib/a", words)


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


class Words(unittest.TestCase):
    """words.py"""

    PAGE = "| not | but | fine |\n| --- | --- | --- |\n| `is no` | is not a | `there is no` |\n| `mend` | fix | |\n\n"

    def test_words_that_are_fine(self):
        """What the table allows, code in a document, names, keys and comments of code."""
        files = {
            "lib/style.md": self.PAGE,
            "lib/a/x.cpp": 'Report("there is no frame 3");\n// it is no matter\nobject.Add("mend", amend);\n',
            "README.md": "`mend` is a name.\n```\nit is no verb\n```\n",
        }
        self.assertEqual(run(words, files), (0, ""))

    def test_words_that_are_refused(self):
        """In a message, a rule and a document."""
        files = {
            "lib/style.md": self.PAGE,
            "lib/a/x.cpp": 'Report(\n    "Frame 3 is no frame");\n',
            "lib/rules/x.def": 'RULE("Mend it.")\n',
            "README.md": "Nothing to mend.\n",
        }
        code, output = run(words, files)
        self.assertEqual(code, 1)
        self.assertIn("lib/a/x.cpp:2: 'is no' is refused", output)
        self.assertIn("lib/rules/x.def:1: 'Mend' is refused", output)
        self.assertIn("README.md:1: 'mend' is refused", output)

    def test_no_table(self):
        """Without its table the check fails."""
        self.assertEqual(run(words, {"lib/style.md": "# Style\n"})[0], 1)


if __name__ == "__main__":
    unittest.main()
