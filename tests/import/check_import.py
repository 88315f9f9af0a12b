#!/usr/bin/env python3
"""Imports captures that make_captures.py writes: both transports, the list at the end, captures that are cut.

usage: check_import.py --program PATH
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import make_captures

TESTS = pathlib.Path(__file__).resolve().parent.parent
EXPECTED_NOTES = {
    "direct3d9": [("IDirect3DDevice9::SetViewport", "failed"), ("IDirect3DDevice9::Teleport", "not known"), ("IDirect3DSurface9::GetDC", "GDI")],
    "direct3d8": [],
    "direct-draw7": [("IDirect3DDevice3::DrawPrimitive", "an object is not known")],
    "direct3d3": [],
    "direct3d5": [("IDirect3DDevice2::Vertex", "address of the vertex only")],
    "direct3d6": [],
}
EXIT_USAGE = 2
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
    """What is not in the trace is reported: function, count, effect."""
    found = []
    for name, expected in EXPECTED_NOTES.items():
        code, _, errors = run(program, "import", captures / (name + ".trace"), folder / "out.dp2t", "--force")
        notes = [line for line in errors.splitlines() if re.search(r" calls?: ", line)]
        is_reported = len(notes) == len(expected) and all(function + ", 1 call: " in note and effect in note for note, (function, effect) in zip(notes, expected))
        if code != 0 or not is_reported:
            found.append("%s: exit code %d, notes:\n%s" % (name, code, errors))
    return found


def check_cuts(program, captures, folder):
    """A capture that is cut inside a call gives all calls before it, a trace that says that it is cut, and exit code 3."""
    found = []
    whole = (captures / "direct3d9.trace").read_bytes()
    last_count = 0
    for share in (0.3, 0.6, 0.9):
        capture, trace = folder / "cut.trace", folder / "cut.dp2t"
        capture.write_bytes(whole[:int(len(whole) * share)])
        code, _, errors = run(program, "import", capture, trace, "--force")
        words = errors.partition("not whole, ")[2].split()
        count = int(words[0]) if words else -1
        if code != EXIT_INPUT or count <= last_count:
            found.append("cut at %.0f %%: exit code %d, %s" % (share * 100, code, errors))
        last_count = count
        code, output, errors = run(program, "info", trace)
        if code != EXIT_INPUT or "truncated" not in output + errors:
            found.append("cut at %.0f %%: info: exit code %d, %s" % (share * 100, code, output + errors))
    return found


def check_folder(program, captures, folder):
    """A folder of captures becomes a folder of traces, the same as one by one; --caps gives what lint takes."""
    found = []
    code, _, errors = run(program, "import", captures, folder / "many/", "-j", "3")
    names = sorted(path.stem for path in captures.glob("*.trace"))
    made = sorted(path.stem for path in (folder / "many").glob("*.dp2t"))
    if code != 0 or made != names:
        found.append("folder: exit code %d, %s instead of %s\n%s" % (code, made, names, errors))
    code, _, _ = run(program, "import", captures / "direct3d8.trace", folder / "one.dp2t", "--caps", folder / "caps.json")
    if (folder / "one.dp2t").read_bytes() != (folder / "many" / "direct3d8.dp2t").read_bytes():
        found.append("one by one is not the same as together")
    code, _, errors = run(program, "lint", folder / "one.dp2t", "--caps", folder / "caps.json")
    if code != 0:
        found.append("caps: exit code %d, %s" % (code, errors))
    code, _, errors = run(program, "import", captures, folder / "out.dp2t", "--force")
    if code != EXIT_USAGE or "is not a folder" not in errors:
        found.append("several into a file: exit code %d, %s" % (code, errors))
    return found


def foreign(*functions):
    """A capture whose calls are these."""
    c = make_captures.Capture()
    for function in functions:
        c.call(function, [("a", 1)], None)
    return bytes(c.out)


def check_foreign(program, folder):
    """A capture of something else: what it is, exit code 3, and no file."""
    found = []
    cases = [("gl", foreign("glXMakeCurrent", "glClear", "glEnd"), "a capture of OpenGL,"), ("vk", foreign("vkCreateInstance"), "a capture of Vulkan,"),
             ("d10", foreign("CreateDXGIFactory", "D3D10CreateDevice", "ID3D10Device::Draw"), "a capture of Direct3D 10,"),
             ("d11", foreign("ID3D11Device::CreateBuffer"), "a capture of Direct3D 11,"), ("d12", foreign("ID3D12Device::CreateFence"), "a capture of Direct3D 12,"),
             ("other", foreign("Teleport"), "a capture of Teleport(),"), ("gfxr", b"GFXR" + bytes(100), "GFXReconstruct"), ("rdc", b"RDOC" + bytes(100), "RenderDoc"),
             ("zeros.GFXR", bytes(300), "GFXReconstruct"), ("text.gfxr", b"some words\n" * 9, "GFXReconstruct"), ("zeros.pixrun", bytes(64), "PIX for Windows"),
             ("nothing", foreign("memcpy"), "no call of DirectDraw or Direct3D")]
    for name, data, words in cases:
        capture, trace = folder / (name if "." in name else name + ".trace"), folder / (name + ".dp2t")
        capture.write_bytes(data)
        code, _, errors = run(program, "import", capture, trace, "--force")
        if code != EXIT_INPUT or words not in errors or trace.exists():
            found.append("%s: exit code %d, %s" % (name, code, errors))
        code, output, errors = run(program, "import", capture, "-")
        if code != EXIT_INPUT or output:
            found.append("%s to standard output: exit code %d, %s" % (name, code, output[:100]))
    return found


def check_summary(program, captures, folder):
    """What was written, on standard error."""
    trace = folder / "summary.dp2t"
    code, output, errors = run(program, "import", captures / "direct3d8.trace", trace, "--force")
    wanted = ", %d bytes" % trace.stat().st_size
    lines = [line for line in errors.splitlines() if wanted in line and " frame" in line and " draw" in line]
    return [] if code == 0 and not output and len(lines) == 1 else ["summary: exit code %d, %s" % (code, errors)]


def main():
    """Writes the captures and checks."""
    parser = argparse.ArgumentParser(description="Imports generated captures.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to check")
    program = parser.parse_args().program.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        captures = folder / "captures"
        subprocess.run([sys.executable, "-B", TESTS / "import" / "make_captures.py", captures], check=True)
        found = (check_transports(program, captures) + check_notes(program, captures, folder) + check_cuts(program, captures, folder)
                 + check_folder(program, captures, folder) + check_foreign(program, folder) + check_summary(program, captures, folder))
    print("\n".join(found) or "good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
