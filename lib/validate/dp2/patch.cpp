#include "validate/dp2/patch.h"

#include <fmt/format.h>

#include <cmath>

#include "d3d/fvf.h"
#include "device/patch_record.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

using d3d::Degree;
using d3d::RenderState;
using device::PatchInfo;
using device::PatchRecord;
using opcode::Op;
using stream::FieldRef;
using stream::Record;

constexpr FieldRef kPatchHandle = stream::Field(opcode::layout::kDrawRectPatch, "handle");

constexpr uint32_t kDevCapsQuinticPatches = 0x00200000;  // D3DDEVCAPS_QUINTICRTPATCHES
constexpr uint32_t kDevCapsPatches = 0x00400000;         // D3DDEVCAPS_RTPATCHES

// DP2-PATCH-008, DP2-PATCH-010: the first count of each kind.
void CheckSegments(const CommandView& view, const Record& record, const PatchRecord& patch) {
  const bool is_discrete = view.context.state.value(RenderState::PatchEdgeStyle) ==
                           d3d::Value(d3d::PatchEdgeStyle::Discrete);
  bool is_small_reported = false;
  bool is_fraction_reported = false;
  for (uint32_t i = 0; i < (patch.has_segments ? patch.segment_count : 1); ++i) {
    const float count = patch.segments[i];
    const std::string name =
        patch.has_segments ? fmt::format("segment count {}", i) : std::string("PATCHSEGMENTS");
    const stream::Word word = patch.has_segments ? device::SegmentWord(record, i) : stream::Word();
    if (count < 1 && !is_small_reported) {
      view.Report(Rule::kDp2Patch008, record, word,
                  fmt::format("{} is {} and counts as 1", name, count), fmt::format("{}", count),
                  "1 or more");
      is_small_reported = true;
    } else if (count > 1 && is_discrete && std::floor(count) != count && !is_fraction_reported) {
      view.Report(Rule::kDp2Patch010, record, word,
                  fmt::format("{} is {}, and the edge style is DISCRETE", name, count),
                  fmt::format("{}", count), "a whole number");
      is_fraction_reported = true;
    }
  }
}

// DP2-PATCH-016, DP2-PATCH-017.
void CheckRectangle(const CommandView& view, const Record& record, const PatchInfo& info) {
  const bool is_single = info.width == info.degree + 1 && info.height == info.degree + 1;
  if (info.basis == d3d::Value(d3d::Basis::Bezier) && !is_single) {
    constexpr FieldRef kWidth = stream::Field(opcode::layout::kRectPatchInfo, "width");
    constexpr FieldRef kHeight = stream::Field(opcode::layout::kRectPatchInfo, "height");
    view.Report(Rule::kDp2Patch016, record,
                device::InfoWord(record, info.width != info.degree + 1 ? kWidth : kHeight),
                fmt::format("a Bezier patch of degree {} has {} x {} points", info.degree,
                            info.width, info.height),
                fmt::format("{} x {}", info.width, info.height),
                fmt::format("{0} x {0}", info.degree + 1));
  }
  const uint64_t row = uint64_t{info.start_width} + info.width;
  if (info.stride >= row) return;
  constexpr FieldRef kStride = stream::Field(opcode::layout::kRectPatchInfo, "stride");
  view.Report(Rule::kDp2Patch017, record, device::InfoWord(record, kStride),
              fmt::format("Stride is {}, a row ends at vertex {}: rows overlap", info.stride, row),
              fmt::format("{}", info.stride), fmt::format("at least {}", row));
}

// DP2-PATCH-025.
void CheckCaps(const CommandView& view, const Record& record, const PatchInfo& info) {
  const std::optional<uint32_t> caps = view.caps.Find(d3d::Cap::DevCaps);
  if (!caps) return;
  if ((*caps & kDevCapsPatches) == 0) {
    view.Report(Rule::kDp2Patch025, record, "the device does not advertise RTPATCHES",
                fmt::format("DevCaps {:#x}", *caps), "RTPATCHES");
  } else if (info.degree == d3d::Value(Degree::Quintic) && (*caps & kDevCapsQuinticPatches) == 0) {
    view.Report(Rule::kDp2Patch025, record,
                "degree QUINTIC (5), and the device does not advertise QUINTICRTPATCHES",
                fmt::format("DevCaps {:#x}", *caps), "QUINTICRTPATCHES");
  }
}

// A vertex format, or the handle of a shader or declaration.
std::string Words(const device::VertexProgram& program) {
  if ((program.format & 1) == 0) return d3d::FvfText(program.format);
  return fmt::format("{} {}", program.is_level8 ? "vertex shader" : "declaration", program.format);
}

// Forgets what was reported about patches that are gone.
void Prune(std::set<uint32_t>& reported, const device::Context& context) {
  constexpr size_t kSlack = 64;
  if (reported.size() <= 2 * context.patches.size() + kSlack) return;
  std::erase_if(reported,
                [&context](uint32_t handle) { return !context.patches.contains(handle); });
}

// DP2-PATCH-022, DP2-PATCH-024: once per definition.
void CheckCached(const CommandView& view, const Record& record, uint32_t handle) {
  const device::Patch& patch = view.context.patches.at(handle);
  PatchMemory& memory = view.memory.patch;
  if (patch.program != view.context.state.vertex_program &&
      memory.reported_programs.insert(handle).second) {
    view.Report(Rule::kDp2Patch022, record, kPatchHandle,
                fmt::format("patch {} was defined under another vertex format or shader", handle),
                Words(view.context.state.vertex_program), Words(patch.program));
  }
  if (patch.bindings != view.context.state.streams &&
      memory.reported_streams.insert(handle).second) {
    view.Report(Rule::kDp2Patch024, record, kPatchHandle,
                fmt::format("the streams have changed since patch {} was defined, they are ignored",
                            handle),
                "other streams", "the streams of the definition");
  }
  Prune(memory.reported_programs, view.context);
  Prune(memory.reported_streams, view.context);
}

// DP2-PATCH-004.
void CheckDefinition(const CommandView& view, const Record& record, uint32_t handle) {
  if (view.context.patches.contains(handle)) {
    view.Report(Rule::kDp2Patch004, record, kPatchHandle,
                fmt::format("patch {} is cached and is replaced", handle),
                fmt::format("{}", handle), "a handle without a cached patch");
  }
  view.memory.patch.reported_programs.erase(handle);
  view.memory.patch.reported_streams.erase(handle);
}

void CheckPatches(const CommandView& view, bool is_triangle) {
  if (view.is_recording()) return;
  for (const Record& record : view.Records()) {
    const PatchRecord patch = device::ReadPatch(view.context.state, record, is_triangle);
    if (!device::FindPatchDefects(view.context, record, patch).empty())
      continue;  // reported by the device
    CheckSegments(view, record, patch);
    if (!patch.info) {
      CheckCached(view, record, patch.handle);
      continue;
    }
    if (!is_triangle) CheckRectangle(view, record, *patch.info);
    CheckCaps(view, record, *patch.info);
    if (patch.handle != 0) CheckDefinition(view, record, patch.handle);
  }
}

constexpr CommandRule kPatchRules[] = {
    {Op::kDrawRectPatch, [](const CommandView& view) { CheckPatches(view, false); }},
    {Op::kDrawTriPatch, [](const CommandView& view) { CheckPatches(view, true); }},
};

}  // namespace

// DP2-PATCH-026.
void CheckPatchAtEnd(const EventView& view) {
  for (const auto& [key, context] : view.device.contexts()) {
    const size_t count = context->patches.size();
    if (count == 0) continue;
    view.findings.Add(Rule::kDp2Patch026, "",
                      fmt::format("{} patches of context {} are still cached, the first is {}",
                                  count, key.second, context->patches.begin()->first),
                      fmt::format("{}", count), "0");
  }
}

const Topic kPatchTopic = {.rules = [] { return std::span<const CommandRule>(kPatchRules); }};

}  // namespace dp2trace::validate
