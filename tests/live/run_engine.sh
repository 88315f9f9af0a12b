#!/usr/bin/env bash
# usage: run_engine.sh PROGRAM ENGINE CORPUS
# exit code 77: there is no engine (scripts/build_web.sh), or no node
set -euo pipefail
command -v node > /dev/null || {
  echo "skipped: there is no node"
  exit 77
}
[ -e "$2" ] || {
  echo "skipped: there is no $2 (scripts/build_web.sh)"
  exit 77
}
exec node "$(dirname "$0")/engine_test.mjs" "$@"
