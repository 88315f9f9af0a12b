#!/usr/bin/env python3
"""Replays the traces below traces/scenes and traces/features and compares the hashes of their pictures with those committed beside them.

NAME.json or NAME.dp2t is replayed with all frames, in two runs: both must give the same report, byte for byte. NAME.hashes has one line
for each picture: file name and hash as report.json has them. Since the hashes are committed, every compiler, optimisation level and
sanitizer build that runs this test must reach the same bits.

usage: run_golden.py --program PATH [--folder FOLDER] [--update] [--keep DIR] [NAME...]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

TRACES = pathlib.Path(__file__).resolve().parent.parent.parent / "traces"
FOLDERS = ("scenes", "features")
TIMEOUT_S = 600


def replay(program, trace, folder):
    """Replays a trace; returns the text of its report."""
    command = [program, "replay", trace, "-o", folder, "--no-times"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()}")
    return (folder / "report.json").read_text(encoding="utf-8")


def hashes_of(report):
    """The lines of a .hashes file."""
    return "".join(f"{image['file']} {image['hash']}\n" for image in json.loads(report)["images"])


def check(program, trace, keep, is_update):
    """Returns what is wrong with the trace, or nothing."""
    with tempfile.TemporaryDirectory(prefix="dp2trace-golden-") as temporary:
        first = keep / trace.parent.name / trace.stem if keep else pathlib.Path(temporary, "first")
        try:
            report = replay(program, trace, first)
            again = replay(program, trace, pathlib.Path(temporary, "second"))
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return str(error)
    if report != again:
        return "two runs gave different reports"
    expected = trace.with_suffix(".hashes")
    actual = hashes_of(report)
    if is_update:
        expected.write_text(actual, encoding="utf-8")
    committed = expected.read_text(encoding="utf-8") if expected.exists() else ""
    if actual == committed:
        return None
    return f"--- expected\n{committed}--- actual\n{actual}---"


def main():
    """Parses the command line and checks."""
    parser = argparse.ArgumentParser(description="Compares the pictures of traces with their committed hashes.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to test")
    parser.add_argument("--folder", choices=FOLDERS, help="the traces of this folder alone")
    parser.add_argument("--update", action="store_true", help="rewrite the .hashes files from what happens now")
    parser.add_argument("--keep", type=pathlib.Path, help="leave the pictures in this folder")
    parser.add_argument("names", nargs="*", metavar="NAME", help="traces (all)")
    options = parser.parse_args()
    folders = [options.folder] if options.folder else FOLDERS
    paths = [path for folder in folders for path in sorted((TRACES / folder).glob("*.json"))]
    traces = [path for path in paths if not options.names or path.stem in options.names]
    failed = 0
    for trace in traces:
        problem = check(options.program.resolve(), trace, options.keep, options.update)
        if problem:
            failed += 1
            print(f"{trace.parent.name}/{trace.stem}: {problem}")
    print(f"{len(traces) - failed} of {len(traces)} traces are as committed")
    return 1 if failed or not traces else 0


if __name__ == "__main__":
    sys.exit(main())
