#!/usr/bin/env python3
"""Validates manifests against traces/manifest.schema.json.

usage: validate_manifest.py SCHEMA CASES MANIFEST...

A line of CASES is `accept`, `reject` or `reader` (the schema accepts it, the program's reader does not), a space, and a manifest.
Every MANIFEST must be valid. Exit code 77: python3-jsonschema is missing.
"""

import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("python3-jsonschema is missing: skipped", file=sys.stderr)
    sys.exit(77)


def main():
    """Validates all cases and manifests."""
    schema_path, cases_path, *manifests = map(pathlib.Path, sys.argv[1:])
    schema = json.loads(schema_path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    failures = 0
    cases = cases_path.read_text(encoding="utf-8").splitlines()
    for case in cases:
        kind, text = case.split(" ", 1)
        if validator.is_valid(json.loads(text)) != (kind != "reject"):
            failures += 1
            print(f"{cases_path}: not as expected: {case}")
    for manifest in manifests:
        for error in validator.iter_errors(json.loads(manifest.read_text(encoding="utf-8"))):
            failures += 1
            print(f"{manifest}: {error.json_path}: {error.message[:200]}")
    print(f"{len(cases)} cases, {len(manifests)} manifests, {failures} failures")
    return 1 if failures or not cases or not manifests else 0


if __name__ == "__main__":
    sys.exit(main())
