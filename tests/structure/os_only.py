#!/usr/bin/env python3
"""What asks the operating system stands in lib/os: elsewhere in lib and apps no header of a system is included, no macro of a system is tested,
and no std::filesystem::path becomes text or the other way but by os/path.h. The headers in C are for other programs, and are left out.

usage: os_only.py SOURCE_DIR
exit code: 0 it is so, 1 not
"""

import pathlib
import re
import sys

# Folders of headers for other programs.
FOREIGN = ("lib/capture", "lib/api")
PATTERNS = (
    (
        "a header of a system",
        re.compile(
            r"#\s*include\s*<(?:sys/|linux/|(?:windows|io|unistd|fcntl|poll|spawn|dirent|termios|pwd|dlfcn|pthread|sched|signal)\.h>|csignal>)"
        ),
    ),
    ("a macro of a system", re.compile(r"#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:_WIN32|_WIN64|__linux__|__APPLE__|__unix__|__MINGW\w+)\b")),
    ("a path of a text", re.compile(r"\b(?:fs|filesystem)::path\((?!\))|\bfs::path \w+\(\w")),
    ("a text of a path", re.compile(r"\bpath\(\)(?:\.\w+\(\))*\.(?:generic_)?string\(\)|\.(?:filename|stem|extension|parent_path)\(\)\.(?:generic_)?string\(\)")),
)


def complaints(source):
    """What is wrong, one line each."""
    for folder in ("lib", "apps"):
        for path in sorted((source / folder).rglob("*")):
            name = path.relative_to(source).as_posix()
            if path.suffix not in (".cpp", ".h", ".inl") or name.startswith(("lib/os/", *FOREIGN)):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for what, pattern in PATTERNS:
                    if pattern.search(line):
                        yield f"{name}:{number}: {what} outside of lib/os: {line.strip()}"


def main(source):
    """Prints what is wrong; returns the exit code."""
    wrong = list(complaints(pathlib.Path(source)))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
