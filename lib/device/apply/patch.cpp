// DRAWRECTPATCH and DRAWTRIPATCH: what is drawn, and the cache of control points. Source: lib/opcode/dp2.md 17.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "device/apply/apply.h"
#include "device/draw_setup.h"
#include "device/patch_record.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

using stream::Record;

constexpr uint64_t kPatchCost = 1024;  // bytes, beside the control points

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

bool IsWithinLimit(const Token& token, const Record& record, const PatchInfo& info) {
  const uint64_t points = uint64_t{info.width} * info.height;
  if (points <= token.options.max_control_points) return true;
  token.Report(Rule::kReplayDraw001, record, fmt::format("the patch has {} control points", points),
               fmt::format("{}", points),
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
    token.Report(Rule::kDp2Patch021, record, "stream 0 is not bound", "0", "a vertex buffer");
    return false;
  }
  if (!FindProgramLayout(token, record, program)) return false;
  if (patch.info.is_triangle && MakesTangents(*program.layout)) {
    token.Report(Rule::kDp2Patch027, record, "the declaration makes tangents",
                 "PARTIALU or PARTIALV", "neither");
    return false;
  }
  if (!BindStreams(token, record, *program.layout, kAllStreams, patch.points)) return false;
  for (VertexStream& stream : patch.points.streams)
    stream.divider = 1;
  const auto range = PointRange(patch.info);
  if (range) {
    return CheckVertices(token, record, stream::Word(), patch.points, range->first, range->second,
                         Rule::kDp2Patch018);
  }
  token.Report(
      Rule::kDp2Patch018, record, "the control points lie beyond every buffer",
      fmt::format("rows from {} on, {} vertices apart", patch.info.start_height, patch.info.stride),
      "control points inside the streams");
  return false;
}

// The control points of one stream, without gaps.
std::vector<uint8_t> CopyPoints(const PatchInfo& info, const VertexStream& stream, uint32_t size) {
  std::vector<uint8_t> bytes;
  if (stream.bytes.empty()) return bytes;
  bytes.reserve(size_t{info.width} * info.height * size);
  for (uint32_t row = 0; row < info.height; ++row) {
    for (uint32_t column = 0; column < info.width; ++column) {
      const uint64_t number =
          (uint64_t{info.start_height} + row) * info.stride + info.start_width + column;
      const size_t at = stream.origin + number * stream.stride;
      const Bytes point =
          stream.bytes.subspan(at, std::min<size_t>(size, stream.bytes.size() - at));
      bytes.insert(bytes.end(), point.begin(), point.end());
      bytes.resize(bytes.size() + size - point.size());
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
  patch.program = token.context.state.vertex_program;
  patch.bindings = token.context.state.streams;
  if (!token.Charge(record, patch.cost)) return token.context.histories.patches.NoteRefused(handle);
  patches.emplace(handle, std::move(patch));
  token.context.histories.patches.NoteMade(handle);
}

// The handle is not made. Unspecified: a definition that is refused while the handle has another; chosen: the cached patch stays.
void RefusePatch(const Token& token, uint32_t handle) {
  if (handle != 0 && !token.context.patches.contains(handle))
    token.context.histories.patches.NoteRefused(handle);
}

void DrawNew(const Token& token, const Record& record, const PatchRecord& asked, PatchDraw& patch) {
  patch.info = *asked.info;
  ProgramLayout program;
  if (!BindPatch(token, record, program, patch) || !IsWithinLimit(token, record, patch.info))
    return RefusePatch(token, asked.handle);
  if (asked.handle != 0) Cache(token, record, asked.handle, patch);
  token.sink.OnPatch(patch);
}

// The bound streams do not matter.
void DrawCached(const Token& token, const Patch& patch, PatchDraw& drawn) {
  drawn.info = patch.info;
  drawn.points.layout = &patch.layout;
  for (uint32_t i = 0; i < kStreamCount; ++i)
    drawn.points.streams[i] = {.bytes = patch.bytes[i], .origin = 0, .stride = patch.strides[i]};
  token.sink.OnPatch(drawn);
}

void DrawPatch(const Token& token, const Record& record, bool is_triangle) {
  const PatchRecord asked = ReadPatch(token.context.state, record, is_triangle);
  const RecordDefects defects = FindPatchDefects(token.context, record, asked);
  if (!defects.empty()) {
    if (asked.info) RefusePatch(token, asked.handle);
    return token.Report(defects, record);
  }
  PatchDraw patch;
  patch.segments = asked.segments;
  patch.points.event = token.call.event;
  patch.points.offset = token.command.offset;
  if (asked.info) return DrawNew(token, record, asked, patch);
  DrawCached(token, token.context.patches.at(asked.handle), patch);
}

}  // namespace

void ApplyRectPatch(Token& token) {
  for (const Record& record : token.Records())
    DrawPatch(token, record, false);
}

void ApplyTriPatch(Token& token) {
  for (const Record& record : token.Records())
    DrawPatch(token, record, true);
}

}  // namespace dp2trace::device
