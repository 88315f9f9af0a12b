#!/usr/bin/env python3
"""Compares what the program for Windows writes with what that of this system writes: pictures, hashes, reports, containers, JSON, text.

usage: same_bytes.py --native PROGRAM --windows PROGRAM [TRACE...]     PROGRAM: one that this system runs (scripts/wine.sh)
exit code: 0 the same bytes, 1 others
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIMEOUT_S = 600

# Every stage: fixed function, patches, stencil, shaders, DirectDraw.
TRACES = tuple(
    f"traces/scenes/{name}.json"
    for name in ("lit-textured-knot", "teapot-of-patches", "stencil-shadow", "bumpy-water", "columns-in-fog", "mirror-ball")
)

# What is run in a folder that holds `in.json`, and what it is about.
COMMANDS = (
    ("containers", ["convert", "in.json", "in.dp2t"]),
    ("containers without compression", ["convert", "in.json", "plain.dp2t", "--compression", "none"]),
    ("JSON", ["convert", "in.dp2t", "back.json"]),
    ("JSON with side files", ["convert", "in.dp2t", "side.json", "--blobs", "files"]),
    ("standard output", ["convert", "in.dp2t", "-"]),
    ("pictures and report", ["replay", "in.dp2t", "-o", "pictures", "--no-times"]),
    ("pictures of the reference", ["replay", "in.dp2t", "-o", "reference", "--renderer", "reference", "--no-times"]),
    ("lint", ["lint", "in.json", "--format", "json"]),
    ("lint", ["lint", "in.dp2t", "--format", "sarif"]),
    ("info", ["info", "in.dp2t"]),
    ("dump", ["dump", "in.dp2t"]),
    ("coverage", ["coverage", "in.dp2t"]),
)


def run(program, arguments, folder):
    done = subprocess.run([str(program), *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S, check=False)
    return done.returncode, done.stdout, done.stderr


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def first_difference(one, other):
    place = next((at for at, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return f"from byte {place}: {one[place : place + 40]!r} and {other[place : place + 40]!r}"


def compare(trace, programs):
    """What differs, one line each."""
    wrong = []
    with tempfile.TemporaryDirectory(prefix="dp2trace-bytes-") as root:
        folders = [pathlib.Path(root) / name for name in ("native", "windows")]
        for folder in folders:
            folder.mkdir()
            shutil.copy(trace, folder / "in.json")
        for about, arguments in COMMANDS:
            native, windows = (run(program, arguments, folder) for program, folder in zip(programs, folders))
            for stream, one, other in zip(("exit code", "standard output", "standard error"), native, windows):
                if one != other:
                    wrong.append(f"{about}: {stream}: " + (f"{one} and {other}" if isinstance(one, int) else first_difference(one, other)))
        native, windows = (contents(folder) for folder in folders)
        wrong += [f"{name} is not written by both" for name in sorted(native.keys() ^ windows.keys())]
        wrong += [
            f"{name}: {first_difference(native[name], windows[name])}"
            for name in sorted(native.keys() & windows.keys())
            if native[name] != windows[name]
        ]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--native", type=pathlib.Path, required=True)
    parser.add_argument("--windows", type=pathlib.Path, required=True)
    parser.add_argument("traces", nargs="*")
    options = parser.parse_args()
    programs = (options.native.resolve(), options.windows.resolve())
    failed = False
    for trace in options.traces or TRACES:
        wrong = compare(ROOT / trace, programs)
        failed = failed or bool(wrong)
        print(f"{trace}: {'the same bytes' if not wrong else 'others'}", flush=True)
        for line in wrong:
            print(f"  {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
