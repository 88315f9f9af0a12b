#!/usr/bin/env bash
# Checks a manifest as a Slurm array, with a job after it that merges. That one starts however the shards ended, and fails, naming them,
# where shards are missing. Run it again after a failure: only the shards whose results are missing are submitted. The folder belongs to one
# commit; the nodes share it, the program and the traces.
# usage: scripts/ci/slurm.sh SHARDS FOLDER      prints the number of the job that merges
# environment: see shard.sh and merge.sh; SBATCH_* as of sbatch
set -euo pipefail
shards=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
missing=()
for number in $(seq "$shards"); do
  [ -e "$folder/shard-$number.jsonl" ] || missing+=("$number")
done
dependency=()
if [ ${#missing[@]} -ne 0 ]; then
  array=$(IFS=,; echo "${missing[*]}")
  job=$(sbatch --parsable --job-name=golden --array="$array" --no-requeue --output="$folder/shard-%a.log" \
    --wrap="exec '$here/shard.sh' \"\$SLURM_ARRAY_TASK_ID\" '$shards' '$folder'")
  dependency=(--dependency="afterany:$job")
fi
sbatch --parsable --job-name=golden-merge "${dependency[@]}" --output="$folder/merge.log" --wrap="exec '$here/merge.sh' '$folder'"
