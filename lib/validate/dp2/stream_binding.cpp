// Rules about the binding of streams and indices: DP2-BIND-*.
// Source: lib/opcode/dp2.md 5.1, 20.2 and 25.
#include "validate/dp2/topics.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "d3d/stream_source.h"
#include "device/buffer_kind.h"
#include "opcode/layouts.h"
#include "rules/rule.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using opcode::Op;
using stream::FieldRef;
using stream::Record;

constexpr uint32_t kMaxDivider = 65535;  // without the two bits

// All stream tokens start with the stream number.
constexpr stream::FieldRef kBoundStream = stream::Field(layout::kSetStreamSource, "stream");
static_assert(kBoundStream.offset == 0 &&
              stream::Field(layout::kSetStreamSource2, "stream").offset == 0 &&
              stream::Field(layout::kSetStreamSourceUm, "stream").offset == 0 &&
              stream::Field(layout::kSetStreamSourceFreq, "stream").offset == 0);

// False where the device refuses the number.
bool CheckStreamNumber(const CommandView& view, const Record& record) {
  const uint32_t number = record.U32(kBoundStream);
  if (number >= device::kStreamCount) return false;
  // Drivers below level 8 say 0.
  const uint32_t streams = view.caps.Find(d3d::Cap::MaxStreams).value_or(0);
  if (streams != 0 && number >= streams) {
    view.Report(Rule::kDp2Bind002, record, kBoundStream,
                fmt::format("stream {} of a device with {}", number, Counted(streams, "stream")),
                fmt::format("{}", number), fmt::format("below {}", streams));
  }
  return true;
}

void CheckStride(const CommandView& view, const Record& record, FieldRef field) {
  const uint32_t stride = record.U32(field);
  if (stride == 0) {
    view.Report(Rule::kDp2Bind005, record, field, "the stride is 0, every vertex is the same", "0",
                "the size of a vertex");
    return;
  }
  const uint32_t most = view.caps.Find(d3d::Cap::MaxStreamStride).value_or(0);
  if (most != 0 && stride > most) {
    view.Report(Rule::kDp2Bind006, record, field,
                fmt::format("the stride is {}, the device has at most {}", stride, most),
                fmt::format("{}", stride), fmt::format("at most {}", most));
  } else if (stride % 4 != 0) {
    view.Report(Rule::kDp2Bind006, record, field,
                fmt::format("the stride is {}, not a multiple of 4", stride),
                fmt::format("{}", stride), "a multiple of 4");
  }
}

// The live buffer with this handle, or empty.
device::SurfaceRef FindBuffer(const CommandView& view, uint32_t handle) {
  const device::SurfaceRef buffer = view.context.space->Find(handle);
  return buffer && buffer.resource->is_buffer() ? buffer : device::SurfaceRef{};
}

// DP2-BIND-014: an index buffer as a stream, a vertex buffer for indices. What a draw reads there follows from that.
void CheckBufferKind(const CommandView& view, const Record& record, FieldRef field,
                     const device::SurfaceRef& buffer, d3d::SurfaceKind wrong) {
  if (!device::IsMadeForOther(*buffer.resource, wrong)) return;
  const bool is_for_vertices = wrong == d3d::SurfaceKind::kIndexBuffer;
  view.Report(Rule::kDp2Bind014, record, field,
              fmt::format("surface {} is {}", record.U32(field), Describe(*buffer.resource)),
              Describe(*buffer.resource), is_for_vertices ? "a vertex buffer" : "an index buffer");
}

void CheckBinding(const CommandView& view, const Record& record, FieldRef handle, uint32_t offset,
                  FieldRef stride) {
  if (!CheckStreamNumber(view, record) || record.U32(handle) == 0) return;
  const device::SurfaceRef buffer = FindBuffer(view, record.U32(handle));
  const bool is_refused = !buffer || offset % 4 != 0 || offset > buffer.surface().size_bytes();
  if (is_refused) return;
  CheckBufferKind(view, record, handle, buffer, d3d::SurfaceKind::kIndexBuffer);
  CheckStride(view, record, stride);
}

void CheckStreamSource(const CommandView& view) {
  constexpr FieldRef kBuffer = stream::Field(layout::kSetStreamSource, "vb_handle");
  constexpr FieldRef kStride = stream::Field(layout::kSetStreamSource, "stride");
  for (const Record& record : view.Records())
    CheckBinding(view, record, kBuffer, 0, kStride);
}

void CheckStreamSource2(const CommandView& view) {
  constexpr FieldRef kBuffer = stream::Field(layout::kSetStreamSource2, "vb_handle");
  constexpr FieldRef kOffset = stream::Field(layout::kSetStreamSource2, "offset");
  constexpr FieldRef kStride = stream::Field(layout::kSetStreamSource2, "stride");
  for (const Record& record : view.Records())
    CheckBinding(view, record, kBuffer, record.U32(kOffset), kStride);
}

void CheckUserMemoryStream(const CommandView& view) {
  constexpr stream::FieldRef kStride = stream::Field(layout::kSetStreamSourceUm, "stride");
  for (const Record& record : view.Records()) {
    if (record.U32(kBoundStream) == 0) CheckStride(view, record, kStride);
  }
}

void CheckDivider(const CommandView& view) {
  constexpr stream::FieldRef kDivider = stream::Field(layout::kSetStreamSourceFreq, "divider");
  constexpr uint32_t kBoth = d3d::kIndexedData | d3d::kInstanceData;
  for (const Record& record : view.Records()) {
    if (!CheckStreamNumber(view, record)) continue;
    const uint32_t divider = record.U32(kDivider);
    const uint32_t bits = divider & kBoth;
    if (bits == kBoth) {
      view.Report(Rule::kDp2Bind011, record, kDivider,
                  fmt::format("divider {:#x} is INDEXEDDATA and INSTANCEDATA at once", divider),
                  fmt::format("INDEXEDDATA|INSTANCEDATA|{}", divider & ~kBoth),
                  "INDEXEDDATA or INSTANCEDATA");
    } else if (bits == 0 && divider > kMaxDivider) {
      view.Report(Rule::kDp2Bind011, record, kDivider, fmt::format("the divider is {}", divider),
                  fmt::format("{}", divider), fmt::format("1 to {}", kMaxDivider));
    } else if (bits == d3d::kInstanceData && record.U32(kBoundStream) == 0) {
      view.Report(Rule::kDp2Bind012, record, kDivider,
                  "stream 0 is INSTANCEDATA, it has the number of instances",
                  fmt::format("INSTANCEDATA|{}", divider & ~kBoth), "INDEXEDDATA and their number");
    }
  }
}

void CheckIndices(const CommandView& view) {
  constexpr stream::FieldRef kBuffer = stream::Field(layout::kSetIndices, "vb_handle");
  constexpr stream::FieldRef kStride = stream::Field(layout::kSetIndices, "stride");
  for (const Record& record : view.Records()) {
    const uint32_t stride = record.U32(kStride);
    const device::SurfaceRef buffer = FindBuffer(view, record.U32(kBuffer));
    if (!buffer) continue;
    CheckBufferKind(view, record, kBuffer, buffer, d3d::SurfaceKind::kVertexBuffer);
    if (stride != 2 && stride != 4) continue;
    const auto format = static_cast<d3d::Format>(buffer.resource->format);
    const uint32_t created = format == d3d::Format::Index16   ? 2
                             : format == d3d::Format::Index32 ? 4
                                                              : stride;
    if (created == stride) continue;
    view.Report(
        Rule::kDp2Bind009, record, kStride,
        fmt::format("indices of {} bytes in a buffer made for indices of {}", stride, created),
        fmt::format("{}", stride), fmt::format("{}", created));
  }
}

constexpr CommandRule kStreamBindingRules[] = {
    {Op::kSetStreamSource, CheckStreamSource},
    {Op::kSetStreamSource2, CheckStreamSource2},
    {Op::kSetStreamSourceUm, CheckUserMemoryStream},
    {Op::kSetStreamSourceFreq, CheckDivider},
    {Op::kSetIndices, CheckIndices},
};

}  // namespace

const Topic kStreamBindingTopic = {
    .rules = [] { return std::span<const CommandRule>(kStreamBindingRules); }};

}  // namespace dp2trace::validate
