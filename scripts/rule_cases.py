#!/usr/bin/env python3
"""The cases of the rules, traces/rules/RULE.json: writes them as files of their own, and brings them into their form.

traces/README.md describes the files.

    scripts/rule_cases.py unpack FOLDER [RULE...]     FOLDER/malformed/RULE/NAME.json (or .dp2t), with NAME.expected, and FOLDER/accepted/RULE/NAME.json
    scripts/rule_cases.py format [RULE...]            one event a line, each as the program writes it
    scripts/rule_cases.py check                       names the files that are laid out otherwise
"""

import argparse
import base64
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRACES = ROOT / "traces"
sys.path.insert(0, str(TRACES))

from sources.assembly import assemble

TOOL = ROOT / "build" / "release" / "apps" / "dp2trace" / "dp2trace"
KINDS = ("trace", "text", "file")  # of what a case holds


class BadCase(Exception):
    """A file of cases that says something else than it may."""


def compact(value):
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lines_of(values):
    """A JSON array with a line for each element."""
    return "[\n" + ",\n".join(map(compact, values)) + "\n]"


def check(path, content):
    """Fails where a file of cases has not what it must have."""
    if not isinstance(content, dict) or set(content) != {"rule", "cases"} or content["rule"] != path.stem or not isinstance(content["cases"], list):
        raise BadCase(f"{path}: expected the members rule, {path.stem}, and cases, an array")
    contents = {}
    names = set()
    for case in content["cases"]:
        held = [kind for kind in KINDS if kind in case] if isinstance(case, dict) else []
        if len(held) != 1 or set(case) - {"name", "expect", *held} or "name" not in case:
            raise BadCase(f"{path}: {compact(case)[:80]}: expected the members name, expect (where it breaks a rule) and one of {', '.join(KINDS)}")
        name = ("expect" in case, case["name"])
        if name in names:
            raise BadCase(f"{path}: {case['name']}: there are two cases of this name")
        names.add(name)
        holds = ("expect" in case, compact(case[held[0]]))
        if holds in contents:
            raise BadCase(f"{path}: {case['name']}: holds the same as {contents[holds]}")
        contents[holds] = case["name"]


def read(rules=()):
    """Yields (path, content) of all files of cases, or of those of some rules."""
    for path in [TRACES / "rules" / f"{rule}.json" for rule in rules] or sorted((TRACES / "rules").iterdir()):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError as error:
            raise BadCase(f"{path}:{error.lineno}:{error.colno}: {error.msg}") from error
        check(path, content)
        yield path, content


def case_files(content):
    """Yields (path, bytes) for each file that the cases of a rule become."""
    for case in content["cases"]:
        path = pathlib.PurePosixPath("malformed" if "expect" in case else "accepted", content["rule"], case["name"])
        if "expect" in case:
            yield path.with_name(path.name + ".expected"), "".join(f"{line}\n" for line in case["expect"]).encode()
        if "file" in case:
            yield path.with_name(path.name + ".dp2t"), (TRACES / case["file"]).read_bytes()
        else:
            text = "\n".join(case["text"]) if "text" in case else lines_of(case["trace"]) + "\n"
            yield path.with_name(path.name + ".json"), text.encode()


def unpack(folder, rules=()):
    """Writes the cases below a folder, as files of their own."""
    for name in ("malformed", "accepted"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for _, content in read(rules):
        for path, data in case_files(content):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)


def assembled(value):
    """A JSON value whose shaders have code: where there is none, that of their lines of assembly."""
    if isinstance(value, list):
        return [assembled(element) for element in value]
    if not isinstance(value, dict):
        return value
    value = {key: assembled(element) for key, element in value.items()}
    if "assembly" in value and "code" not in value:
        code = assemble("\n".join(value["assembly"]))
        value = {"size": len(code), **value, "code": base64.b64encode(code).decode()}
    return value


def canonical(trace, tool, name):
    """A trace as the program writes it."""
    with tempfile.TemporaryDirectory() as folder:
        source, container, result = (pathlib.Path(folder) / file for file in ("source.json", "trace.dp2t", "trace.json"))
        source.write_text(lines_of(assembled(trace)), encoding="utf-8")
        for command in ([source, container], [container, result]):
            done = subprocess.run([tool, "convert", *command], capture_output=True, text=True, check=False)
            if done.returncode:
                raise BadCase(f"{name}: {done.stderr.strip()}")
        return json.loads(result.read_text(encoding="utf-8"))


def formatted(content, tool=None):
    """A file of cases in its form; events as they are where there is no program."""
    parts = []
    for case in content["cases"]:
        head = compact({key: value for key, value in case.items() if key not in KINDS})[:-1]
        if "file" in case:
            held = '"file":' + compact(case["file"])
        elif "text" in case:
            held = '"text":' + lines_of(case["text"])
        else:
            held = '"trace":' + lines_of(canonical(case["trace"], tool, f"{content['rule']}: {case['name']}") if tool else case["trace"])
        parts.append(f"{head},{held}}}")
    return f'{{"rule":{compact(content["rule"])},"cases":[\n' + ",\n".join(parts) + "\n]}\n"


def format_all(rules, tool):
    """Rewrites files in their form."""
    files = list(read(rules))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (path, _), text in zip(files, pool.map(lambda file: formatted(file[1], tool), files)):
            path.write_text(text, encoding="utf-8")


def check_all():
    """Whether all files are laid out as they must be."""
    wrong = [path for path, content in read() if path.read_text(encoding="utf-8") != formatted(content)]
    for path in wrong:
        print(f"{path.relative_to(ROOT)}: not in its form; scripts/rule_cases.py format {path.stem}")
    return not wrong


def main():
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("unpack", help="write the cases as files of their own")
    verb.add_argument("folder", type=pathlib.Path)
    verb.add_argument("rules", nargs="*", metavar="RULE", help="rules (all)")
    verb = verbs.add_parser("format", help="bring the files into their form")
    verb.add_argument("--tool", type=pathlib.Path, default=TOOL, help="the dp2trace program")
    verb.add_argument("rules", nargs="*", metavar="RULE", help="rules (all)")
    verbs.add_parser("check", help="name the files that are laid out otherwise; exit code 1 where there is one")
    options = parser.parse_args()
    try:
        if options.verb == "unpack":
            unpack(options.folder, options.rules)
        elif options.verb == "format":
            format_all(options.rules, options.tool)
        else:
            return 0 if check_all() else 1
        return 0
    except (BadCase, OSError) as error:
        print(f"rule_cases.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
