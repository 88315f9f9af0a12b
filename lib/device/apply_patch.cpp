// DRAWRECTPATCH and DRAWTRIPATCH: what is drawn, and the cache of control points. Source: DP2 specification, 17.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/checked.h"
#include "device/apply.h"
#include "device/draw_setup.h"
#include "device/token.h"

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
constexpr uint32_t kAllStreams = (1U << kStreamCount) - 1;
constexpr uint64_t kPatchCost = 1024;  // bytes, beside the control points

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
uint32_t TrianglePoints(uint32_t degree) { return (degree + 1) * (degree + 2) / 2; }

// The rule that the info breaks, or nothing. Source: 17.3.
std::optional<Rule> FindInfoDefect(const PatchInfo& info) {
  const bool is_degree = info.degree == d3d::Value(Degree::Linear) || info.degree == d3d::Value(Degree::Cubic) ||
                         info.degree == d3d::Value(Degree::Quintic);
  if (info.basis > d3d::Value(Basis::CatmullRom) || !is_degree) return Rule::kDp2Patch012;
  if (info.is_triangle) {
    if (info.basis != d3d::Value(Basis::Bezier)) return Rule::kDp2Patch019;
    if (info.width != TrianglePoints(info.degree)) return Rule::kDp2Patch020;
    return std::nullopt;
  }
  if (info.basis == d3d::Value(Basis::CatmullRom) && info.degree != d3d::Value(Degree::Cubic)) return Rule::kDp2Patch013;
  if (info.width <= info.degree || info.height <= info.degree) return Rule::kDp2Patch014;
  const bool is_mosaic = (info.width - 1) % info.degree == 0 && (info.height - 1) % info.degree == 0;
  if (info.basis == d3d::Value(Basis::Bezier) && !is_mosaic) return Rule::kDp2Patch015;
  return std::nullopt;
}

// Source: 17.4. `given`: by the token, else by PATCHSEGMENTS.
std::optional<Rule> FindSegmentDefect(float count, bool given) {
  const bool is_finite = std::abs(count) <= 3.4028235e38F;
  if (!is_finite) return given ? Rule::kDp2Patch006 : Rule::kDp2Patch011;
  if (count <= 0) return given ? Rule::kDp2Patch007 : Rule::kDp2Patch011;
  if (count > kMaxSegments) return Rule::kDp2Patch009;
  return std::nullopt;
}

// False after a report. Counts of the definition are not remembered.
bool ReadSegments(const Token& token, const Record& record, std::array<float, 4>& segments) {
  const stream::TailPart tail = record.Tail(kSegmentsTail);
  if (tail.is_present) {
    for (size_t i = 0; i < tail.size(); ++i) segments[i] = Load<float>(tail.at(i));
  } else {
    segments.fill(token.context.state.real(d3d::RenderState::PatchSegments));
  }
  for (size_t i = 0; i < (tail.is_present ? tail.size() : 1); ++i) {
    const std::optional<Rule> defect = FindSegmentDefect(segments[i], tail.is_present);
    if (!defect) continue;
    token.Report(*defect, record, fmt::format("segment count {} is {}", i, segments[i]), fmt::format("{}", segments[i]));
    return false;
  }
  return true;
}

// Number of the first and last control point; nothing beyond 2^63.
std::optional<std::pair<int64_t, int64_t>> PointRange(const PatchInfo& info) {
  const uint64_t rows = uint64_t{info.start_height} + info.height - 1;
  const uint64_t columns = uint64_t{info.start_width} + info.width - 1;
  const std::optional<uint64_t> last_row = CheckedMul(rows, info.stride);
  const std::optional<uint64_t> last = last_row ? CheckedAdd(*last_row, columns) : std::nullopt;
  if (!last || *last > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  const uint64_t first = uint64_t{info.start_height} * info.stride + info.start_width;
  return std::pair{static_cast<int64_t>(first), static_cast<int64_t>(*last)};
}

bool CheckInfo(const Token& token, const Record& record, const PatchInfo& info) {
  if (const std::optional<Rule> defect = FindInfoDefect(info)) {
    token.Report(*defect, record,
                 fmt::format("{} x {} points, basis {}, degree {}", info.width, info.height, info.basis, info.degree));
    return false;
  }
  const uint64_t points = uint64_t{info.width} * info.height;
  if (points <= token.options.max_control_points) return true;
  token.Report(Rule::kReplayDraw001, record, fmt::format("{} control points", points), fmt::format("{}", points),
               fmt::format("at most {}", token.options.max_control_points));
  return false;
}

bool MakesTangents(const VertexLayout& vertex) {
  return std::ranges::any_of(vertex.elements, [](const VertexElement& element) {
    return element.method == d3d::Value(d3d::DeclMethod::PartialU) ||
           element.method == d3d::Value(d3d::DeclMethod::PartialV);
  });
}

// Layout and streams of a patch that is drawn from the bound streams. False after a report.
bool BindPatch(const Token& token, const Record& record, ProgramLayout& program, PatchDraw& patch) {
  const StreamBinding& first = token.context.state.streams[0];
  if (first.buffer == 0 && !first.is_user_memory) {
    token.Report(Rule::kDp2Patch021, record, "stream 0 is not bound");
    return false;
  }
  if (!FindProgramLayout(token, record, program)) return false;
  if (patch.info.is_triangle && MakesTangents(*program.layout)) {
    token.Report(Rule::kDp2Patch027, record, "the declaration makes tangents");
    return false;
  }
  if (!BindStreams(token, record, *program.layout, kAllStreams, patch.points)) return false;
  for (VertexStream& stream : patch.points.streams) stream.divider = 1;
  const auto range = PointRange(patch.info);
  if (range) return CheckVertices(token, record, patch.points, range->first, range->second, Rule::kDp2Patch018);
  token.Report(Rule::kDp2Patch018, record, "the control points lie beyond every buffer");
  return false;
}

// The control points of one stream, without gaps.
std::vector<uint8_t> CopyPoints(const PatchInfo& info, const VertexStream& stream, uint32_t size) {
  std::vector<uint8_t> bytes;
  if (stream.bytes.empty()) return bytes;
  bytes.reserve(size_t{info.width} * info.height * size);
  for (uint32_t row = 0; row < info.height; ++row) {
    for (uint32_t column = 0; column < info.width; ++column) {
      const uint64_t number = (uint64_t{info.start_height} + row) * info.stride + info.start_width + column;
      const auto at = stream.bytes.begin() + static_cast<int64_t>(stream.origin + number * stream.stride);
      bytes.insert(bytes.end(), at, at + size);
    }
  }
  return bytes;
}

Patch CopyPatch(const PatchDraw& drawn) {
  Patch patch;
  patch.info = drawn.info;
  patch.layout = *drawn.points.layout;
  patch.cost = kPatchCost;
  const std::array<uint32_t, kStreamCount> ends = ElementEnds(patch.layout);
  for (uint32_t i = 0; i < kStreamCount; ++i) {
    if (ends[i] == 0) continue;
    patch.bytes[i] = CopyPoints(drawn.info, drawn.points.streams[i], ends[i]);
    patch.strides[i] = ends[i];
    patch.cost += patch.bytes[i].size();
  }
  patch.info.start_width = 0;
  patch.info.start_height = 0;
  patch.info.stride = drawn.info.is_triangle ? 0 : drawn.info.width;
  return patch;
}

void Cache(const Token& token, const Record& record, uint32_t handle, const PatchDraw& drawn) {
  std::map<uint32_t, Patch>& patches = token.context.patches;
  if (const auto old = patches.find(handle); old != patches.end()) {
    token.Release(old->second.cost);
    patches.erase(old);
  }
  Patch patch = CopyPatch(drawn);
  if (token.Charge(record, patch.cost)) patches.emplace(handle, std::move(patch));
}

void DrawNew(const Token& token, const Record& record, const PatchInfo& info, PatchDraw& patch) {
  patch.info = info;
  ProgramLayout program;
  if (!CheckInfo(token, record, info) || !BindPatch(token, record, program, patch)) return;
  const uint32_t handle = record.U32(kHandle);
  if (handle != 0) Cache(token, record, handle, patch);
  token.sink.OnPatch(patch);
}

// The bound streams do not matter.
void DrawCached(const Token& token, const Record& record, bool is_triangle, PatchDraw& drawn) {
  const uint32_t handle = record.U32(kHandle);
  if (handle == 0) {
    token.Report(Rule::kDp2Patch002, record, "handle 0 needs the patch itself", "0");
    return;
  }
  const auto found = token.context.patches.find(handle);
  if (found == token.context.patches.end()) {
    token.Report(Rule::kDp2Patch003, record, fmt::format("patch {} is not cached", handle), fmt::format("{}", handle));
    return;
  }
  const Patch& patch = found->second;
  if (patch.info.is_triangle != is_triangle) {
    token.Report(Rule::kDp2Patch005, record, fmt::format("patch {} is of the other kind, nothing is drawn", handle),
                 fmt::format("{}", handle));
    return;
  }
  drawn.info = patch.info;
  drawn.points.layout = &patch.layout;
  for (uint32_t i = 0; i < kStreamCount; ++i)
    drawn.points.streams[i] = {.bytes = patch.bytes[i], .origin = 0, .stride = patch.strides[i]};
  token.sink.OnPatch(drawn);
}

void DrawPatch(const Token& token, const Record& record, bool is_triangle) {
  PatchDraw patch;
  patch.points.event = token.call.event;
  patch.points.offset = token.command.offset;
  if (!ReadSegments(token, record, patch.segments)) return;
  const stream::TailPart info = record.Tail(kInfoTail);
  if (!info.is_present) return DrawCached(token, record, is_triangle, patch);
  DrawNew(token, record, is_triangle ? ReadTriInfo(info.at(0)) : ReadRectInfo(info.at(0)), patch);
}

}  // namespace

void ApplyRectPatch(Token& token) {
  for (const Record& record : token.Records()) DrawPatch(token, record, false);
}

void ApplyTriPatch(Token& token) {
  for (const Record& record : token.Records()) DrawPatch(token, record, true);
}

}  // namespace dp2trace::device
