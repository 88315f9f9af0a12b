#include "json/shader_text.h"

#include "shader/decoder.h"
#include "shader/disassembler.h"

namespace dp2trace::json {

void WriteAssembly(Bytes code, Builder& out) {
  DiagnosticList ignored;  // lint reports them
  const std::string assembly = shader::Disassemble(shader::Decode(code, ignored));
  if (assembly.empty()) return;
  out.Key(kAssemblyKey);
  out.Raw('[');
  for (std::string_view rest = assembly; !rest.empty();) {
    const size_t end = rest.find('\n');  // every line ends with one
    out.Separate();
    out.String(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  out.Raw(']');
}

bool SkipAssembly(Values& values, ObjectReader& object) {
  const Node* const lines = object.Find(kAssemblyKey);
  if (lines == nullptr) return true;
  if (!values.Expect(*lines, NodeType::kArray)) return false;
  ElementIterator elements(values.tape(), *lines);
  while (const Node* const line = elements.Next()) {
    if (!values.Expect(*line, NodeType::kString)) return false;
  }
  return true;
}

}  // namespace dp2trace::json
