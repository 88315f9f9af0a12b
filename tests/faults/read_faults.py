#!/usr/bin/env python3
"""Lets each verb meet each failure to read its trace, or to write its output, once. Exit code 3 must say so, and no output may stay: neither
a part of one under the name of the whole, nor a temporary file.

The n-th call on the file fails (read_faults.c), for n from 1 until a run no longer comes that far.

usage: read_faults.py --program PATH --library PATH [--only WORD] [-v]
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "hostile"))
from mutate import is_sanitized  # noqa: E402

TRACES = pathlib.Path(__file__).resolve().parent.parent.parent / "traces"
MOST_CALLS = 200
TIMEOUT_S = 60
TIMES = re.compile(rb'"times":\{[^}]*\}')  # of reports: no two runs have the same

# {in}: the trace that fails; {twin}: the same trace under another name; {out}: the output that fails.
READERS = {
    "info": "info {in}",
    "info frames": "info {in} --frames",
    "dump": "dump {in}",
    "dump last": "dump {in} --events last",
    "lint": "lint {in} --fail-on never",
    "lint threads": "lint {in} --fail-on never -j 2",
    "lint page": "lint {in} --fail-on never --html {out}",
    "replay": "replay {in} -o {out}",
    "replay last": "replay {in} -o {out} --frames last",
    "verify": "verify {in}",
    "convert": "convert {in} {out}.dp2t",
    "convert json": "convert {in} {out}.json --blobs files",
    "trim": "trim {in} {out}.dp2t --frames 2",
    "trim last": "trim {in} {out}.json --frames last",
    "trim draws": "trim {in} {out}.dp2t --draws 2",
    "scrub": "scrub {in} {out}.dp2t",
    "scrub json": "scrub {in} {out}.json",
    "reduce": "reduce {in} {out}.dp2t --keep pixel=3,1,0000FF@1",
    "diff a": "diff {in} {twin}",
    "diff b": "diff {twin} {in}",
    "state": "state {in} --draw 2 --mesh {out}.obj",
    "state last": "state {in} --draw last",
    "history": "history {in} --frame 2 --pixel 1,1",
    "history last": "history {in} --frame last --pixel 1,1",
    "inspect": "inspect {in} --frames 2 -o {out}",
    "inspect last": "inspect {in} --frames last -o {out} --history 1,1",
    "coverage": "coverage {in} {twin} --minimal {out}.txt",
    "coverage edges": "coverage {in} --edges --minimal {out}.txt",
    "blame": "blame {in} --frame 2 --against {picture}",
    "blame draws": "blame {in} --frame 2 --against {folder}",
    "bench": "bench {in} --loop 1",
}
WRITERS = ["lint page", "convert", "convert json", "trim", "scrub", "reduce", "state", "inspect", "coverage", "replay"]

LAST_FRAME = '{"event":"dp2","context":1,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF00FF00"'
ANOTHER_DRAW = ('{"event":"dp2","context":1,"vertex_type":324,"vertex_size":28,"commands":[{"op":"TRIANGLELIST","v_start":0}],'
                '"vertices":[[1,0,0,1,"0xFFFFFF00",0,0],[4,0,0,1,"0xFFFFFF00",1,0],[1,2,0,1,"0xFFFFFF00",0,1]]},\n')


def make_inputs(checker, inputs):
    """A trace of three frames with two draws, twice in each form, and pictures that its second frame is not."""
    text = (TRACES.parent / "tests" / "cli" / "inputs" / "three-frames.json").read_text(encoding="utf-8")
    text = text.replace(LAST_FRAME, ANOTHER_DRAW + LAST_FRAME)
    for name in ("in", "twin"):
        (inputs / f"{name}.json").write_text(text, encoding="utf-8")
        checker.run(["convert", f"{name}.json", f"{name}.dp2t"], inputs)
    checker.run(["replay", "in.json", "-o", "frames", "--fail-on", "never"], inputs)
    frames = inputs / "frames"
    (frames / "report.json").unlink()
    shutil.copy(frames / "frame-000001.png", frames / "frame-000002.png")
    return {"picture": str(frames / "frame-000001.png"), "folder": str(frames)}


class Checker:
    def __init__(self, options, folder):
        self.program = str(pathlib.Path(options.program).resolve())
        self.library = str(pathlib.Path(options.library).resolve())
        self.verbose = options.verbose
        self.folder = folder
        self.runs = 0
        self.failures = []

    def run(self, words, cwd, fault=None):
        environment = dict(os.environ)
        mark = self.folder / "mark"
        mark.unlink(missing_ok=True)
        if fault:
            path, kind, number = fault
            environment |= {"LD_PRELOAD": self.library, "DP2TRACE_FAULT_PATH": path, "DP2TRACE_FAULT_KIND": kind,
                            "DP2TRACE_FAULT_AT": str(number), "DP2TRACE_FAULT_MARK": str(mark)}
        self.runs += 1
        done = subprocess.run([self.program, *words], cwd=cwd, env=environment, capture_output=True, text=True,
                              timeout=TIMEOUT_S, check=False)
        return done, mark.exists() and mark.stat().st_size != 0

    def empty_folder(self):
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        return work

    @staticmethod
    def files(folder):
        return {str(path.relative_to(folder)): TIMES.sub(b"", path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()}

    def fail(self, name, message):
        self.failures.append(f"{name}: {message}")
        print(self.failures[-1], flush=True)

    def check(self, name, words, inputs, path, kind):
        """Returns how many calls were there to fail."""
        work = self.empty_folder()
        done, _ = self.run(words, work)
        if done.returncode not in (0, 1):
            self.fail(name, f"exit code {done.returncode} without a fault: {done.stderr}")
            return 0
        expected = self.files(work)
        before = self.files(inputs)
        for number in range(1, MOST_CALLS):
            work = self.empty_folder()
            done, is_reached = self.run(words, work, (path, kind, number))
            if not is_reached:
                return number - 1
            where = f"{name}, call {number} that would {kind} {path}"
            if done.returncode != 3:
                self.fail(where, f"exit code {done.returncode}: {done.stderr}")
            elif not done.stderr:
                self.fail(where, "not a word")
            self.check_files(where, work, expected, kind)
            if self.files(inputs) != before:
                self.fail(where, "an input was changed")
        self.fail(name, f"more than {MOST_CALLS} calls")
        return MOST_CALLS

    def check_reached(self, where, trace):
        done, _ = self.run(["info", str(trace)], self.folder)
        if done.returncode != 0:
            self.fail(where, f"{trace.name} is left, and is not whole: {done.stderr}")

    def check_files(self, where, work, expected, kind):
        for path, content in self.files(work).items():
            if path.endswith("report.json") and b'"complete":false' in content:
                continue
            if path not in expected:
                self.fail(where, f"{path} is left")
            elif where.startswith("reduce") and kind == "write":
                self.check_reached(where, work / path)  # each stage leaves what it reached
            elif content != expected[path]:
                self.fail(where, f"{path} is left, and is not the whole")
            elif kind == "read" and not path.startswith("out/") and ".blobs/" not in path:
                self.fail(where, f"{path} is left")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    if is_sanitized(pathlib.Path(options.program)):
        print("the program has a sanitizer, which takes no library before its own")
        return 77
    with tempfile.TemporaryDirectory(prefix="dp2trace-faults-") as name:
        folder = pathlib.Path(name)
        inputs = folder / "inputs"
        inputs.mkdir()
        checker = Checker(options, folder)
        places = make_inputs(checker, inputs)
        for form in ("dp2t", "json"):
            trace = str(inputs / f"in.{form}")
            for title, words in READERS.items():
                if options.only not in title:
                    continue
                command = words.format(**places, **{"in": trace, "twin": str(inputs / f"twin.{form}"), "out": str(folder / "work" / "out")}).split()
                calls = checker.check(f"{title} of .{form}", command, inputs, f"/in.{form}", "read")
                if calls == 0:
                    checker.fail(title, "reads nothing")
                if options.verbose:
                    print(f"{title} of .{form}: {calls} reads")
                if form == "dp2t" and title in WRITERS:
                    calls = checker.check(title, command, inputs, "/work/out", "write")
                    if options.verbose:
                        print(f"{title}: {calls} writes")
        print(f"{checker.runs} runs, {len(checker.failures)} failures")
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
