#include "validate/dp2/shader.h"

#include <fmt/format.h>

#include <utility>

#include "rules/rule.h"
#include "rules/rule_info.h"
#include "shader/checker.h"
#include "shader/decoder.h"
#include "shader/disassembler.h"
#include "stream/records.h"

namespace dp2trace::validate {
namespace {

using opcode::Op;

// Where a token holds the code of a shader.
struct CodeTail {
  Op op;
  size_t tail;
  bool is_pixel;
};
constexpr CodeTail kCodeTails[] = {
    {Op::kCreateVertexShader, 1, false},
    {Op::kCreateVertexShaderFunc, 0, false},
    {Op::kCreatePixelShader, 0, true},
};

// Defects of the code as a run of tokens have their ids in the catalogue of streams.
struct TokenRule {
  Rule code;
  Rule stream;
};
constexpr TokenRule kTokenRules[] = {
    {Rule::kDp2Shader002, Rule::kDp2Vsh012}, {Rule::kDp2Shader003, Rule::kDp2Vsh012},
    {Rule::kDp2Shader004, Rule::kDp2Vsh012}, {Rule::kDp2Shader006, Rule::kDp2Vsh013},
    {Rule::kDp2Shader010, Rule::kDp2Vsh011},
};

// A version token of neither kind is DP2-VSH-011; one of a version that does not exist stays DP2-SHADER-001.
Rule RuleOf(Rule rule, Bytes code) {
  constexpr uint32_t kVertex = 0xFFFE;
  constexpr uint32_t kPixel = 0xFFFF;
  for (const TokenRule& row : kTokenRules) {
    if (row.code == rule) return row.stream;
  }
  const uint32_t kind = LoadU32(code.data()) >> 16;
  return rule == Rule::kDp2Shader001 && kind != kVertex && kind != kPixel ? Rule::kDp2Vsh011 : rule;
}

// What only the documents of Direct3D 9 forbid: programs for 8 shipped with it, and drivers drew them.
constexpr uint32_t kLastGeneration = 9;
constexpr Rule kLateRules[] = {Rule::kDp2Shader029};

const CodeTail* FindCodeTail(Op op) {
  for (const CodeTail& row : kCodeTails) {
    if (row.op == op) return &row;
  }
  return nullptr;
}

DiagnosticList CheckCode(Bytes code, bool is_pixel, shader::Program& program) {
  DiagnosticList found;
  program = shader::Decode(code, found);
  shader::CheckStage(program, is_pixel, found);
  shader::Check(program, found);
  return found;
}

// The instruction around an offset, as assembly text and its token; only the word where there is none.
std::string TextAt(const shader::Program& program, Bytes code, uint64_t offset) {
  const auto instruction = std::ranges::find_if(program.instructions, [offset](const auto& one) {
    return offset >= one.offset && offset - one.offset < one.size;
  });
  const std::string word = fmt::format("{:#010x}", LoadU32(code.data() + offset));
  if (instruction == program.instructions.end()) return word;
  return fmt::format("{} ({})", shader::InstructionText(program, *instruction), word);
}

// What is there, and how the rule wants it. Words that are no token of their own have none: the code ends before it should.
void AddValues(Diagnostic& finding, const shader::Program& program, Bytes code) {
  const uint64_t at = finding.offset.value_or(0);
  if (finding.length == 0) finding.length = sizeof(uint32_t);
  if (finding.actual.empty()) {
    finding.actual =
        at + sizeof(uint32_t) <= code.size() ? TextAt(program, code, at) : "the end of the code";
  }
  std::string_view remedy = Info(finding.rule).remedy;
  if (remedy.ends_with('.')) remedy.remove_suffix(1);
  if (finding.expected.empty()) finding.expected = remedy;
}

}  // namespace

Bytes CodeOf(Op op, const stream::Record& record) {
  const CodeTail* const row = FindCodeTail(op);
  const Bytes code = row == nullptr ? Bytes() : record.Tail(row->tail).bytes;
  return code.size() % sizeof(uint32_t) == 0 ? code : Bytes();
}

void CheckShaders(const stream::Command& command, const stream::Environment& environment,
                  uint32_t generation, EventFindings& findings) {
  const CodeTail* const row = FindCodeTail(command.op->op);
  if (row == nullptr) return;
  for (const stream::Record& record : stream::Records(command, environment)) {
    const stream::TailPart part = record.Tail(row->tail);
    if (CodeOf(row->op, record).empty()) continue;
    const uint64_t start =
        command.offset + static_cast<uint64_t>(part.bytes.data() - command.bytes.data());
    shader::Program program;
    const DiagnosticList list = CheckCode(part.bytes, row->is_pixel, program);
    for (const Diagnostic& found : list.items()) {
      Diagnostic finding = found;
      finding.rule = RuleOf(found.rule, part.bytes);
      if (generation < kLastGeneration &&
          std::ranges::find(kLateRules, finding.rule) != std::end(kLateRules))
        finding.severity = Severity::kWarning;
      AddValues(finding, program, part.bytes);
      finding.offset = start + found.offset.value_or(0);
      finding.path = fmt::format("commands/{}/{}/{}/{}", command.index, command.op->list_name,
                                 record.index, part.desc->name);
      findings.Add(std::move(finding));
    }
  }
}

}  // namespace dp2trace::validate
