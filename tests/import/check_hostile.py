#!/usr/bin/env python3
"""Imports captures and dumps that ask for too much (hostile_captures.py). Each must end by itself with exit code 0 or 3, within its
limits of memory and output. The limits are a quarter of the defaults, since each input costs what its limits allow; --defaults runs without
them.

A time limit tells a program that goes on for ever from a slow machine, no more: --list prints what each took.

usage: check_hostile.py --program PATH [--seed N] [--keep FOLDER] [--list] [--defaults] [NAME...]
"""

import argparse
import concurrent.futures
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading

import hostile_captures

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "hostile"))
from mutate import is_sanitized  # noqa: E402  pylint: disable=wrong-import-position

MAX_MEMORY = 1000 ** 3
MAX_OUTPUT = 1000 ** 3
SHARE = 4
QUARTER = ("--max-memory", "256M", "--max-steps", "2G")
TIMEOUT_S = 280
GOOD_CODES = (0, 3)
# They end by the limit of work, which takes seconds to a minute, whatever is written.
ENDED_BY_WORK = ("evictions", "released-buffers", "state-blocks")


def run(command, log):
    """Exit code, peak of memory in bytes, processor seconds. Output above the limit ends the program by a signal."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_OUTPUT, MAX_OUTPUT))
    with open(log, "wb") as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=limit)  # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
        timer = threading.Timer(TIMEOUT_S, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def main():
    """Writes the inputs one by one, and checks."""
    parser = argparse.ArgumentParser(description="Imports what asks for too much.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to check")
    parser.add_argument("--seed", type=int, default=1, help="of what is chosen by chance (1)")
    parser.add_argument("--keep", type=pathlib.Path, help="folder that keeps the inputs")
    parser.add_argument("--list", action="store_true", help="print what each input took")
    parser.add_argument("--defaults", action="store_true", help="run with the limits that users have")
    parser.add_argument("names", nargs="*", metavar="NAME", help="inputs (all)")
    options = parser.parse_args()
    program = options.program.resolve()
    most = MAX_MEMORY * (3 if is_sanitized(program) else 1) // (1 if options.defaults else SHARE)
    limits = () if options.defaults else QUARTER
    found = []
    left = set(options.names)

    # The peak of a process counts that of the one that it was forked from: a worker that holds no input starts the program.
    runner = concurrent.futures.ProcessPoolExecutor(max_workers=1)
    runner.submit(os.getpid).result()

    def check(name, make, folder, variants):
        if options.names and name not in left:
            return
        left.discard(name)
        data = make()
        if len(data) > hostile_captures.MAX_SIZE:
            found.append("%s: the input has %d bytes, below 1 MB is right" % (name, len(data)))
        place = (options.keep or folder) / (name + ".input")
        place.write_bytes(data)
        for words in variants:
            code, memory, seconds = runner.submit(run, [program, *words[:1], place, folder / words[1], *words[2:], *limits], folder / "log").result()
            log = (folder / "log").read_text(errors="replace")
            output = max((path.stat().st_size for path in folder.glob("out.*")), default=0)
            if options.list:
                print("%-20s %-16s %8d bytes in: exit code %2d, %5d MB, %6.1f s, %9d bytes out  %s" % (
                    name, words[1], len(data), code, memory >> 20, seconds, output, log.strip().splitlines()[-1][-150:] if log.strip() else ""), flush=True)
            if code not in GOOD_CODES or memory > most or len(log) > 1 << 20:
                found.append("%s, %s: exit code %d, %d MB, %d bytes of talk: %s" % (name, " ".join(words), code, memory >> 20, len(log), log[-500:]))
            for path in folder.glob("out.*"):
                path.unlink()

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name, make, is_program in hostile_captures.captures(options.seed, 1 if options.defaults else SHARE):
            check(name, make, folder, [("import", "out.dp2t", "--force"), ("import", "out.json", "--force", "--transport", "kmt")][:2 if is_program and name not in ENDED_BY_WORK else 1])
            if options.names and not left:
                break  # to make the others takes its time, too
        for name, words in hostile_captures.dumps():
            check(name, words.encode, folder, [("import-hex", "out.dp2t", "--force"), ("import-hex", "out.json", "--force")])
    print("\n".join(found) or "good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
