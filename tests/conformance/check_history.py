#!/usr/bin/env python3
"""The history of pixels of captures: each value is that of the pictures of replay, the fragments are those of history.json, and both renderers tell
the same.

history.json: capture (below the corpus, without .trace), frame, pixel, and what is known of it: the bits before and after the frame,
for each operation its name, draw, fragments ("2 stored", by primitive) and the bits after it, and by transport how many lines the text has, with a
checksum of all of them.

usage: check_history.py --program PATH [--update] [CORPUS]
exit code: 0 good, 1 a pixel differs, 77 there is no corpus
"""

import argparse
import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
SHARED = HERE.parent.parent.parent / "shared"
FACTS = HERE / "history.json"
TIMEOUT = 600
CHANNELS = 4  # pictures of replay are RGBA8


def run(command):
    """What a command prints on standard output; ends the test where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit("%s: exit code %d\n%s" % (" ".join(map(str, command)), done.returncode, done.stderr))
    return done.stdout


def unfilter(kind, row, above):
    """A row of a PNG without its filter."""
    out = bytearray(row)
    for i, value in enumerate(row):
        left = out[i - CHANNELS] if i >= CHANNELS else 0
        up = above[i]
        corner = above[i - CHANNELS] if i >= CHANNELS else 0
        if kind == 4:
            estimate = left + up - corner
            nearest = min((abs(estimate - left), 0, left), (abs(estimate - up), 1, up), (abs(estimate - corner), 2, corner))
            prediction = nearest[2]
        else:
            prediction = (0, left, up, (left + up) // 2)[kind]
        out[i] = (value + prediction) & 0xFF
    return out


def pixel_of(path, x, y):
    """[R, G, B, A] of a pixel of an RGBA8 PNG that is not interlaced."""
    data = path.read_bytes()
    at, packed, width = 8, b"", 0
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, _, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert (depth, color, interlaced) == (8, 6, 0), path
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    rows = zlib.decompress(packed)
    stride = width * CHANNELS + 1
    above = bytes(stride - 1)
    for row in range(y + 1):
        line = rows[row * stride : (row + 1) * stride]
        above = unfilter(line[0], line[1:], above)
    return list(above[x * CHANNELS : (x + 1) * CHANNELS])


def facts_of(history):
    """What history.json keeps of a history."""
    bits = lambda value: value["bits"] if value else None
    operations = []
    for operation in history["operations"]:
        fragments = ["%d %s" % (fragment["primitive"], fragment["fate"]) for fragment in operation.get("fragments", [])]
        operations.append([operation["op"], operation.get("draw", 0), fragments, bits(operation["after"])])
    return {"before": bits(history["before"]), "operations": operations, "after": bits(history["after"])}


def complaints(program, trace, folder, frame, pixel, history):
    """Where the history of a pixel is not what replay draws."""
    value = history["before"]
    for operation in history["operations"]:
        if operation["before"] != value:
            yield "%s of event %d starts with %s, not %s" % (operation["op"], operation["event"], operation["before"], value)
        value = operation["after"]
    if value != history["after"]:
        yield "it ends with %s, not %s" % (value, history["after"])
    draws = {operation["draw"]: operation for operation in history["operations"] if operation.get("draw", 0)}
    selection = ",".join(map(str, list(draws)[:20])) or "none"
    run([program, "replay", trace, "-o", folder, "--frames", str(frame), "--reads", "none", "--draws", selection, "--fail-on", "never"])
    x, y = history["x"], history["y"]
    for image in json.loads((folder / "report.json").read_text())["images"]:
        if image["kind"] == "frame":
            expected, where = history["after"], pixel
        elif image["kind"] == "draw" and image["surface"] == history["surface"] and not image["file"].endswith("-stencil.png"):
            expected, where = draws[image["sequence"]]["after"], (x, y)
        else:
            continue
        red, green, blue, alpha = pixel_of(folder / image["file"], *where)
        found = f"#{alpha:02x}{red:02x}{green:02x}{blue:02x}"
        if found != expected["color"]:
            yield "%s has %s, the history %s" % (image["file"], found, expected["color"])


def check(program, corpus, fact, is_update):
    """Complaints about one pixel; takes what is so into the fact on demand."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for transport in ("dp2", "kmt"):
            trace = folder / (transport + ".dp2t")
            run([program, "import", corpus / (fact["capture"] + ".trace"), trace, "--transport", transport])
            x, y = fact["pixel"]
            command = [program, "history", trace, "--frame", str(fact["frame"]), "--pixel", "%d,%d" % (x, y), "--format", "json", "--steps"]
            output = run(command)
            if run(command + ["--renderer", "reference"]) != output:
                yield "the reference says something else"
            history = json.loads(output)
            yield from complaints(program, trace, folder / transport, fact["frame"], fact["pixel"], history)
            found = facts_of(history)
            text = run(command[: command.index("--format")] + ["--steps"])
            found["text " + transport] = "%d lines, %s" % (text.count("\n"), hashlib.sha256(text.encode()).hexdigest()[:16])
            if is_update:
                fact.update(found)
            for key, value in found.items():
                if fact.get(key) != value:
                    yield "%s: %s: %s, expected %s" % (transport, key, value, fact.get(key))


def main():
    """Parses the command line and goes through the pixels."""
    parser = argparse.ArgumentParser(description="Checks the history of pixels of captures.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to check")
    parser.add_argument("--update", action="store_true", help="take what is so into history.json")
    parser.add_argument("corpus", nargs="?", type=pathlib.Path, default=SHARED / "corpus")
    options = parser.parse_args()
    facts = json.loads(FACTS.read_text())
    if not any(options.corpus.glob("**/*.trace")):
        print("skipped: there is no corpus of captures beside the checkout")
        return 77
    bad = 0
    for fact in facts:
        found = list(check(options.program.resolve(), options.corpus, fact, options.update))
        bad += bool(found)
        for line in found:
            print("%s, frame %d, pixel %s: %s" % (fact["capture"], fact["frame"], fact["pixel"], line), flush=True)
    if options.update:
        FACTS.write_text("[\n%s\n]\n" % ",\n".join(json.dumps(fact) for fact in facts))
    print("%d pixels, %d with differences" % (len(facts), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
