#!/usr/bin/env bash
# Looks through the machine code of a library of kernels for instructions that round differently than D1 says (lib/raster/rendering.md 0.3,
# rule 2): multiplications contracted with additions, and approximations of reciprocals and roots.
# A file whose name ends with .code is bare code for x86-64, as the program makes it of shaders (tests/renderers/native_code_dump.cpp).
# usage: [OBJDUMP=PROGRAM] scripts/check_kernels.sh LIBRARY|CODE...      exit code: 0 none, 1 some, 77 there is no objdump
set -euo pipefail
objdump=${OBJDUMP:-objdump}
command -v "$objdump" > /dev/null || {
  echo "check_kernels.sh: skipped: there is no $objdump" >&2
  exit 77
}
# x86: FMA3, AVX-512 FMA, rcp*, rsqrt*, and their 14- and 28-bit forms, exp2 and vgetexp; ARM: fmla, fmls, fmadd, frecp*, frsqrt*.
forbidden='\<(vf(n)?m(add|sub)[a-z0-9]*|v?(rcp|rsqrt)(14|28)?[ps][sdh]|vexp2p[sd]|fn?m(add|sub)|fml[as]|frecp[esx]|frsqrt[es])\>'
code=0
for library in "$@"; do
  count=0
  functions=0
  options=(-d)
  [[ $library != *.code ]] || options=(-D -b binary -m i386:x86-64)
  while IFS= read -r line; do
    case $line in
      functions*) functions=${line#functions } ;;
      *)
        [ "$count" -ge 20 ] || echo "$library: $line"
        count=$((count + 1))
        ;;
    esac
  done < <("$objdump" "${options[@]}" --no-show-raw-insn -C "$library" 2> /dev/null | awk -v forbidden="$(sed 's/\\[<>]//g' <<< "$forbidden")" '
    /^[0-9a-f]+ <.*>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name); ++functions; next }
    $2 == "ret" { ++returns }
    { instruction = $2; if (instruction ~ "^" forbidden "$") print name ": " instruction }
    END { print "functions " (functions > returns ? functions : returns) }')
  echo "$library: $functions functions, $count forbidden instructions"
  # A library without code would pass for the wrong reason.
  [ "$functions" -ge 10 ] && [ "$count" -eq 0 ] || code=1
done
exit $code
