#!/usr/bin/env python3
"""Compares the column `rules` of lib/d3d/caps.def with the rules that read members of D3DCAPS9.

usage: read_caps.py SOURCE_DIR
exit code: 0 the members with rules are those that lib/validate reads, and each rule about capabilities is named, 1 otherwise
"""

import pathlib
import re
import sys

ROW = re.compile(r'^DP2TRACE_CAP\((\w+), .*, +"([^"]*)", "([^"]*)"\)$', re.MULTILINE)
FORMATS = "DP2-CAPS-003"  # reads the list of formats, which is not a member


def main(source):
    """Prints what is wrong; returns the exit code."""
    root = pathlib.Path(source)
    files = sorted(path for path in (root / "lib/validate").rglob("*") if path.suffix in (".cpp", ".h"))
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    defined = "\n".join(path.read_text(encoding="utf-8") for path in sorted((root / "lib/rules").glob("*.def")))
    ids = set(re.findall(r'^DP2TRACE_RULE\(\w+, "([^"]+)"', defined, re.MULTILINE))
    wrong, named = [], {FORMATS}
    for member, rules, _ in ROW.findall((root / "lib/d3d/caps.def").read_text(encoding="utf-8")):
        is_read = re.search(rf"\bCap::{member}\b", code) is not None
        listed = rules.split("; ") if rules else []
        named.update(listed)
        if is_read and not listed:
            wrong.append(f"{member} is read, and its row names no rule")
        if listed and not is_read:
            wrong.append(f"nothing reads {member}, and its row names {rules}")
        wrong += [f"{member}: there is no rule {rule}" for rule in listed if rule not in ids]
    wrong += [f"no member names {rule}" for rule in sorted(ids) if rule.startswith("DP2-CAPS-") and rule not in named]
    for words in wrong:
        print(f"caps.def: {words}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
