#!/usr/bin/env python3
"""Runs the command line tests: one folder per case.

    cmd             what runs, in bash, in a fresh folder; `dp2trace` is the program under test, $INPUTS the folder
                    tests/cli/inputs and $TRACES the folder traces/
    stdout.exact    what standard output must hold, byte for byte
    stdout.glob     or line by line, where * stands for anything in a line and a line of ... for any number of lines
    stderr.exact, stderr.glob  the same for standard error. Without a file the stream must be empty
    exit            the exit code, 0 without the file
    terminal        (empty) standard error is a pseudo-terminal

usage: run_cli_tests.py --program PATH [--update] [CASE...]
"""

import argparse
import fnmatch
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import threading

FOLDER = pathlib.Path(__file__).resolve().parent
TIMEOUT_S = 120


def run(case, program):
    """The exit code, standard output and standard error of the case's command."""
    # LANG: messages of the system; CLICOLOR and the like are the caller's and must not matter.
    environment = {
        "PATH": f"{program.parent}:{os.environ.get('PATH', '/usr/bin:/bin')}",
        "INPUTS": str(FOLDER / "inputs"),
        "TRACES": str(FOLDER.parent.parent / "traces"),
        "LC_ALL": "C",
        "TERM": "xterm",
    }
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
        if name in os.environ:
            environment[name] = os.environ[name]
    command = (case / "cmd").read_text()
    with tempfile.TemporaryDirectory(prefix="dp2trace-cli-") as folder:
        arguments = dict(args=["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        if not (case / "terminal").exists():
            done = subprocess.run(stderr=subprocess.PIPE, timeout=TIMEOUT_S, **arguments)
            return done.returncode, done.stdout, done.stderr
        return run_on_terminal(arguments)


def run_on_terminal(arguments):
    master, slave = pty.openpty()
    with subprocess.Popen(stderr=slave, **arguments) as process:
        os.close(slave)
        pieces = []

        def read():
            try:
                while piece := os.read(master, 65536):
                    pieces.append(piece)
            except OSError:  # Linux reports the end of a terminal as an error
                pass

        reader = threading.Thread(target=read)
        reader.start()
        stdout, _ = process.communicate(timeout=TIMEOUT_S)
        reader.join(timeout=TIMEOUT_S)
    os.close(master)
    return process.returncode, stdout, b"".join(pieces)


def glob_matches(pattern, text):
    """Line by line; a pattern line of `...` takes any number of lines."""
    wanted, found = pattern.splitlines(), text.splitlines()

    def match(w, f):
        while w < len(wanted):
            if wanted[w] == "...":
                return any(match(w + 1, rest) for rest in range(f, len(found) + 1))
            # fnmatch's brackets would make every [ID] a character class.
            if f == len(found) or not fnmatch.fnmatchcase(found[f], wanted[w].replace("[", "[[]")):
                return False
            w, f = w + 1, f + 1
        return f == len(found)

    return match(0, 0)


def difference(case, stream, actual):
    """Says what is wrong with the stream, or nothing."""
    exact, pattern = case / f"{stream}.exact", case / f"{stream}.glob"
    if pattern.exists():
        if glob_matches(pattern.read_text(), actual.decode("utf-8", "replace")):
            return None
        expected = pattern.read_text()
    else:
        expected_bytes = exact.read_bytes() if exact.exists() else b""
        if actual == expected_bytes:
            return None
        expected = expected_bytes.decode("utf-8", "replace")
    shown = actual.decode("utf-8", "replace")
    return f"--- {stream}: expected\n{expected}--- {stream}: actual\n{shown}---"


def update(case, code, streams):
    for stream, actual in streams.items():
        exact = case / f"{stream}.exact"
        if (case / f"{stream}.glob").exists():
            continue
        if actual:
            exact.write_bytes(actual)
        else:
            exact.unlink(missing_ok=True)
    if code:
        (case / "exit").write_text(f"{code}\n")
    else:
        (case / "exit").unlink(missing_ok=True)


def check(case, program, is_update):
    code, stdout, stderr = run(case, program)
    streams = {"stdout": stdout, "stderr": stderr}
    if is_update:
        update(case, code, streams)
    expected_code = int((case / "exit").read_text()) if (case / "exit").exists() else 0
    problems = [] if code == expected_code else [f"exit code {code}, expected {expected_code}"]
    problems += [text for stream, actual in streams.items() if (text := difference(case, stream, actual))]
    for problem in problems:
        print(f"{case.name}: {problem}")
    return not problems


def main():
    parser = argparse.ArgumentParser(description="Runs the command line tests.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to test")
    parser.add_argument("--update", action="store_true", help="rewrite the .exact and exit files from what happens now")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="names of cases (all)")
    options = parser.parse_args()
    cases = [FOLDER / name for name in options.cases] or sorted(path.parent for path in FOLDER.glob("*/cmd"))
    failed = [case.name for case in cases if not check(case, options.program.resolve(), options.update)]
    if failed:
        print(f"{len(failed)} of {len(cases)} cases failed: {' '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
