#!/usr/bin/env python3
"""Compares what the program finds in small traces with what the documents say, where these traces lie beside the checkout.

Runs ../shared/tools/verdicts.py over ../shared/verdicts and fails when a case is not right, or a finding is at another word or line.

usage: run_verdicts.py --program PATH [VERDICTS.PY CASES]
exit code: 0 all right, 1 not, 77 there are no cases
"""

import argparse
import pathlib
import subprocess
import sys

SHARED = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "shared"


def main():
    """Parses the command line and runs the tool."""
    parser = argparse.ArgumentParser(description="Compares findings with the documents.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to score")
    parser.add_argument("tool", nargs="?", type=pathlib.Path, default=SHARED / "tools" / "verdicts.py")
    parser.add_argument("cases", nargs="?", type=pathlib.Path, default=SHARED / "verdicts" / "cases.jsonl")
    options = parser.parse_args()
    if not options.tool.is_file() or not options.cases.is_file():
        print("skipped: there are no cases beside the checkout")
        return 77
    command = [sys.executable, options.tool, "--places", "--dp2trace", options.program.resolve(), options.cases]
    return 1 if subprocess.run(command, check=False).returncode else 0


if __name__ == "__main__":
    sys.exit(main())
