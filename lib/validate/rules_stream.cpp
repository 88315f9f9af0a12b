#include "validate/rules_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "validate/rules_shader.h"

namespace dp2trace::validate {
namespace {

using opcode::Op;
using stream::Command;

constexpr uint32_t kUserMemVertices = 0x1;  // D3DHALDP2_USERMEMVERTICES
constexpr uint32_t kMaxCount = 0xFFFF;      // of the 16-bit count of a token

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

// What the rules remember from token to token.
struct StreamState {
  bool is_aligned = true;      // the header of the token before
  const opcode::OpInfo* merge_op = nullptr;  // operation of the run of mergeable tokens that ends here
  uint32_t merge_count = 0;    // elements in that run
};

Place PlaceOf(const Command& command) {
  return {command.offset, command.bytes.size(), fmt::format("commands/{}", command.index)};
}

// DP2-STREAM-012. One odd token shifts all that follow it: reported where the alignment is lost, not at every header.
void CheckAlignment(const Command& command, StreamState& state, EventFindings& findings) {
  const bool is_aligned = command.offset % 4 == 0;
  if (!is_aligned && state.is_aligned) {
    findings.Add(Rule::kDp2Stream012,
                 Place{command.offset, opcode::kCommandHeaderSize, fmt::format("commands/{}", command.index)},
                 fmt::format("{}: the command header is at {:#x}, which is {} mod 4", command.op->name, command.offset,
                             command.offset % 4),
                 fmt::format("{}", command.offset % 4), "0");
  }
  state.is_aligned = is_aligned;
}

// DP2-STREAM-013.
void CheckEmpty(const Command& command, EventFindings& findings) {
  if (command.count != 0 || command.op->repeat != opcode::Repeat::kCount) return;
  findings.Add(Rule::kDp2Stream013, PlaceOf(command),
               fmt::format("{}: {} is 0, the token does nothing", command.op->name, command.op->count_name), "0", "1 or more");
}

// DP2-STREAM-014.
void CheckMerge(const Command& command, StreamState& state, EventFindings& findings) {
  const Op op = command.op->op;
  const bool can_merge = op == Op::kRenderState || op == Op::kTextureStageState;
  if (!can_merge) {
    state.merge_op = nullptr;
    return;
  }
  if (state.merge_op == command.op && state.merge_count + command.count <= kMaxCount) {
    findings.Add(Rule::kDp2Stream014, PlaceOf(command),
                 fmt::format("{}: could be merged with the token before it: {} and {} elements", command.op->name,
                             state.merge_count, command.count));
    state.merge_count += command.count;
    return;
  }
  state.merge_op = command.op;
  state.merge_count = command.count;
}

// DP2-STREAM-016.
void ReportExt(Place place, EventFindings& findings) {
  findings.Add(Rule::kDp2Stream016, std::move(place), "EXT (37) has no documented use");
}

void CheckCommand(const Command& command, StreamState& state, EventFindings& findings) {
  CheckAlignment(command, state, findings);
  CheckEmpty(command, findings);
  CheckMerge(command, state, findings);
  if (command.op->op == Op::kExt) ReportExt(PlaceOf(command), findings);
}

// Hands the decoder's findings on, under the ids of the transport.
void Drain(DiagnosticList& framing, const StreamSource& source, EventFindings& findings) {
  if (framing.empty()) return;
  for (const Diagnostic& found : framing.items()) {
    const FramingRule* row = FindFramingRule(found.rule);
    if (source.is_incomplete && row != nullptr && row->is_cut_off) continue;
    Diagnostic finding = found;
    if (source.transport == Transport::kPacket && row != nullptr) {
      finding.rule = row->packet;
      finding.severity = Info(finding.rule).severity;
    }
    findings.Add(std::move(finding));
  }
  framing = DiagnosticList();
}

void CheckVertexBytes(const trace::Dp2& call, EventFindings& findings) {
  const bool is_stored = call.vertex_buffer == 0 && ((call.flags & kUserMemVertices) != 0 || !call.vertices.empty());
  if (!is_stored || !call.vertex_length.has_value()) return;
  const uint64_t announced = uint64_t{*call.vertex_length} * call.vertex_size;
  if (announced <= call.vertices.size()) return;
  findings.Add(Rule::kDp2Stream011, "vertices",
               fmt::format("{} vertices of {} bytes need {} bytes, {} are stored", *call.vertex_length, call.vertex_size,
                           announced, call.vertices.size()),
               fmt::format("{}", call.vertices.size()), fmt::format("{}", announced));
}

}  // namespace

bool CheckStoredBytes(const trace::Dp2& call, EventFindings& findings) {
  CheckVertexBytes(call, findings);
  const uint64_t announced = call.command_length.value_or(0);
  if (announced <= call.commands.size()) return false;
  findings.Add(Rule::kDp2Stream011, "commands",
               fmt::format("dwCommandLength is {}, {} bytes are stored", announced, call.commands.size()),
               fmt::format("{}", call.commands.size()), fmt::format("{}", announced));
  return true;
}

void CheckStream(const StreamSource& source, EventFindings& findings) {
  DiagnosticList framing;
  const stream::Environment environment = {source.command_offset, source.vertex_size, findings.event()};
  stream::Decoder decoder(source.bytes, environment, &framing);
  StreamState state;
  Command command;
  uint32_t next_index = 0;
  while (decoder.Next(command)) {
    Drain(framing, source, findings);
    CheckCommand(command, state, findings);
    CheckShaders(command, environment, findings);
    next_index = command.index + 1;
  }
  const Bytes rest = decoder.rest();
  if (decoder.end() == stream::StreamEnd::kUnknownLength && rest[0] == static_cast<uint8_t>(Op::kExt)) {
    ReportExt({decoder.rest_offset(), rest.size(), fmt::format("commands/{}", next_index)}, findings);
  }
  Drain(framing, source, findings);
}

}  // namespace dp2trace::validate
