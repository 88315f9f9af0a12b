#!/usr/bin/env python3
"""Imports captures with both transports and compares: no errors in lint, the same pictures, the same bytes at a second import.

usage: compare_transports.py --program PATH [--only TEXT] [--skip-replay] [CORPUS]
exit code: 0 good, 1 a capture differs, 77 there is no corpus
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

SHARED = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "shared"
TIMEOUT = 1800
TIMED_OUT = 124


def run(command):
    """Runs a command; its exit code, and what it printed."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return TIMED_OUT, "no end after %d s" % TIMEOUT
    return done.returncode, done.stdout


def pictures(program, trace, folder):
    """Kind, number and hash of every picture of a replay."""
    code, output = run([program, "replay", trace, "-o", folder, "--no-times"])
    if code not in (0, 1):
        return ["replay of %s: exit code %d\n%s" % (trace.name, code, output)]
    report = json.loads((folder / "report.json").read_text())
    return [(image["kind"], image["sequence"], image["hash"]) for image in report["images"]]


def complaints(program, capture, folder, skip_replay):
    """What is wrong with one capture."""
    found = []
    shown = {}
    for transport in ("dp2", "kmt"):
        trace, again = folder / (transport + ".dp2t"), folder / (transport + "-again.dp2t")
        for output in (trace, again):
            code, text = run([program, "import", capture, output, "--transport", transport])
            if code != 0:
                return ["import --transport %s: exit code %d\n%s" % (transport, code, text)]
        if trace.read_bytes() != again.read_bytes():
            found.append("%s: a second import gives other bytes" % transport)
        code, text = run([program, "lint", trace])
        if code != 0:
            found.append("%s: lint: exit code %d\n%s" % (transport, code, "\n".join(text.splitlines()[:5])))
        if not skip_replay:
            shown[transport] = pictures(program, trace, folder / transport)
    if not skip_replay and shown["dp2"] != shown["kmt"]:
        differing = [a for a, b in zip(shown["dp2"], shown["kmt"]) if a != b]
        found.append("%d and %d pictures, differing: %s" % (len(shown["dp2"]), len(shown["kmt"]), differing[:3]))
    return found


def main():
    """Parses the command line and goes through the captures."""
    parser = argparse.ArgumentParser(description="Compares imports with both transports.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to check")
    parser.add_argument("--only", default="", help="captures whose path contains this")
    parser.add_argument("--skip-replay", action="store_true", help="import and lint only")
    parser.add_argument("corpus", nargs="?", type=pathlib.Path, default=SHARED / "corpus")
    options = parser.parse_args()
    captures = [path for path in sorted(options.corpus.glob("**/*.trace")) if options.only in str(path)]
    if not captures:
        print("skipped: there is no corpus of captures beside the checkout")
        return 77
    bad = 0
    for capture in captures:
        with tempfile.TemporaryDirectory() as folder:
            found = complaints(options.program.resolve(), capture, pathlib.Path(folder), options.skip_replay)
        bad += bool(found)
        for line in found:
            print("%s: %s" % (capture.relative_to(options.corpus), line), flush=True)
    print("%d captures, %d with differences" % (len(captures), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
