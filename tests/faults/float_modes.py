#!/usr/bin/env python3
"""Pictures and findings are the same whatever the control of floating point is when the program and its threads start.

usage: float_modes.py --program PATH --library PATH --traces FOLDER
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

MODES = ("up", "down", "zero", "flush", "trap", "single")


def outputs(command, environment):
    """The exit code, and what the program prints and writes."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, check=False)
        files = sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())
        return run.returncode, run.stdout, run.stderr, [(path.name, path.read_bytes()) for path in files]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--traces", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    preload = {"LD_PRELOAD": arguments.library}
    if subprocess.run([arguments.program, "--version"], env={**os.environ, **preload}, capture_output=True, check=False).returncode != 0:
        print("skipped: the program does not run with another library (sanitizers)")
        return 77
    scenes = sorted(str(path) for path in (arguments.traces / "scenes").resolve().glob("*.json"))
    commands = [[arguments.program, "replay", scene, "-o", "out", "--no-times", "--threads", "3"] for scene in scenes]
    commands.append([arguments.program, "replay", scenes[0], "-o", "out", "--no-times", "--renderer", "reference"])
    commands.append([arguments.program, "lint", *scenes, "-j", "3", "--format", "json", "--preset", "pedantic"])
    failures = 0
    for command in commands:
        expected = outputs(command, {})
        if expected[0] not in (0, 1):
            print(f"{' '.join(command)}: exit code {expected[0]}\n{expected[2].decode()}")
            return 1
        for mode in MODES:
            actual = outputs(command, {**preload, "FLOAT_MODE": mode})
            if actual != expected:
                failures += 1
                print(f"{mode}: {' '.join(command)}: exit code {actual[0]}, expected {expected[0]} and the same outputs")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
