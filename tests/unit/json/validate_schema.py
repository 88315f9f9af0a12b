#!/usr/bin/env python3
"""Validates JSON traces against traces/schema.json.

usage: validate_schema.py SCHEMA [--reject FILE] TRACE_OR_FOLDER...

Traces must be valid. FILE holds events, one JSON object a line, that must not be. Exit code 77: python3-jsonschema is missing.
"""

import argparse
import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("python3-jsonschema is missing: skipped", file=sys.stderr)
    sys.exit(77)


def traces_of(paths):
    for path in map(pathlib.Path, paths):
        yield from sorted(path.rglob("*.json")) if path.is_dir() else [path]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("schema", type=pathlib.Path)
    parser.add_argument("--reject", type=pathlib.Path)
    parser.add_argument("traces", nargs="+")
    arguments = parser.parse_args()

    schema = json.loads(arguments.schema.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    failures = 0
    count = 0
    for trace in traces_of(arguments.traces):
        count += 1
        for error in validator.iter_errors(json.loads(trace.read_text(encoding="utf-8"))):
            failures += 1
            print(f"{trace}: {error.json_path}: {error.message[:200]}")
            break
    if arguments.reject:
        for line in arguments.reject.read_text(encoding="utf-8").splitlines():
            count += 1
            if validator.is_valid([{"event": "header"}, json.loads(line)]):
                failures += 1
                print(f"{arguments.reject}: accepted: {line}")
    print(f"{count} texts, {failures} failures")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
