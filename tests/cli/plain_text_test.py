#!/usr/bin/env python3
"""Runs every verb on traces, pictures and folders with hostile names, with hostile texts in them, and looks at the bytes that come out:
everything is UTF-8, nothing steers a terminal, nothing is a command to a CI system, and what is JSON or XML can be read.

usage: plain_text_test.py --program PATH
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INPUTS = ROOT / "tests" / "cli" / "inputs"
TEXT = "::error::t\x1b]0;owned\x07\n::error file=README.md,line=1::injected\r\n##[error]x \u202etxt\u2028y\x7f\x9b|`<b>]]>&\"' ##vso[task.x]z"
NAME = b"::warning::n\x1b[31m\n::error::x\xe2\x80\xae##[error]\xff&<'"
# Written, apart from line ends.
UNRULY = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
COMMAND = re.compile(r"^ *::|##\[|##vso\[", re.MULTILINE)
OWN_COMMAND = re.compile(r"^::(error|warning|notice) (file=[^:\n]*,|)title=[^:\n]*::.*$", re.MULTILINE)

failures = []


def complain(command, where, what):
    failures.append(f"{where}: {what}\n    {command}")


def look(command, where, data, form="text"):
    """`form`: text, json, jsonl, xml, github."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        complain(command, where, f"is not UTF-8: {error}: {data[max(0, error.start - 40):error.end + 20]}")
        return
    if found := UNRULY.search(text.replace("\t", "") if form != "text" else text):
        complain(command, where, f"has {found.group()!r}: {text[max(0, found.start() - 60):found.end() + 20]!r}")
    rest = OWN_COMMAND.sub("", text) if form == "github" else text
    if found := COMMAND.search(rest):
        complain(command, where, f"has a command: {rest[max(0, found.start() - 60):found.end() + 40]!r}")
    try:
        if form == "json":
            json.loads(text)
        elif form == "jsonl":
            for line in text.splitlines():
                json.loads(line)
        elif form == "xml":
            xml.etree.ElementTree.fromstring(text)
    except (ValueError, xml.etree.ElementTree.ParseError) as error:
        complain(command, where, f"is no {form}: {error}")


class Runner:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        # A program that runs under CI accepts nothing.
        self.environment = {name: value for name, value in os.environ.items() if name != "CI"}
        self.verbs = set()

    def __call__(self, *words, form="text", codes=(0, 1, 2, 3, 77), files=()):
        """Runs the program; `files`: what it writes, with the form of each."""
        self.verbs.add(" ".join(words[:2]) if words[0] == "golden" else words[0])
        command = [os.fsencode(self.program), *map(os.fsencode, words)]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
        if done.returncode not in codes:
            complain(command[1:], "exit code", f"{done.returncode}: {done.stderr[-300:]}")
        look(command[1:], "standard output", done.stdout, form if done.stdout else "text")
        look(command[1:], "standard error", done.stderr)
        for path, its_form in files if done.returncode in codes else ():
            look(command[1:], path, pathlib.Path(os.fsdecode(os.fsencode(self.folder) + b"/" + os.fsencode(path))).read_bytes(), its_form)
        return done


def hostile_trace(source, destination):
    """The trace with a marker before each of its calls, a generator, and something that is wrong."""
    events = json.loads(source.read_text())
    out = []
    for event in events:
        if event["event"] == "header":
            event["generator"] = TEXT
        if event["event"] in ("dp2", "present"):
            if event["event"] == "dp2":
                event["commands"].append({"op": "RENDERSTATE", "records": [{"render_state": "ZFUNC", "state": 77}]})
            out.append({"event": "marker", "text": TEXT, "source": TEXT, "position": 3})
        out.append(event)
    destination.write_text(json.dumps(out))


def run_traces(run, trace, picture, other):
    """The verbs that take a trace."""
    json_form = ("--format", "json")
    out = os.fsdecode(NAME) + ".out"
    run("replay", trace, "-o", out, codes=(1,), files=((out + "/report.json", "json"),))
    run("replay", trace, "-o", out, "--frames", "99")
    forms = {"sarif": "json", "junit": "xml", "gitlab": "json", "github": "github", "github-summary": "text", "json": "json", "jsonl": "jsonl"}
    outputs = [word for form in forms for word in ("--output", f"{form}={form}.out")]
    run("lint", trace, "--preset", "pedantic", *outputs, files=[(f"{name}.out", form) for name, form in forms.items()])
    run("lint", trace, "--preset", "pedantic", "--baseline", out + ".json", "--update-baseline", files=((out + ".json", "json"),))
    done = run("lint", trace, "--preset", "pedantic", "--baseline", out + ".json", codes=(0,))
    if b"suppressed" not in done.stdout or b"advice," in done.stdout:
        complain("lint --baseline", "standard output", f"the baseline does not know the file again: {done.stdout!r}")
    run("lint", trace, "--html", out + ".html")
    run("lint", ".")
    for more in ((), json_form):
        form = "json" if more else "text"
        run("verify", trace, *more, form=form)
        run("history", trace, "--frame", "1", "--pixel", "30,30", *more, form=form)
        run("blame", trace, "--frame", "1", "--against", picture, *more, form=form)
        run("info", trace, *more, form=form)
        run("info", trace, "--frames", "1", *more, form=form)
        run("state", trace, "--draw", "last", *more, form=form)
        run("diff", trace, other, *more, form=form)
        run("diff", other, trace, *more, form=form)
        run("bench", trace, "--seconds", "0.01", *more, form=form)
        run("coverage", trace, *more, form=form)
        run("inspect", trace, "-o", out + ".page", *more, form=form)
        run("trim", trace, "trimmed.json", "--frames", "1", *more, form=form, files=(("trimmed.json", "json"),))
        run("scrub", trace, "scrubbed.json", *more, form=form)
        run("edit", trace, "edited.json", "--drop", "draw=1", *more, form=form)
        run("reduce", trace, "reduced.json", "--keep", "finding=DP2-RS-004", *more, form=form)
    run("dump", trace, "--format", "text")
    run("dump", trace, "--format", "json", form="json")
    run("convert", trace, out + ".dp2t", codes=(0,))
    run("convert", out + ".dp2t", "again.json", codes=(0,), files=(("again.json", "json"),))


def run_others(run, name):
    run("import", name + ".trace", "imported.dp2t")
    run("view", name + ".none", "--no-browser")
    run("import-hex", name + ".txt", "imported.json")
    run("compare", name + ".png", "other.png", "-o", name + ".difference.png")
    run("compare", name + ".png", "other.png", "--format", "json", form="json")
    run("compare", name, "pictures", "--format", "json", form="json")
    run("compare", name, "pictures")
    run("list", "states")
    run("list", name)
    run("rules", "--group", name)
    run("explain", name)
    run("config", "--config", name)
    run("config", "--config", name + ".toml")
    run("config", "--config", "values.toml")
    run("config", "--config", "values.toml", "--format", "json", form="json")
    run("completion", "bash")
    run("completion", name)
    for verb in ("replay", "lint", "verify", "info", "dump", "scrub", "coverage", name):
        run(verb, name + ".none.json")
        run.verbs.discard(name)
    run("lint", "x.json", "--disable", name)
    run("lint", "x.json", "--severity", name)
    run("lint", "x.json", "--baseline", name)
    run("lint", "x.json", "--caps", name)
    run("lint", "x.json", "--output", name)
    run("lint", name + "*")


def run_golden(run, trace, folder):
    """A trace whose name is not UTF-8 goes through check, accept and report."""
    (folder / "t").mkdir()
    inside = os.fsencode(folder / "t") + b"/" + NAME + b".json"
    shutil.copy(os.fsencode(folder) + b"/" + os.fsencode(trace), inside)
    run("golden", "init", "t", codes=(0,), files=(("manifest.json", "json"),))
    results = ("--results", "r")
    run("golden", "check", *results, "--force", "--store", "s", codes=(1,), files=(("r", "jsonl"),))
    run("golden", "accept", *results, "--store", "s", "--allow-ci", codes=(0,), files=(("manifest.json", "json"),))
    done = run("golden", "check", *results, "--force", "--store", "s", codes=(0,), files=(("r", "jsonl"),))
    if b"1 match" not in done.stdout:
        complain("golden check", "standard output", f"the manifest does not know the trace again: {done.stdout!r}")
    with open(inside, "rb") as file:
        events = json.load(file)
    with open(inside, "w") as file:
        json.dump([event for event in events if event["event"] != "dp2"], file)
    run("golden", "check", *results, "--force", "--store", "s", codes=(1,), files=(("r", "jsonl"),))
    forms = {"junit": "xml", "gitlab": "json", "github": "github", "github-summary": "text"}
    outputs = [word for form in forms for word in ("--output", f"{form}=golden-{form}")]
    run("golden", "report", "r", "-o", "report", "--store", "s", *outputs, codes=(0,), files=[(f"golden-{name}", form) for name, form in forms.items()])
    run("golden", "accept", *results, "--store", "s", "--allow-ci", "t/" + os.fsdecode(NAME) + ".json", codes=(0,))
    run("golden", "merge", "r", "-o", "merged", codes=(0, 1), files=(("merged", "jsonl"),))
    run("golden", "gc", "--store", "s", "--manifest", "manifest.json")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=pathlib.Path)
    program = parser.parse_args().program.resolve()
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    verbs = set(re.findall(r"^  ([a-z][a-z-]+)  ", help_text, re.MULTILINE))
    with tempfile.TemporaryDirectory(prefix="dp2trace-plain-") as path:
        folder = pathlib.Path(path)
        run = Runner(program, folder)
        name = os.fsdecode(NAME)
        trace = name + ".json"
        hostile_trace(INPUTS / "three-frames.json", folder / trace)
        shutil.copy(INPUTS / "three-frames.json", folder / "x.json")
        for picture in (name + ".png", "other.png"):
            shutil.copy(INPUTS / "add-for-addsigned.png", folder / picture)
        (folder / "pictures").mkdir()
        (folder / name).mkdir()
        shutil.copy(INPUTS / "add-for-addsigned.png", folder / name / (name + ".png"))
        for extension in (".trace", ".txt", ".bad.json"):
            (folder / (name + extension)).write_text(f'[{{"event":"header",{json.dumps(TEXT)}:1}}]')
        (folder / (name + ".toml")).write_text(f"[lint]\n{json.dumps(TEXT)} = 1\n")
        (folder / "values.toml").write_text("[lint]\ndisable = " + json.dumps(TEXT).replace("\x7f", "\\u007f") + "\n")
        (folder / (name + ".gone")).symlink_to("nothing")
        run("lint", name + ".bad.json")
        run_traces(run, trace, name + ".png", "x.json")
        run_others(run, name)
        run_golden(run, trace, folder)
        missing = {verb for verb in verbs - {"golden"} if verb not in run.verbs}
        if missing or not verbs:
            failures.append(f"no case for {sorted(missing)}")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
