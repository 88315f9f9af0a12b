#!/usr/bin/env python3
"""Words that lib/style.md 2.13 refuses are in no message, help, rule text or document. Its table has them, with what is fine all the same.

usage: words.py SOURCE_DIR
exit code: 0 it is so, 1 not
"""

import pathlib
import re
import sys

PAGE = "lib/style.md"
# Pages of tables and facts whose words are those of their sources.
FOREIGN = ("lib/opcode/dp2.md", "lib/kmt/packets.md", "lib/raster/rendering", "traces/facts/", PAGE)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
CODE = re.compile(r"`[^`]*`")
COMMENT = re.compile(r"^\s*//.*$", re.M)


def table(source):
    """(pattern of words that are refused, pattern of what is fine), one pair a row."""
    text = (source / PAGE).read_text(encoding="utf-8")
    rows = text.partition("| not | but | fine |")[2].partition("\n\n")[0].splitlines()[2:]
    for row in rows:
        refused, _, fine = (re.findall(r"`([^`]+)`", cell) for cell in row.strip().strip("|").split("|"))
        yield tuple(re.compile("|".join(r"(?<!\w)" + re.escape(words) + r"(?!\w)" for words in cell) or "(?!)", re.I) for cell in (refused, fine))


def texts(path):
    """(line, text) of what people read in the file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        is_code = False
        for number, line in enumerate(text.splitlines(), 1):
            is_code ^= line.startswith("```")
            if not is_code:
                yield number, CODE.sub("``", line)
        return
    for match in STRING.finditer(COMMENT.sub("", text)):
        if " " in match.group():
            yield text.count("\n", 0, match.start()) + 1, match.group()


def complaints(source):
    """What is wrong, one line each."""
    rows = list(table(source))
    if not rows:
        yield f"{PAGE} has no table of words"
    files = [path for folder in ("lib", "apps", "traces") for path in (source / folder).rglob("*") if path.suffix in (".cpp", ".h", ".def", ".md")]
    for path in sorted([*files, *source.glob("*.md")]):
        name = path.relative_to(source).as_posix()
        if name.startswith(FOREIGN):
            continue
        for number, text in texts(path):
            for refused, fine in rows:
                for match in refused.finditer(fine.sub("", text)):
                    yield f"{name}:{number}: '{match.group()}' is refused by {PAGE} 2.13: {text.strip()}"


def main(source):
    """Prints what is wrong; returns the exit code."""
    wrong = list(complaints(pathlib.Path(source)))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
