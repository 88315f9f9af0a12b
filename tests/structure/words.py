#!/usr/bin/env python3
"""Words that lib/style.md 2.13 refuses are in no message, help, rule text or document. Its table has them, with what is fine all the same.

usage: words.py SOURCE_DIR           exit code: 0 it is so, 1 not
       words.py --list SOURCE_DIR    prints every text of the program instead, one a line with its place
"""

import pathlib
import re
import sys

PAGE = "lib/style.md"
# Pages of tables and facts whose words are those of their sources.
FOREIGN = ("lib/opcode/dp2.md", "lib/kmt/packets.md", "lib/raster/rendering", "traces/facts/", PAGE)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
# Neighbours are one text.
STRINGS = re.compile(STRING.pattern + r"(?:\s*" + STRING.pattern + ")*")
SCRIPT_STRING = re.compile(STRING.pattern + r"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`")
CODE = re.compile(r"`[^`]*`")
COMMENT = re.compile(r"^[ \t]*//.*$", re.M)
WORD = re.compile(r"[A-Za-z]{2,}")


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
    pattern = SCRIPT_STRING if path.suffix in (".js", ".html") else STRINGS
    text = COMMENT.sub("", text)
    for match in pattern.finditer(text):
        if " " in match.group():
            yield text.count("\n", 0, match.start()) + 1, re.sub(r'"\s*\n\s*"', "", match.group())


def files_with(source, suffixes):
    """The files of the program, and pages beside them, with one of the suffixes."""
    files = [path for folder in ("lib", "apps", "traces") for path in (source / folder).rglob("*") if path.suffix in suffixes]
    return sorted([*files, *(path for path in source.glob("*.md") if ".md" in suffixes)])


def complaints(source):
    """What is wrong, one line each."""
    rows = list(table(source))
    if not rows:
        yield f"{PAGE} has no table of words"
    for path in files_with(source, (".cpp", ".h", ".def", ".js", ".html", ".md")):
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


def list_texts(source):
    """Prints PLACE: TEXT for each text of the program."""
    source = pathlib.Path(source)
    for path in files_with(source, (".cpp", ".h", ".def", ".js", ".html")):
        for number, text in texts(path):
            if len(WORD.findall(text)) > 1:
                print(f"{path.relative_to(source).as_posix()}:{number}: {text}")


if __name__ == "__main__":
    if sys.argv[1] == "--list":
        list_texts(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1]))
