#!/usr/bin/env python3
"""What a baseline knows a finding by: over all traces that break a rule, no fingerprint stands for two messages, and none changes when
something is put before the event that it is in.

usage: check_fingerprints.py --program PATH [--folder FOLDER]
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Only these may differ: where in the trace something stands.
PLACE = re.compile(r"\b(events?|offset|draw|frame|at|to) (0x[0-9a-f]+|\d+)")
LEAST_FINDINGS = 1000  # fewer would be another folder


def lint(program, folder):
    """By file: fingerprint and message of each finding."""
    command = [program, "lint", "--preset", "pedantic", "--format", "jsonl", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=600)
    found = collections.defaultdict(list)
    for line in done.stdout.decode().splitlines():
        record = json.loads(line)
        if record["type"] == "finding":
            found[record["file"]].append((record["rule"], record["fingerprint"], record["message"]))
    return found


def find_doubles(found):
    messages = collections.defaultdict(set)
    for findings in found.values():
        for rule, fingerprint, message in findings:
            messages[rule, fingerprint.split(":")[0]].add(PLACE.sub(r"\1 #", message))
    return [f"{rule} {fingerprint}: one fingerprint of {sorted(texts)}" for (rule, fingerprint), texts in messages.items() if len(texts) > 1]


def shift(folder):
    """Puts a marker after the header of each trace; returns the names of those that have one now."""
    shifted = set()
    for path in sorted(folder.rglob("*.json")):
        try:
            events = json.loads(path.read_text(), object_pairs_hook=list)
        except (ValueError, RecursionError):
            continue  # no JSON, which is what it is for
        is_trace = isinstance(events, list) and events and isinstance(events[0], list) and ("event", "header") in map(tuple_of, events[0])
        if not is_trace:
            continue
        text = path.read_text()
        if '"call_result"' in text:
            continue  # names a call by the number of its event
        _, end = json.JSONDecoder().raw_decode(text, text.index("{"))
        if text[end:].lstrip().startswith(","):
            path.write_text(text[:end] + ',{"event":"marker","text":"shift"}' + text[end:])
            shifted.add(str(path.relative_to(folder)))
    return shifted


def tuple_of(pair):
    return tuple(pair) if isinstance(pair, (list, tuple)) and not isinstance(pair[1], (list, dict)) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--folder", required=True, type=pathlib.Path, help="malformed/ of the cases of rules, unpacked")
    options = parser.parse_args()
    program = options.program.resolve()
    with tempfile.TemporaryDirectory(prefix="dp2trace-fingerprints-") as path:
        folder = pathlib.Path(path) / "traces"
        shutil.copytree(options.folder, folder)
        before = lint(program, folder)
        failures = find_doubles(before)
        count = sum(map(len, before.values()))
        if count < LEAST_FINDINGS:
            failures.append(f"{count} findings below {options.folder}, {LEAST_FINDINGS} or more are expected")
        shifted = shift(folder)
        after = lint(program, folder)
        for file in sorted(shifted):
            old, new = (collections.Counter(fingerprint for _, fingerprint, _ in found[file]) for found in (before, after))
            if old != new:
                failures.append(f"{file}: other fingerprints after a marker: {before[file]} {after[file]}")
        if len(shifted) < LEAST_FINDINGS // 2:
            failures.append(f"{len(shifted)} traces were shifted, {LEAST_FINDINGS // 2} or more are expected")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
