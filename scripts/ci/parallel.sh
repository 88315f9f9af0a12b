#!/usr/bin/env bash
# Checks a manifest on several machines by ssh with GNU parallel, then merges. Run it again after a failure: only the shards whose results
# are missing run. The folder belongs to one commit; the machines share it, the program and the traces under the same paths.
# usage: scripts/ci/parallel.sh SHARDS FOLDER HOST...      e.g. scripts/ci/parallel.sh 16 /shared/run-1234 4/alpha 4/beta
#        HOST is an ssh login of GNU parallel, N/HOST for N shards at a time; : is this machine
# environment: see shard.sh and merge.sh
set -uo pipefail
shards=$1
folder=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
logins=$(IFS=,; echo "$*")
export DP2TRACE MANIFEST STORE CHECK_OPTIONS
seq "$shards" |
  parallel --no-notice --sshlogin "$logins" --workdir "$PWD" --env DP2TRACE --env MANIFEST --env STORE --env CHECK_OPTIONS \
    "$here/shard.sh" {} "$shards" "$folder" ||
  echo "parallel.sh: a shard failed; the merge says which results are missing" >&2
exec "$here/merge.sh" "$folder"
