#!/usr/bin/env python3
"""Writes the traces of traces/: operations, byte examples, packets, events, bad containers, facts.

The sources are in traces/sources/: command bytes packed from dp2-ops.json, events as the JSON
form has them. The program brings the JSON into its canonical form and writes the containers, so it has
to be built first. With --check nothing is written: the exit status says whether traces/ is up to date.
Files that are not made here, in the same folders, are left alone.

    scripts/make_traces.py --tool build/dev/apps/dp2trace/dp2trace
"""

import argparse
import concurrent.futures
import filecmp
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "traces"))

from sources import bad_containers, events, examples, facts, features, hostile, opcodes, packets, renderer, scenes
from sources.dp2 import Operations, Stream

TOOL = ROOT / "build" / "release" / "apps" / "dp2trace" / "dp2trace"
OPERATIONS = ROOT / "tests" / "data" / "dp2-ops.json"


class Writer:
    """Collects the files and writes them below a folder."""

    def __init__(self, tool, folder):
        self.tool = tool
        self.folder = folder
        self.jobs = []

    def trace(self, path, trace, binary=True):
        """A trace as canonical JSON, and as a container beside it."""
        self.jobs.append((self.folder / path, trace, binary))

    def file(self, path, content):
        """A file as it is."""
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))

    def convert(self, source, target):
        """Runs the program."""
        command = [self.tool, "convert", source, target, "--compression", "none"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{target}: {done.stderr or done.stdout}")

    def run(self, job):
        """Writes one trace."""
        path, trace, binary = job
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as temporary:
            source = pathlib.Path(temporary) / "source.json"
            lines = ",\n".join(json.dumps(event) for event in trace.events)
            source.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
            container = path.with_suffix(".dp2t") if binary else source.with_suffix(".dp2t")
            self.convert(source, container)
            self.convert(container, path.with_suffix(".json"))

    def finish(self):
        """Writes all traces; returns what went wrong."""
        errors = []
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for future in [pool.submit(self.run, job) for job in self.jobs]:
                try:
                    future.result()
                except RuntimeError as error:
                    errors.append(str(error).strip())
        return errors


def expected_rules_text(rules):
    """The text of an .expected file that names only the rules."""
    return "# every rule that fires with severity error, and no other\n" + "".join(
        f"{rule} *\n" for rule in rules
    )


def collect(writer):
    """Hands everything to the writer."""
    names = set()
    for row in opcodes.BUILDERS:
        names.add(row[0])
        writer.trace(pathlib.Path("opcodes", row[1]), opcodes.build(row))
    missing = set(Stream.table.names()) - names
    if missing:
        raise SystemExit(f"no trace for {', '.join(sorted(missing))}")
    for name, trace in examples.traces():
        writer.trace(pathlib.Path("examples", name), trace)
    for name, trace in packets.traces():
        writer.trace(pathlib.Path("packets", name), trace)
    for name, trace, ids in packets.negatives():
        path = pathlib.Path("packets", "negative", name)
        writer.trace(path, trace)
        writer.file(path.with_suffix(".expected"), expected_rules_text(ids))
    for name, trace in events.traces():
        writer.trace(pathlib.Path("events", name), trace)
    for name, trace in scenes.traces():
        writer.trace(pathlib.Path("scenes", name), trace, binary=False)
    for name, trace in features.traces():
        writer.trace(pathlib.Path("features", name), trace, binary=False)
    for name, trace in renderer.traces():
        writer.trace(pathlib.Path("renderer", name), trace, binary=False)
    for name, trace, expected in hostile.traces():
        writer.trace(pathlib.Path("hostile", name), trace, binary=False)
        writer.file(pathlib.Path("hostile", name + ".expected"), expected)
    for rule, name, content in bad_containers.cases():
        writer.file(pathlib.Path("containers", rule, name + ".dp2t"), content)
    for path, trace, expected in facts.traces():
        writer.trace(pathlib.Path(path), trace, binary=False)
        writer.file(pathlib.Path(path).with_suffix(".expected"), expected)
    writer.file(pathlib.Path("facts", "README.md"), facts.readme())


def files(folder):
    """The files below a folder, relative to it."""
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def differences(made, committed):
    """What is missing or different in `committed`."""
    return [
        f"{'differs' if (committed / path).is_file() else 'missing'}: {path}"
        for path in sorted(files(made))
        if not (committed / path).is_file()
        or not filecmp.cmp(made / path, committed / path, shallow=False)
    ]


def main():
    """Parses the command line and writes or compares."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tool", type=pathlib.Path, default=TOOL, help="the dp2trace program")
    parser.add_argument("--ops", type=pathlib.Path, default=OPERATIONS, help="dp2-ops.json")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "traces", help="the folder")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args()
    Stream.table = Operations(arguments.ops)

    with tempfile.TemporaryDirectory() as temporary:
        made = pathlib.Path(temporary)
        writer = Writer(arguments.tool, made)
        collect(writer)
        errors = writer.finish()
        found = [] if errors else differences(made, arguments.out)
        if not errors and not arguments.check:
            for path in files(made):
                target = arguments.out / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes((made / path).read_bytes())
    for line in errors + (found if arguments.check else []):
        print(line)
    return 1 if errors or (arguments.check and found) else 0


if __name__ == "__main__":
    sys.exit(main())
