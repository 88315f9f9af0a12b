#!/usr/bin/env python3
"""Runs what README.md tells its readers to type, and checks that its links lead somewhere.

Each ```console block holds `$ command` lines, each followed by exactly what the command prints. The two scripts for a fresh machine
are checked for being there and for their syntax only: one of them runs this test.

usage: readme_test.py --program PATH [--update]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def output_of(command, program):
    environment = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}", LC_ALL="C")
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    if done.returncode not in (0, 1):
        print(f"README.md: exit code {done.returncode}: {command}")
    return done.stdout + done.stderr


def rerun(block, program):
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{output_of(line[2:], program)}" for line in commands)


def check_scripts(readme):
    for script in ("./scripts/demo.sh", "./scripts/test.sh"):
        if f"`{script}`" not in readme:
            yield f"README.md does not name {script}"
        elif not os.access(ROOT / script, os.X_OK) or subprocess.run(["bash", "-n", ROOT / script]).returncode:
            yield f"{script} cannot run"


def check_links(page):
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
        if not (page.parent / target).exists():
            yield f"{page.relative_to(ROOT)}: nothing at {target}"


def check_verbs(readme, program):
    named = set(re.findall(r"^\| `([a-z]+)", readme, re.MULTILINE))
    help_text = output_of("dp2trace --help", program)
    verbs = set(re.findall(r"^  ([a-z]+) ", help_text.split("Subcommands:")[1], re.MULTILINE)) - {"dp2trace"}
    for verb in verbs - named:
        yield f"README.md: the table of verbs lacks {verb}"


def main():
    parser = argparse.ArgumentParser(description="Checks README.md against the program.")
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="rewrite the outputs in README.md")
    options = parser.parse_args()
    program = options.program.resolve()
    path = ROOT / "README.md"
    readme = path.read_text()
    actual = BLOCK.sub(lambda match: f"```console\n{rerun(match.group(1), program)}```", readme)
    if options.update:
        path.write_text(actual)
        readme = actual
    problems = [] if actual == readme else [f"README.md: outputs differ; should be:\n{actual}"]
    problems += check_scripts(readme)
    problems += check_verbs(readme, program)
    problems += check_links(path)
    problems += check_links(ROOT / "lib/README.md")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
