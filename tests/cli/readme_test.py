#!/usr/bin/env python3
"""Runs what README.md and the manual tell their readers to type, and checks that their links lead somewhere.

Each ```console block holds `$ command` lines, each followed by exactly what the command prints; of the address that `view` prints only the form
is compared. The two scripts for a fresh machine
are checked for being there and for their syntax only: one of them runs this test.

usage: readme_test.py --program PATH [--update]
"""

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MANUAL = sorted((ROOT / "apps/dp2trace/manual").glob("*.md"))
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
ADDRESS = re.compile(r"http://127\.0\.0\.1:[0-9]+/[0-9a-f]+/")


def environment_of(program):
    return dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}", LC_ALL="C", COLUMNS="")


def output_of(command, program, folder=ROOT):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment_of(program), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60)
    if done.returncode not in (0, 1):
        print(f"exit code {done.returncode}: {command}")
    return done.stdout + done.stderr


def output_of_view(command, program, folder):
    """What it prints before it serves, until Ctrl-C."""
    with subprocess.Popen(["bash", "-c", f"exec {command} --no-browser"], cwd=folder, env=environment_of(program), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline() + process.stderr.readline()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    return first + output + errors


def rerun(block, program, folder):
    text = ""
    for line in block.splitlines():
        if line.startswith("$ dp2trace view"):
            text += f"{line}\n{output_of_view(line[2:], program, folder)}"
        elif line.startswith("$ "):
            text += f"{line}\n{output_of(line[2:], program, folder)}"
    shown = ADDRESS.search(block)
    return ADDRESS.sub(shown.group(), text) if shown else text


def link_tree(folder):
    """What the commands of a page write does not lie in the source."""
    for entry in ROOT.iterdir():
        (pathlib.Path(folder) / entry.name).symlink_to(entry)


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


def check_quotes(page):
    """A block after <!-- FILE --> is part of that file, which a test of the command line compares."""
    for name, quote in re.findall(r"<!-- (tests/\S+) -->\n```\n(.*?)```", page.read_text(), re.DOTALL):
        if quote not in (ROOT / name).read_text():
            yield f"{page.relative_to(ROOT)}: {name} does not have {quote!r}"


def check_verbs(page, program):
    named = set(re.findall(r"^\| `([a-z-]+)", page.read_text(), re.MULTILINE))
    help_text = output_of("dp2trace --help", program)
    verbs = set(re.findall(r"^  ([a-z-]+) ", help_text.split("\nOptions:")[0], re.MULTILINE))
    for verb in sorted(verbs - named):
        yield f"{page.relative_to(ROOT)}: the table of verbs lacks {verb}"


def check_numbers(readme, program):
    """The numbers of rules are those of the table and of the specifications."""
    rules = output_of("dp2trace rules --format json", program).count('"id"')
    for least in map(int, re.findall(r"more than (\d+) (?:documented )?rules", readme)):
        if not least < rules <= least + 100:
            yield f"README.md speaks of more than {least} rules; there are {rules}"
    for page, said in re.findall(r"\]\(([\w/]+\.md)\) \|[^|]* (\d+) rules", (ROOT / "lib/README.md").read_text()):
        rows = len(re.findall(r"^\| (?:DP2|KMT)-[A-Z0-9]+-\d+ \|", (ROOT / "lib" / page).read_text(), re.MULTILINE))
        if rows != int(said):
            yield f"lib/README.md gives {page} {said} rules; it has {rows}"


def check_index():
    index = (ROOT / "apps/dp2trace/manual/README.md").read_text()
    for page in MANUAL:
        if page.name != "README.md" and f"]({page.name})" not in index:
            yield f"apps/dp2trace/manual/README.md does not list {page.name}"


def check_pictures(program):
    """The pictures of the tutorial are what its traces draw."""
    for picture in sorted((ROOT / "apps/dp2trace/manual/first_trace").glob("[0-9]*.png")):
        with tempfile.TemporaryDirectory() as folder:
            drawn = f"{folder}/frame-000001.png"
            command = f"dp2trace replay {picture.with_suffix('.json')} -o {folder} && dp2trace compare {picture} {drawn}"
            output = output_of(command, program)
            if "equal" not in output:
                yield f"{picture.relative_to(ROOT)}: {output}"


def check_outputs(page, program, update):
    text = page.read_text()
    with tempfile.TemporaryDirectory() as folder:
        link_tree(folder)
        actual = BLOCK.sub(lambda match: f"```console\n{rerun(match.group(1), program, folder)}```", text)
    if actual == text:
        return
    if update:
        page.write_text(actual)
    else:
        yield f"{page.relative_to(ROOT)}: outputs differ; should be:\n{actual}"


def main():
    parser = argparse.ArgumentParser(description="Checks README.md and the manual against the program.")
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="rewrite the outputs in the pages")
    options = parser.parse_args()
    program = options.program.resolve()
    readme = ROOT / "README.md"
    problems = [*check_scripts(readme.read_text()), *check_verbs(readme, program),
                *check_verbs(ROOT / "apps/dp2trace/manual/verbs.md", program), *check_index(),
                *check_numbers(readme.read_text(), program), *check_pictures(program), *check_links(ROOT / "lib/README.md")]
    for page in (readme, *MANUAL):
        problems += [*check_outputs(page, program, options.update), *check_quotes(page), *check_links(page)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
