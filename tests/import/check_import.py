#!/usr/bin/env python3
"""Imports captures that make_captures.py writes: both transports, the list at the end, captures that are cut.

usage: check_import.py --program PATH
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
EXPECTED_NOTES = {
    "direct3d9": [("IDirect3DDevice9::SetViewport", "failed"), ("IDirect3DDevice9::Teleport", "not known"), ("IDirect3DSurface9::GetDC", "GDI")],
    "direct3d8": [],
    "direct-draw7": [("IDirect3DDevice3::DrawPrimitive", "before Direct3D 7")],
}
EXIT_INPUT = 3


def run(*command):
    """Exit code, standard output and standard error."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def check_transports(program, captures):
    """The script that runs over the corpus, too."""
    code, output, errors = run(sys.executable, "-B", TESTS / "conformance" / "compare_transports.py", "--program", program, captures)
    return [] if code == 0 else [output + errors]


def check_notes(program, captures, folder):
    """What is not in the trace is told: function, count, effect."""
    found = []
    for name, expected in EXPECTED_NOTES.items():
        code, _, errors = run(program, "import", captures / (name + ".trace"), folder / "out.dp2t")
        notes = [line for line in errors.splitlines() if " calls: " in line]
        is_told = len(notes) == len(expected) and all(function + ", 1 calls: " in note and effect in note for note, (function, effect) in zip(notes, expected))
        if code != 0 or not is_told:
            found.append("%s: exit code %d, notes:\n%s" % (name, code, errors))
    return found


def check_cuts(program, captures, folder):
    """A capture that is cut inside a call gives all calls before it, a whole trace, and exit code 3."""
    found = []
    whole = (captures / "direct3d9.trace").read_bytes()
    last_count = 0
    for share in (0.3, 0.6, 0.9):
        capture, trace = folder / "cut.trace", folder / "cut.dp2t"
        capture.write_bytes(whole[:int(len(whole) * share)])
        code, _, errors = run(program, "import", capture, trace)
        words = errors.partition("not whole, ")[2].split()
        count = int(words[0]) if words else -1
        if code != EXIT_INPUT or count <= last_count:
            found.append("cut at %.0f %%: exit code %d, %s" % (share * 100, code, errors))
        last_count = count
        code, _, errors = run(program, "lint", trace)
        if code != 0:
            found.append("cut at %.0f %%: lint: exit code %d, %s" % (share * 100, code, errors))
    return found


def main():
    """Writes the captures and checks."""
    parser = argparse.ArgumentParser(description="Imports generated captures.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to check")
    program = parser.parse_args().program.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        captures = folder / "captures"
        subprocess.run([sys.executable, "-B", TESTS / "import" / "make_captures.py", captures], check=True)
        found = check_transports(program, captures) + check_notes(program, captures, folder) + check_cuts(program, captures, folder)
    print("\n".join(found) or "good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
