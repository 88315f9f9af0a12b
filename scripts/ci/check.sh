#!/usr/bin/env bash
# Checks golden images on one machine and writes the report: what a job of CI runs.
# usage: scripts/ci/check.sh FOLDER     FOLDER gets results.jsonl, report/ and golden.xml (JUnit)
# environment: DP2TRACE (dp2trace), MANIFEST (manifest.json), STORE (pictures), SAVE_STORE (true: the store gets all pictures of this run),
#              CHECK_OPTIONS, REPORT_OPTIONS (more options of golden check and golden report)
# exit code: that of golden check: 0 everything is as expected, 1 something is not
set -uo pipefail
folder=$1
dp2trace=${DP2TRACE:-dp2trace}
manifest=${MANIFEST:-manifest.json}
store=${STORE:-pictures}
results=$folder/results.jsonl
actual=$results.pictures
# Pictures are named by their pixels: more of them than the manifest has do no harm.
keep=()
[ "${SAVE_STORE:-false}" != true ] || {
  actual=$store
  keep=(--keep-all)
}
mkdir -p "$folder"
rm -f "$results"
read -ra check_options <<< "${CHECK_OPTIONS:-}"
read -ra report_options <<< "${REPORT_OPTIONS:-}"
code=0
"$dp2trace" golden check --manifest "$manifest" --store "$store" --results "$results" --actual "$actual" --times "$folder/times.json" --force \
  "${keep[@]}" "${check_options[@]}" || code=$?
[ -e "$results" ] || exit "$code"
"$dp2trace" golden report "$results" -o "$folder/report" --manifest "$manifest" --store "$store" --actual "$actual" \
  --durations "$folder/times.json" --output "junit=$folder/golden.xml" --force "${report_options[@]}" || code=$?
exit "$code"
