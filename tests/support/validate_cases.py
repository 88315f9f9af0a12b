#!/usr/bin/env python3
"""Validates documents that the program reads against their published schema.

usage: validate_cases.py SCHEMA CASES [DOCUMENT...]

A line of CASES is `accept`, `reject` or `reader` (the schema accepts it, the program's reader does not), a space, and a document.
Every DOCUMENT must be valid; of a page (.md) the first block of JSON. What a schema takes from schema.json is that of traces/.
Exit code 77: python3-jsonschema is missing.
"""

import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("python3-jsonschema is missing: skipped", file=sys.stderr)
    sys.exit(77)

TRACES = pathlib.Path(__file__).resolve().parents[2] / "traces" / "schema.json"


def read_schema(path):
    """The schema; what it takes from the one of traces is copied in, so that no resolver is needed."""
    text = path.read_text(encoding="utf-8")
    schema = json.loads(text.replace("schema.json#", "#"))
    Draft202012Validator.check_schema(schema)
    if "schema.json#" in text:
        schema["$defs"] = {**json.loads(TRACES.read_text(encoding="utf-8"))["$defs"], **schema["$defs"]}
    return schema


def document_of(path):
    """The document in a file."""
    text = path.read_text(encoding="utf-8")
    return json.loads(text.split("```json\n")[1].split("```")[0] if path.suffix == ".md" else text)


def main():
    """Validates all cases and documents."""
    schema_path, cases_path, *documents = map(pathlib.Path, sys.argv[1:])
    validator = Draft202012Validator(read_schema(schema_path))
    failures = 0
    cases = cases_path.read_text(encoding="utf-8").splitlines()
    for case in cases:
        kind, text = case.split(" ", 1)
        if validator.is_valid(json.loads(text)) != (kind != "reject"):
            failures += 1
            print(f"{cases_path}: not as expected: {case}")
    for path in documents:
        for error in validator.iter_errors(document_of(path)):
            failures += 1
            print(f"{path}: {error.json_path}: {error.message[:200]}")
    print(f"{len(cases)} cases, {len(documents)} documents, {failures} failures")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
