#!/usr/bin/env python3
"""Verbs are in their sandbox before they read the events: /proc says that a filter of system calls is at work.

usage: sandbox_test.py DP2TRACE TRACE
"""
import os
import subprocess
import sys
import tempfile
import time


def seccomp_mode(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        fields = dict(line.split(":", 1) for line in status)
    return int(fields.get("Seccomp", "0"))


def mode_of(program, verb, trace, options):
    """The mode while the trace is half read, and the exit code at its end."""
    with open(trace, "rb") as file:
        content = file.read()
    with tempfile.TemporaryDirectory() as folder:
        output = [] if verb == "lint" else ["-o", os.path.join(folder, "out")]
        command = [program, verb, "-", *output, *options]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        process.stdin.write(content[:-1])
        process.stdin.flush()
        mode = seccomp_mode(process)
        limit = time.monotonic() + 60
        while mode != 2 and "off" not in options and process.poll() is None and time.monotonic() < limit:
            time.sleep(0.05)
            mode = seccomp_mode(process)
        process.stdin.write(content[-1:])
        process.stdin.close()
        return mode, process.wait()


def main():
    program, trace = sys.argv[1:]
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    if "seccomp" not in version.stdout:
        print("skipped: no seccomp here, " + version.stdout)
        return 77
    before = seccomp_mode(subprocess.Popen(["sleep", "0"]))
    for verb in ("replay", "lint"):
        for options, expected in (([], 2), (["--sandbox", "off"], before)):
            mode, code = mode_of(program, verb, trace, options)
            if (mode, code) != (expected, 0):
                print(f"{verb} {options}: mode {mode} and exit code {code}, expected {expected} and 0")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
