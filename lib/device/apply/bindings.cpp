// Streams, indices, render targets and depth surfaces. Source: DP2 specification, 5.1, 14.1 and 20.2.
#include <fmt/format.h>

#include "device/apply/apply.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using stream::Record;

// All stream tokens start with the stream number.
constexpr stream::FieldRef kStream = stream::Field(layout::kSetStreamSource, "stream");
static_assert(kStream.offset == 0 &&
              stream::Field(layout::kSetStreamSource2, "stream").offset == 0 &&
              stream::Field(layout::kSetStreamSourceUm, "stream").offset == 0 &&
              stream::Field(layout::kSetStreamSourceFreq, "stream").offset == 0);

bool CheckStreamNumber(const Token& token, const Record& record) {
  const uint32_t number = record.U32(kStream);
  if (number < kStreamCount) return true;
  token.Report(Rule::kDp2Bind001, record, fmt::format("there is no stream {}", number),
               fmt::format("{}", number), "0 to 15");
  return false;
}

// A live buffer, or empty after a report.
SurfaceRef FindBuffer(const Token& token, const Record& record, uint32_t handle) {
  const SurfaceRef buffer = token.FindSurface(Rule::kDp2Bind003, record, handle);
  if (!buffer || buffer.resource->is_buffer()) return buffer;
  token.Report(Rule::kDp2Bind003, record, fmt::format("surface {} is no buffer", handle),
               fmt::format("{}", handle));
  return {};
}

void BindStream(const Token& token, const Record& record, uint32_t handle, uint32_t offset,
                uint32_t stride) {
  if (!CheckStreamNumber(token, record)) return;
  if (handle != 0) {
    const SurfaceRef buffer = FindBuffer(token, record, handle);
    if (!buffer) return;
    if (offset > buffer.surface().size_bytes() || offset % 4 != 0) {
      token.Report(
          Rule::kDp2Bind007, record,
          fmt::format("offset {} in a buffer of {} bytes", offset, buffer.surface().size_bytes()),
          fmt::format("{}", offset));
      return;
    }
  }
  token.Set({StateKind::kStream, record.U32(kStream)}, {handle, offset, stride, 0});
}

// 0 is "none" here: whether it is allowed is the caller's business.
bool CheckTarget(const Token& token, const Record& record, uint32_t handle) {
  if (handle == 0) return true;
  const SurfaceRef target = token.FindSurface(record, handle);
  if (!target) return false;
  const Resource& resource = *target.resource;
  if (CanBeTarget(resource)) return true;
  token.Report(Rule::kDp2Rt002, record,
               fmt::format("surface {} of format {} cannot be a render target", handle,
                           resource.surface.info().name),
               fmt::format("{}", handle));
  return false;
}

bool CheckDepth(const Token& token, const Record& record, uint32_t handle) {
  if (handle == 0) return true;
  const SurfaceRef depth = token.FindSurface(record, handle);
  if (!depth) return false;
  const Resource& resource = *depth.resource;
  if (CanBeDepth(resource)) return true;
  token.Report(Rule::kDp2Rt003, record,
               fmt::format("surface {} of format {} cannot be a depth surface", handle,
                           resource.surface.info().name),
               fmt::format("{}", handle));
  return false;
}

}  // namespace

void ApplyStreamSource(Token& token) {
  constexpr stream::FieldRef kBuffer = stream::Field(layout::kSetStreamSource, "vb_handle");
  constexpr stream::FieldRef kStride = stream::Field(layout::kSetStreamSource, "stride");
  for (const Record& record : token.Records())
    BindStream(token, record, record.U32(kBuffer), 0, record.U32(kStride));
}

void ApplyStreamSource2(Token& token) {
  constexpr stream::FieldRef kBuffer = stream::Field(layout::kSetStreamSource2, "vb_handle");
  constexpr stream::FieldRef kOffset = stream::Field(layout::kSetStreamSource2, "offset");
  constexpr stream::FieldRef kStride = stream::Field(layout::kSetStreamSource2, "stride");
  for (const Record& record : token.Records())
    BindStream(token, record, record.U32(kBuffer), record.U32(kOffset), record.U32(kStride));
}

// Unspecified: user memory for a stream other than 0; chosen: the record is skipped.
void ApplyStreamSourceUserMemory(Token& token) {
  constexpr stream::FieldRef kStride = stream::Field(layout::kSetStreamSourceUm, "stride");
  for (const Record& record : token.Records()) {
    const uint32_t number = record.U32(kStream);
    if (number != 0) {
      token.Report(Rule::kDp2Bind004, record,
                   fmt::format("stream {} cannot be user memory", number),
                   fmt::format("{}", number), "0");
      continue;
    }
    token.Set({StateKind::kStream, 0}, {0, 0, record.U32(kStride), 1});
  }
}

void ApplyStreamDivider(Token& token) {
  constexpr stream::FieldRef kDivider = stream::Field(layout::kSetStreamSourceFreq, "divider");
  for (const Record& record : token.Records()) {
    if (!CheckStreamNumber(token, record)) continue;
    const uint32_t divider = record.U32(kDivider);
    if (divider == 0) {
      token.Report(Rule::kDp2Bind010, record, "the divider is 0", "0", "1 or more");
      continue;
    }
    token.Set({StateKind::kStreamDivider, record.U32(kStream)}, divider);
  }
}

void ApplyIndices(Token& token) {
  constexpr stream::FieldRef kBuffer = stream::Field(layout::kSetIndices, "vb_handle");
  constexpr stream::FieldRef kStride = stream::Field(layout::kSetIndices, "stride");
  for (const Record& record : token.Records()) {
    const uint32_t handle = record.U32(kBuffer);
    const uint32_t stride = record.U32(kStride);
    if (handle != 0 && !FindBuffer(token, record, handle)) continue;
    if (handle != 0 && stride != 2 && stride != 4) {
      token.Report(Rule::kDp2Bind008, record, fmt::format("an index has {} bytes", stride),
                   fmt::format("{}", stride), "2 or 4");
      continue;
    }
    token.Set({StateKind::kIndices}, {handle, stride});
  }
}

void ApplyRenderTarget(Token& token) {
  constexpr stream::FieldRef kTarget = stream::Field(layout::kSetRenderTarget, "render_target");
  constexpr stream::FieldRef kDepth = stream::Field(layout::kSetRenderTarget, "z_buffer");
  const Record record = FixedRecord(token);
  const uint32_t target = record.U32(kTarget);
  const uint32_t depth = record.U32(kDepth);
  if (target == 0) {
    token.Report(Rule::kDp2Rt001, record, "the render target is 0", "0");
    return;
  }
  if (!CheckTarget(token, record, target) || !CheckDepth(token, record, depth)) return;
  token.context.targets.colors[0] = target;
  token.context.targets.depth = depth;
}

void ApplyRenderTarget2(Token& token) {
  constexpr stream::FieldRef kIndex = stream::Field(layout::kSetRenderTarget2, "rt_index");
  constexpr stream::FieldRef kTarget = stream::Field(layout::kSetRenderTarget2, "render_target");
  for (const Record& record : token.Records()) {
    const uint32_t index = record.U32(kIndex);
    if (index >= kTargetCount) {
      token.Report(Rule::kDp2Rt004, record, fmt::format("there is no target slot {}", index),
                   fmt::format("{}", index), "0 to 3");
      continue;
    }
    if (CheckTarget(token, record, record.U32(kTarget)))
      token.context.targets.colors[index] = record.U32(kTarget);
  }
}

void ApplyDepthStencil(Token& token) {
  constexpr stream::FieldRef kDepth = stream::Field(layout::kSetDepthStencil, "z_buffer");
  for (const Record& record : token.Records()) {
    if (CheckDepth(token, record, record.U32(kDepth)))
      token.context.targets.depth = record.U32(kDepth);
  }
}

}  // namespace dp2trace::device
