#!/usr/bin/env python3
"""Tests `dp2trace golden check --run` and `--pictures`: another renderer is judged by the pictures of the reference.

usage: own_renderer_test.py --program PATH [unittest arguments]
"""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import program_test
from golden_test import GoldenTest, run, trace

GOOD = trace(["0xFF102030"])
NEAR = trace(["0xFF112030"])
FAR = trace(["0xFF302010"])


def edge(right, refused=()):
    """A trace with a rectangle whose right edge is at `right`."""
    rectangle = {**program_test.clear("0xFFFF0000", 32), "rects": [[2, 2, right, 26]]}
    tokens = [program_test.clear("0xFF102030", 32), rectangle, *refused]
    return json.dumps(program_test.beginning(32) + [{"event": "dp2", "context": 1, "commands": tokens}, program_test.PRESENT])


# A program that draws other traces than it is given, dies, hangs or draws nothing, by the name of the trace.
RENDERER = """#!/bin/sh
case $1 in
  */dies.json) kill -KILL $$;;
  */hangs.json) sleep 600;;
  */fails.json) echo "loads $1 into $2"; echo "no \033[1mdevice" >&2; exit 3;;
  */more.json) PROGRAM replay "$1" -o "$2" > /dev/null; cp "$2/frame-000001.png" "$2/frame-000002.png"; cp "$2/frame-000001.png" "$2/frame-2.png"; exit 0;;
  */greedy.json) ulimit -v 600000; exec python3 -c 'a = [bytes(1 << 20) + b"x" for i in iter(int, 1)]';;
  */empty.json) exit 0;;
  */daemon.json) (setsid sleep 4 > /dev/null 2>&1 < /dev/null &);;
esac
exec PROGRAM replay "OTHER/${1##*/}" -o "$2" > /dev/null
"""


class OwnRenderer(GoldenTest):
    """A manifest whose traces are all GOOD, and a program that draws what lies in a folder of other traces."""

    def setUp(self):
        super().setUp()
        self.other = self.folder / "other"
        self.other.mkdir()
        self.script = self.folder / "renderer"
        text = RENDERER.replace("PROGRAM", str(program_test.ProgramTest.program)).replace("OTHER", str(self.other))
        self.script.write_text(text)
        self.script.chmod(self.script.stat().st_mode | stat.S_IXUSR)
        self.own = ["--run", f"{self.script} {{trace}} {{out}}"]

    def give(self, **others):
        """Traces of the manifest by name, each with what the other renderer draws."""
        self.accepted(**{name: GOOD for name in others})
        for name, text in others.items():
            (self.other / f"{name}.json").write_text(text)

    def judge(self, *arguments, own=None):
        """Judges the other renderer, which finds the tools of the system."""
        return self.check(*(own or self.own), *arguments, environment={"PATH": os.environ["PATH"]})

    def test_statuses(self):
        """Each way in which a renderer can fail has its status; the cause of a difference is named."""
        self.give(right=GOOD, wrong=FAR, near=NEAR, dies=GOOD, hangs=GOOD, fails=GOOD, empty=GOOD, more=GOOD)
        done = self.judge("--timeout", "2")
        self.assertEqual(done.returncode, 1, done.stderr)
        results = self.read_results()
        statuses = {name: result["status"] for name, result in results.items()}
        self.assertEqual(statuses, {"right": "match", "wrong": "differ", "near": "differ", "dies": "crash", "hangs": "time-out",
                                    "fails": "render-error", "empty": "missing", "more": "new"})
        self.assertEqual(results["more"]["message"], "frame 2 is new")
        self.assertEqual(results["empty"]["message"], "frame 1 is missing; the command wrote no {out}/frame-000001.png")
        self.assertEqual([(image["sequence"], image["status"]) for image in results["more"]["images"]], [(1, "match"), (2, "new")])
        self.assertEqual(results["fails"]["message"], "the command ended with 3")
        self.assertEqual(results["dies"]["message"], "the command ended with 137 (SIGKILL)")
        picture = results["wrong"]["images"][0]
        self.assertEqual(picture["difference"]["first"], {"x": 0, "y": 0, "expected": "#ff102030", "actual": "#ff302010"})
        self.assertEqual(picture["last_writer"]["operation"], "CLEAR")
        self.assertNotIn("to accept", done.stderr)

    def test_processes_that_stay(self):
        """A process that a command leaves is not waited for; the message of a limit has the time that was given."""
        self.give(daemon=GOOD, hangs=GOOD)
        self.judge("--timeout", "1")
        results = self.read_results()
        self.assertEqual({name: (result["status"], result.get("message")) for name, result in results.items()},
                         {"daemon": ("match", None), "hangs": ("time-out", "the command took more than 1 s")})

    def test_output(self):
        """What a command printed is below its trace where that fails, without what differs from run to run; and in the forms."""
        self.give(fails=GOOD, right=GOOD)
        done = self.judge()
        printed = "loads {trace} into {out}\\nno \\u001b[1mdevice"
        self.assertIn("render-error: t/fails.json: the command ended with 3\n    loads {trace} into {out}\n    no \\u001b[1mdevice\n", done.stdout)
        self.assertNotIn("device", done.stderr)
        results = self.read_results()
        self.assertEqual(results["fails"]["output"], printed.replace("\\n", "\n"))
        self.assertNotIn("output", results["right"])
        done = run("report", self.results, "--output", "junit=-")
        self.assertIn("<system-out>loads {trace} into {out}\nno \\u001b[1mdevice</system-out></testcase>", done.stdout)

    def test_memory(self):
        """A command that had much of its memory says so."""
        self.give(greedy=GOOD)
        self.judge("--max-worker-memory", "512M")
        result = self.read_results()["greedy"]
        self.assertEqual((result["status"], result["message"]),
                         ("render-error", "the command ended with 1; it had more than half of its limit of 512 MiB of memory"))
        self.assertIn("MemoryError", result["output"])

    def test_no_command(self):
        """A command that is not there is said once."""
        self.give(a=GOOD, b=GOOD)
        done = self.judge(own=["--run", "no-such-renderer {trace} {out}"])
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertRegex(done.stderr, r"^--run: error: the shell cannot run the command \(exit code 127\): .*no-such-renderer.* \[IO-002\]\n$")
        # One that ends so by itself is a result, after the first trace.
        self.judge(own=["--run", "case {trace} in *b.json) exit 127;; esac; true {out}"])
        self.assertEqual({name: result["status"] for name, result in self.read_results().items()}, {"a": "missing", "b": "render-error"})

    def test_explanation(self):
        """The draw whose edge lies elsewhere is named, not the one below it; and so is a draw that the reference refused."""
        refused = [{"op": "SETVERTEXSHADERDECL", "records": [{"handle": 16}]},
                   {"op": "DRAWPRIMITIVE", "records": [{"prim_type": "TRIANGLELIST", "v_start": 0, "primitive_count": 1}]}]
        self.accepted(edge=edge(20, refused))
        (self.other / "edge.json").write_text(edge(21))
        self.judge()
        result = self.read_results()["edge"]
        self.assertRegex(result["message"], r"largest difference 239; diagnosis: edges lie half a pixel off, to the right, the first of draw 2 "
                         r"\(event 3, CLEAR\); draw 3 was not drawn \(DP2-FVF-001\): DRAWPRIMITIVE")
        self.assertEqual((result["images"][0]["last_writer"]["draw"], result["images"][0]["edge_draw"]["draw"]), (1, 2))

    def test_spaces(self):
        """Paths with spaces are one word each, with quotes around them or without."""
        self.give(**{"a b": GOOD})
        for places in ("{trace} {out}", "\"{trace}\" '{out}'"):
            self.judge("--force", own=["--run", f"{self.script} {places}"])
            self.assertEqual(self.read_results()["a b"]["status"], "match", places)

    def test_tolerance(self):
        """It comes from the command line or, with a day, from the manifest; the results say what was judged, and are not accepted."""
        self.give(near=NEAR, wrong=FAR)
        self.assertEqual(self.judge().returncode, 1)
        self.judge("--tolerance", "1")
        self.assertEqual({name: result["status"] for name, result in self.read_results().items()}, {"near": "match", "wrong": "differ"})
        self.judge("--max-pixels", "64")
        self.assertEqual({result["status"] for result in self.read_results().values()}, {"match"})
        self.edit("near", tolerance={"value": 1, "reason": "rounding", "expires": "2027-01-31"})
        self.edit("wrong", tolerance={"value": 255, "reason": "not done", "expires": "2027-01-14"})
        self.judge()
        self.assertEqual({name: result["status"] for name, result in self.read_results().items()}, {"near": "match", "wrong": "expired"})
        self.assertEqual(self.check().returncode, 0)  # the reference needs no tolerance
        self.judge()
        self.assertEqual(json.loads(self.results.read_text().splitlines()[0])["judged"], self.own[1])
        refused = self.accept()
        self.assertEqual(refused.returncode, 3)
        self.assertIn("another renderer", refused.stderr)

    def test_pictures(self):
        """A folder of pictures does as well, in a sandbox; one that is damaged or of another size is no match."""
        self.give(right=GOOD, wrong=FAR, large=trace(["0xFF102030"], size=16), damaged=GOOD, absent=GOOD)
        pictures = self.folder / "pictures" / "t"
        for name in ("right", "wrong", "large", "damaged"):
            out = pictures / f"{name}.json"
            out.mkdir(parents=True)
            done = subprocess.run([str(program_test.ProgramTest.program), "replay", str(self.other / f"{name}.json"), "-o", str(out)],
                                               capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        (pictures / "damaged.json" / "frame-000001.png").write_bytes(b"no picture")
        self.judge(own=["--pictures", self.folder / "pictures"])
        results = self.read_results()
        self.assertEqual({name: result["status"] for name, result in results.items()},
                         {"right": "match", "wrong": "differ", "large": "differ", "damaged": "render-error", "absent": "missing"})
        self.assertEqual(results["absent"]["message"], f"frame 1 is missing; there is no {pictures}/absent.json/frame-000001.png")
        self.assertNotEqual(*(results["large"]["images"][0]["difference"][size] for size in ("expected_size", "actual_size")))

    def test_features(self):
        """A page says which operations the renderer got right."""
        self.give(right=GOOD, wrong=FAR, dies=GOOD)
        self.judge()
        table = self.folder / "features.json"
        done = run("report", self.results, "--manifest", self.manifest, "--features", table)
        self.assertEqual(done.returncode, 0, done.stderr)
        operations = {row["name"]: row for row in json.loads(table.read_text())["operations"]}
        self.assertEqual(operations["CLEAR"]["support"], "partly")
        self.assertEqual((operations["CLEAR"]["right"], operations["CLEAR"]["wrong"], operations["CLEAR"]["crashed"]), (1, 1, 1))
        # A failure that is expected is one all the same.
        self.edit("wrong", expected_fail={"reason": "not done", "expires": "2027-01-31"})
        self.judge()
        self.assertEqual(self.read_results()["wrong"]["status"], "expected-fail")
        self.assertEqual(run("report", self.results, "--manifest", self.manifest, "--features", table, "--force").returncode, 0)
        operations = {row["name"]: row for row in json.loads(table.read_text())["operations"]}
        self.assertEqual((operations["CLEAR"]["right"], operations["CLEAR"]["wrong"]), (1, 1))
        shutil.rmtree(self.folder / "t")
        self.assertEqual(run("report", self.results, "--manifest", self.manifest, "--features", table, "--force").returncode, 3)

    def test_suite(self):
        """The traces that come with the program need no manifest; the reference gets all of them right."""
        done = run("check", "--suite", "basic", "--results", self.results)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(len(self.read_results()), 100)
        table = self.folder / "features.md"
        self.assertEqual(run("report", self.results, "--suite", "basic", "--features", table).returncode, 0)
        self.assertIn("| DRAWPRIMITIVE | supported |", table.read_text())
        # A name that is printed names the trace, and forms have its place in the project.
        done = run("check", "features/clear-rectangles.json", "--suite", "basic", "--run", "false {trace} {out}", "--results", self.results, "--force", cwd=HERE.parents[1])
        self.assertEqual((done.returncode, done.stdout.split(":")[1]), (1, " features/clear-rectangles.json"), done.stderr)
        done = run("report", self.results, "--suite", "basic", "--output", "gitlab=-", cwd=HERE.parents[1])
        self.assertEqual([entry["location"]["path"] for entry in json.loads(done.stdout)], ["traces/features/clear-rectangles.json"])
        # Elsewhere SARIF names the folder of the traces once.
        for folder, place in ((HERE.parents[1], ("traces/features/clear-rectangles.json", "%SRCROOT%")), (self.folder, ("features/clear-rectangles.json", "%TRACES%"))):
            done = run("report", self.results, "--suite", "basic", "--output", "sarif=-", cwd=folder)
            log = json.loads(done.stdout)["runs"][0]
            artifact = log["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
            self.assertEqual((artifact["uri"], artifact["uriBaseId"]), place)
            self.assertIn(artifact["uriBaseId"], log["originalUriBaseIds"])

    def test_times(self):
        """JUnit has the times that a check wrote."""
        self.give(right=GOOD)
        times = self.folder / "times"
        self.check("--times", times)
        times.write_text(json.dumps({"version": 1, "milliseconds": {key: 1250 for key in json.loads(times.read_text())["milliseconds"]}}))
        out = self.folder / "golden.xml"
        self.assertEqual(run("report", self.results, "--durations", times, "--output", f"junit={out}").returncode, 0)
        self.assertIn('name="t/right.json" classname="golden" time="1.250"/>', out.read_text())

    def test_usage(self):
        """Tolerances need another renderer, and there is one of them; a suite is a manifest."""
        self.give(right=GOOD)
        self.assertEqual(self.check("--suite", "basic").returncode, 2)
        self.assertEqual(self.check("--tolerance", "1").returncode, 2)
        self.assertEqual(self.judge("--pictures", self.folder).returncode, 2)
        for own, message in ((["--run", "draw {outt} {trace}"], "--run has {outt}; the places are {trace} and {out}"),
                             (["--run", "draw {out} {trace} {size}"], "--run has {size}; the places are {trace} and {out}"),
                             (["--run", "draw {trace}"], "--run needs {trace} and {out}: {out} is missing"),
                             (["--run", "draw {out}"], "--run needs {trace} and {out}: {trace} is missing"),
                             (["--pictures", self.folder / "none"], f"--pictures: there is no folder {self.folder / 'none'}")):
            done = self.judge(own=own)
            self.assertEqual((done.returncode, done.stderr.splitlines()), (2, [f"dp2trace: error: {message}"]))


if __name__ == "__main__":
    program_test.main(__doc__)
