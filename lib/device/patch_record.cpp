#include "device/patch_record.h"

#include <fmt/format.h>

#include <cmath>

#include "base/flag_text.h"
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
  if (info.is_triangle) {
    return fmt::format("{} vertices, basis {}, degree {}", info.width,
                       ValueText(d3d::kBasisNames, info.basis),
                       ValueText(d3d::kDegreeNames, info.degree));
  }
  return fmt::format("{} x {} points, basis {}, degree {}", info.width, info.height,
                     ValueText(d3d::kBasisNames, info.basis),
                     ValueText(d3d::kDegreeNames, info.degree));
}

// The fields of both kinds of info by what they mean.
struct InfoFields {
  stream::FieldRef width, height, basis, degree;
};
constexpr InfoFields kRectFields = {stream::Field(layout::kRectPatchInfo, "width"),
                                    stream::Field(layout::kRectPatchInfo, "height"),
                                    stream::Field(layout::kRectPatchInfo, "basis"),
                                    stream::Field(layout::kRectPatchInfo, "degree")};
constexpr InfoFields kTriFields = {stream::Field(layout::kTriPatchInfo, "num_vertices"),
                                   stream::Field(layout::kTriPatchInfo, "num_vertices"),
                                   stream::Field(layout::kTriPatchInfo, "basis"),
                                   stream::Field(layout::kTriPatchInfo, "degree")};

// Source: lib/opcode/dp2.md 17.3.
std::optional<RecordDefect> FindInfoDefect(const Record& record, const PatchInfo& info) {
  const InfoFields& fields = info.is_triangle ? kTriFields : kRectFields;
  const auto defect = [&](Rule rule, stream::FieldRef field, std::string actual,
                          std::string expected) {
    return RecordDefect{rule, InfoWord(record, field),
                        fmt::format("the patch has {}", TextOf(info)), std::move(actual),
                        std::move(expected)};
  };
  const auto number = [](uint32_t value) { return fmt::format("{}", value); };
  const bool is_degree = info.degree == d3d::Value(Degree::Linear) ||
                         info.degree == d3d::Value(Degree::Cubic) ||
                         info.degree == d3d::Value(Degree::Quintic);
  if (info.basis > d3d::Value(Basis::CatmullRom)) {
    return defect(Rule::kDp2Patch012, fields.basis, number(info.basis),
                  AllValuesText(d3d::kBasisNames));
  }
  if (!is_degree) {
    return defect(
        Rule::kDp2Patch012, fields.degree, ValueText(d3d::kDegreeNames, info.degree),
        fmt::format("{}, {} or {}", ValueText(d3d::kDegreeNames, d3d::Value(Degree::Linear)),
                    ValueText(d3d::kDegreeNames, d3d::Value(Degree::Cubic)),
                    ValueText(d3d::kDegreeNames, d3d::Value(Degree::Quintic))));
  }
  if (info.is_triangle) {
    if (info.basis != d3d::Value(Basis::Bezier)) {
      return defect(Rule::kDp2Patch019, fields.basis, ValueText(d3d::kBasisNames, info.basis),
                    "BEZIER (0)");
    }
    const uint32_t points = TrianglePoints(info.degree);
    if (info.width != points)
      return defect(Rule::kDp2Patch020, fields.width, number(info.width), number(points));
    return std::nullopt;
  }
  if (info.basis == d3d::Value(Basis::CatmullRom) && info.degree != d3d::Value(Degree::Cubic)) {
    return defect(Rule::kDp2Patch013, fields.degree, ValueText(d3d::kDegreeNames, info.degree),
                  "CUBIC (3)");
  }
  if (info.width <= info.degree || info.height <= info.degree) {
    const bool is_width = info.width <= info.degree;
    return defect(Rule::kDp2Patch014, is_width ? fields.width : fields.height,
                  number(is_width ? info.width : info.height),
                  fmt::format("{} or more", info.degree + 1));
  }
  const auto is_mosaic = [&info](uint32_t points) { return (points - 1) % info.degree == 0; };
  if (info.basis == d3d::Value(Basis::Bezier) &&
      !(is_mosaic(info.width) && is_mosaic(info.height))) {
    const bool is_width = !is_mosaic(info.width);
    return defect(Rule::kDp2Patch015, is_width ? fields.width : fields.height,
                  number(is_width ? info.width : info.height),
                  fmt::format("1 more than a multiple of {}", info.degree));
  }
  return std::nullopt;
}

// Source: lib/opcode/dp2.md 17.4. `given`: by the token, else by PATCHSEGMENTS.
std::optional<Rule> FindSegmentRule(float count, bool given) {
  if (!std::isfinite(count)) return given ? Rule::kDp2Patch006 : Rule::kDp2Patch011;
  if (count <= 0) return given ? Rule::kDp2Patch007 : Rule::kDp2Patch011;
  if (count > kMaxSegments) return Rule::kDp2Patch009;
  return std::nullopt;
}

std::optional<RecordDefect> FindSegmentDefect(const Record& record, const PatchRecord& patch) {
  for (uint32_t i = 0; i < (patch.has_segments ? patch.segment_count : 1); ++i) {
    const float count = patch.segments[i];
    const std::optional<Rule> rule = FindSegmentRule(count, patch.has_segments);
    if (!rule) continue;
    return RecordDefect{*rule, patch.has_segments ? SegmentWord(record, i) : stream::Word(),
                        patch.has_segments
                            ? fmt::format("segment count {} is {}", i, RealText(count))
                            : fmt::format("PATCHSEGMENTS is {}", RealText(count)),
                        RealText(count), fmt::format("above 0, at most {}", kMaxSegments)};
  }
  return std::nullopt;
}

// Source: lib/opcode/dp2.md 17.2, the cases without HASINFO.
std::optional<RecordDefect> FindCacheDefect(const Context& context, const PatchRecord& patch) {
  constexpr stream::FieldRef kFlags = stream::Field(layout::kDrawRectPatch, "flags");
  const auto found = context.patches.find(patch.handle);
  if (patch.handle == 0) {
    return RecordDefect{Rule::kDp2Patch002, kFlags,
                        "handle 0 is a dynamic patch, and no HASINFO says what it is",
                        patch.has_segments ? "HASSEGS" : "0", "HASINFO"};
  }
  if (found == context.patches.end()) {
    const Absence absence = context.histories.patches.Find(patch.handle);
    if (absence == Absence::kRefused) return FollowUp();
    return RecordDefect{Rule::kDp2Patch003, kHandle,
                        fmt::format("patch {} {}, and no HASINFO defines it: nothing is drawn",
                                    patch.handle, Describe(absence)),
                        fmt::format("{}", patch.handle), "HASINFO, or a cached patch"};
  }
  if (found->second.info.is_triangle == patch.is_triangle) return std::nullopt;
  const std::string_view cached = found->second.info.is_triangle ? "DRAWTRIPATCH" : "DRAWRECTPATCH";
  return RecordDefect{
      Rule::kDp2Patch005, kHandle,
      fmt::format("patch {} was cached by {}, nothing is drawn", patch.handle, cached),
      fmt::format("{}", patch.handle), std::string(cached)};
}

}  // namespace

// Counts of the definition are not remembered. Source: lib/opcode/dp2.md 17.2.
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

stream::Word SegmentWord(const Record& record, uint32_t edge) {
  return stream::TailWord(record, kSegmentsTail, size_t{edge});
}

stream::Word InfoWord(const Record& record, stream::FieldRef field) {
  return stream::TailWord(record, kInfoTail, field);
}

// A token that is ignored for lack of info has no other defect.
RecordDefects FindPatchDefects(const Context& context, const Record& record,
                               const PatchRecord& patch) {
  RecordDefects defects;
  const auto add = [&defects](std::optional<RecordDefect> defect) {
    if (defect) defects.push_back(std::move(*defect));
  };
  if (!patch.info) add(FindCacheDefect(context, patch));
  if (!defects.empty()) return defects;
  add(FindSegmentDefect(record, patch));
  if (patch.info) add(FindInfoDefect(record, *patch.info));
  return defects;
}

}  // namespace dp2trace::device
