#!/usr/bin/env python3
"""Writes the shaders of the rules' cases as token arrays: seeds for shader_fuzz.

usage: write_shader_seeds.py FOLDER
"""

import base64
import pathlib
import sys

import rule_cases


def shaders(value):
    """Yields the code of all shaders in a JSON value."""
    if isinstance(value, dict):
        if "assembly" in value:
            yield base64.b64decode(value["code"])
        value = list(value.values())
    if isinstance(value, list):
        for element in value:
            yield from shaders(element)


def main():
    """Writes one file for each shader."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number, code in enumerate(sorted({code for _, content in rule_cases.read() for code in shaders(content)})):
        (folder / f"{number:03}").write_bytes(code)


if __name__ == "__main__":
    main()
