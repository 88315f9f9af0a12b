#!/usr/bin/env python3
"""Scores the program against recorded captures of real programs, where these lie beside the checkout.

Runs ../shared/tools/conformance.py over ../shared/corpus and fails when fewer than 95 % of the captures are full: every probed pixel
within the tolerance, every whole picture within its share.

usage: run_conformance.py --program PATH [CONFORMANCE.PY CORPUS]
exit code: 0 good, 1 too few, 77 there is no corpus
"""

import argparse
import pathlib
import re
import subprocess
import sys

SHARED = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "shared"
LEAST_SHARE = 95.0


def main():
    """Parses the command line and runs the tool."""
    parser = argparse.ArgumentParser(description="Scores the program against recorded captures.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to score")
    parser.add_argument("tool", nargs="?", type=pathlib.Path, default=SHARED / "tools" / "conformance.py")
    parser.add_argument("corpus", nargs="?", type=pathlib.Path, default=SHARED / "corpus")
    options = parser.parse_args()
    if not options.tool.is_file() or not options.corpus.is_dir():
        print("skipped: there is no corpus of captures beside the checkout")
        return 77
    command = [sys.executable, options.tool, "--dp2trace", options.program.resolve(), "--jobs", "2", options.corpus]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    print(output)
    match = re.search(r"captures full \(([0-9.]+)%\)", output)
    return 0 if match and float(match.group(1)) >= LEAST_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
