#!/usr/bin/env python3
"""Changes whole traces at random and gives them to the verbs: each must end with an exit code of README, without a report of a sanitizer, in
bounded time and memory, whatever was changed.

A mutation is that of a file: bits flipped, bytes cut out, doubled, moved or overwritten, the end cut off; in JSON also numbers and names
replaced by others of the same file or by edge values, and events moved or doubled. JSON is made of containers first, half of the time, so
that what lies after their hashes is changed, too. The same seed and traces give the same mutations.

usage: mutate.py --server PATH [--count N] [--first N] [--seed N] [--jobs N] [--groups N] [--keep FOLDER] [TRACE...]
exit code: 1 something was wrong (the mutations stay in --keep), 0 nothing
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import rule_cases

EXIT_CODES = {0, 1, 2, 3, 77}  # of README; 4 would be an internal error
MAX_SECONDS = 20
MAX_MEMORY = 2 << 30  # bytes of memory in use; sanitizers take twice of it
MAX_SIZE = 1 << 17  # of a trace that is worth changing: many small ones reach more
RUNS_A_PROCESS = 50
EDGES = ["0", "1", "2", "-1", "255", "256", "65535", "65536", "2147483647", "2147483648", "4294967295", "4294967296", "1e300", "0.5", "null", "\"\"", "[]"]
NUMBER = re.compile(rb'(?<=[:,\[])-?\d+(?:\.\d+)?(?=[,\]}])')
NAME = re.compile(rb'"[A-Za-z0-9_|]{1,40}"')
DATA = re.compile(rb'(?<=")[A-Za-z0-9+/]{16,}={0,2}(?=")')


def verbs(path, work):
    """The command lines that a mutation is tried with, in groups whose later ones need what the earlier ones wrote. The last one converts it to and fro."""
    other = work / ("converted.json" if path.suffix == ".dp2t" else "converted.dp2t")
    # Repeated draws show nothing new, and a sanitized program does a million steps a second.
    limits = ["--max-surface-memory", "256M", "--max-memory", "512M", "--max-draw-steps", "500K", "--max-steps", "500K"]
    return [
        [["lint", path, "--max-memory", "512M"]],
        [["replay", path, "-o", work / "pictures", *limits],
         ["blame", path, "--frame", "1", "--against", work / "pictures" / "frame-000001.png", *limits]],
        [["dump", path, "--max-memory", "512M"]],
        [["info", path, "--frames", *limits]],
        [["history", path, "--frame", "1", "--pixel", "5,5", "--steps", *limits]],
        [["state", path, "--draw", "1", "--textures", work / "textures", "--mesh", work / "mesh.obj", "--force", *limits]],
        [["coverage", path, "--edges", "--max-memory", "512M"]],
        [["trim", path, work / "trimmed.dp2t", "--force", "--frames", "1", "--max-memory", "512M"],
         ["replay", work / "trimmed.dp2t", "-o", work / "trimmed", *limits]],
        [["inspect", path, "--frames", "all", "-o", work / "page", "--max-surface-copies", "64M", "--max-data", "16M", *limits]],
        [["scrub", path, work / "scrubbed.dp2t", "--force", "--max-memory", "512M"],
         ["diff", path, work / "scrubbed.dp2t", "--force", "--max-memory", "512M"]],
        [["convert", path, other],
         ["convert", other, work / ("back" + path.suffix)],
         ["convert", work / ("back" + path.suffix), work / ("again" + other.suffix)]],
    ]


def some_verbs(setting, number, path, work):
    """Those of them that this mutation is tried with."""
    groups = verbs(path, work)
    source = random.Random(f"{setting.seed}/{number}/verbs")
    for group in source.sample(groups, min(setting.groups, len(groups))):
        yield from group


def flip(data, source):
    for _ in range(source.choice((1, 1, 2, 8))):
        data[source.randrange(len(data))] ^= 1 << source.randrange(8)


def overwrite(data, source):
    at = source.randrange(len(data))
    data[at:at + 4] = source.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x01\0\0\0", b"\0\0\0\x80", source.randbytes(4)))


def cut_end(data, source):
    del data[source.randrange(len(data)):]


def piece(data, source):
    """Borders of a piece: some bytes, or lines."""
    if source.random() < 0.5:
        lines = [match.end() for match in re.finditer(b"\n", data)]
        if len(lines) > 2:
            first = source.randrange(len(lines) - 1)
            return lines[first], lines[min(first + source.choice((1, 1, 2, 5)), len(lines) - 1)]
    first = source.randrange(len(data))
    return first, min(len(data), first + source.choice((1, 4, 16, 100, 1000)))


def cut_out(data, source):
    first, last = piece(data, source)
    del data[first:last]


def double(data, source):
    first, last = piece(data, source)
    data[last:last] = data[first:last]


def move(data, source):
    first, last = piece(data, source)
    part = data[first:last]
    del data[first:last]
    _, place = piece(data, source) if data else (0, 0)
    data[place:place] = part


def replace_token(pattern, edges):
    """A number or name takes the place of another one."""
    def mutate(data, source):
        found = list(pattern.finditer(data))
        if not found:
            return flip(data, source)
        target = source.choice(found)
        other = source.choice(edges).encode() if edges and source.random() < 0.5 else bytes(source.choice(found).group())
        data[target.start():target.end()] = other
        return None
    return mutate


def change_data(data, source):
    """Characters of base64 or hex: bytes of vertices, shaders, tokens."""
    found = list(DATA.finditer(data))
    if not found:
        return flip(data, source)
    target = source.choice(found)
    for _ in range(source.choice((1, 2, 8))):
        data[source.randrange(target.start(), target.end())] = source.choice(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef0123456789+/")
    return None


ANY = [flip, overwrite, cut_end, cut_out, double, move]
OF_JSON = [replace_token(NUMBER, EDGES), replace_token(NAME, []), change_data, cut_out, double, move]


@dataclasses.dataclass
class Setting:
    """What all mutations share."""
    server: pathlib.Path
    seed: int
    keep: pathlib.Path
    traces: list
    groups: int
    sanitized: bool


def is_sanitized(program):
    """Whether the program holds a sanitizer, whose memory is its own."""
    return b"__asan_init" in program.read_bytes() or b"__tsan_init" in program.read_bytes()


SERVERS = threading.local()


def serve(setting, command, errors, seconds):
    """Runs a command line in this thread's server; its exit code, or minus a signal, and the KiB of memory that it used."""
    if not hasattr(SERVERS, "server"):
        # Programs without a sanitizer enter a sandbox, which they do not leave.
        runs = RUNS_A_PROCESS if setting.sanitized else 1
        SERVERS.server = subprocess.Popen([setting.server, str(runs)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    server = SERVERS.server
    print(errors, seconds, *command, sep="\t", file=server.stdin, flush=True)
    code, memory = server.stdout.readline().split()
    return int(code), int(memory)


def make(setting, number, work):
    """The mutation with this number, as a file, and the trace that it is of."""
    source = random.Random(f"{setting.seed}/{number}")
    trace = source.choice(setting.traces)
    suffix = trace.suffix
    data = bytearray(trace.read_bytes())
    if suffix == ".dp2t" and source.random() < 0.5:
        text = work / "text.json"
        serve(setting, ["convert", trace, text], os.devnull, MAX_SECONDS)
        if text.exists():
            data, suffix = bytearray(text.read_bytes()), ".json"
            text.unlink()
    elif suffix == ".json" and source.random() < 0.2:
        binary = work / "binary.dp2t"
        code, _ = serve(setting, ["convert", trace, binary, "--compression", "none"], os.devnull, MAX_SECONDS)
        if code == 0:
            data, suffix = bytearray(binary.read_bytes()), ".dp2t"
        binary.unlink(missing_ok=True)
    for _ in range(source.choice((1, 1, 1, 2, 4))):
        if data:
            source.choice(OF_JSON if suffix == ".json" and source.random() < 0.8 else ANY)(data, source)
    path = work / f"mutation-{number}{suffix}"
    path.write_bytes(data)
    return path, trace


def run(setting, command, work):
    """What is wrong with a run, or nothing, and its exit code."""
    seconds = MAX_SECONDS * (4 if setting.sanitized else 1)
    words = " ".join(str(word) for word in command)
    errors = work / "errors.txt"
    code, memory = serve(setting, command, errors, seconds)
    messages = errors.read_text(errors="replace")
    if code == -signal.SIGXCPU:
        return f"{words}: takes more than {seconds} s of processor time", None
    if code == -signal.SIGALRM:
        return f"{words}: does not end", None
    if code not in EXIT_CODES or "ERROR: " in messages or "runtime error" in messages:
        return f"{words}: exit code {code}: {messages[-2000:]}", code
    if memory * 1024 > MAX_MEMORY * (2 if setting.sanitized else 1):
        return f"{words}: {memory >> 10} MiB of memory", code
    return None, code


def try_one(setting, number):
    """What is wrong with one mutation, or nothing, and how many runs it had."""
    with tempfile.TemporaryDirectory(prefix="dp2trace-mutate-") as folder:
        work = pathlib.Path(folder)
        path, trace = make(setting, number, work)
        problem = None
        runs = 0
        made = []  # by convert
        for command in some_verbs(setting, number, path, work):
            if command[0] == "convert" and made and not made[-1].exists():
                break  # nothing of it could be read
            problem, code = run(setting, command, work)
            runs += 1
            if command[0] == "convert":
                made.append(command[2])
            if not problem and len(made) == 2 and not made[1].exists():
                problem = f"what convert made of it does not convert back: exit code {code}"
            if not problem and len(made) == 3 and made[0].read_bytes() != made[2].read_bytes():
                problem = "what convert made of it is another when converted to and fro"
            if problem:
                setting.keep.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, setting.keep)
                break
        return (f"mutation {number} of {trace}: {problem}" if problem else None), runs


def main():
    """Parses the command line and runs the mutations."""
    parser = argparse.ArgumentParser(description="Changes traces at random and gives them to dp2trace.")
    parser.add_argument("--server", required=True, type=pathlib.Path, help="verb_server of the build to test")
    parser.add_argument("--count", type=int, default=1000, help="mutations (%(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="at once (%(default)s)")
    parser.add_argument("--groups", type=int, default=100, help="of verbs that a mutation is tried with, chosen at random (all)")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("mutations"), help="where mutations stay that show something (%(default)s)")
    parser.add_argument("traces", nargs="*", type=pathlib.Path, metavar="TRACE", help="traces and folders of them (those of the repository)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dp2trace-rules-") as rules:
        places = options.traces
        if not places:
            rule_cases.unpack(pathlib.Path(rules))
            places = [*(ROOT / "traces" / name for name in ("scenes", "features", "opcodes", "packets", "events", "hostile")), pathlib.Path(rules)]
        return mutate(options, places, parser)


def mutate(options, places, parser):
    """Runs the mutations of the traces at some places; returns the exit code."""
    files = [file for place in places for file in ([place] if place.is_file() else sorted(place.rglob("*")))]
    traces = [file for file in files if file.suffix in (".json", ".dp2t") and 0 < file.stat().st_size <= MAX_SIZE]
    if not traces:
        parser.error("there is no trace")
    server = options.server.resolve()
    setting = Setting(server, options.seed, options.keep, traces, options.groups, is_sanitized(server))
    runs = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for problem, count in pool.map(lambda number: try_one(setting, number), range(options.first, options.first + options.count)):
            runs += count
            if problem:
                failed += 1
                print(problem, flush=True)
    print(f"{options.count} mutations of {len(traces)} traces, {runs} runs: {failed} show something" + (f"; they are in {options.keep}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
