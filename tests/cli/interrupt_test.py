#!/usr/bin/env python3
"""Interrupts and kills the program while it writes, and looks at what it leaves.

Nothing here hangs on time: the test waits for a temporary file or folder, or for a worker, as long as TIMEOUT_S, before it sends a signal.

usage: interrupt_test.py --program PATH
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = None
TIMEOUT_S = 60
HEAVY_DRAWS = 40000  # blended, of 4096 x 4096 pixels: minutes of work on any machine
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def trace(colors, size=8, draws=0):
    """A trace with a frame for each colour, over which triangles are blended."""
    call = {"event": "dp2", "context": 1, "vertex_type": "XYZRHW|DIFFUSE", "vertex_size": 20,
            "vertices": [[x, y, 0, 1, "0x01010101"] for x, y in ((0, 0), (2 * size, 0), (0, 2 * size))]}
    states = {"CULLMODE": "NONE", "ZENABLE": "FALSE", "ALPHABLENDENABLE": 1}
    blends = [{"op": "RENDERSTATE", "records": [{"render_state": name, "state": value} for name, value in states.items()]}]
    blends += [{"op": "TRIANGLELIST", "v_start": 0}] * draws
    events = [
        {"event": "header"},
        {"event": "surface_create", "handle": 1, "kind": "target", "format": "X8R8G8B8", "width": size, "height": size},
        {"event": "context_create", "context": 1, "target": 1},
    ]
    for color in colors:
        clear = {"op": "CLEAR", "flags": ["TARGET"], "fill_color": color, "fill_depth": 1, "fill_stencil": 0, "rects": [[0, 0, size, size]]}
        events += [{**call, "commands": [clear, *(blends if draws else [])]}, {"event": "present", "handle": 1}]
    return json.dumps(events)


def is_alive(process):
    """Whether a process runs; one that nobody has waited for does not."""
    try:
        return "\nState:\tZ" not in pathlib.Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False


class Interrupt(unittest.TestCase):
    """A folder to work in."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dp2trace-interrupt-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *arguments, **more):
        """The program, with a standard input that stays open."""
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   cwd=self.folder, env={"PATH": ""}, **more)
        self.addCleanup(process.kill)
        return process

    def run_program(self, *arguments):
        """The program, to its end."""
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, cwd=self.folder, env={"PATH": ""}, check=False, timeout=300)

    def temporaries(self):
        """What lies there under temporary names."""
        return [path.name for path in self.folder.rglob("*.tmp")]

    def wait_for_temporary(self, process):
        """Waits until the program has begun to write; false where it ended first."""
        end = time.monotonic() + TIMEOUT_S
        while not self.temporaries():
            if process.poll() is not None:
                return False
            self.assertLess(time.monotonic(), end)
        return True

    def finish(self, process):
        """Exit code and messages. The program must not wait for its input."""
        try:
            process.wait(TIMEOUT_S)
            return process.returncode, process.stderr.read().decode()
        finally:
            process.communicate()

    def test_a_file_that_is_being_written(self):
        """It goes away, and the exit code tells the signal."""
        for number in SIGNALS:
            process = self.start("convert", "-", "out.dp2t")
            process.stdin.write(trace(["0xFF000001"] * 20000).encode()[:-1])
            process.stdin.flush()
            self.assertTrue(self.wait_for_temporary(process))
            process.send_signal(number)
            self.assertEqual(self.finish(process)[0], 128 + number)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_killed_writer_is_cleaned_up_behind(self):
        """The next program that writes the same file removes what is left; the files of living writers and of others stay."""
        for name in ("out.dp2t.1.tmp", "out.dp2t.999999999.tmp", "out.dp2t.999999999.00000000.tmp", "other.tmp"):
            (self.folder / name).write_bytes(b"of somebody else")
        foreign = set(self.folder.iterdir())
        text = trace(["0xFF000001"] * 20000).encode()
        living = self.start("convert", "-", "out.dp2t")
        living.stdin.write(text[:-1])
        living.stdin.flush()
        while len(self.temporaries()) == len(foreign):
            self.assertIsNone(living.poll())
        killed = self.start("convert", "-", "out.dp2t")
        killed.stdin.write(text[:-1])
        killed.stdin.flush()
        while len(self.temporaries()) < len(foreign) + 2:
            self.assertIsNone(killed.poll())
        killed.kill()
        self.finish(killed)
        self.assertEqual(len(self.temporaries()), len(foreign) + 2)
        (self.folder / "small.json").write_text(trace(["0xFF000001"]))
        self.assertEqual(self.run_program("convert", "small.json", "out.dp2t").returncode, 0)
        self.assertEqual(len(self.temporaries()), len(foreign) + 1)
        living.communicate(b"]")
        self.assertEqual(living.returncode, 0)
        self.assertEqual(set(self.folder.iterdir()) - foreign, {self.folder / "out.dp2t", self.folder / "small.json"})

    def test_a_command_that_runs(self):
        """What a command of the user started ends with the program, and nothing stays in the folder of temporary files."""
        (self.folder / "trace.json").write_text(trace(["0xFF000001"]))
        for number in SIGNALS:
            started = self.folder / "started"
            command = f"echo $$ > {started}.new; PATH=/bin:/usr/bin mv {started}.new {started}; PATH=/bin:/usr/bin sleep 600; true {{draw}} {{out}}"
            process = self.start("blame", "trace.json", "--run", command)
            end = time.monotonic() + TIMEOUT_S
            while not started.exists():
                self.assertIsNone(process.poll())
                self.assertLess(time.monotonic(), end)
            shell = int(started.read_text())
            process.send_signal(number)
            self.assertEqual(self.finish(process)[0], 128 + number)
            while is_alive(shell):
                self.assertLess(time.monotonic(), end)
            started.unlink()
        self.assertEqual([path.name for path in self.folder.iterdir()], ["trace.json"])

    def test_a_folder_that_is_being_written(self):
        """A report that is interrupted is not there, and one that was there stays."""
        (self.folder / "t").mkdir()
        (self.folder / "manifest.json").write_text('{"version":1,"include":["t"],"traces":[]}')
        (self.folder / "t/a.json").write_text(trace([f"0xFF00{i:04X}" for i in range(300)]))
        self.run_program("golden", "check", "--results", "results", "--store", "store", "--keep-all")
        self.assertEqual(self.run_program("golden", "report", "results", "--store", "store", "-o", "whole").returncode, 0)
        files = lambda name: sorted(path.relative_to(self.folder / name) for path in (self.folder / name).rglob("*"))
        interrupted = 0
        for attempt in range(60):
            process = self.start("golden", "report", "results", "--store", "store", "-o", "report")
            if self.wait_for_temporary(process):
                process.send_signal(SIGNALS[attempt % len(SIGNALS)])
            code, _ = self.finish(process)
            self.assertEqual(self.temporaries(), [])
            self.assertIn(files("report"), [files("whole")] if code == 0 else [[], files("whole")])
            interrupted += code != 0
        self.assertGreater(interrupted, 0)

    def test_a_check(self):
        """Workers end, too, and the program says what was done."""
        (self.folder / "t").mkdir()
        (self.folder / "manifest.json").write_text('{"version":1,"include":["t"],"traces":[]}')
        for name in ("a", "b"):
            (self.folder / f"t/{name}.json").write_text(trace(["0xFF000001"], size=4096, draws=HEAVY_DRAWS))
        for number in SIGNALS:
            for to_group in (False, True):
                process = self.start("golden", "check", "--results", "results", "--store", "store", "-j", "2", start_new_session=True)
                children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
                while len(children.read_text().split()) < 2:
                    self.assertIsNone(process.poll())
                workers = children.read_text().split()
                if to_group:
                    os.killpg(process.pid, number)
                else:
                    process.send_signal(number)
                code, errors = self.finish(process)
                self.assertEqual(code, 128 + number)
                self.assertIn("interrupted: 0 of 2 traces were checked", errors)
                self.assertEqual({path.name for path in self.folder.iterdir()}, {"t", "manifest.json"})
                end = time.monotonic() + TIMEOUT_S
                while any(is_alive(worker) for worker in workers):
                    self.assertLess(time.monotonic(), end)


def main():
    """Runs all tests."""
    global PROGRAM
    parser = argparse.ArgumentParser(description="Interrupts dp2trace.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to test")
    options, rest = parser.parse_known_args()
    PROGRAM = options.program.resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
