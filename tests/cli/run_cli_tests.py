#!/usr/bin/env python3
"""Runs the command line tests: one folder per case, or a snapshot file of many short ones.

    cmd             what runs, in bash, in a fresh folder; `dp2trace` is the program under test, $INPUTS the folder
                    tests/cli/inputs, $TRACES the folder traces/ and $RULES one with the cases of the rules
    stdout.exact    what standard output must hold, byte for byte
    stdout.glob     or line by line, where * stands for anything in a line and a line of ... for any number of lines
    stderr.exact, stderr.glob  the same for standard error. Without a file the stream must be empty
    exit            the exit code, 0 without the file
    terminal        (empty) standard error is a pseudo-terminal
    unkept          (empty) the case is about the outputs themselves, which --keep would pass through another program
    posix           why the case says nothing about a program for Windows: --windows passes it over

A snapshot (help.txt, usage.txt) has a section per command: `$ COMMAND`, its standard output, the lines of its standard error after `2> `,
and `exit N` unless that is 0. A new command is a new line with `$`; --update writes what it prints. --windows passes over commands with
`# POSIX`.

usage: run_cli_tests.py --program PATH [--update | --windows] [--keep FOLDER] [CASE | SNAPSHOT...]
"""

import argparse
import contextlib
import difflib
import fnmatch
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import threading

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import rule_cases

SNAPSHOTS = ("help.txt", "usage.txt")
TIMEOUT_S = 120
# Stands for the program, and keeps what it writes to standard output and into files.
KEEPING = """#!/bin/bash
kept=$(mktemp "{folder}/XXXXXX")
"{program}" "$@" > "$kept"
code=$?
grep -lsE '^\\{{"tool":"dp2trace","version":' * */* | while IFS= read -r file; do cp "$file" "$(mktemp "{folder}/XXXXXX")"; done
cat "$kept"
exit $code
"""


@contextlib.contextmanager
def rules_folder(command):
    """A folder with the cases of the rules that a command names, or of all."""
    with tempfile.TemporaryDirectory(prefix="dp2trace-rules-") as folder:
        if "$RULES" in command:
            rule_cases.unpack(pathlib.Path(folder), re.findall(r"\$RULES/\w+/([A-Z0-9-]+)", command))
        yield folder


@contextlib.contextmanager
def keeping(program, folder):
    """A program that keeps its outputs in a folder, which is emptied; the program itself without a folder."""
    if folder is None:
        yield program
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="dp2trace-keeping-") as between:
        path = pathlib.Path(between, "dp2trace")
        path.write_text(KEEPING.format(folder=folder, program=program))
        path.chmod(0o755)
        yield path


def run(command, program, has_terminal=False):
    """The exit code, standard output and standard error of a command."""
    # LANG: messages of the system; CLICOLOR and the like are the caller's and must not matter.
    environment = {
        "PATH": f"{program.parent}:{os.environ.get('PATH', '/usr/bin:/bin')}",
        "INPUTS": str(FOLDER / "inputs"),
        "TRACES": str(ROOT / "traces"),
        "LC_ALL": "C",
        "TERM": "xterm",
    }
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
        if name in os.environ:
            environment[name] = os.environ[name]
    with tempfile.TemporaryDirectory(prefix="dp2trace-cli-") as folder, rules_folder(command) as rules:
        environment["RULES"] = rules
        arguments = dict(args=["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        try:
            if has_terminal:
                return run_on_terminal(arguments)
            done = subprocess.run(stderr=subprocess.PIPE, timeout=TIMEOUT_S, **arguments)
        except subprocess.TimeoutExpired as error:
            return 124, error.stdout or b"", (error.stderr or b"") + f"no end after {TIMEOUT_S} s\n".encode()
        return done.returncode, done.stdout, done.stderr


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


def check(case, program, is_update, keep):
    is_kept = keep is not None and not (case / "unkept").exists()
    with keeping(program, keep.resolve() / case.name if is_kept else None) as used:
        code, stdout, stderr = run((case / "cmd").read_text(), used, (case / "terminal").exists())
    streams = {"stdout": stdout, "stderr": stderr}
    if is_update:
        update(case, code, streams)
    expected_code = int((case / "exit").read_text()) if (case / "exit").exists() else 0
    problems = [] if code == expected_code else [f"exit code {code}, expected {expected_code}"]
    problems += [text for stream, actual in streams.items() if (text := difference(case, stream, actual))]
    for problem in problems:
        print(f"{case.name}: {problem}")
    return not problems


def section(command, program):
    """What a snapshot says of a command."""
    code, stdout, stderr = run(command, program)
    lines = [f"$ {command}\n"]
    for mark, stream in (("", stdout), ("2> ", stderr)):
        for line in stream.decode("utf-8", "replace").splitlines(keepends=True):
            lines.append(mark + line if line.endswith("\n") else f"{mark}{line} (without end of line)\n")
    if code:
        lines.append(f"exit {code}\n")
    return "".join(lines)


def check_snapshot(path, program, is_update, is_windows):
    expected = path.read_text()
    if is_windows:
        expected = "\n".join(part for part in re.split(r"\n(?=\$ )", expected) if "# POSIX" not in part.splitlines()[0])
    commands = [line[2:] for line in expected.splitlines() if line.startswith("$ ")]
    actual = "\n".join(section(command, program) for command in commands)
    if is_update:
        path.write_text(actual)
    elif actual != expected:
        sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True), f"{path.name}: expected", f"{path.name}: actual"))
        return False
    return bool(commands)


def main():
    parser = argparse.ArgumentParser(description="Runs the command line tests.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to test")
    parser.add_argument("--update", action="store_true", help="rewrite the snapshots and the .exact and exit files from what happens now")
    parser.add_argument("--windows", action="store_true", help="the program is one for Windows")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="keep the outputs of each case in FOLDER/CASE, for json_outputs_test.py")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="names of cases and snapshots (all)")
    options = parser.parse_args()
    names = options.cases or [*SNAPSHOTS, *sorted(path.parent.name for path in FOLDER.glob("*/cmd"))]
    cases = [FOLDER / name for name in names]
    program = options.program.resolve()
    failed = []
    passed_over = 0
    for case in cases:
        if options.windows and (case / "posix").exists():
            passed_over += 1
        elif case.name in SNAPSHOTS:
            failed += [] if check_snapshot(case, program, options.update, options.windows) else [case.name]
        elif not check(case, program, options.update, options.keep):
            failed.append(case.name)
    if passed_over:
        print(f"{passed_over} of {len(cases)} cases are about POSIX and passed over")
    if failed:
        print(f"{len(failed)} of {len(cases)} cases failed: {' '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
