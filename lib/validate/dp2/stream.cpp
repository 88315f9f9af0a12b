#include "validate/dp2/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/plain_text.h"
#include "d3d/interface.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "stream/records.h"
#include "validate/dp2/level.h"
#include "validate/dp2/shader.h"

namespace dp2trace::validate {
namespace {

using opcode::Op;
using stream::Command;

constexpr uint32_t kMaxCount = 0xFFFF;  // of the 16-bit count of a token

// A defect of the framing that the catalogue of packets names too.
struct FramingRule {
  Rule call;
  Rule packet;      // its id in a packet
  bool is_cut_off;  // follows from missing bytes at the end
};

// clang-format off
constexpr FramingRule kFramingRules[] = {
    {Rule::kDp2Stream001, Rule::kKmtDp2004, true},
    {Rule::kDp2Stream002, Rule::kKmtDp2003, true},
    {Rule::kDp2Stream003, Rule::kKmtDp2003, true},
    {Rule::kDp2Stream004, Rule::kKmtDp2003, true},
    {Rule::kDp2Stream005, Rule::kKmtDp2003, false},
    {Rule::kDp2Stream006, Rule::kKmtDp2001, false},
    {Rule::kDp2Stream007, Rule::kKmtDp2001, false},  // operation 11 is an unknown operation in a packet
    {Rule::kDp2Stream008, Rule::kKmtDp2002, false},
    {Rule::kDp2Stream009, Rule::kKmtDp2006, false},
    {Rule::kDp2Stream010, Rule::kKmtDp2004, true},
    {Rule::kDp2Imm001,    Rule::kKmtDp2003, true},
};
// clang-format on

const FramingRule* FindFramingRule(Rule rule) {
  const auto* const row = std::ranges::find(kFramingRules, rule, &FramingRule::call);
  return row == std::end(kFramingRules) ? nullptr : row;
}

// DP2-STREAM-013.
void CheckEmpty(const Command& command, EventFindings& findings) {
  if (command.count != 0 || command.op->repeat != opcode::Repeat::kCount ||
      FindEmptyTokenRule(*command.op))
    return;
  findings.Add(
      Rule::kDp2Stream013, stream::PlaceOf(command, stream::CountWord()),
      fmt::format("{}: {} is 0, the token does nothing", command.op->name, command.op->count_name),
      "0", "1 or more");
}

// DP2-STREAM-016.
void ReportExt(Place place, EventFindings& findings) {
  findings.Add(Rule::kDp2Stream016, std::move(place), "EXT (37) has no documented use", "EXT",
               "another operation");
}

void CheckVertexBytes(const trace::Dp2& call, EventFindings& findings) {
  const bool is_stored = call.vertex_buffer == 0 &&
                         ((call.flags & d3d::kUserMemVertices) != 0 || !call.vertices.empty());
  if (!is_stored || !call.vertex_length.has_value()) return;
  const uint64_t announced = uint64_t{*call.vertex_length} * call.vertex_size;
  if (announced <= call.vertices.size()) return;
  findings.Add(Rule::kDp2Stream011, "vertices",
               fmt::format("{} vertices of {} bytes need {}, {} are stored", *call.vertex_length,
                           call.vertex_size, Counted(announced, "byte"), call.vertices.size()),
               fmt::format("{}", call.vertices.size()), fmt::format("{}", announced));
}

}  // namespace

bool CheckStoredBytes(const trace::Dp2& call, EventFindings& findings) {
  CheckVertexBytes(call, findings);
  const uint64_t announced = call.command_length.value_or(0);
  if (announced <= call.commands.size()) return false;
  findings.Add(
      Rule::kDp2Stream011, "commands",
      fmt::format("dwCommandLength is {}, {} bytes are stored", announced, call.commands.size()),
      fmt::format("{}", call.commands.size()), fmt::format("{}", announced));
  return true;
}

StreamWalk::StreamWalk(const StreamSource& source, EventFindings& findings)
    : source_(source),
      findings_(&findings),
      environment_{source.command_offset, source.vertex_size, findings.event()},
      decoder_(source.bytes, environment_, &framing_) {
  // After an odd offset no header is aligned: DP2-CALL-016 says so.
  memory_.is_aligned = source.transport == Transport::kPacket || source.command_offset % 2 == 0;
}

bool HasLoss(stream::StreamEnd end, bool is_incomplete) {
  return is_incomplete || end == stream::StreamEnd::kTruncated ||
         end == stream::StreamEnd::kUnknownLength || end == stream::StreamEnd::kUnknownOperation;
}

bool StreamWalk::has_loss() const {
  return HasLoss(decoder_.end(), source_.is_incomplete);
}

bool StreamWalk::Next(Command& command) {
  findings_->SetToken(nullptr, nullptr);
  if (!decoder_.Next(command)) {
    CheckRest();
    Drain();
    return false;
  }
  findings_->SetToken(&command, &environment_);
  Drain();
  CheckAlignment(command);
  CheckEmpty(command, *findings_);
  CheckMerge(command);
  if (command.op->op == Op::kExt)
    ReportExt(stream::PlaceOf(command, stream::OperationWord()), *findings_);
  CheckShaders(command, environment_, source_.generation, *findings_);
  next_index_ = command.index + 1;
  return true;
}

// DP2-STREAM-012. One odd token shifts all that follow it: reported where the alignment is lost, not at every header.
void StreamWalk::CheckAlignment(const Command& command) {
  const bool is_aligned = command.offset % 4 == 0;
  if (!is_aligned && memory_.is_aligned) {
    findings_->Add(Rule::kDp2Stream012,
                   Place{command.offset, opcode::kCommandHeaderSize, stream::PathOf(command)},
                   fmt::format("{}: the command header is at {:#x}, which is {} mod 4",
                               command.op->name, command.offset, command.offset % 4),
                   fmt::format("{}", command.offset % 4), "0");
  }
  memory_.is_aligned = is_aligned;
}

// DP2-STREAM-014.
void StreamWalk::CheckMerge(const Command& command) {
  const Op op = command.op->op;
  const bool can_merge = op == Op::kRenderState || op == Op::kTextureStageState;
  if (!can_merge) {
    memory_.merge_op = nullptr;
    return;
  }
  if (memory_.merge_op == command.op && memory_.merge_count + command.count <= kMaxCount) {
    findings_->Add(
        Rule::kDp2Stream014, stream::PlaceOf(command, stream::CountWord()),
        fmt::format("{}: could be merged with the token before it: {} and {}", command.op->name,
                    memory_.merge_count, Counted(command.count, "element")),
        fmt::format("{}", command.count),
        fmt::format("one token of {}", memory_.merge_count + command.count));
    memory_.merge_count += command.count;
    return;
  }
  memory_.merge_op = command.op;
  memory_.merge_count = command.count;
}

void StreamWalk::CheckRest() {
  const Bytes rest = decoder_.rest();
  if (decoder_.end() != stream::StreamEnd::kUnknownLength ||
      rest[0] != static_cast<uint8_t>(Op::kExt))
    return;
  ReportExt({decoder_.rest_offset(), 1, fmt::format("commands/{}/op", next_index_)}, *findings_);
}

void StreamWalk::Drain() {
  if (framing_.empty()) return;
  for (const Diagnostic& found : framing_.items()) {
    const FramingRule* row = FindFramingRule(found.rule);
    if (source_.is_incomplete && row != nullptr && row->is_cut_off) continue;
    Diagnostic finding = found;
    if (source_.transport == Transport::kPacket && row != nullptr) {
      finding.rule = row->packet;
      finding.severity = Info(finding.rule).severity;
    }
    findings_->Add(std::move(finding));
  }
  framing_ = DiagnosticList();
}

}  // namespace dp2trace::validate
