#include "validate/dp2/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "d3d/interface.h"
#include "rules/rule.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using opcode::Op;

constexpr uint32_t kLevel8Runtime = 4;

// The level whose operations a runtime sends: the 3.0, 5.0 and 6.0 interfaces share the first.
uint32_t RuntimeLevel(uint32_t runtime_version) {
  return std::max(d3d::kFirstDriverLevel, runtime_version + 4);
}

// SETPALETTE, UPDATEPALETTE, SETRENDERTARGET and CLEAR: meant for level 7, not gated by the header.
bool IsUngated(const opcode::OpInfo& op) {
  return op.gate_level < op.level;
}

bool IsStreamDraw(const opcode::OpInfo& op) {
  return op.is(opcode::kDraw) && !op.is(opcode::kResource) && !op.is(opcode::kBlt) && op.level == 8;
}

// DP2-LEVEL-002, -003, -005: once for each operation of a context. That the operation is above the driver's level is reported where it
// is refused.
void CheckLevel(const CommandView& view) {
  const opcode::OpInfo& op = *view.command.op;
  const uint32_t runtime = RuntimeLevel(view.runtime_version());
  const bool is_for_level7 = IsUngated(op) && view.level() == d3d::kFirstDriverLevel;
  const bool is_above_runtime = op.gate_level > runtime;
  if (!is_for_level7 && !is_above_runtime) return;
  std::bitset<256>& objected = view.memory.level.objected;
  if (objected[static_cast<size_t>(op.op)]) return;
  objected.set(static_cast<size_t>(op.op));
  if (is_for_level7) {
    view.Report(Rule::kDp2Level003, {}, stream::OperationWord(),
                "the driver is of level 6, surface handles come with level 7", "6", "7 or more");
  } else if (IsStreamDraw(op) && view.runtime_version() < kLevel8Runtime) {
    view.Report(
        Rule::kDp2Level005, {}, stream::OperationWord(),
        fmt::format("a draw from streams of a runtime of version {}", view.runtime_version()),
        fmt::format("{}", view.runtime_version()), "4 or 5");
  } else {
    view.Report(Rule::kDp2Level002, {}, stream::OperationWord(),
                fmt::format("the operation is of level {}, the runtime of level {}", op.gate_level,
                            runtime),
                fmt::format("{}", op.gate_level), fmt::format("at most {}", runtime));
  }
}

// DP2-LEVEL-006.
void CheckFanKinds(const CommandView& view) {
  LevelMemory& memory = view.memory.level;
  const bool had_both = memory.has_immediate_fan && memory.has_clipped_fan;
  (view.command.op->op == Op::kTriangleFanImm ? memory.has_immediate_fan : memory.has_clipped_fan) =
      true;
  if (!had_both && memory.has_immediate_fan && memory.has_clipped_fan) {
    view.Report(Rule::kDp2Level006, {}, stream::OperationWord(),
                "the context uses TRIANGLEFAN_IMM and CLIPPEDTRIANGLEFAN",
                std::string(view.command.op->name), "one kind of fan");
  }
}

// What is wrong with a count of 0, and with one above 1.
struct CountRow {
  Op op = {};
  std::optional<Rule> zero;
  std::optional<Rule> many;
};
// clang-format off
constexpr CountRow kCounts[] = {
    {Op::kViewportInfo,           Rule::kDp2Count004, Rule::kDp2Count001},
    {Op::kWInfo,                  Rule::kDp2Count004, Rule::kDp2Count001},
    {Op::kSetStreamSource,        Rule::kDp2Count002, Rule::kDp2Count002},
    {Op::kSetRenderTarget,        Rule::kDp2Count003, Rule::kDp2Count003},
    {Op::kUpdatePalette,          Rule::kDp2Count005, Rule::kDp2Count005},
    {Op::kZRange,                 std::nullopt,       Rule::kDp2Count006},
    {Op::kSetMaterial,            std::nullopt,       Rule::kDp2Count006},
    {Op::kSetScissorRect,         std::nullopt,       Rule::kDp2Count006},
    {Op::kSetStreamSourceUm,      std::nullopt,       Rule::kDp2Count006},
    {Op::kSetStreamSource2,       std::nullopt,       Rule::kDp2Count006},
    {Op::kSetIndices,             std::nullopt,       Rule::kDp2Count006},
    {Op::kSetDepthStencil,        std::nullopt,       Rule::kDp2Count006},
    {Op::kCreateVertexShader,     std::nullopt,       Rule::kDp2Count006},
    {Op::kCreatePixelShader,      std::nullopt,       Rule::kDp2Count006},
    {Op::kCreateVertexShaderDecl, std::nullopt,       Rule::kDp2Count006},
    {Op::kCreateVertexShaderFunc, std::nullopt,       Rule::kDp2Count006},
    {Op::kSetVertexShader,        std::nullopt,       Rule::kDp2Count006},
    {Op::kSetVertexShaderConst,   std::nullopt,       Rule::kDp2Count006},
    {Op::kSetVertexShaderConstI,  std::nullopt,       Rule::kDp2Count006},
    {Op::kSetVertexShaderConstB,  std::nullopt,       Rule::kDp2Count006},
    {Op::kSetVertexShaderDecl,    std::nullopt,       Rule::kDp2Count006},
    {Op::kSetVertexShaderFunc,    std::nullopt,       Rule::kDp2Count006},
    {Op::kSetPixelShader,         std::nullopt,       Rule::kDp2Count006},
    {Op::kSetPixelShaderConst,    std::nullopt,       Rule::kDp2Count006},
    {Op::kSetPixelShaderConstI,   std::nullopt,       Rule::kDp2Count006},
    {Op::kSetPixelShaderConstB,   std::nullopt,       Rule::kDp2Count006},
};
// clang-format on

const CountRow* FindCountRow(Op op) {
  const auto* const row = std::ranges::find(kCounts, op, &CountRow::op);
  return row == std::end(kCounts) ? nullptr : row;
}

bool CountsPrimitives(const opcode::OpInfo& op) {
  return op.is(opcode::kDraw) && op.count_name == "wPrimitiveCount";
}

void CheckCount(const CommandView& view) {
  const opcode::OpInfo& op = *view.command.op;
  const uint32_t count = view.command.count;
  if (count == 1) return;
  const CountRow* const row = FindCountRow(op.op);
  const std::optional<Rule> rule = count == 0       ? FindEmptyTokenRule(op)
                                   : row != nullptr ? row->many
                                                    : std::nullopt;
  if (rule) {
    view.Report(*rule, {}, stream::CountWord(), fmt::format("{} is {}", op.count_name, count),
                fmt::format("{}", count), row != nullptr ? "1" : "1 or more");
  }
}

struct CapsStructure {
  std::string_view name;
  size_t size;
};
constexpr CapsStructure kCaps8 = {"D3DCAPS8", 212}, kCaps9 = {"D3DCAPS9", 304};

// The level that shaders of a version begin at. Source: "Reporting Capabilities for Shader Versions", Windows display driver guide.
uint32_t LevelOfShaders(uint32_t version) {
  const uint32_t major = version >> 8 & 0xFF;
  return (version & 0xFFFF) == 0 ? d3d::kFirstDriverLevel : major < 2 ? 8 : 9;
}

std::vector<CommandRule> MakeRules() {
  std::vector<CommandRule> rules;
  for (const opcode::OpInfo& op : opcode::AllOps()) {
    if (op.level > d3d::kFirstDriverLevel) rules.push_back({op.op, CheckLevel});
    if (CountsPrimitives(op) || FindCountRow(op.op) != nullptr)
      rules.push_back({op.op, CheckCount});
  }
  rules.push_back({Op::kTriangleFanImm, CheckFanKinds});
  rules.push_back({Op::kClippedTriangleFan, CheckFanKinds});
  return rules;
}

}  // namespace

std::optional<Rule> FindEmptyTokenRule(const opcode::OpInfo& op) {
  if (CountsPrimitives(op)) return Rule::kDp2Count007;
  const CountRow* const row = FindCountRow(op.op);
  return row == nullptr ? std::nullopt : row->zero;
}

void CheckLevelOfCaps(const trace::Header& header, uint32_t level, const Caps& caps,
                      EventFindings& findings) {
  if (header.driver_level < d3d::kFirstDriverLevel || header.driver_level > d3d::kLastDriverLevel) {
    findings.Add(Rule::kDp2Level008, "driver_level",
                 fmt::format("driver_level is {}; it is judged as {}", header.driver_level, level),
                 fmt::format("{}", header.driver_level), "6, 7, 8 or 9");
  }
  const CapsStructure& wanted = level < d3d::kLastDriverLevel ? kCaps8 : kCaps9;
  if (const size_t size = header.raw_caps.size(); size != 0 && size != wanted.size) {
    const CapsStructure& other = level < d3d::kLastDriverLevel ? kCaps9 : kCaps8;
    return findings.Add(
        Rule::kDp2Level008, "raw_caps",
        fmt::format("raw_caps has {} bytes{}; a driver of level {} reports {}", size,
                    size == other.size ? fmt::format(", which is {}", other.name) : "", level,
                    wanted.name),
        fmt::format("{} bytes", size), fmt::format("{}, {} bytes", wanted.name, wanted.size));
  }
  for (const d3d::Cap cap : {d3d::Cap::VertexShaderVersion, d3d::Cap::PixelShaderVersion}) {
    const uint32_t version = caps.Find(cap).value_or(0);
    const uint32_t least = LevelOfShaders(version);
    if (least <= level) continue;
    const std::string text = fmt::format("{}.{}", version >> 8 & 0xFF, version & 0xFF);
    findings.Add(
        Rule::kDp2Level008, header.raw_caps.empty() ? "caps" : "raw_caps",
        fmt::format(
            "{} is {}, and the driver_level is {}; shaders of this version begin with level {}",
            d3d::Info(cap).spelling, text, level, least),
        text, fmt::format("driver_level {}", least));
  }
}

const Topic kLevelTopic = {.rules = [] {
  static const std::vector<CommandRule> kRules = MakeRules();
  return std::span<const CommandRule>(kRules);
}};

}  // namespace dp2trace::validate
