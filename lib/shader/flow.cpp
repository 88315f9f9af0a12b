// Flow control: blocks, labels and calls, paired once so that execution needs no search.
// Source: lib/raster/rendering-shaders.md 8.6.
#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "rules/rule.h"
#include "shader/decoder.h"

namespace dp2trace::shader {
namespace {

class FlowResolver {
 public:
  FlowResolver(Program& program, DiagnosticList& findings)
      : program_(&program), findings_(&findings) {}

  bool Run() {
    for (uint32_t i = 0; i < program_->instructions.size(); ++i)
      Visit(i);
    if (!open_.empty()) {
      const Instruction& block = At(open_.back());
      Report(Rule::kDp2Shader054, block, fmt::format("{} is not closed", block.info->name));
    }
    ResolveCalls();
    return is_sound_;
  }

 private:
  Instruction& At(uint32_t index) { return program_->instructions[index]; }

  void Report(Rule rule, const Instruction& instruction, std::string message) {
    findings_->Add(MakeFinding(rule, instruction, std::move(message)));
    is_sound_ = false;
  }

  bool IsOpen(Op op) { return !open_.empty() && At(open_.back()).op() == op; }

  void Visit(uint32_t index) {
    switch (At(index).op()) {
      case Op::Loop:
      case Op::Rep:
        ++open_loops_;
        [[fallthrough]];
      case Op::If:
      case Op::IfC:
        open_.push_back(index);
        break;
      case Op::Else:
        if (Close(index, IsOpen(Op::If) || IsOpen(Op::IfC))) open_.push_back(index);
        break;
      case Op::EndIf:
        Close(index, IsOpen(Op::If) || IsOpen(Op::IfC) || IsOpen(Op::Else));
        break;
      case Op::EndLoop:
        CloseLoop(index, Op::Loop);
        break;
      case Op::EndRep:
        CloseLoop(index, Op::Rep);
        break;
      case Op::Break:
      case Op::BreakC:
      case Op::BreakP:
        CheckBreak(index);
        break;
      case Op::Label:
        AddLabel(index);
        break;
      default:
        break;
    }
  }

  // Ends the innermost block at `index`.
  bool Close(uint32_t index, bool fits) {
    if (!fits) {
      Report(Rule::kDp2Shader053, At(index),
             fmt::format("{} closes no open block", At(index).info->name));
      return false;
    }
    At(open_.back()).target = index;
    At(index).target = open_.back();
    open_.pop_back();
    return true;
  }

  void CloseLoop(uint32_t index, Op op) {
    if (Close(index, IsOpen(op))) --open_loops_;
  }

  void CheckBreak(uint32_t index) {
    if (open_loops_ == 0) Report(Rule::kDp2Shader055, At(index), "break is outside of all loops");
  }

  void AddLabel(uint32_t index) {
    const Instruction& label = At(index);
    const uint32_t number = label.sources[0].number;
    if (!open_.empty())
      Report(Rule::kDp2Shader059, label, fmt::format("label l{} is inside of a block", number));
    if (!labels_.try_emplace(number, index).second) {
      Report(Rule::kDp2Shader058, label, fmt::format("label l{} exists already", number));
    }
  }

  void ResolveCalls() {
    for (Instruction& instruction : program_->instructions) {
      if (instruction.op() != Op::Call && instruction.op() != Op::CallNz) continue;
      const uint32_t number = instruction.sources[0].number;
      const auto label = labels_.find(number);
      if (label == labels_.end()) {
        Report(Rule::kDp2Shader057, instruction,
               fmt::format("label l{} is called and does not exist", number));
      } else {
        instruction.target = label->second;
      }
    }
  }

  Program* program_;
  DiagnosticList* findings_;
  std::vector<uint32_t> open_;  // If, Else, Loop, Rep without end so far
  uint32_t open_loops_ = 0;
  std::unordered_map<uint32_t, uint32_t> labels_;
  bool is_sound_ = true;
};

}  // namespace

bool ResolveFlow(Program& program, DiagnosticList& findings) {
  return FlowResolver(program, findings).Run();
}

}  // namespace dp2trace::shader
