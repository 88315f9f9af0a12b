#!/usr/bin/env python3
"""What the program writes never destroys what is not its own: special files, links, folders of others, and two programs at once.

Nothing here hangs on time: pairs of programs are started together and may meet or not; what they leave must be right in either case.

usage: outputs_test.py --program PATH
"""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import program_test

PAIRS = 30
TIMEOUT_S = 300
REFUSED = 3  # exit code: an output cannot be written


def trace(colors, zfunc=None):
    """A trace with a frame for each colour; a state that no driver knows is a finding."""
    events = program_test.beginning(8)
    for color in colors:
        events += [program_test.call([program_test.clear(color, 8), *([program_test.states(ZFUNC=zfunc)] if zfunc else [])]), program_test.PRESENT]
    return json.dumps(events)


def contents(folder):
    """Every file below a folder, with its bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Outputs(program_test.ProgramTest):
    """A folder to work in, with a trace that has an error."""

    def setUp(self):
        super().setUp()
        (self.folder / "one.json").write_text(trace(["0xFF000001"], zfunc=77))
        (self.folder / "two.json").write_text(trace(["0xFF000002"], zfunc=88))
        (self.folder / "sound.json").write_text(trace(["0xFF000003"]))

    def start(self, *arguments, **more):
        """The program."""
        # A machine of a CI does not accept pictures; here a person works.
        environment = {name: value for name, value in os.environ.items() if name != "CI"}
        return subprocess.Popen([self.program, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                cwd=self.folder, **{"env": environment, **more})

    def run_program(self, *arguments, codes=(0,)):
        """The program, to its end."""
        return self.finish(self.start(*arguments), codes)

    def finish(self, process, codes):
        """Waits for the program; returns its exit code and messages."""
        _, errors = process.communicate(timeout=TIMEOUT_S)
        self.assertIn(process.returncode, codes, errors.decode())
        return process.returncode, errors.decode()

    def pair(self, first, second, codes):
        """Two programs at once."""
        processes = [self.start(*first), self.start(*second)]
        return [self.finish(process, codes) for process in processes]

    def assert_no_temporaries(self):
        """Nothing under a temporary name."""
        self.assertEqual(self.temporaries(), [])

    def writers(self, place):
        """Command lines that write a file named *.dp2t, and their exit codes."""
        return [
            (["lint", "one.json", "--output", f"sarif={place}", "--force"], 1),
            (["convert", "one.json", place, "--force"], 0),
            (["state", "one.json", "--draw", "1", "--mesh", place, "--force"], 0),
            (["trim", "one.json", place, "--force", "--frames", "1"], 0),
        ]

    def test_devices(self):
        """A device is written, and stays: a node of its own where the test may make one, and /dev/null after a link."""
        (self.folder / "link.dp2t").symlink_to("/dev/null")
        names = ["link.dp2t"]
        try:
            os.mknod(self.folder / "null.dp2t", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            with open(self.folder / "null.dp2t", "wb"):
                names.append("null.dp2t")
        except OSError:
            pass
        for name in names:
            for command, code in self.writers(name):
                self.run_program(*command, codes=(code,))
            self.assertTrue(stat.S_ISCHR(os.stat(self.folder / name).st_mode))
            for sandbox in ("auto", "off"):
                self.run_program("lint", "one.json", "--sandbox", sandbox, "--output", f"json={name}", codes=(1,))
        self.assertTrue((self.folder / "link.dp2t").is_symlink())
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assert_no_temporaries()

    def test_pipes(self):
        """What reads a pipe gets what the file would hold."""
        self.run_program("lint", "one.json", "--output", "json=file", codes=(1,))
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for sandbox in ("auto", "off"):
            got = []
            reader = threading.Thread(target=lambda got=got: got.append(pipe.read_bytes()))
            reader.start()
            self.run_program("lint", "one.json", "--sandbox", sandbox, "--output", "json=pipe", codes=(1,))
            reader.join(TIMEOUT_S)
            self.assertEqual(got, [(self.folder / "file").read_bytes()])
            self.assertTrue(pipe.is_fifo())

    def test_standard_output_by_name(self):
        """/dev/stdout goes on where standard output is, whatever it is."""
        self.run_program("lint", "one.json", "--format", "text", "--output", "json=file", codes=(1,))
        with open(self.folder / "log", "wb") as log:
            log.write(b"first\n")
            log.flush()
            done = subprocess.run([self.program, "lint", "one.json", "--output", "json=/dev/stdout"], stdout=log, stderr=subprocess.PIPE, cwd=self.folder,
                                  check=False, timeout=TIMEOUT_S)
            self.assertEqual(done.returncode, 1, done.stderr)
        text = (self.folder / "log").read_bytes()
        self.assertTrue(text.startswith(b"first\n"))
        self.assertIn((self.folder / "file").read_bytes(), text)
        piped = subprocess.run([self.program, "lint", "one.json", "--output", "json=/dev/stdout"], capture_output=True, cwd=self.folder, check=False,
                               timeout=TIMEOUT_S)
        self.assertIn((self.folder / "file").read_bytes(), piped.stdout)

    def test_full_and_closed_outputs(self):
        """They are errors."""
        if not pathlib.Path("/dev/full").exists():
            self.skipTest("no /dev/full")
        for arguments in (["dump", "one.json"], ["info", "one.json"], ["convert", "one.json", "-"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([self.program, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=self.folder, check=False, timeout=TIMEOUT_S)
            self.assertEqual(done.returncode, REFUSED, arguments)
            self.assertIn(b"cannot write standard output: No space left on device", done.stderr)
        (self.folder / "full").symlink_to("/dev/full")
        self.run_program("lint", "one.json", "--output", "json=full", codes=(REFUSED,))

    def test_closed_standard_output(self):
        """A file that is written does not get what was meant for a closed standard output."""
        done = subprocess.run(f'"{self.program}" lint one.json --output json=out >&-', shell=True, stderr=subprocess.PIPE, cwd=self.folder, check=False,
                              timeout=TIMEOUT_S)
        self.assertEqual(done.returncode, REFUSED, done.stderr)
        self.run_program("lint", "one.json", "--output", "json=expected", codes=(1,))
        if (self.folder / "out").exists():
            self.assertEqual((self.folder / "out").read_bytes(), (self.folder / "expected").read_bytes())

    def test_links_and_permissions(self):
        """A link is followed and stays; a file that is replaced keeps its permissions."""
        (self.folder / "place").mkdir()
        (self.folder / "place/real").write_text("old")
        (self.folder / "place/real").chmod(0o600)
        (self.folder / "link").symlink_to("place/real")
        self.run_program("lint", "one.json", "--output", "json=link", "--force", codes=(1,))
        self.assertTrue((self.folder / "link").is_symlink())
        json.loads((self.folder / "place/real").read_text())
        self.assertEqual(stat.S_IMODE((self.folder / "place/real").stat().st_mode), 0o600)
        self.assert_no_temporaries()

    def test_folders_of_others(self):
        """A folder that holds anything but what an earlier run wrote is refused, and nothing in it is touched."""
        self.check_of("one.json")
        verbs = {
            "report": ["golden", "report", "results", "-o"],
            "page": ["inspect", "one.json", "--frames", "1", "-o"],
        }
        for name, command in verbs.items():
            place = self.folder / name
            (place / "work.tmp").mkdir(parents=True)
            (place / "work.tmp/thesis.txt").write_text("mine")
            _, errors = self.run_program(*command, name, codes=(REFUSED,))
            self.assertIn("work.tmp", errors)
            self.assertEqual(contents(place), {"work.tmp/thesis.txt": b"mine"})
            shutil.rmtree(place)
            self.run_program(*command, name)
            whole = contents(place)
            self.run_program(*command, name)
            self.assertEqual(contents(place), whole)
            (place / "data/mine").write_text("mine")
            _, errors = self.run_program(*command, name, codes=(REFUSED,))
            self.assertIn("data/mine", errors)
            self.assertEqual(contents(place), {**whole, "data/mine": b"mine"})
        self.assert_no_temporaries()
        (self.folder / "page/data/mine").unlink()
        _, errors = self.run_program(*verbs["report"], "page", codes=(REFUSED,))
        self.assertIn("dp2trace inspect", errors)

    def test_report_of_somebody_else(self):
        """replay deletes what its own report lists, and refuses a report.json that is none."""
        place = self.folder / "out"
        place.mkdir()
        (place / "photo.png").write_bytes(b"mine")
        (place / "report.json").write_text('{"images":[{"file":"photo.png"}]}')
        self.run_program("replay", "sound.json", "-o", "out", codes=(REFUSED,))
        self.assertEqual(contents(place)["photo.png"], b"mine")
        (place / "report.json").unlink()
        self.run_program("replay", "sound.json", "-o", "out")
        self.run_program("replay", "two.json", "-o", "out", codes=(1,))
        self.assertEqual(set(contents(place)), {"photo.png", "frame-000001.png", "report.json"})

    def check_of(self, *traces, results="results"):
        """A manifest of these traces, and the results of a check against it."""
        (self.folder / "manifest.json").write_text('{"version":1,"include":["t"],"traces":[]}')
        (self.folder / "t").mkdir(exist_ok=True)
        for name in traces:
            shutil.copy(self.folder / name, self.folder / "t" / name)
        self.run_program("golden", "check", "--results", results, "--force", codes=(0, 1))

    def test_two_reports_at_once(self):
        """The folder is one of the two, whole."""
        expected = []
        for number, name in enumerate(("one.json", "two.json")):
            shutil.rmtree(self.folder / "t", ignore_errors=True)
            self.check_of(name, results=f"results{number}")
            self.run_program("golden", "report", f"results{number}", "-o", f"expected{number}")
            expected.append(contents(self.folder / f"expected{number}"))
        self.assertNotEqual(*expected)
        for attempt in range(PAIRS):
            if attempt % 2 == 0:
                shutil.rmtree(self.folder / "report", ignore_errors=True)
            commands = [["golden", "report", f"results{number}", "-o", "report"] for number in (0, 1)]
            ends = self.pair(*commands, codes=(0, REFUSED))
            self.assertIn(0, [code for code, _ in ends])
            self.assertIn(contents(self.folder / "report"), expected)
            self.assert_no_temporaries()

    def test_two_acceptances_at_once(self):
        """The second one waits, or is refused where it cannot: nothing is lost."""
        self.check_of("one.json", "two.json")
        fresh = (self.folder / "manifest.json").read_bytes()
        for _ in range(PAIRS):
            (self.folder / "manifest.json").write_bytes(fresh)
            commands = [["golden", "accept", "--results", "results", f"t/{name}"] for name in ("one.json", "two.json")]
            ends = self.pair(*commands, codes=(0, REFUSED))
            accepted = [f"t/{name}" for (code, _), name in zip(ends, ("one.json", "two.json")) if code == 0]
            manifest = json.loads((self.folder / "manifest.json").read_text())
            self.assertEqual([trace["path"] for trace in manifest["traces"]], accepted)
            self.assertTrue(accepted)
            self.assert_no_temporaries()

    def test_two_baselines_at_once(self):
        """What both found is in the baseline, or one has refused."""
        for attempt in range(PAIRS):
            if attempt % 2 == 0:
                (self.folder / "baseline.json").unlink(missing_ok=True)
            else:
                (self.folder / "baseline.json").write_text('{"version":1,"entries":[]}')
            names = ("one.json", "two.json")
            ends = self.pair(*(["lint", name, "--baseline", "baseline.json", "--update-baseline"] for name in names), codes=(0, REFUSED))
            done = {name for (code, _), name in zip(ends, names) if code == 0}
            self.assertTrue(done)
            entries = json.loads((self.folder / "baseline.json").read_text())["entries"]
            self.assertEqual({entry["file"] for entry in entries}, done)
            self.assert_no_temporaries()

    def test_an_edit_of_the_baseline(self):
        """What a person writes while the program is at work stays, and the program says so."""
        baseline = self.folder / "baseline.json"
        edited = b'{"version":1,"entries":[]}\n\n'
        os.mkfifo(self.folder / "pipe.json")
        process = self.start("lint", "pipe.json", "--sandbox", "off", "--baseline", "baseline.json", "--update-baseline")
        with open(self.folder / "pipe.json", "wb") as pipe:  # the baseline was read before the trace is opened
            baseline.write_bytes(edited)
            pipe.write(trace(["0xFF000001"], zfunc=77).encode())
        _, errors = self.finish(process, (REFUSED,))
        self.assertIn("it was changed after it was read", errors)
        self.assertEqual(baseline.read_bytes(), edited)
        self.assert_no_temporaries()

    def test_two_replays_at_once(self):
        """The second one is refused as long as the first one writes."""
        pipe = self.folder / "pipe.json"
        os.mkfifo(pipe)
        first = self.start("replay", "pipe.json", "--sandbox", "off", "-o", "out")
        with open(pipe, "wb") as writer:
            text = trace([f"0x{number:08X}" for number in range(2000)]).encode()
            writer.write(text[:-1])
            writer.flush()
            while not list(self.folder.glob("out/frame-*")):
                self.assertIsNone(first.poll())
            _, errors = self.run_program("replay", "sound.json", "-o", "out", codes=(REFUSED,))
            self.assertIn("another program writes into this folder", errors)
            writer.write(text[-1:])
        self.finish(first, (0,))
        self.run_program("replay", "sound.json", "-o", "out")
        self.assertEqual(set(contents(self.folder / "out")), {"frame-000001.png", "report.json"})

    def test_differences_over_what_is_compared(self):
        """compare refuses to write over its inputs, and leaves no folder where nothing differs."""
        for name, source in (("a", "sound.json"), ("b", "sound.json"), ("c", "other.json")):
            (self.folder / "other.json").write_text(trace(["0xFF800000"]))
            self.run_program("replay", source, "-o", name)
        before = contents(self.folder)
        for output in ("a", "./c/"):
            self.run_program("compare", "a", "c", "-o", output, codes=(2,))
        self.run_program("compare", "a/frame-000001.png", "c/frame-000001.png", "-o", "c/frame-000001.png", codes=(2,))
        self.run_program("compare", "a", "b", "-o", "differences")
        self.assertEqual(contents(self.folder), before)
        self.assertFalse((self.folder / "differences").exists())
        self.run_program("compare", "a", "c", "-o", "differences", codes=(1,))
        self.assertEqual(set(contents(self.folder / "differences")), {"frame-000001.png"})

    def test_temporary_files_of_reduce(self):
        """They lie in a folder that nobody else may enter, and go away."""
        (self.folder / "temporary").mkdir()
        environment = {**os.environ, "TMPDIR": str(self.folder / "temporary")}
        process = self.start("reduce", "one.json", "small.json", "--force", "--keep", "finding=DP2-RS-004", env=environment)
        self.finish(process, (0,))
        self.assertEqual(list((self.folder / "temporary").iterdir()), [])


if __name__ == "__main__":
    program_test.main("Tests what dp2trace writes over.")
