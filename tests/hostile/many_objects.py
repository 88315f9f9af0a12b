#!/usr/bin/env python3
"""Lints small traces of very many objects: each must end by itself, with findings at most, and stay below 1 GiB of memory.

The traces are made here: as containers they are small, as text they would be large.

usage: many_objects.py --program PATH [CASE...]
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

from mutate import is_sanitized

MAX_MEMORY = 1 << 30  # bytes in use; sanitizers take twice of it
TIMEOUT_S = 280  # many times what they take: work that grows with the square of the objects takes hours


def surface(handle=1, space=0, **more):
    """A target of 16 x 16 pixels."""
    return {"event": "surface_create", "space": space, "handle": handle, "kind": "target", "format": "X8R8G8B8", "width": 16,
            "height": 16} | more


def context(number=1, space=0):
    """A context that draws into surface 1."""
    return {"event": "context_create", "space": space, "context": number, "target": 1}


def contexts():
    """Contexts of one space: more than fit are refused."""
    return [surface(), *(context(i + 1) for i in range(200000))]


def spaces():
    """As many spaces, with a surface and a context each."""
    return [event for i in range(200000) for event in (surface(space=i), context(space=i))]


def presents():
    """Frames in which nothing is drawn."""
    return [surface()] + [{"event": "present", "handle": 1}] * 1000000


def announcements():
    """Surfaces with handles of levels, each announced twice and destroyed."""
    made = [surface(2 * i + 1, kind="texture", levels=2, sub_surfaces=[{"handle": 2 * i + 2, "face": 0, "level": 1}])
            for i in range(50000)]
    return made + made + [{"event": "surface_destroy", "handle": 2 * i + 1} for i in range(50000)]


def lights(captures=2000):
    """A state block of many lights that is captured again and again."""
    capture = {"op": "STATESET", "records": [{"operation": "CAPTURE", "param": 1, "type": "NULL"}] * 2000}
    records = [{"op": "STATESET", "records": [{"operation": "BEGIN", "param": 1, "type": "NULL"}]},
               {"op": "SETLIGHT", "records": [{"index": i, "data_type": "ENABLE"} for i in range(60000)]},
               {"op": "STATESET", "records": [{"operation": "END", "param": 1, "type": "NULL"}]},
               *[capture] * (captures // 2000)]
    return [surface(), context(), {"event": "dp2", "context": 1, "commands": records}]


def work():
    """The same for a quarter of an hour, were it not for --max-steps."""
    return lights(400000)


def destroyed():
    """Thousands of contexts, each of which is asked for what it binds when a surface is destroyed."""
    surfaces = [event for _ in range(100000) for event in (surface(2), {"event": "surface_destroy", "handle": 2})]
    return [surface(), *(context(i + 1) for i in range(10000)), *surfaces]


CASES = {made.__name__: made for made in (contexts, spaces, presents, announcements, lights, work, destroyed)}
ENDED = {"work", "destroyed"}  # by a limit of work far below the default one, which takes a minute


def check(program, case):
    """Returns what is wrong, or nothing."""
    with tempfile.TemporaryDirectory(prefix="dp2trace-hostile-") as folder:
        text = pathlib.Path(folder, "trace.json")
        events = [{"event": "header", "driver_level": 9}, *CASES[case]()]
        text.write_text("[\n" + ",\n".join(map(json.dumps, events)) + "\n]\n", encoding="utf-8")
        trace = text.with_suffix(".dp2t")
        made = subprocess.run([program, "convert", text, trace], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            return f"cannot be made: {made.stderr}"
        try:
            limits = ["--max-steps", "1G"] if case in ENDED else []
            done = subprocess.run([program, "lint", trace, "--max-per-rule", "10", *limits], capture_output=True, text=True,
                                  timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            return f"does not end within {TIMEOUT_S} s"
    if ("REPLAY-WORK-001" in done.stdout) != (case in ENDED):
        return f"ended by its work, or not: {done.stdout[-2000:]}"
    if done.returncode not in (0, 1):
        return f"exit code {done.returncode}: {done.stderr[-2000:]}"
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    most = MAX_MEMORY * (2 if is_sanitized(program) else 1)
    return f"{used} bytes of memory, at most {most} are right" if used > most else None


def main():
    """Parses the command line and checks."""
    parser = argparse.ArgumentParser(description="Lints small traces of very many objects.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to test")
    parser.add_argument("cases", nargs="*", choices=[[], *CASES], help="all, unless named")
    options = parser.parse_args()
    has_failed = False
    for case in options.cases or CASES:
        wrong = check(options.program.resolve(), case)
        if wrong:
            print(f"{case}: {wrong}")
            has_failed = True
    return 1 if has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
