#include "text/shader.h"

#include <string_view>

#include "shader/decoder.h"
#include "shader/disassembler.h"
#include "stream/records.h"

namespace dp2trace::text {
namespace {

constexpr std::string_view kIndent = "    ";

void AppendIndented(std::string& out, std::string_view lines) {
  while (!lines.empty()) {
    const size_t size = lines.find('\n') + 1;  // every line ends with one
    out += kIndent;
    out += lines.substr(0, size);
    lines.remove_prefix(size);
  }
}

}  // namespace

void AppendShaders(std::string& out, const stream::Command& command,
                   const stream::Environment& environment) {
  for (const stream::Record& record : stream::Records(command, environment)) {
    for (size_t tail = 0; tail < command.op->tails.size(); ++tail) {
      if (!command.op->tails[tail].is_shader_code) continue;
      DiagnosticList ignored;  // lint reports them
      AppendIndented(out, shader::Disassemble(shader::Decode(record.Tail(tail).bytes, ignored)));
    }
  }
}

}  // namespace dp2trace::text
