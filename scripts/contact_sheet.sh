#!/usr/bin/env bash
# Replays all scenes and features and writes build/contact_sheet/index.html, a page that shows their pictures.
# usage: scripts/contact_sheet.sh [PROGRAM]     the dp2trace to use; build/release/apps/dp2trace/dp2trace unless given
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/release/apps/dp2trace/dp2trace}
out=build/contact_sheet
if [ ! -x "$program" ]; then
  echo "contact_sheet.sh: there is no $program; build it, or name another one" >&2
  exit 1
fi
mkdir -p "$out"
# The first marker of a trace says what it shows.
text_of() { sed -n 's/.*"event":"marker".*"text":"\([^"]*\)".*/\1/p' "$1" | head -n 1 | sed 's/&/\&amp;/g; s/</\&lt;/g'; }
{
  cat << 'END'
<!doctype html>
<meta charset="utf-8"><title>dp2trace: scenes and features</title>
<style>
body { font-family: sans-serif; background: #202020; color: #e0e0e0 }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: 16px }
img { image-rendering: pixelated; max-width: 100%; height: auto }
figure { margin: 0 } figcaption { font-size: 80% }
</style>
END
  for folder in scenes features; do
    printf '<h1>%s</h1>\n<main>\n' "$folder"
    for trace in traces/"$folder"/*.json; do
      name=$(basename "$trace" .json)
      rm -rf "${out:?}/$folder/$name"
      if ! "$program" replay "$trace" -o "$out/$folder/$name" --fail-on never > /dev/null 2> "$out/messages"; then
        cat "$out/messages" >&2
        exit 1
      fi
      printf '<figure>'
      for picture in "$out/$folder/$name"/*.png; do
        printf '<img src="%s" alt="%s">' "${picture#"$out"/}" "$name"
      done
      printf '<figcaption><b>%s</b> %s</figcaption></figure>\n' "$name" "$(text_of "$trace")"
    done
    printf '</main>\n'
  done
} > "$out/index.html.part"
mv "$out/index.html.part" "$out/index.html"
echo "$out/index.html"
