#!/usr/bin/env python3
"""Imports captures and gives them to a program that edits and compares: trim_check cuts parts out, scrub_check takes the contents away. Before,
diff must find no difference to the JSON form.

usage: check_captures.py --program PATH --check PATH [--transport dp2|kmt] [--only TEXT] [CORPUS]
exit code: 0 good, 1 the program objects to a capture, 77 there is no corpus
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

SHARED = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "shared"
TIMEOUT = 600


def complaint(options, capture, folder):
    """What the program objects to in one capture; empty where it does not, or nothing is drawn that could be cut."""
    trace = folder / "capture.dp2t"
    done = subprocess.run([options.program, "import", capture, trace, "--transport", options.transport], capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
    if done.returncode != 0:
        return "import: exit code %d\n%s" % (done.returncode, done.stderr)
    twin = folder / "capture.json"
    for command in (["convert", trace, twin], ["diff", trace, twin]):
        done = subprocess.run([options.program, *command], capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
        if done.returncode != 0:
            return "%s: exit code %d\n%s" % (command[0], done.returncode, done.stdout + done.stderr)
    done = subprocess.run([options.check, trace], capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
    draws_nothing = done.stdout.startswith("0 parts")
    return "" if done.returncode == 0 or draws_nothing else done.stdout


def main():
    """Parses the command line and goes through the captures."""
    parser = argparse.ArgumentParser(description="Has a program edit captures and compare.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to check")
    parser.add_argument("--check", required=True, type=pathlib.Path, help="the program that compares")
    parser.add_argument("--transport", default="dp2", choices=["dp2", "kmt"], help="of the imported traces")
    parser.add_argument("--only", default="", help="captures whose path contains this")
    parser.add_argument("corpus", nargs="?", type=pathlib.Path, default=SHARED / "corpus")
    options = parser.parse_args()
    captures = [path for path in sorted(options.corpus.glob("**/*.trace")) if options.only in str(path)]
    if not captures:
        print("skipped: there is no corpus of captures beside the checkout")
        return 77
    bad = 0
    for capture in captures:
        with tempfile.TemporaryDirectory() as folder:
            found = complaint(options, capture, pathlib.Path(folder))
        bad += bool(found)
        if found:
            print("%s: %s" % (capture.relative_to(options.corpus), found), flush=True)
    print("%d captures, %d with objections" % (len(captures), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
