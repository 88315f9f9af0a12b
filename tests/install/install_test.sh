#!/usr/bin/env bash
# Installs into an empty folder and uses what lies there.
# usage: install_test.sh CMAKE BUILD PREFIX
set -euo pipefail
cmake=$1 build=$2 prefix=$3
rm -rf "$prefix"
"$cmake" --install "$build" --prefix "$prefix" > /dev/null
fail() {
  echo "install_test.sh: $*" >&2
  exit 1
}
program=$prefix/bin/dp2trace
version=$("$program" --version)
[[ $version =~ ^dp2trace\ [0-9]+\.[0-9]+\.[0-9]+ ]] || fail "--version says: $version"

# An example is replayed from where it was installed.
example=$(find "$prefix/share/doc" -name 'teapot-of-patches.json')
[ -n "$example" ] || fail "there are no examples"
"$program" replay "$example" -o "$prefix/out" > /dev/null
[ -s "$prefix/out/frame-000001.png" ] || fail "the example draws nothing"

# A page for the program and for each verb, and each names every option of the verb.
for verb in "" $("$program" --help | sed -n '/^Options:/q; s/^  \([a-z]\+\) .*/\1/p'); do
  page=$prefix/share/man/man1/dp2trace${verb:+-$verb}.1
  [ -s "$page" ] || fail "there is no $page"
  for option in $("$program" ${verb:+"$verb"} --help | grep -oE '^  (-[a-z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+'); do
    grep -qF -- "${option//-/\\-}" "$page" || fail "$page does not name $option"
  done
  if command -v man > /dev/null; then
    man --warnings -l "$page" 2>&1 > "$prefix/page" | (! grep .) || fail "$page is not clean"
    grep -q SYNOPSIS "$prefix/page" || fail "$page cannot be read"
  fi
done

# The manual as HTML, whose links lead somewhere, and as manual pages.
if command -v cmark-gfm > /dev/null; then
  manual=$prefix/share/doc/dp2trace/manual
  for page in "$manual"/*.md; do
    html=${page%.md}.html
    [ -s "$html" ] || fail "there is no $html"
    for link in $(grep -oE '(href|src)="[^"]*"' "$html" | sed 's/^[a-z]*="//; s/"$//' | grep -v '^https://'); do
      target=$manual/${link%%#*}
      [[ $link != "#"* ]] || target=$html
      [ -e "$target" ] || fail "$html leads to $link, which is not there"
      [[ $link != *#* ]] || grep -qF "id=\"${link#*#}\"" "$target" || fail "$html leads to $link, where nothing is"
    done
    name=$(basename "$page" .md)
    page=$prefix/share/man/man7/dp2trace-${name/README/manual}.7
    [ -s "$page" ] || fail "there is no $page"
  done
fi

completions=$prefix/share
bash -n "$completions/bash-completion/completions/dp2trace"
# Completes a line as bash does: COMP_WORDS and the index of the last word.
complete_line() {
  bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dp2trace; printf "%s\n" "${COMPREPLY[@]}"' - \
    "$completions/bash-completion/completions/dp2trace" "$@"
}
complete_line dp2trace li | grep -x lint > /dev/null || fail "bash does not complete a verb"
complete_line dp2trace golden che | grep -x check > /dev/null || fail "bash does not complete a verb of golden"
complete_line dp2trace lint --pre | grep -x -- --preset > /dev/null || fail "bash does not complete an option"
complete_line dp2trace lint --preset ped | grep -x pedantic > /dev/null || fail "bash does not complete a value"
complete_line dp2trace lint --format sar | grep -x sarif > /dev/null || fail "bash does not complete a format"
complete_line dp2trace lint --disable DP2-TEXB | grep -x DP2-TEXBLT > /dev/null || fail "bash does not complete a group of rules"
complete_line dp2trace explain JSON-00 | grep -x JSON-001 > /dev/null || fail "bash does not complete a rule"
complete_line dp2trace list cap | grep -x caps > /dev/null || fail "bash does not complete a table"
complete_line dp2trace dump --ops CLE | grep -x CLEAR > /dev/null || fail "bash does not complete an operation"
if command -v zsh > /dev/null; then zsh -n "$completions/zsh/site-functions/_dp2trace"; fi
if command -v fish > /dev/null; then fish -n "$completions/fish/vendor_completions.d/dp2trace.fish"; fi
