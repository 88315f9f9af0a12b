#!/usr/bin/env python3
"""Validates every JSON output of the command line tests against its schema, lib/json/schemas/NAME.json.

OUTPUTS is the folder in which run_cli_tests.py --keep left what the program wrote to standard output and into files. An output without a
schema, a verb with --format json and no schema, and a schema that no case shows are errors.
Exit code 77: python3-jsonschema is missing.

usage: json_outputs_test.py OUTPUTS
"""

import argparse
import json
import pathlib
import re
import sys

import run_cli_tests

SCHEMAS = run_cli_tests.ROOT / "lib" / "json" / "schemas"


def validators():
    """By name of the schema. The common part is copied in, so that no resolver is needed."""
    from jsonschema import Draft202012Validator

    common = json.loads((SCHEMAS / "common.json").read_text().replace("common.json#", "#"))
    found = {}
    for path in SCHEMAS.glob("*.json"):
        schema = json.loads(path.read_text().replace("common.json#", "#"))
        Draft202012Validator.check_schema(schema)
        schema["$defs"] = {**common["$defs"], **schema.get("$defs", {})}
        if path.stem != "common":
            found[path.stem] = Draft202012Validator(schema)
    return found


def documents(text):
    """The outputs in a text: (schema, value). Texts, traces and forms of others have none; a schema of None is one that is missing."""
    if not text.startswith("{"):
        return
    try:
        value = json.loads(text)
        if "$schema" not in value:  # SARIF
            yield value.get("schema"), value
        return
    except ValueError:
        lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        yield lines[0].get("schema"), line


def problems_of(text, schemas, seen):
    for schema, value in documents(text):
        name = (schema or "").removesuffix("/1")
        if name not in schemas:
            yield f"there is no schema for {json.dumps(value)[:200]}"
            continue
        seen.add(name)
        for error in schemas[name].iter_errors(value):
            place = "/".join(map(str, error.absolute_path))
            yield f"{name}: {place}: {error.message[:300]}"


def verbs_with_json():
    """Those whose help names JSON as a form."""
    sections = re.split(r"\n(?=\$ )", (run_cli_tests.FOLDER / "help.txt").read_text())
    for section in sections:
        head = re.match(r"\$ dp2trace (\w[\w-]*) --help", section)
        if head and re.search(r"--format \S*\bjson\b", section):
            yield head[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("outputs", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        schemas = validators()
    except ImportError:
        print("python3-jsonschema is missing: skipped", file=sys.stderr)
        return 77
    problems, seen, count = [], set(), 0
    for path in sorted(arguments.outputs.glob("*/*")):
        count += 1
        try:
            found = problems_of(path.read_text(errors="replace"), schemas, seen)
            problems += [f"{path.parent.name}: {problem}" for problem in found]
        except ValueError as error:
            problems.append(f"{path.parent.name}: it is not JSON: {error}")
    problems += [f"no case shows the schema {name}" for name in sorted(set(schemas) - seen)]
    problems += [f"{verb} has no schema" for verb in verbs_with_json() if verb not in schemas]
    print("\n".join(problems) or f"{count} outputs, {len(schemas)} schemas")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
