# Makes a page of the manual readable without a forge: -DCMARK=cmark-gfm -DPAGE=PAGE.md -DHTML=PAGE.html -DMAN=dp2trace-PAGE.7 -DSTYLE=FILE.css
# Links to other pages of the manual lead to their HTML, or to their manual page; those to what is not installed become plain text.
cmake_minimum_required(VERSION 3.25)

function(convert form text output)
  file(WRITE "${output}.md" "${text}")
  execute_process(COMMAND "${CMARK}" -e table -t ${form} "${output}.md" OUTPUT_VARIABLE body COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${output}.md")
  set(body "${body}" PARENT_SCOPE)
endfunction()

# CMake's lists end at brackets and semicolons: they stand aside.
file(READ "${PAGE}" text)
string(ASCII 1 open)
string(ASCII 2 close)
string(ASCII 3 semicolon)
string(REPLACE "[" "${open}" text "${text}")
string(REPLACE "]" "${close}" text "${text}")
string(REPLACE ";" "${semicolon}" text "${text}")
string(REGEX REPLACE "(^|[^!])${open}([^${open}${close}]*)${close}\\(\\.\\./[^)]*\\)" "\\1\\2" text "${text}")

macro(restore name)
  string(REPLACE "${open}" "[" ${name} "${${name}}")
  string(REPLACE "${close}" "]" ${name} "${${name}}")
  string(REPLACE "${semicolon}" ";" ${name} "${${name}}")
endmacro()

# Headings are places of links, as forges have them: small letters, digits and dashes.
string(REGEX REPLACE "\\(([a-z_]+)\\.md(#?[a-z0-9-]*)\\)" "(\\1.html\\2)" html "${text}")
string(REGEX REPLACE "!${open}([^${open}${close}]*)${close}\\(\\.\\./[^)]*\\)" "" html "${html}")
restore(html)
convert(html "${html}" "${HTML}")
string(REGEX MATCHALL "<h[1-6]>[^\n]*</h[1-6]>" headings "${body}")
foreach(heading IN LISTS headings)
  string(REGEX REPLACE "<[^>]*>" "" place "${heading}")
  string(TOLOWER "${place}" place)
  string(REGEX REPLACE "[^a-z0-9 _-]" "" place "${place}")
  string(REPLACE " " "-" place "${place}")
  string(REGEX REPLACE "^<h([1-6])>" "<h\\1 id=\"${place}\">" with_place "${heading}")
  string(REPLACE "${heading}" "${with_place}" body "${body}")
endforeach()
string(REGEX MATCH "<h1[^>]*>([^\n]*)</h1>" ignored "${body}")
string(REGEX REPLACE "<[^>]*>" "" title "${CMAKE_MATCH_1}")
file(READ "${STYLE}" style)
file(WRITE "${HTML}" "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>${title}: dp2trace</title>
<style>
${style}</style>
</head>
<body>
<p><a href=\"README.html\">dp2trace: manual</a></p>
${body}</body>
</html>
")

string(REGEX REPLACE "!?${open}([^${open}${close}]*)${close}\\(([a-z_]+)\\.md[^)]*\\)" "\\1 (dp2trace-\\2(7))" man "${text}")
string(REGEX REPLACE "!?${open}([^${open}${close}]*)${close}\\([^)]*\\)" "\\1" man "${man}")
# A terminal is narrow: the rows of a table are items of a list.
string(REGEX REPLACE "\n\\|[^\n]*\\|\n\\| *---[^\n]*" "" man "${man}")
string(REGEX REPLACE "\n\\| ([^|\n]*) \\| ([^\n]*) \\|" "\n* \\1: \\2" man "${man}")
string(REPLACE " | " "; " man "${man}")
string(REGEX REPLACE " \\|\n" "\n" man "${man}")
restore(man)
convert(man "${man}" "${MAN}")
get_filename_component(name "${MAN}" NAME_WLE)
string(TOUPPER "${name}" name)
file(WRITE "${MAN}" ".\\\" Written from the manual of dp2trace.\n.TH ${name} 7\n${body}")
