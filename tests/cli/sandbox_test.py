#!/usr/bin/env python3
"""Verbs are in their sandbox before they read what strangers may have made: /proc says that a filter of system calls is at work.

The input is a pipe with a name: it can be opened for writing as soon as the verb opens it, and not before. The verbs are those that the help of
the program lists: a new one has to be added here.

usage: sandbox_test.py DP2TRACE
"""
import os
import re
import subprocess
import sys
import tempfile
import time

TIMEOUT_S = 60
FILTERED = 2  # of seccomp, in /proc

# What each verb is given: INPUT is the pipe; options that need another file name one that need not exist.
VERBS = {
    "replay": ["INPUT.dp2t", "-o", "out"],
    "lint": ["INPUT.dp2t"],
    "verify": ["INPUT.dp2t"],
    "history": ["INPUT.dp2t", "--frame", "1", "--pixel", "0,0"],
    "blame": ["INPUT.dp2t", "--against", "picture.png", "--frame", "last"],
    "view": ["INPUT.dp2t", "--no-browser"],
    "edit": ["INPUT.dp2t", "out.json", "--drop", "draw=1"],
    "inspect": ["INPUT.dp2t", "-o", "out", "--frames", "1"],
    "coverage": ["INPUT.dp2t"],
    "info": ["INPUT.dp2t"],
    "import": ["INPUT.trace", "out.dp2t"],
    "import-hex": ["INPUT.txt", "out.dp2t"],
    "dump": ["INPUT.dp2t"],
    "convert": ["INPUT.dp2t", "out.json"],
    "state": ["INPUT.dp2t", "--draw", "last"],
    "diff": ["INPUT.dp2t", "other.dp2t"],
    "trim": ["INPUT.dp2t", "out.json", "--frames", "1"],
    "reduce": ["INPUT.dp2t", "out.json", "--keep", "finding=DP2-STREAM-009"],
    "scrub": ["INPUT.dp2t", "out.json"],
    "compare": ["INPUT.png", "INPUT.png"],
    "bench": ["INPUT.dp2t"],
    "golden accept": ["--results", "INPUT.jsonl", "--manifest", "manifest.json", "--allow-ci"],
    "golden report": ["INPUT.jsonl", "-o", "out"],
    "golden merge": ["INPUT.jsonl", "-o", "out.jsonl"],
    "golden gc": ["--manifest", "INPUT.json", "--store", "store"],
}
# These read tables of the program or only names of files, or have processes that read (golden: CacheAndShards).
OTHERS = {"golden", "golden check", "golden init", "list", "rules", "explain", "completion", "config"}


def seccomp_mode(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        fields = dict(line.split(":", 1) for line in status)
    return int(fields["Seccomp"])


def listed_verbs(program, *group):
    """The verbs that the help lists."""
    lines = subprocess.run([program, *group, "--help"], capture_output=True, text=True, check=True).stdout.split("\n")
    lines = lines[:lines.index("Options:")]
    names = [line.split()[0] for line in lines if re.match("  [a-z]", line)]
    return {" ".join([*group, name]) for name in names}


def prepare(folder, arguments):
    """The arguments with the pipe, and its path."""
    place = next(word for word in arguments if word.startswith("INPUT"))
    path = os.path.join(folder, place)
    os.mkfifo(path)
    manifest = os.path.join(folder, "manifest.json")
    with open(manifest, "w", encoding="ascii") as file:
        file.write('{"version": 1, "traces": []}')
    return path


def open_pipe(path, process):
    """The writing end, as soon as somebody reads; nothing where the process ends before."""
    limit = time.monotonic() + TIMEOUT_S
    while process.poll() is None and time.monotonic() < limit:
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.01)
    return None


def mode_of(program, verb, options):
    """The mode when the input has been opened, or why it is not known."""
    with tempfile.TemporaryDirectory() as folder:
        path = prepare(folder, VERBS[verb])
        process = subprocess.Popen([program, *verb.split(), *VERBS[verb], *options], cwd=folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        pipe = open_pipe(path, process)
        try:
            if pipe is None:
                return f"it ends with {process.wait()} before it reads: {process.stderr.read().decode()}"
            return seccomp_mode(process)
        finally:
            process.kill()
            process.communicate()
            if pipe is not None:
                os.close(pipe)


def main():
    program = os.path.abspath(sys.argv[1])
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    if "seccomp" not in version.stdout:
        print("skipped: no seccomp here, " + version.stdout)
        return 77
    with open("/proc/self/status", encoding="ascii") as status:
        before = int(dict(line.split(":", 1) for line in status)["Seccomp"])
    failures = 0
    listed = listed_verbs(program) | listed_verbs(program, "golden")
    if listed != set(VERBS) | OTHERS:
        print(f"not in this test, or not in the program: {sorted(listed ^ (set(VERBS) | OTHERS))}")
        failures += 1
    for verb in sorted(set(VERBS) & listed):
        for options, expected in (([], FILTERED), (["--sandbox", "off"], before)):
            mode = mode_of(program, verb, options)
            if mode != expected:
                failures += 1
                print(f"{verb} {' '.join(options)}: {mode}, expected {expected}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
