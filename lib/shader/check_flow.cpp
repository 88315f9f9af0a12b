// Rules about flow control that leave the program executable: nesting, order of calls, ends of subroutines, the loop counter.
// Source: lib/raster/rendering-shaders.md 8.2 and 8.6; Direct3D 9 assembly shader reference ("Flow Control Nesting Limits").
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rules/rule.h"
#include "shader/check.h"

namespace dp2trace::shader {
namespace {

constexpr uint32_t kStaticLimit = 16;

struct NestingLimits {
  uint32_t loops = 4;
  uint32_t ifs = 24;
  uint32_t calls = 4;
};

// Unspecified: the limits of 2_x depend on the device; chosen: the largest that a device may report.
NestingLimits NestingLimitsOf(Version version) {
  if (version.is_software()) return {24, 24, 24};
  if (version.code() == 0x20) return {1, 24, 1};
  return {};
}

class FlowCheck {
 public:
  FlowCheck(const Program& program, DiagnosticList& findings)
      : program_(&program),
        version_(program.version),
        limits_(NestingLimitsOf(version_)),
        findings_(&findings) {
    for (const Constant& constant : program.integers)
      integers_[constant.number] = constant.words;
  }

  void Run() {
    for (const Instruction& instruction : program_->instructions)
      Visit(instruction);
    const bool ends_open = subroutine_ != nullptr && !has_returned_;
    if (ends_open)
      Report(Rule::kDp2Shader063, *subroutine_, "the subroutine does not end with ret");
    CheckCallDepth();
  }

 private:
  void Report(Rule rule, const Instruction& instruction, std::string message) {
    findings_->Add(MakeFinding(rule, instruction, std::move(message)));
  }

  void Visit(const Instruction& instruction) {
    switch (instruction.op()) {
      case Op::If:
        CountStatic(instruction);
        [[fallthrough]];
      case Op::IfC:
        Enter(instruction, ifs_, limits_.ifs, "if");
        break;
      case Op::EndIf:
        ifs_ -= ifs_ > 0 ? 1 : 0;
        break;
      case Op::Loop:
        ++counters_;
        [[fallthrough]];
      case Op::Rep:
        Enter(instruction, loops_, limits_.loops, "loop");
        CountStatic(instruction);
        CheckCount(instruction);
        break;
      case Op::EndLoop:
        counters_ -= counters_ > 0 ? 1 : 0;
        [[fallthrough]];
      case Op::EndRep:
        loops_ -= loops_ > 0 ? 1 : 0;
        break;
      case Op::Label:
        StartSubroutine(instruction);
        break;
      case Op::Call:
      case Op::CallNz:
        CheckCall(instruction);
        CountStatic(instruction);
        break;
      default:
        break;
    }
    CheckCounter(instruction);
    if (instruction.info->kind != OpKind::kDeclaration) has_returned_ = instruction.op() == Op::Ret;
  }

  void Enter(const Instruction& instruction, uint32_t& depth, uint32_t limit,
             std::string_view what) {
    if (++depth == limit + 1) {
      Report(Rule::kDp2Shader056, instruction,
             fmt::format("{} blocks are nested deeper than {}", what, limit));
    }
  }

  // Vertex shaders 2.x: what depends only on constants, else beside if counted once more.
  void CountStatic(const Instruction& instruction) {
    const bool is_limited = !version_.is_pixel && version_.major == 2 && !version_.is_software();
    const Op op = instruction.op();
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      if (instruction.sources[i].type == RegisterType::kPredicate) return;
    }
    const bool has_else = op == Op::If && instruction.target != kNoTarget &&
                          program_->instructions[instruction.target].op() == Op::Else;
    const uint32_t before = static_count_;
    static_count_ += has_else ? 2 : 1;
    if (!is_limited || before > kStaticLimit || static_count_ <= kStaticLimit) return;
    Report(Rule::kDp2Shader075, instruction,
           fmt::format("more than {} static flow control instructions", kStaticLimit));
  }

  // The ranges of a loop; constants that the shader does not define are the application's.
  void CheckCount(const Instruction& loop) {
    const bool has_counter = loop.op() == Op::Loop;
    const uint32_t number = loop.sources[has_counter ? 1 : 0].number;
    const auto constant = integers_.find(number);
    if (constant == integers_.end()) return;
    const auto is_in = [&](size_t word, int32_t low, int32_t high) {
      const auto value = static_cast<int32_t>(constant->second[word]);
      return value >= low && value <= high;
    };
    if (is_in(0, 0, 255) && (!has_counter || (is_in(1, 0, 255) && is_in(2, -128, 127)))) return;
    Report(Rule::kDp2Shader076, loop, fmt::format("i{} counts out of range", number));
  }

  void StartSubroutine(const Instruction& label) {
    if (!has_returned_)
      Report(Rule::kDp2Shader063, label, "the code before the label does not end with ret");
    subroutine_ = &label;
    loops_ = ifs_ = counters_ = 0;
  }

  void CheckCall(const Instruction& call) {
    if (call.target == kNoTarget) return;  // reported by the decoder
    const Instruction& label = program_->instructions[call.target];
    if (label.offset < call.offset) {
      Report(Rule::kDp2Shader060, call,
             fmt::format("label l{} comes before its call", call.sources[0].number));
    } else {
      calls_.emplace_back(subroutine_ != nullptr ? subroutine_->offset : 0, label.offset);
    }
  }

  // Subroutines inherit the counter of the caller.
  void CheckCounter(const Instruction& instruction) {
    if (counters_ != 0 || subroutine_ != nullptr) return;
    bool uses = instruction.has_destination && instruction.destination.is_relative &&
                instruction.destination.relative.type == RegisterType::kLoop;
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      const Source& source = instruction.sources[i];
      uses = uses || (source.is_relative && source.relative.type == RegisterType::kLoop);
    }
    if (uses) Report(Rule::kDp2Shader062, instruction, "aL has no value outside of loop");
  }

  // Calls lead forward only: the depth of a subroutine is known when all calls that stand before it are.
  void CheckCallDepth() {
    std::map<uint32_t, uint32_t> depths;  // by offset of the label; 0: the main code
    std::ranges::sort(calls_);
    for (const auto& [from, to] : calls_) {
      const auto found = depths.find(from);
      uint32_t& depth = depths[to];
      depth = std::max(depth, (found != depths.end() ? found->second : 0) + 1);
    }
    for (const auto& [offset, depth] : depths) {
      if (depth <= limits_.calls) continue;
      Diagnostic finding = MakeDiagnostic(
          Rule::kDp2Shader061, fmt::format("calls are nested deeper than {}", limits_.calls));
      finding.offset = offset;
      findings_->Add(std::move(finding));
      return;
    }
  }

  const Program* program_;
  Version version_;
  NestingLimits limits_;
  DiagnosticList* findings_;
  std::map<uint32_t, std::array<uint32_t, 4>> integers_;  // that the shader defines
  uint32_t ifs_ = 0, loops_ = 0, counters_ = 0, static_count_ = 0;
  const Instruction* subroutine_ = nullptr;  // the label whose code is visited
  bool has_returned_ = false;
  std::vector<std::pair<uint32_t, uint32_t>>
      calls_;  // offsets of labels: of the caller, of the called
};

}  // namespace

void CheckFlow(const Program& program, DiagnosticList& findings) {
  FlowCheck(program, findings).Run();
}

}  // namespace dp2trace::shader
