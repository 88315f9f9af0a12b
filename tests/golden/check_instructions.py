#!/usr/bin/env python3
"""Fails when the code of the renderer holds instructions that determinism profile D1 forbids: fused multiply-add and estimates of
reciprocals and square roots. Disassembles the given static libraries.

usage: check_instructions.py LIBRARY...
exit code: 0 none found, 1 found, 77 there is no objdump
Source: lib/raster/rendering.md 0.3 rule 2.
"""

import re
import shutil
import subprocess
import sys

FORBIDDEN = re.compile(
    r"\b(vfn?m(add|sub)\w*|v?rcp(ps|ss)|v?rsqrt(ps|ss)|vrcp(14|28)\w*|vrsqrt(14|28)\w*"
    r"|fn?m(add|sub)|fml[as]|frecp\w*|frsqrt\w*|vrecp\w*|vrsqrte\w*)\b")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\s+(\S+)")


def forbidden_in(library):
    """Yields (function, mnemonic)."""
    function = "?"
    command = ["objdump", "-d", "-C", "--no-show-raw-insn", library]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if match := FUNCTION.match(line):
                function = match.group(1)
            elif (match := INSTRUCTION.match(line)) and FORBIDDEN.match(match.group(1)):
                yield function, match.group(1)
    if process.returncode:
        raise RuntimeError(f"objdump failed on {library}")


def main():
    """Checks all libraries."""
    if shutil.which("objdump") is None:
        print("skipped: there is no objdump")
        return 77
    found = [(library, *place) for library in sys.argv[1:] for place in forbidden_in(library)]
    for library, function, mnemonic in found[:50]:
        print(f"{library}: {mnemonic} in {function}")
    print(f"{len(found)} forbidden instructions in {len(sys.argv) - 1} libraries")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
