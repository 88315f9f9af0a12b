#!/usr/bin/env bash
# Sets up playwright-core in the build folder and runs a browser test of the pages that the program writes.
# usage: tests/browser/run.sh TEST.mjs PROGRAM FOLDER [ARGUMENT...]
# The test gets PROGRAM, the path of the browser, FOLDER (with node_modules; what it writes goes there) and the arguments.
# environment: BROWSER (chromium; or firefox)
# exit code: 0 passed, 77 skipped: node, npm, the browser or the network is missing
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
test=$1
program=$2
folder=$3
shift 3
skip() {
  echo "skipped: $1"
  exit 77
}
command -v node > /dev/null || skip "there is no node"
[ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ] || skip "node is older than version 20"
command -v npm > /dev/null || skip "there is no npm"
if [ "${BROWSER:-chromium}" = firefox ]; then
  browser=$(command -v firefox-esr || command -v firefox) || skip "there is no firefox"
else
  browser=$(command -v chromium || command -v chromium-browser) || skip "there is no chromium"
fi
mkdir -p "$folder"
if ! cmp -s "$here/package-lock.json" "$folder/node_modules/.installed"; then
  cp "$here/package.json" "$here/package-lock.json" "$folder"
  (cd "$folder" && timeout 120 npm ci --no-audit --no-fund --loglevel=error) || skip "npm cannot install playwright-core"
  cp "$here/package-lock.json" "$folder/node_modules/.installed"
fi
node "$test" "$program" "$browser" "$folder" "$@"
