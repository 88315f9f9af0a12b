// Streams, indices, render targets and depth surfaces. Source: lib/opcode/dp2.md 5.1, 14.1 and 20.2.
#include <fmt/format.h>

#include "base/plain_text.h"
#include "device/apply/apply.h"
#include "device/buffer_kind.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using stream::FieldRef;
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
  token.Report(Rule::kDp2Bind001, record, kStream, fmt::format("there is no stream {}", number),
               fmt::format("{}", number), "0 to 15");
  return false;
}

// A live buffer, or empty after a report.
SurfaceRef FindBuffer(const Token& token, const Record& record, FieldRef field) {
  const SurfaceRef buffer = token.FindSurface(Rule::kDp2Bind003, record, field);
  if (!buffer || buffer.resource->is_buffer()) return buffer;
  token.Report(Rule::kDp2Bind003, record, field,
               fmt::format("surface {} is not a buffer", record.U32(field)),
               Describe(*buffer.resource), "a buffer");
  return {};
}

// The value of SETSTREAMSOURCE and SETSTREAMSOURCE2; nothing after a report. The first has no offset.
std::optional<StateWords> ReadStream(const Token& token, const Record& record,
                                     FieldRef handle_field, std::optional<FieldRef> offset_field,
                                     uint32_t stride) {
  const uint32_t handle = record.U32(handle_field);
  const uint32_t offset = offset_field ? record.U32(*offset_field) : 0;
  if (handle == 0) return StateWords{handle, offset, stride, 0};
  const SurfaceRef buffer = FindBuffer(token, record, handle_field);
  if (!buffer) return std::nullopt;
  const uint64_t size = buffer.surface().size_bytes();
  if (offset_field && (offset > size || offset % 4 != 0)) {
    token.Report(Rule::kDp2Bind007, record, *offset_field,
                 fmt::format("offset {} in a buffer of {}", offset, Counted(size, "byte")),
                 fmt::format("{}", offset), fmt::format("a multiple of 4, at most {}", size));
    return std::nullopt;
  }
  return StateWords{handle, offset, stride, 0};
}

// A buffer of the other kind stays bound, and what a draw reads there is no news: DP2-BIND-014.
void NoteWrongKind(const Token& token, StateKey key, uint32_t handle, d3d::SurfaceKind other) {
  const SurfaceRef buffer = token.context.space->Find(handle);
  if (buffer && IsMadeForOther(*buffer.resource, other)) token.Refuse(key);
}

void BindStream(const Token& token, const Record& record, FieldRef handle,
                std::optional<FieldRef> offset, uint32_t stride) {
  if (!CheckStreamNumber(token, record)) return;
  const StateKey key = {StateKind::kStream, record.U32(kStream)};
  if (const std::optional<StateWords> words = ReadStream(token, record, handle, offset, stride)) {
    token.Set(key, *words);
    NoteWrongKind(token, key, words->front(), d3d::SurfaceKind::kIndexBuffer);
  } else {
    token.Refuse(key);
  }
}

// 0 is "none" here: whether it is allowed is the caller's business.
bool CheckTarget(const Token& token, const Record& record, FieldRef field) {
  const uint32_t handle = record.U32(field);
  if (handle == 0) return true;
  const SurfaceRef target = token.FindSurface(record, field);
  if (!target) return false;
  if (CanBeTarget(*target.resource)) return true;
  token.Report(Rule::kDp2Rt002, record, field,
               fmt::format("surface {} cannot be a render target", handle),
               Describe(*target.resource), "3DDEVICE and a colour format");
  return false;
}

bool CheckDepth(const Token& token, const Record& record, FieldRef field) {
  const uint32_t handle = record.U32(field);
  if (handle == 0) return true;
  const SurfaceRef depth = token.FindSurface(record, field);
  if (!depth) return false;
  if (CanBeDepth(*depth.resource)) return true;
  token.Report(Rule::kDp2Rt003, record, field,
               fmt::format("surface {} cannot be a depth surface", handle),
               Describe(*depth.resource), "ZBUFFER and a depth format");
  return false;
}

void BindTarget(const Token& token, const Record& record, uint32_t slot, FieldRef field) {
  if (CheckTarget(token, record, field)) {
    token.context.targets.colors[slot] = record.U32(field);
    token.context.bindings.NoteSet(kFirstTargetBinding + slot);
    token.context.setters.targets[slot] = token.AsSetter();
  } else {
    token.context.bindings.NoteRefused(kFirstTargetBinding + slot);
  }
}

void BindDepth(const Token& token, const Record& record, FieldRef field) {
  if (CheckDepth(token, record, field)) {
    token.context.targets.depth = record.U32(field);
    token.context.bindings.NoteSet(kDepthBinding);
    token.context.setters.targets[kTargetCount] = token.AsSetter();
  } else {
    token.context.bindings.NoteRefused(kDepthBinding);
  }
}

}  // namespace

void ApplyStreamSource(Token& token) {
  constexpr stream::FieldRef kBuffer = stream::Field(layout::kSetStreamSource, "vb_handle");
  constexpr stream::FieldRef kStride = stream::Field(layout::kSetStreamSource, "stride");
  for (const Record& record : token.Records())
    BindStream(token, record, kBuffer, std::nullopt, record.U32(kStride));
}

void ApplyStreamSource2(Token& token) {
  constexpr stream::FieldRef kBuffer = stream::Field(layout::kSetStreamSource2, "vb_handle");
  constexpr stream::FieldRef kOffset = stream::Field(layout::kSetStreamSource2, "offset");
  constexpr stream::FieldRef kStride = stream::Field(layout::kSetStreamSource2, "stride");
  for (const Record& record : token.Records())
    BindStream(token, record, kBuffer, kOffset, record.U32(kStride));
}

// Unspecified: user memory for a stream other than 0; chosen: the record is skipped.
void ApplyStreamSourceUserMemory(Token& token) {
  constexpr stream::FieldRef kStride = stream::Field(layout::kSetStreamSourceUm, "stride");
  for (const Record& record : token.Records()) {
    const uint32_t number = record.U32(kStream);
    if (number != 0) {
      token.Report(Rule::kDp2Bind004, record, kStream,
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
      token.Report(Rule::kDp2Bind010, record, kDivider, "the divider is 0", "0", "1 or more");
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
    if (handle != 0 && !FindBuffer(token, record, kBuffer)) {
      token.Refuse({StateKind::kIndices});
      continue;
    }
    if (handle != 0 && stride != 2 && stride != 4) {
      token.Report(Rule::kDp2Bind008, record, kStride,
                   fmt::format("an index has {}", Counted(stride, "byte")),
                   fmt::format("{}", stride), "2 or 4");
      token.Refuse({StateKind::kIndices});
      continue;
    }
    token.Set({StateKind::kIndices}, {handle, stride});
    NoteWrongKind(token, {StateKind::kIndices}, handle, d3d::SurfaceKind::kVertexBuffer);
  }
}

void ApplyRenderTarget(Token& token) {
  constexpr stream::FieldRef kTarget = stream::Field(layout::kSetRenderTarget, "render_target");
  constexpr stream::FieldRef kDepth = stream::Field(layout::kSetRenderTarget, "z_buffer");
  const Record record = FixedRecord(token);
  Bindings& bindings = token.context.bindings;
  const bool has_target = record.U32(kTarget) != 0;
  if (!has_target)
    token.Report(Rule::kDp2Rt001, record, kTarget, "the render target is 0", "0", "a live surface");
  const bool is_target = has_target && CheckTarget(token, record, kTarget);
  const bool is_depth = CheckDepth(token, record, kDepth);
  if (!is_target || !is_depth) {
    bindings.NoteRefused(kFirstTargetBinding);
    bindings.NoteRefused(kDepthBinding);
    return;
  }
  token.context.targets.colors[0] = record.U32(kTarget);
  token.context.targets.depth = record.U32(kDepth);
  bindings.NoteSet(kFirstTargetBinding);
  bindings.NoteSet(kDepthBinding);
  token.context.setters.targets[0] = token.AsSetter();
  token.context.setters.targets[kTargetCount] = token.AsSetter();
}

void ApplyRenderTarget2(Token& token) {
  constexpr stream::FieldRef kIndex = stream::Field(layout::kSetRenderTarget2, "rt_index");
  constexpr stream::FieldRef kTarget = stream::Field(layout::kSetRenderTarget2, "render_target");
  for (const Record& record : token.Records()) {
    const uint32_t index = record.U32(kIndex);
    if (index >= kTargetCount) {
      token.Report(Rule::kDp2Rt004, record, kIndex,
                   fmt::format("there is no target slot {}", index), fmt::format("{}", index),
                   "0 to 3");
      continue;
    }
    BindTarget(token, record, index, kTarget);
  }
}

void ApplyDepthStencil(Token& token) {
  constexpr stream::FieldRef kDepth = stream::Field(layout::kSetDepthStencil, "z_buffer");
  for (const Record& record : token.Records())
    BindDepth(token, record, kDepth);
}

}  // namespace dp2trace::device
