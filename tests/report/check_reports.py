#!/usr/bin/env python3
"""Checks what `lint` writes for other programs, over all traces that break a rule and all that do not.

Without --schemas the facts of the formats' documents are asserted that need nothing else: which members are
there, that every result names a declared rule, that fingerprints are unique, that a clean run is empty.
With --schemas FOLDER the files are validated against the published schemas there:

    sarif-schema-2.1.0.json   https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/
    JUnit.xsd                 https://github.com/windyroad/JUnit-Schema

They are not part of this repository. The exit status is 77 where a schema, python3-jsonschema or xmllint is missing.

usage: check_reports.py --program PATH [--schemas FOLDER]
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

import rule_cases

SKIP = 77
RUNS = {"malformed": ["malformed"], "accepted": ["accepted"], "clean": ["accepted/DP2-CAPS-001"]}


def lint(program, traces, folders, out):
    """Writes all formats at once into the folder; returns the exit code."""
    outputs = []
    for name in ("sarif", "junit", "gitlab", "json", "jsonl", "github", "github-summary"):
        outputs += ["--output", f"{name}={out / name}"]
    done = subprocess.run(
        [program, "lint", "--preset", "pedantic", "-j", "2", *outputs, *folders],
        cwd=traces, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    return done.returncode


def check_sarif(text, findings, code):
    """Yields what is wrong with a SARIF log."""
    log = json.loads(text)
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    if log["version"] != "2.1.0" or len(log["runs"]) != 1:
        yield "not one run of version 2.1.0"
    if len({rule["id"] for rule in rules}) != len(rules):
        yield "a rule is declared twice"
    if len(run["results"]) != findings:
        yield f"{len(run['results'])} results, expected {findings}"
    if run["invocations"][0]["exitCode"] != code:
        yield f"exitCode {run['invocations'][0]['exitCode']}, expected {code}"
    for rule in rules:
        if not rule["help"]["text"] or rule["defaultConfiguration"]["level"] not in ("error", "warning", "note"):
            yield f"{rule['id']}: help or level is missing"
    seen = set()
    for result in run["results"]:
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            yield f"ruleIndex {result['ruleIndex']} is not {result['ruleId']}"
        location = result["locations"][0]["physicalLocation"]
        name = (location["artifactLocation"]["uri"], result["ruleId"], *result["partialFingerprints"].values())
        if name in seen:
            yield f"a fingerprint occurs twice: {name}"
        seen.add(name)
        region = location.get("region")
        if region is not None and "byteOffset" not in region and region.get("startLine", 0) < 1:
            yield f"a region without place: {region}"


def check_junit(text):
    """Yields what is wrong with a JUnit report."""
    for suite in xml.etree.ElementTree.fromstring(text):
        cases = suite.findall("testcase")
        failures = sum(case.find("failure") is not None for case in cases)
        errors = sum(case.find("error") is not None for case in cases)
        wanted = tuple(int(suite.get(name)) for name in ("tests", "failures", "errors"))
        if wanted != (len(cases), failures, errors) or not cases:
            yield f"{suite.get('name')}: counts {wanted}, found {(len(cases), failures, errors)}"


def check_gitlab(text, findings, unread):
    """Yields what is wrong with a code quality report: findings, and files that could not be read at all."""
    report = json.loads(text)
    if not findings <= len(report) <= findings + unread or len({one["fingerprint"] for one in report}) != len(report):
        yield f"{findings} findings with fingerprints of their own expected, {len(report)} found"
    for one in report:
        location = one["location"]
        is_placed = location["path"] and location["lines"]["begin"] >= 1
        if not one["description"] or not one["check_name"] or not is_placed:
            yield f"a member is empty: {one}"
        if one["severity"] not in ("info", "minor", "major", "critical", "blocker"):
            yield f"severity {one['severity']}"


def check_structure(out, code):
    """Yields what is wrong with the files of one run."""
    findings = json.loads((out / "json").read_text())
    count = len(findings["findings"])
    lines = [json.loads(line) for line in (out / "jsonl").read_text().splitlines()]
    for name, value in findings["summary"].items():
        if lines[-1][name] != value:
            yield f"summary of json and jsonl differ in {name}"
    if [line["type"] for line in lines].count("finding") != count:
        yield "json and jsonl hold different numbers of findings"
    yield from check_sarif((out / "sarif").read_text(), count, code)
    yield from check_junit((out / "junit").read_text())
    yield from check_gitlab((out / "gitlab").read_text(), count, findings["summary"]["unread_files"])
    if len((out / "github").read_text().splitlines()) > 10:
        yield "more than ten annotations"
    if not (out / "github-summary").read_text().startswith("## "):
        yield "the summary has no title"


def check_schemas(out, schemas):
    """Yields what the published schemas object to."""
    import jsonschema  # pylint: disable=import-outside-toplevel

    schema = json.loads((schemas / "sarif-schema-2.1.0.json").read_text())
    validator = jsonschema.validators.validator_for(schema)(schema)
    for error in validator.iter_errors(json.loads((out / "sarif").read_text())):
        yield f"sarif: {error.json_path}: {error.message[:200]}"
    done = subprocess.run(
        ["xmllint", "--noout", "--nonet", "--schema", schemas / "JUnit.xsd", out / "junit"],
        capture_output=True, text=True, check=False)  # fmt: skip
    if done.returncode:
        yield f"junit: {done.stderr[:2000]}"


def missing(schemas):
    """Names what the validation lacks."""
    for name in ("sarif-schema-2.1.0.json", "JUnit.xsd"):
        if not (schemas / name).is_file():
            yield str(schemas / name)
    if not shutil.which("xmllint"):
        yield "xmllint"
    try:
        import jsonschema  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        yield "python3-jsonschema"


def main():
    """Parses the command line and checks."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--schemas", type=pathlib.Path)
    options = parser.parse_args()
    if options.schemas is not None:
        lacking = list(missing(options.schemas))
        if lacking:
            print(f"skipped: {', '.join(lacking)} missing")
            return SKIP
    with tempfile.TemporaryDirectory() as traces:
        rule_cases.unpack(pathlib.Path(traces))
        problems = list(check_runs(options, traces))
    for problem in problems[:50]:
        print(problem)
    return 1 if problems else 0


def check_runs(options, traces):
    """Yields what is wrong with any of the runs."""
    for name, folders in RUNS.items():
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            code = lint(options.program.resolve(), traces, folders, out)
            checks = check_schemas(out, options.schemas) if options.schemas else check_structure(out, code)
            yield from (f"{name}: {problem}" for problem in checks)
            if name == "clean" and json.loads((out / "sarif").read_text())["runs"][0]["results"] != []:
                yield "clean: the run is not empty"


if __name__ == "__main__":
    sys.exit(main())
