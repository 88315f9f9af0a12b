#include "validate/rules_shader.h"

#include <fmt/format.h>

#include <utility>

#include "shader/checker.h"
#include "shader/decoder.h"
#include "stream/records.h"

namespace dp2trace::validate {
namespace {

using opcode::Op;

// Where a token holds the code of a shader.
struct CodeTail {
  Op op;
  size_t tail;
  bool is_pixel;
  bool is_optional;  // a declaration alone is fixed function vertex processing
};
constexpr CodeTail kCodeTails[] = {
    {Op::kCreateVertexShader, 1, false, true},
    {Op::kCreateVertexShaderFunc, 0, false, false},
    {Op::kCreatePixelShader, 0, true, false},
};

const CodeTail* FindCodeTail(Op op) {
  for (const CodeTail& row : kCodeTails) {
    if (row.op == op) return &row;
  }
  return nullptr;
}

DiagnosticList CheckCode(Bytes code, bool is_pixel) {
  DiagnosticList found;
  const shader::Program program = shader::Decode(code, found);
  shader::CheckStage(program, is_pixel, found);
  shader::Check(program, found);
  return found;
}

}  // namespace

void CheckShaders(const stream::Command& command, const stream::Environment& environment, EventFindings& findings) {
  const CodeTail* const row = FindCodeTail(command.op->op);
  if (row == nullptr) return;
  for (const stream::Record& record : stream::Records(command, environment)) {
    const stream::TailPart part = record.Tail(row->tail);
    if (row->is_optional && part.bytes.empty()) continue;
    const uint64_t start = command.offset + static_cast<uint64_t>(part.bytes.data() - command.bytes.data());
    const DiagnosticList list = CheckCode(part.bytes, row->is_pixel);
    for (const Diagnostic& found : list.items()) {
      Diagnostic finding = found;
      finding.offset = start + found.offset.value_or(0);
      finding.path = fmt::format("commands/{}/{}/{}/{}", command.index, command.op->list_name, record.index, part.desc->name);
      findings.Add(std::move(finding));
    }
  }
}

}  // namespace dp2trace::validate
