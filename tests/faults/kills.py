#!/usr/bin/env python3
"""Kills programs that write, at random moments. What they were to write is then as it was before, or whole; nothing else has changed, and the
next program takes away what the killed one left under temporary names.

usage: kills.py --program PATH [--count N | --forever] [--seed N]
"""

import argparse
import itertools
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from program_test import PRESENT, beginning, call, clear, states

TIMEOUT_S = 300
COLORS = ["0xFF000001", "0xFF808080"] * 200


def trace(zfunc):
    """Some hundred frames, and a finding."""
    frames = [[call([clear(color, 16)]), PRESENT] for color in COLORS]
    return json.dumps(beginning(16) + [call([states(ZFUNC=zfunc)])] + list(itertools.chain(*frames)))


def contents(folder):
    """Every file that has its name, with its bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and ".tmp" not in path.relative_to(folder).as_posix()}


class Case:
    """A command line, and the folder as it finds it."""

    def __init__(self, program, before, words):
        self.program, self.before, self.words = program, before, words
        with tempfile.TemporaryDirectory(prefix="dp2trace-kills-") as folder:
            start = time.monotonic()
            self.run(self.copy(folder)).communicate(timeout=TIMEOUT_S)
            self.seconds = time.monotonic() - start
            self.after = contents(self.place(folder))

    @staticmethod
    def place(folder):
        return pathlib.Path(folder) / "work"

    def copy(self, folder):
        """The folder as the program finds it."""
        shutil.copytree(self.before, self.place(folder))
        return self.place(folder)

    def run(self, place):
        return subprocess.Popen([self.program, *self.words], cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, env={"PATH": ""})

    def kill(self, moment):
        """What is wrong after a kill after so many seconds, or None."""
        with tempfile.TemporaryDirectory(prefix="dp2trace-kills-") as folder:
            place = self.copy(folder)
            before = contents(place)
            process = self.run(place)
            time.sleep(moment)
            process.kill()
            process.communicate(timeout=TIMEOUT_S)
            found = contents(place)
            torn = [name for name in {*found, *before} if found.get(name) not in (before.get(name), self.after.get(name))]
            if torn:
                return f"{torn} neither as before nor whole"
            self.run(place).communicate(timeout=TIMEOUT_S)
            if found == before and contents(place) != self.after:
                return "the next program makes something else of it"
            if left := [path.name for path in place.rglob("*.tmp")]:
                return f"{left} stays behind"
        return None


def prepare(program, folder):
    """Traces, a manifest, results and a baseline."""
    (folder / "t").mkdir(parents=True)
    for name, zfunc in (("one", 77), ("two", 88)):
        (folder / "t" / f"{name}.json").write_text(trace(zfunc))
    (folder / "manifest.json").write_text('{"version":1,"include":["t"],"traces":[]}')
    for words in (["golden", "check", "--results", "results", "--force", "--store", "store", "--keep-all"], ["lint", "t/one.json", "--baseline", "baseline", "--update-baseline"]):
        subprocess.run([program, *words], cwd=folder, check=False, capture_output=True, env={"PATH": ""})


COMMANDS = [
    ["convert", "t/one.json", "t/out.dp2t", "--force"],
    ["trim", "t/one.json", "out.json", "--force", "--frames", "200"],
    ["scrub", "t/one.json", "out.dp2t", "--force"],
    ["lint", "t", "--output", "sarif=out.sarif", "--output", "json=out.json"],
    ["lint", "t", "--baseline", "baseline", "--update-baseline"],
    ["golden", "accept", "--results", "results", "--store", "store"],
    ["golden", "report", "results", "--store", "store", "-o", "report"],
    ["inspect", "t/one.json", "--frames", "5", "-o", "page"],
]


def main():
    """Kills, and says what is wrong."""
    parser = argparse.ArgumentParser(description="Kills programs that write.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to test")
    parser.add_argument("--count", type=int, default=40, help="kills (40)")
    parser.add_argument("--forever", action="store_true", help="go on until something is wrong")
    parser.add_argument("--seed", type=int, default=1, help="of commands and moments (1)")
    options = parser.parse_args()
    generator = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="dp2trace-kills-") as folder:
        before = pathlib.Path(folder) / "before"
        prepare(options.program.resolve(), before)
        cases = [Case(options.program.resolve(), before, words) for words in COMMANDS]
        for number in itertools.count() if options.forever else range(options.count):
            case = cases[number % len(cases)]
            moment = generator.random() * case.seconds * 1.2
            if problem := case.kill(moment):
                print(f"kill {number}: {' '.join(case.words)} after {moment:.4f} s: {problem}")
                return 1
            if number % 100 == 99:
                print(f"{number + 1} kills, nothing wrong", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
