#!/usr/bin/env python3
"""Runs every verb on small containers that hold much more than they show, and on the traces of traces/hostile.

Each must end by itself, say which limit ended it, and stay within the memory and the output that it was given. The limits are those of small files, made
smaller: what a verb takes grows with them. --table measures the verbs with the limits that they have without options; with --steps, those
of the hostile traces too.

usage: bombs.py --program PATH [--table] [INPUT...]      an INPUT is a kind, the name of a hostile trace, or a file
"""

import argparse
import base64
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import threading

from mutate import is_sanitized

HOSTILE = pathlib.Path(__file__).resolve().parent.parent.parent / "traces" / "hostile"
MEMORY = 64 << 20  # --max-memory
BASE = 192 << 20  # the program, its threads and tables, and lists of findings, which keep a bounded number
STEPS = "256M"  # --max-steps
SURFACES = "64M"  # --max-surface-memory
OUTPUT = 64 << 20  # --max-output
TIMEOUT_S = 280  # tells a program that goes on for ever from a slow machine, no more
TABLE_S = 100
TRACE_LIMITS = ("TRACE-010", "TRACE-018", "REPLAY-WORK-001")


def target():
    """A surface of 16 x 16 pixels and a context that draws into it."""
    return [{"event": "surface_create", "handle": 1, "kind": "target", "format": "X8R8G8B8", "width": 16, "height": 16},
            {"event": "context_create", "context": 1, "target": 1}]


def call(commands):
    return {"event": "dp2", "context": 1, "commands": [{"raw": commands.hex()}]}


def token(code, count, data=b""):
    return struct.pack("<BBH", code, 0, count) + data


def state(name=7, value=0):
    return struct.pack("<II", name, value)


def update(size):
    return {"event": "surface_update", "handle": 1, "data": base64.b64encode(bytes(size)).decode()}


def shader(number):
    """A vertex shader of a thousand NOPs."""
    code = struct.pack("<I", 0xFFFE0200) + bytes(4000) + struct.pack("<I", 0xFFFF)
    return token(74, 1, struct.pack("<II", 2 * number + 1, len(code)) + code)


def long_shader():
    """A pixel shader of 500 operations that is in force afterwards."""
    multiply = struct.pack("<5I", 0x04000004, 0x800F0000, 0x90E40000, 0xA0E40000, 0x90E40000)
    code = struct.pack("<4I", 0xFFFF0201, 0x0200001F, 0x80000000, 0x900F0000) + multiply * 500
    code += struct.pack("<4I", 0x02000001, 0x800F0800, 0x80E40000, 0xFFFF)
    return token(54, 1, struct.pack("<II", 1, len(code)) + code) + token(56, 1, struct.pack("<I", 1))


def shaded_draws(size):
    """Triangles of one pixel, each with another constant: what is made for a draw is not made for the next one."""
    corners = b"".join(struct.pack("<4fI", x, y, 0.5, 1.0, 0xFFFFFFFF) for x, y in ((0, 0), (1, 0), (0, 1)))
    yield call(long_shader())
    draw = token(18, 1, struct.pack("<H", 0))
    for first in range(0, size // 34, 1000):
        commands = b"".join(token(57, 1, struct.pack("<II4f", 0, 1, first + i, 0, 0, 0)) + draw for i in range(1000))
        yield call(commands) | {"flags": ["USERMEMVERTICES"], "vertex_type": 0x44, "vertex_size": 20, "vertices": base64.b64encode(corners).decode()}


# The events of `size` bytes of each kind.
KINDS = {
    "giant-update": lambda size: [update(size)],
    "giant-marker": lambda size: [{"event": "marker", "text": "a" * size}],
    "giant-call": lambda size: [call(token(8, 1, state()) * (size // 12))],
    "giant-records": lambda size: [call(token(8, 65535, state() * 65535) * (size // 524284 + 1))],
    "updates": lambda size: [update(1 << 20)] * (size >> 20),
    "empty-tokens": lambda size: [call(token(8, 0) * 3000)] * (size // 12000),
    "tokens": lambda size: [call(token(8, 1, state()) * 1000)] * (size // 12000),
    "findings": lambda size: [call(token(8, 200, state(9999) * 200))] * (size // 1604),
    "shaders": lambda size: [call(shader(number)) for number in range(size // 4020)],
    "shaded-draws": shaded_draws,
    "presents": lambda size: [{"event": "present", "handle": 1}] * (size // 20),
}
# What ends them when nothing is drawn.
GIANTS = [kind for kind in KINDS if kind.startswith("giant")]


def make(program, kind, size, folder):
    """The kind as a container."""
    text, trace = folder / "bomb.json", folder / f"{kind}.dp2t"
    # In a process of its own: what this one has in memory counts as memory of those that it starts.
    writer = os.fork()
    if writer == 0:
        events = [{"event": "header", "driver_level": 9}, *target(), *KINDS[kind](size), {"event": "present", "handle": 1}]
        text.write_text("[\n" + ",\n".join(map(json.dumps, events)) + "\n]\n", encoding="utf-8")
        os._exit(0)
    os.waitpid(writer, 0)
    subprocess.run([program, "convert", text, trace, "--max-memory", "64G"], check=True, capture_output=True)
    text.unlink()
    return trace


def verbs(trace, work, memory, steps, surfaces):
    """The name and the command line of every verb that reads a trace; the others are lists of options."""
    twin = work / ("twin.json" if trace.suffix == ".dp2t" else "twin.dp2t")
    picture = work / "pictures" / "frame-000001.png"
    drawing = [*memory, *steps, *surfaces]
    return {
        "info": ["info", trace, *memory],
        "info --frames": ["info", trace, "--frames", *drawing],
        "dump": ["dump", trace, *memory],
        "dump json": ["dump", trace, "--format", "json", *memory],
        "convert": ["convert", trace, twin, *memory],
        "copy": ["convert", trace, work / ("copy" + trace.suffix), *memory],
        "diff": ["diff", trace, trace, *memory],
        "lint": ["lint", trace, *memory, *steps],
        "lint --html": ["lint", trace, "--html", work / "html", *memory, *steps],
        "coverage": ["coverage", trace, *memory, *steps],
        "scrub": ["scrub", trace, work / "scrubbed.dp2t", *memory, *steps],
        "replay": ["replay", trace, "-o", work / "pictures", *drawing],
        "blame": ["blame", trace, "--frame", "1", "--against", picture, *drawing],
        "compare": ["compare", picture, picture],
        "reduce": ["reduce", trace, work / "reduced.dp2t", "--keep", f"differs-from={picture}", *memory, *steps],
        "trim": ["trim", trace, work / "trimmed.dp2t", "--frames", "1", *memory, *steps],
        "inspect": ["inspect", trace, "--frames", "1", "-o", work / "page", *drawing],
        "history": ["history", trace, "--frame", "1", "--pixel", "5,5", *drawing],
        "state": ["state", trace, "--draw", "1", "--textures", work / "textures", *drawing],
        "bench": ["bench", trace, "--loop", "2", *memory, *steps],
        "verify": ["verify", trace, *memory, *steps],
    }


class Run:
    """One run of the program: exit code, or None where it does not end; what it says; what it took."""

    def __init__(self, command, seconds, work):
        self.said, self.written = b"", -size_of(work)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        reader = threading.Thread(target=self.read, args=(process.stdout,))
        reader.start()
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        self.timed_out = not timer.is_alive()
        timer.cancel()
        reader.join()
        process.returncode = self.code = os.waitstatus_to_exitcode(status)
        self.memory = used.ru_maxrss * 1024
        self.seconds = used.ru_utime + used.ru_stime
        self.written = max(self.written + size_of(work), 0)

    def read(self, pipe):
        while piece := pipe.read(1 << 20):
            self.written += len(piece)
            self.said = (self.said + piece)[-20000:]


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def check_verbs(program, trace, work, limits):
    """What is wrong with the verbs on this trace."""
    memory, steps, surfaces = limits
    for name, words in verbs(trace, work, memory, steps, surfaces).items():
        if name in ("blame", "compare", "reduce") and not (work / "pictures" / "frame-000001.png").exists():
            continue
        run = Run([program, *words, "--max-output", str(OUTPUT)], TIMEOUT_S, work)
        said = run.said.decode(errors="replace")
        if run.timed_out:
            yield f"{name}: does not end within {TIMEOUT_S} s"
        elif run.code not in (0, 1, 3, 77) and not (run.code == 2 and ("; the trace has " in said or "error: --keep: " in said)):  # what is asked for is absent
            yield f"{name}: exit code {run.code}: {said[-1000:]}"
        if run.written > OUTPUT + (1 << 20):  # what is said on standard error is not counted
            yield f"{name}: {run.written} bytes of output, at most {OUTPUT} are right"
        yield name, run, said


def check_kind(program, kind):
    """A kind that is larger than the limits: what could be read is worked on, the limit is named, and the memory is kept to."""
    most = (MEMORY + BASE) * (2 if is_sanitized(program) else 1)
    with tempfile.TemporaryDirectory(prefix="dp2trace-bomb-") as folder:
        folder = pathlib.Path(folder)
        trace = make(program, kind, MEMORY // 8 if kind in GIANTS else MEMORY // 2, folder)
        limits = (["--max-memory", str(MEMORY)], ["--max-steps", STEPS], ["--max-surface-memory", SURFACES])
        for result in check_verbs(program, trace, folder, limits):
            if isinstance(result, str):
                yield result
                continue
            name, run, said = result
            if run.memory > most:
                yield f"{name}: {run.memory} bytes of memory, at most {most} are right"
            if name in ("lint", "dump", "convert", "info", "scrub", "diff") and not any(rule in said for rule in TRACE_LIMITS):
                yield f"{name}: names no limit: {said[-1000:]}"
            if name in ("dump", "convert", "info", "scrub") and run.code != 3:
                yield f"{name}: exit code {run.code} for a trace of which a part was read"


def check_hostile(program, trace):
    """A trace that draws too much: every verb with a limit of steps ends by it."""
    most = (1 << 30) * (2 if is_sanitized(program) else 1)
    with tempfile.TemporaryDirectory(prefix="dp2trace-bomb-") as folder:
        folder = pathlib.Path(folder)
        for result in check_verbs(program, trace, folder, ([], ["--max-steps", STEPS], [])):
            if isinstance(result, str):
                yield result
            elif result[1].memory > most:
                yield f"{result[0]}: {result[1].memory} bytes of memory, at most {most} are right"


def print_table(program, inputs, size):
    """What each verb takes with the limits that it has without options."""
    print(f"{'input':24} {'KB':>7} {'verb':14} {'exit':>4} {'CPU s':>7} {'MiB':>6} {'output MB':>9}")
    for name in inputs:
        with tempfile.TemporaryDirectory(prefix="dp2trace-bomb-") as folder:
            folder = pathlib.Path(folder)
            if name in KINDS:
                trace = make(program, name, size, folder)
            else:
                trace = HOSTILE / f"{name}.json" if (HOSTILE / f"{name}.json").exists() else pathlib.Path(name).resolve()
            size_bytes = trace.stat().st_size
            for verb, words in verbs(trace, folder, [], [], []).items():
                run = Run([program, *words], TABLE_S, folder)
                is_small = size_bytes < 1 << 20  # limits grow with the file
                marks = "".join(mark for mark, is_set in ((" TIME", run.seconds > 20), (" MEMORY", run.memory > 1 << 30),
                                                            (" OUTPUT", run.written > 1 << 30)) if is_set and is_small)
                print(f"{trace.stem:24} {size_bytes / 1000:7.0f} {verb:14} {run.code:4} {run.seconds:7.1f} {run.memory >> 20:6} {run.written / 1e6:9.1f}{marks}",
                      flush=True)
                if verb not in ("replay", "blame"):
                    for path in folder.iterdir():
                        if path not in (trace, folder / "pictures"):
                            shutil.rmtree(path) if path.is_dir() else path.unlink()


def main():
    """Parses the command line and checks, or measures."""
    hostile = sorted(path.stem for path in HOSTILE.glob("*.json"))
    parser = argparse.ArgumentParser(description="Runs every verb on small files that ask for too much.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to test")
    parser.add_argument("--table", action="store_true", help="measure with the limits that the program has without options")
    parser.add_argument("--size", type=int, default=300, metavar="MIB", help="with --table: of what a kind holds (300)")
    parser.add_argument("inputs", nargs="*", metavar="INPUT", help="kinds, names of hostile traces; with --table files, too (all)")
    options = parser.parse_args()
    program = options.program.resolve()
    inputs = options.inputs or [*KINDS, *hostile]
    if options.table:
        print_table(program, inputs, options.size << 20)
        return 0
    has_failed = False
    for name in inputs:
        wrong = check_kind(program, name) if name in KINDS else check_hostile(program, HOSTILE / f"{name}.json")
        for problem in wrong:
            print(f"{name}: {problem}", flush=True)
            has_failed = True
    return 1 if has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
