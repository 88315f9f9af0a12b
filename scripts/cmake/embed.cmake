# Writes a C++ source with the bytes of files. Run at build time:
# cmake -DOUTPUT=FILE.cpp -DHEADER=INCLUDED.h -DNAMESPACE=NAME -DTABLE=VARIABLE -DFOLDER=DIR -DFILES=a,b,c -P embed.cmake
# The header declares the function TABLE(), and makes EmbeddedFile of page/page.h known in the namespace.
string(REPLACE "," ";" files "${FILES}")
set(arrays "")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  file(READ "${FOLDER}/${file}" digits HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${digits}")
  string(REPLACE "'\\x0a'," "'\\x0a',\n" bytes "${bytes}")
  string(LENGTH "${digits}" length)
  math(EXPR length "${length} / 2")
  string(APPEND arrays "constexpr char kFile${number}[] = {\n${bytes}0};\n")
  string(APPEND rows "    {\"${file}\", {kFile${number}, ${length}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}.tmp" "// Written by scripts/cmake/embed.cmake.
#include \"${HEADER}\"

namespace ${NAMESPACE} {
namespace {

${arrays}
constexpr EmbeddedFile kFiles[] = {
${rows}};

}  // namespace

std::span<const EmbeddedFile> ${TABLE}() { return kFiles; }

}  // namespace ${NAMESPACE}
")
file(RENAME "${OUTPUT}.tmp" "${OUTPUT}")
