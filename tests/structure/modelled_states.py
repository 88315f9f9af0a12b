#!/usr/bin/env python3
"""Compares lib/d3d/ignored_states.def with the code that draws: the states that nothing reads are its rows, and only they.

usage: modelled_states.py SOURCE_DIR
exit code: 0 the table says what the code does, 1 otherwise
"""

import pathlib
import re
import sys

# What makes pictures: the renderers, the device below them, and the translation of old states.
DRAWING = ("lib/raster", "lib/fast", "lib/vertex", "lib/device", "lib/d3d/legacy_states.cpp")
# Rows that are read by the number of the first one of them, or by a function that gives the number.
FAMILIES = (
    (r"StipplePattern\d\d", r"\bRenderState::StipplePattern00\b"),
    (r"Wrap\d+", r"\bWrapState\("),
    (r"Wrap[UV]", r"\bLegacyWrapBit\("),
)
TABLES = (
    ("render_states.def", "DP2TRACE_RENDER_STATE", "RenderState"),
    ("texture_stage_states.def", "DP2TRACE_TEXTURE_STAGE_STATE", "(?:TextureStageState|Tss)"),
)


def sources(root):
    """All code that draws, as one text."""
    texts = []
    for place in DRAWING:
        path = root / place
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        texts += [file.read_text(encoding="utf-8") for file in files if file.suffix in (".cpp", ".h", ".inl")]
    return "\n".join(texts)


def is_read(name, enumeration, code):
    """Whether the code reads the state of this enumerator."""
    for rows, reader in FAMILIES:
        if enumeration == "RenderState" and re.fullmatch(rows, name):
            return re.search(reader, code) is not None
    return re.search(rf"\b{enumeration}::{name}\b", code) is not None


def main(source):
    """Prints what is wrong; returns the exit code."""
    root = pathlib.Path(source)
    code = sources(root)
    wrong = []
    ignored = (root / "lib/d3d/ignored_states.def").read_text(encoding="utf-8")
    for table, macro, enumeration in TABLES:
        text = (root / "lib/d3d" / table).read_text(encoding="utf-8")
        kind = "RenderState" if enumeration == "RenderState" else "TextureStageState"
        rows = set(re.findall(rf"^DP2TRACE_IGNORED_STATE\({kind}, +(\w+),", ignored, re.MULTILINE))
        for name in re.findall(rf"^{macro}\((\w+), +\d", text, re.MULTILINE):
            if is_read(name, enumeration, code) and name in rows:
                wrong.append(f"ignored_states.def: {name} is read")
            elif not is_read(name, enumeration, code) and name not in rows:
                wrong.append(f"ignored_states.def: nothing reads {name}, and it has no row")
    for words in wrong:
        print(words)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
