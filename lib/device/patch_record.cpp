#include "device/patch_record.h"

#include <fmt/format.h>

#include <cmath>

#include "opcode/layouts.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using d3d::Basis;
using d3d::Degree;
using stream::Record;

constexpr stream::FieldRef kHandle = stream::Field(layout::kDrawRectPatch, "handle");
static_assert(stream::Field(layout::kDrawTriPatch, "handle").offset == kHandle.offset);
constexpr size_t kSegmentsTail = 0;
constexpr size_t kInfoTail = 1;
constexpr float kMaxSegments = 9999;

PatchInfo ReadRectInfo(const uint8_t* at) {
  constexpr const opcode::StructDesc& kInfo = layout::kRectPatchInfo;
  return {.is_triangle = false,
          .start_width = stream::FieldU32(at, stream::Field(kInfo, "start_vertex_offset_width")),
          .start_height = stream::FieldU32(at, stream::Field(kInfo, "start_vertex_offset_height")),
          .width = stream::FieldU32(at, stream::Field(kInfo, "width")),
          .height = stream::FieldU32(at, stream::Field(kInfo, "height")),
          .stride = stream::FieldU32(at, stream::Field(kInfo, "stride")),
          .basis = stream::FieldU32(at, stream::Field(kInfo, "basis")),
          .degree = stream::FieldU32(at, stream::Field(kInfo, "degree"))};
}

PatchInfo ReadTriInfo(const uint8_t* at) {
  constexpr const opcode::StructDesc& kInfo = layout::kTriPatchInfo;
  return {.is_triangle = true,
          .start_width = stream::FieldU32(at, stream::Field(kInfo, "start_vertex_offset")),
          .width = stream::FieldU32(at, stream::Field(kInfo, "num_vertices")),
          .height = 1,
          .basis = stream::FieldU32(at, stream::Field(kInfo, "basis")),
          .degree = stream::FieldU32(at, stream::Field(kInfo, "degree"))};
}

// Control points of a triangle patch: 3, 10 or 21.
uint32_t TrianglePoints(uint32_t degree) {
  return (degree + 1) * (degree + 2) / 2;
}

std::string TextOf(const PatchInfo& info) {
  if (info.is_triangle)
    return fmt::format("{} vertices, basis {}, degree {}", info.width, info.basis, info.degree);
  return fmt::format("{} x {} points, basis {}, degree {}", info.width, info.height, info.basis,
                     info.degree);
}

// Source: 17.3.
std::optional<Defect> FindInfoDefect(const PatchInfo& info) {
  const auto defect = [&info](Rule rule, std::string expected) {
    return Defect{rule, fmt::format("the patch has {}", TextOf(info)), TextOf(info),
                  std::move(expected)};
  };
  const bool is_degree = info.degree == d3d::Value(Degree::Linear) ||
                         info.degree == d3d::Value(Degree::Cubic) ||
                         info.degree == d3d::Value(Degree::Quintic);
  if (info.basis > d3d::Value(Basis::CatmullRom) || !is_degree)
    return defect(Rule::kDp2Patch012, "basis 0 to 2, degree 1, 3 or 5");
  if (info.is_triangle) {
    if (info.basis != d3d::Value(Basis::Bezier)) return defect(Rule::kDp2Patch019, "basis 0");
    const uint32_t points = TrianglePoints(info.degree);
    if (info.width != points) return defect(Rule::kDp2Patch020, fmt::format("{} vertices", points));
    return std::nullopt;
  }
  if (info.basis == d3d::Value(Basis::CatmullRom) && info.degree != d3d::Value(Degree::Cubic))
    return defect(Rule::kDp2Patch013, "degree 3");
  if (info.width <= info.degree || info.height <= info.degree)
    return defect(Rule::kDp2Patch014, fmt::format("more than {} points each way", info.degree));
  const bool is_mosaic =
      (info.width - 1) % info.degree == 0 && (info.height - 1) % info.degree == 0;
  if (info.basis == d3d::Value(Basis::Bezier) && !is_mosaic)
    return defect(Rule::kDp2Patch015, fmt::format("1 more than a multiple of {}", info.degree));
  return std::nullopt;
}

// Source: 17.4. `given`: by the token, else by PATCHSEGMENTS.
std::optional<Rule> FindSegmentRule(float count, bool given) {
  if (!std::isfinite(count)) return given ? Rule::kDp2Patch006 : Rule::kDp2Patch011;
  if (count <= 0) return given ? Rule::kDp2Patch007 : Rule::kDp2Patch011;
  if (count > kMaxSegments) return Rule::kDp2Patch009;
  return std::nullopt;
}

std::optional<Defect> FindSegmentDefect(const PatchRecord& patch) {
  for (uint32_t i = 0; i < (patch.has_segments ? patch.segment_count : 1); ++i) {
    const float count = patch.segments[i];
    const std::optional<Rule> rule = FindSegmentRule(count, patch.has_segments);
    if (!rule) continue;
    return Defect{*rule,
                  patch.has_segments ? fmt::format("segment count {} is {}", i, count)
                                     : fmt::format("PATCHSEGMENTS is {}", count),
                  fmt::format("{}", count), "above 0, at most 9999"};
  }
  return std::nullopt;
}

// Source: 17.2, the cases without HASINFO.
std::optional<Defect> FindCacheDefect(const Context& context, const PatchRecord& patch) {
  if (patch.handle == 0)
    return Defect{Rule::kDp2Patch002, "handle 0 without HASINFO names no patch", "0",
                  "a cached patch"};
  const auto found = context.patches.find(patch.handle);
  if (found == context.patches.end()) {
    return Defect{Rule::kDp2Patch003,
                  fmt::format("patch {} is not cached, nothing is drawn", patch.handle),
                  fmt::format("{}", patch.handle), "a cached patch"};
  }
  if (found->second.info.is_triangle == patch.is_triangle) return std::nullopt;
  return Defect{Rule::kDp2Patch005,
                fmt::format("patch {} was cached as a {} patch, nothing is drawn", patch.handle,
                            found->second.info.is_triangle ? "triangle" : "rectangle"),
                fmt::format("{}", patch.handle)};
}

}  // namespace

// Counts of the definition are not remembered. Source: 17.2.
PatchRecord ReadPatch(const State& state, const Record& record, bool is_triangle) {
  PatchRecord patch;
  patch.handle = record.U32(kHandle);
  patch.is_triangle = is_triangle;
  patch.segment_count = is_triangle ? 3 : 4;
  const stream::TailPart segments = record.Tail(kSegmentsTail);
  patch.has_segments = segments.is_present;
  if (segments.is_present) {
    for (size_t i = 0; i < segments.size(); ++i)
      patch.segments[i] = Load<float>(segments.at(i));
  } else {
    patch.segments.fill(state.real(d3d::RenderState::PatchSegments));
  }
  if (const stream::TailPart info = record.Tail(kInfoTail); info.is_present)
    patch.info = is_triangle ? ReadTriInfo(info.at(0)) : ReadRectInfo(info.at(0));
  return patch;
}

std::optional<Defect> FindPatchDefect(const Context& context, const PatchRecord& patch) {
  if (auto defect = FindSegmentDefect(patch)) return defect;
  return patch.info ? FindInfoDefect(*patch.info) : FindCacheDefect(context, patch);
}

}  // namespace dp2trace::device
