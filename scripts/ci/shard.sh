#!/usr/bin/env bash
# Checks one shard; what all schedulers run on a node. A shard whose results lie in the folder is not run again.
# usage: scripts/ci/shard.sh NUMBER COUNT FOLDER
# environment: DP2TRACE (dp2trace), MANIFEST (traces/manifest.json), STORE (none), CHECK_OPTIONS (more options of golden check)
# exit code: 0 the shard was checked, whatever it found; otherwise that of golden check
set -uo pipefail
number=$1
count=$2
folder=$3
results=$folder/shard-$number.jsonl
[ -e "$results" ] && exit 0
mkdir -p "$folder"
read -ra more <<< "${CHECK_OPTIONS:-}"
"${DP2TRACE:-dp2trace}" golden check --manifest "${MANIFEST:-traces/manifest.json}" ${STORE:+--store "$STORE"} \
  --shard "$number/$count" --results "$results" --actual "$folder/pictures" "${more[@]}"
code=$?
# Pictures that differ (1) are what the merge reports; a shard without traces (77) has done its work, too.
case $code in 1 | 77) [ ! -e "$results" ] || exit 0 ;; esac
exit "$code"
