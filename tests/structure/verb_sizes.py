#!/usr/bin/env python3
"""A verb parses, calls the library and prints: its file has at most 120 lines.

usage: verb_sizes.py SOURCE_DIR
exit code: 0 all are short, 1 some are not
"""

import pathlib
import sys

MOST_LINES = 120


def main(source):
    """Prints the files that are too long."""
    folder = pathlib.Path(source) / "apps" / "dp2trace"
    verbs = sorted([*folder.glob("*_command.cpp"), *folder.glob("golden_*.cpp")])
    if not verbs:
        raise SystemExit(f"{folder} has no verbs")
    is_short = True
    for path in verbs:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES:
            print(f"{path}: {lines} lines, at most {MOST_LINES}: the work belongs into the library")
            is_short = False
    return 0 if is_short else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
