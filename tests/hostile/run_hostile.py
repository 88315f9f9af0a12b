#!/usr/bin/env python3
"""Replays traces of traces/hostile. Each must end by itself with findings at most (exit code 0 or 1), within 1 GiB, and its report must
have the rules that the .expected file beside it names.

A line of an .expected file is a rule id, `options WORD...` for the command line, `also VERB WORD...` for another verb within the same
limits, or a comment. A time limit tells a program that goes on for ever from a slow machine, no more.

usage: run_hostile.py --program PATH [NAME...]
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

from mutate import is_sanitized

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "traces" / "hostile"
MAX_MEMORY = 1 << 30  # bytes of memory in use; sanitizers take twice of it
TIMEOUT_S = 280


def read_expected(path):
    """Returns rules, options, and the words of another verb."""
    rules, options, also = [], [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split("#")[0].split()
        if words and words[0] == "options":
            options = words[1:]
        elif words and words[0] == "also":
            also = words[1:]
        else:
            rules += words
    return rules, options, also


def check(program, trace):
    """Returns what is wrong, or nothing."""
    rules, options, also = read_expected(trace.with_suffix(".expected"))
    with tempfile.TemporaryDirectory(prefix="dp2trace-hostile-") as folder:
        command = [program, "replay", trace, "-o", folder, *options]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            return f"does not end within {TIMEOUT_S} s"
        if done.returncode not in (0, 1):
            return f"exit code {done.returncode}: {done.stderr[-2000:]}"
        if also:
            other = subprocess.run([program, *also, trace], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
            if other.returncode not in (0, 1):
                return f"{' '.join(also)}: exit code {other.returncode}: {other.stderr[-2000:]}"
        report = json.loads(pathlib.Path(folder, "report.json").read_text(encoding="utf-8"))
    found = {finding["rule"] for finding in report["findings"]}
    missing = [rule for rule in rules if rule not in found]
    if missing:
        return f"no finding of {' '.join(missing)}; found: {' '.join(sorted(found)) or 'none'}"
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    most = MAX_MEMORY * (2 if is_sanitized(program) else 1)
    if used > most:
        return f"{used} bytes of memory, at most {most} are right"
    return None


def main():
    """Parses the command line and checks."""
    parser = argparse.ArgumentParser(description="Replays traces that ask for too much.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to test")
    parser.add_argument("names", nargs="*", metavar="NAME", help="traces (all)")
    options = parser.parse_args()
    traces = [path for path in sorted(FOLDER.glob("*.json")) if not options.names or path.stem in options.names]
    failed = 0
    for trace in traces:
        problem = check(options.program.resolve(), trace)
        if problem:
            failed += 1
            print(f"{trace.stem}: {problem}")
    print(f"{len(traces) - failed} of {len(traces)} hostile traces are replayed as they should")
    return 1 if failed or not traces else 0


if __name__ == "__main__":
    sys.exit(main())
