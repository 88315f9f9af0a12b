#!/usr/bin/env python3
"""Writes the shaders of the rule traces as token arrays: seeds for shader_fuzz.

usage: write_shader_seeds.py FOLDER
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "traces"))

from sources.assembly import assemble
from sources.rules import shader_rules


def main():
    """Writes one file for each shader."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    texts = sorted({row[2] for row in (*shader_rules.BROKEN, *shader_rules.LEGAL)})
    for number, text in enumerate(texts):
        (folder / f"{number:03}").write_bytes(assemble(text))


if __name__ == "__main__":
    main()
