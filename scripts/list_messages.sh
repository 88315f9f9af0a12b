#!/usr/bin/env bash
# Every text of the program, one a line with its place: to be read by a person who asks of each what is wrong, where, what was expected, and
# what to do.
#
# usage: scripts/list_messages.sh
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 tests/structure/words.py --list .
