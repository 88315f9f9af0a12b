#!/usr/bin/env python3
"""Compares our apitrace parser with `apitrace dump`, call by call, over a folder of captures.

usage: compare_with_apitrace.py DUMP_CALLS CORPUS_DIR

Exit code 77 (skipped) where apitrace or the folder is absent. Only the spelling of well-known GUIDs may differ.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

GUID = re.compile(r"uuid\([^)]*\)|\b(?:IID|CLSID|GUID)_\w+")


def normalise(line):
    """The line with GUIDs in one spelling."""
    return GUID.sub("GUID", line)


def lines_of(command):
    """The calls that a command prints, without comments and empty lines; `call // fake` keeps its remark."""
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    text = run.stdout.decode("utf-8", "replace")
    return [normalise(line) for line in text.split("\n") if line and not line.startswith("//")]


def main():
    """Runs the comparison; prints the first difference of each capture that has one."""
    dump_calls, corpus = sys.argv[1:3]
    captures = sorted(glob.glob(os.path.join(corpus, "**", "*.trace"), recursive=True))
    if not shutil.which("apitrace") or not captures:
        print("skipped: needs apitrace and the corpus")
        return 77
    bad = 0
    for capture in captures:
        expected = lines_of(["apitrace", "dump", "-v", "--color=never", capture])
        actual = lines_of([dump_calls, capture])
        if expected == actual:
            continue
        bad += 1
        pairs = [(a, b) for a, b in zip(expected, actual) if a != b] or [("%d lines" % len(expected), "%d lines" % len(actual))]
        print("%s\n  apitrace: %s\n  ours:     %s" % (capture, pairs[0][0][:500], pairs[0][1][:500]))
    print("%d captures, %d differ" % (len(captures), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
