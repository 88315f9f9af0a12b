#!/usr/bin/env python3
"""Finds citations of the specifications that lead nowhere.

A citation is a path from the top of the repository and sections, as in `lib/opcode/dp2.md 16.1 and 16.2` or `lib/raster/rendering-facts.md L5`.
Each section must be a heading of that page, or a paragraph or row that starts with its number. Documents that a reader
of the repository cannot open ("DP2 specification, 3") are refused.

usage: citations.py SOURCE_DIR
exit code: 0 all are there, 1 some are not
"""

import pathlib
import re
import sys

NUMBER = r"(?:[A-Z])?\d+(?:\.\d+)*"
LIST = rf"{NUMBER}(?:(?:, | and | to ){NUMBER})*"
CITATION = re.compile(rf"\b((?:lib|traces|tests|scripts)/[\w/.-]*[a-z][\w.-]*\.md)(?:,? ({LIST})(?![\w.]*\w/))?")
ABSENT = re.compile(
    r"\b(?:[Rr]endering|DP2|D3DKMT_RENDER) specification|\bDESIGN\b|API reference facts|\bcorpus/README|\bgolden\.md\b"
)
KINDS = {".cpp", ".h", ".inl", ".def", ".py", ".sh", ".cmake", ".txt", ".c", ".js", ".css", ".html", ".md"}
PLACES = ["lib", "apps", "tests", "scripts", "traces/sources"]


def sections(text):
    """The numbers of headings, of paragraphs that start with one, and of rows of tables."""
    found = set(re.findall(rf"^(?:#+ |\| )?({NUMBER})\.?(?= )", text, re.MULTILINE))
    return found | {number.split(".")[0] for number in found}


def problems(root, files):
    """(file, line, words) of each citation that cannot be followed."""
    pages = {}
    found = []
    for name in files:
        path = root / name
        text = path.read_text(encoding="utf-8", errors="replace")
        for match in CITATION.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            page, numbers = match.group(1), match.group(2)
            if page not in pages:
                cited = root / page
                pages[page] = sections(cited.read_text(encoding="utf-8")) if cited.is_file() else None
            if pages[page] is None:
                found.append((name, line, f"{page} does not exist"))
                continue
            for number in re.findall(NUMBER, numbers or ""):
                if number not in pages[page]:
                    found.append((name, line, f"{page} has no section {number}"))
        for match in ABSENT.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append((name, line, f"'{match.group(0)}' is not a page of the repository"))
    return found


def main(root):
    """Prints what is wrong; returns the exit code."""
    root = pathlib.Path(root)
    own = {"tests/structure/citations.py", "tests/structure/checks_test.py"}
    files = [
        path.relative_to(root).as_posix()
        for place in PLACES
        for path in sorted((root / place).rglob("*"))
        if path.suffix in KINDS and path.is_file()
    ]
    found = problems(root, [name for name in files if name not in own])
    for name, line, words in found:
        print(f"{name}:{line}: {words}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
