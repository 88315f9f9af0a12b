#!/usr/bin/env bash
# Joins the results of all shards in a folder and writes the report. Fails closed: without all shards there is no result.
# usage: scripts/ci/merge.sh FOLDER
# environment: DP2TRACE (dp2trace), STORE (none), REPORT_OPTIONS (more options of golden report)
# exit code: that of golden merge; 0 everything is as expected, 1 something is not, 3 a shard is missing, incomplete or of another run
set -uo pipefail
folder=$1
dp2trace=${DP2TRACE:-dp2trace}
rm -f "$folder/results.jsonl"
"$dp2trace" golden merge "$folder"/shard-*.jsonl -o "$folder/results.jsonl"
code=$?
[ "$code" -le 1 ] || exit "$code"
read -ra more <<< "${REPORT_OPTIONS:-}"
"$dp2trace" golden report "$folder/results.jsonl" -o "$folder/report" --actual "$folder/pictures" --force ${STORE:+--store "$STORE"} "${more[@]}" || code=$?
exit "$code"
