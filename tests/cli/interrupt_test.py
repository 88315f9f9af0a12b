#!/usr/bin/env python3
"""Interrupts and kills the program while it writes, and looks at what it leaves.

Nothing here hangs on time: the test waits for a temporary file or folder, or for a worker, before it sends a signal.

usage: interrupt_test.py --program PATH
"""

import json
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import program_test
from events import CHANGES, IS_READ, wait_for_end, wait_until

TIMEOUT_S = 60
HEAVY_DRAWS = 40000  # blended, of 4096 x 4096 pixels: minutes of work on any machine
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def trace(colors, size=8, draws=0):
    """A trace with a frame for each colour, over which triangles are blended."""
    tokens, vertices = program_test.blended(size, draws) if draws else ([], [])
    events = program_test.beginning(size)
    for color in colors:
        events += [program_test.call([program_test.clear(color, size), *tokens], vertices), program_test.PRESENT]
    return json.dumps(events)


class Interrupt(program_test.ProgramTest):
    """Signals while the program works."""

    def start(self, *arguments, **more):
        """The program, with a standard input that stays open."""
        process = subprocess.Popen([self.program, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   cwd=self.folder, **{"env": {"PATH": ""}, **more})
        self.addCleanup(process.kill)
        return process

    def run_program(self, *arguments):
        """The program, to its end."""
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, cwd=self.folder, env={"PATH": ""}, check=False, timeout=300)

    def wait_for_temporaries(self, process, count=1):
        """Waits until the program has begun to write and there are so many; false where it ended first."""
        has_come = lambda: len(self.temporaries()) >= count
        self.assertTrue(wait_until(lambda: has_come() or process.poll() is not None, [self.folder], TIMEOUT_S))
        return has_come()

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
            process = self.start("convert", "-", "out.dp2t", "--force")
            process.stdin.write(trace(["0xFF000001"] * 20000).encode()[:-1])
            process.stdin.flush()
            self.assertTrue(self.wait_for_temporaries(process))
            process.send_signal(number)
            self.assertEqual(self.finish(process)[0], 128 + number)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_killed_writer_is_cleaned_up_behind(self):
        """The next program that writes the same file removes what is left; the files of living writers and of others stay."""
        for name in ("out.dp2t.1.tmp", "out.dp2t.999999999.tmp", "out.dp2t.999999999.00000000.tmp", "other.tmp"):
            (self.folder / name).write_bytes(b"of somebody else")
        foreign = set(self.folder.iterdir())
        text = trace(["0xFF000001"] * 20000).encode()
        living = self.start("convert", "-", "out.dp2t", "--force")
        living.stdin.write(text[:-1])
        living.stdin.flush()
        self.assertTrue(self.wait_for_temporaries(living, len(foreign) + 1))
        killed = self.start("convert", "-", "out.dp2t", "--force")
        killed.stdin.write(text[:-1])
        killed.stdin.flush()
        self.assertTrue(self.wait_for_temporaries(killed, len(foreign) + 2))
        killed.kill()
        self.finish(killed)
        self.assertEqual(len(self.temporaries()), len(foreign) + 2)
        (self.folder / "small.json").write_text(trace(["0xFF000001"]))
        self.assertEqual(self.run_program("convert", "small.json", "out.dp2t", "--force").returncode, 0)
        self.assertEqual(len(self.temporaries()), len(foreign) + 1)
        living.communicate(b"]")
        self.assertEqual(living.returncode, 0)
        self.assertEqual(set(self.folder.iterdir()) - foreign, {self.folder / "out.dp2t", self.folder / "small.json"})

    def test_a_command_that_runs(self):
        """What a command of the user started ends with the program, and nothing stays in the folder of temporary files."""
        (self.folder / "trace.json").write_text(trace(["0xFF000001"]))
        for number in SIGNALS:
            # What runs holds the pipe open, from its first line to its end.
            pipe = self.folder / "pipe"
            os.mkfifo(pipe)
            process = self.start("blame", "trace.json", "--run", f"exec 3> {pipe}; echo runs >&3; PATH=/bin:/usr/bin sleep 600; true {{draw}} {{out}}")
            with open(pipe, "rb", buffering=0) as running:
                self.assertEqual(running.readline(), b"runs\n")
                process.send_signal(number)
                self.assertEqual(self.finish(process)[0], 128 + number)
                self.assertEqual(running.read(), b"")
            pipe.unlink()
        self.assertEqual([path.name for path in self.folder.iterdir()], ["trace.json"])

    def test_a_renderer_that_runs(self):
        """The command of a check ends with it, with what it started and wrote, also where the check is killed."""
        (self.folder / "t").mkdir()
        (self.folder / "t/a.json").write_text(trace(["0xFF000001"]))
        (self.folder / "manifest.json").write_text('{"version":1,"include":["t"],"traces":[]}')
        temporary = self.folder / "temporary"
        temporary.mkdir()
        pipe = self.folder / "pipe"
        before = {path.name for path in self.folder.iterdir()}
        # Nobody is left to clean up where the whole group is killed.
        for number, to_group in (*((number, to_group) for number in SIGNALS for to_group in (False, True)), (signal.SIGKILL, False)):
            os.mkfifo(pipe)
            command = f"exec 3> {pipe}; PATH=/bin:/usr/bin; echo half > {{out}}/frame-000001.png; echo {{out}} >&3; sleep 600 & sleep 600; true {{trace}}"
            process = self.start("golden", "check", "--results", "results", "--run", command, env={"PATH": "", "TMPDIR": str(temporary)},
                                 start_new_session=True)
            with open(pipe, "rb", buffering=0) as running:
                out = pathlib.Path(running.readline().decode().strip())
                self.assertEqual((out.parent, (out / "frame-000001.png").exists()), (temporary, True))
                if to_group:
                    os.killpg(process.pid, number)
                else:
                    process.send_signal(number)
                code, errors = self.finish(process)
                self.assertEqual(code, -number if number == signal.SIGKILL else 128 + number)
                self.assertEqual("interrupted: 0 of 1 trace" in errors, number != signal.SIGKILL)
                self.assertEqual(running.read(), b"")
            self.assertTrue(wait_until(lambda: not out.exists(), [temporary], TIMEOUT_S, CHANGES))
            pipe.unlink()
        self.assertEqual({path.name for path in self.folder.iterdir()}, before)

    def test_a_folder_that_is_being_written(self):
        """A report that is interrupted is not there, and one that was there stays."""
        (self.folder / "t").mkdir()
        (self.folder / "manifest.json").write_text('{"version":1,"include":["t"],"traces":[]}')
        (self.folder / "t/a.json").write_text(trace([f"0xFF00{i:04X}" for i in range(300)]))
        self.run_program("golden", "check", "--results", "results", "--store", "store", "--keep-all")
        self.assertEqual(self.run_program("golden", "report", "results", "--store", "store", "-o", "whole").returncode, 0)
        files = lambda name: sorted(path.relative_to(self.folder / name) for path in (self.folder / name).rglob("*"))
        interrupted = 0
        for attempt in range(30):
            process = self.start("golden", "report", "results", "--store", "store", "-o", "report")
            if self.wait_for_temporaries(process):
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
                are_two = lambda: len(children.read_text().split()) == 2
                self.assertTrue(wait_until(are_two, [self.folder / "t"], TIMEOUT_S, IS_READ))
                workers = [os.pidfd_open(int(worker)) for worker in children.read_text().split()]
                if to_group:
                    os.killpg(process.pid, number)
                else:
                    process.send_signal(number)
                code, errors = self.finish(process)
                self.assertEqual(code, 128 + number)
                self.assertIn("interrupted: 0 of 2 traces were checked", errors)
                self.assertEqual({path.name for path in self.folder.iterdir()}, {"t", "manifest.json"})
                for worker in workers:
                    self.assertTrue(wait_for_end(worker, TIMEOUT_S))
                    os.close(worker)


if __name__ == "__main__":
    program_test.main("Interrupts dp2trace.")
