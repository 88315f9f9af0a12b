#!/usr/bin/env python3
"""tests/unit mirrors lib: tests/unit/FOLDER/FILE_test.cpp is about lib/FOLDER/FILE.

tests/unit/mirror.txt lists what does not, each with its reason: folders of lib without tests here,
and tests that are about more than one file.

usage: test_mirror.py SOURCE_DIR
exit code: 0 it does, 1 something is without counterpart, or listed without need
"""

import pathlib
import sys

SUFFIXES = (".h", ".cpp", ".def")


def read_list(path):
    """Name -> reason, of the lines NAME: REASON."""
    listed = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, colon, reason = line.partition(": ")
        if not colon or not reason.strip():
            raise SystemExit(f"{path}: no reason: {line}")
        listed[name] = reason
    return listed


def folders_with(root, pattern):
    """Folders below root, as paths below it, that hold such a file."""
    return {path.parent.relative_to(root).as_posix() for path in root.rglob(pattern)}


def complaints(source):
    """What is wrong, one line each."""
    lib, unit = source / "lib", source / "tests" / "unit"
    listed = read_list(unit / "mirror.txt")
    unused = set(listed)
    lib_folders = folders_with(lib, "*.h") | folders_with(lib, "*.cpp")
    unit_folders = folders_with(unit, "*_test.cpp")
    for folder in sorted(unit_folders - lib_folders):
        yield f"tests/unit/{folder}: lib has no such folder"
    for folder in sorted(lib_folders - unit_folders):
        unused.discard(folder)
        if folder not in listed:
            yield f"lib/{folder}: tests/unit has no such folder, and mirror.txt no reason for it"
    for path in sorted(unit.rglob("*_test.cpp")):
        name = path.relative_to(unit).as_posix()
        stem = lib / name.removesuffix("_test.cpp")
        if any(stem.with_name(stem.name + suffix).is_file() for suffix in SUFFIXES):
            continue
        unused.discard(name)
        if name not in listed:
            yield f"tests/unit/{name}: lib has no such file, and mirror.txt no reason for it"
    for name in sorted(unused):
        yield f"tests/unit/mirror.txt: {name} is listed without need"


def main(source):
    """Prints what is wrong."""
    found = list(complaints(pathlib.Path(source)))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
