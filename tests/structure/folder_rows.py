#!/usr/bin/env python3
"""Compares the table of layers in lib/README.md with the folders of lib.

usage: folder_rows.py SOURCE_DIR
exit code: 0 each folder has one row, and each row a folder, 1 otherwise
"""

import pathlib
import re
import sys


def main(root):
    """Prints what is wrong; returns the exit code."""
    lib = pathlib.Path(root) / "lib"
    layers = (lib / "README.md").read_text(encoding="utf-8").split("\n## Layers\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| `([a-z0-9_]+)` \|", layers, re.MULTILINE)
    folders = sorted(path.name for path in lib.iterdir() if (path / "CMakeLists.txt").is_file())
    wrong = [f"lib/{name} has no row" for name in folders if name not in rows]
    wrong += [f"{name} has {rows.count(name)} rows" for name in sorted(set(rows)) if rows.count(name) != 1]
    wrong += [f"there is no lib/{name}" for name in rows if name not in folders]
    for words in wrong:
        print(f"lib/README.md: {words}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
