#!/usr/bin/env bash
# Builds the libFuzzer targets and runs each of them for a while.
# usage: scripts/fuzz.sh [--quick] [SECONDS | --minimize] [TARGET...]     e.g. scripts/fuzz.sh 600 json_fuzz; 20 seconds each unless given
#        scripts/fuzz.sh --add TARGET FILE...
# New inputs go to build/fuzz/corpus, inputs that fail to build/fuzz/findings; of --quick, to build/fuzz_quick.
# --quick: without AddressSanitizer, two to nine times as fast: for long runs beside shorter ones with it.
# --minimize: tests/fuzz/corpus/TARGET.tar.zst gets the fewest inputs of what is there, of the new ones and of the seeds that reach every edge.
# --add: the files join the kept inputs of the target, e.g. what failed and is fixed. Builds nothing.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
# pack FOLDER TARGET: the files of a folder become the kept inputs of a target. The same files give the same archive.
pack() {
  (cd "$1" && find . -type f -printf '%P\n') | LC_ALL=C sort \
    | tar --create --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 --directory="$1" --verbatim-files-from --files-from=- --file="$1.tar"
  zstd -q -19 -f "$1.tar" -o "tests/fuzz/corpus/$2.tar.zst"
  rm "$1.tar"
}
if [ "${1:-}" = --add ]; then
  target=$2
  shift 2
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/kept"
  zstd -dcq "tests/fuzz/corpus/$target.tar.zst" | tar --extract --directory="$work/kept"
  for input in "$@"; do
    cp "$input" "$work/kept/$(sha1sum < "$input" | cut -d ' ' -f 1)"
  done
  pack "$work/kept" "$target"
  exit 0
fi
preset=fuzz
if [ "${1:-}" = --quick ]; then
  preset=fuzz_quick
  shift
fi
build=build/$preset
seconds=${1:-20}
[ $# -eq 0 ] || shift
./scripts/setup.sh --tests
if ! command -v clang++ > /dev/null; then
  echo "fuzz.sh: skipped: there is no clang++" >&2
  exit 0
fi
cmake --preset "$preset"
cmake --build --preset "$preset" --target fuzzers
if [ $# -eq 0 ]; then
  for program in "$build"/tests/fuzz/*_fuzz; do
    [ ! -x "$program" ] || set -- "$@" "$(basename "$program")"
  done
fi
if [ $# -eq 0 ]; then
  echo "fuzz.sh: no target was built" >&2
  exit 1
fi
limits=(-timeout=10 -rss_limit_mb=2048)
max_kept=16384 # bytes of an input that is kept
mkdir -p "$build/findings" "$build/seeds"
# Where the seeds of a target lie: the traces of the repository, or random streams.
seeds_of() {
  local folder=$build/seeds/$1
  mkdir -p "$folder"
  case $1 in
    container_fuzz) find traces -name '*.dp2t' -exec cp -t "$folder" --backup=numbered {} + ;;
    replay_fuzz) find traces -name '*.dp2t' -exec cp -t "$folder" --backup=numbered {} + ;;
    json_fuzz)
      python3 scripts/rule_cases.py unpack "$build/rule_traces"
      find traces "$build/rule_traces" -name '*.json' ! -path 'traces/rules/*' ! -name schema.json -exec cp -t "$folder" --backup=numbered {} +
      ;;
    shader_fuzz) python3 -B scripts/write_shader_seeds.py "$folder" ;;
    hex_fuzz) cp -t "$folder" tests/import/dumps/*.txt tests/cli/inputs/triangle.txt ;;
    import_fuzz) python3 tests/import/make_captures.py "$folder" ;;
    stream_fuzz) "$build/tests/fuzz/write_stream_seeds" "$folder" 200 ;;
  esac
  printf '%s\n' "$folder"
}
# The archive of the repository is replaced as a whole. The build unpacked it to tests/fuzz/kept.
minimize() {
  rm -rf "$build/minimal/$1"
  mkdir -p "$build/minimal/$1"
  "$build/tests/fuzz/$1" -merge=1 -use_counters=0 -max_len="$max_kept" "${limits[@]}" "$build/minimal/$1" "$build/tests/fuzz/kept/$1" "$2" "$3" 2>&1 | tail -n 1
  pack "$build/minimal/$1" "$1"
}
run() {
  "$build/tests/fuzz/$1" -max_total_time="$seconds" "${limits[@]}" -print_final_stats=1 -artifact_prefix="$build/findings/$1-" \
    "$2" "$build/tests/fuzz/kept/$1" "$3" 2>&1 | tail -n 12
}
rm -rf "$build/seeds"
for target in "$@"; do
  corpus=$build/corpus/$target
  mkdir -p "$corpus"
  seeds=$(seeds_of "$target")
  if [ "$seconds" = --minimize ]; then
    echo "== $target"
    minimize "$target" "$corpus" "$seeds"
  else
    echo "== $target, $seconds s"
    run "$target" "$corpus" "$seeds"
  fi
done
