// Rules about copies, fills, mip generation: DP2-TEXBLT-*, DP2-VOLBLT-*, DP2-BUFBLT-*, DP2-BLT-*, DP2-MIPGEN-*, DP2-COMPOSE-*.
// Source: lib/opcode/dp2.md 16 and 25.
#include "validate/dp2/topics.h"

#include <fmt/format.h>

#include <bit>

#include "base/flag_text.h"
#include "device/blt_record.h"
#include "device/load.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/texture_load.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::SurfaceKind;
using device::Resource;
using opcode::Op;
using stream::FieldRef;
using stream::Record;

constexpr FieldRef kBufferRange = stream::Field(layout::kBufferBlt, "src_range");
constexpr FieldRef kBufferOffset = stream::Field(layout::kBufferBlt, "offset");

// What the device refuses is reported by it, and not checked here.

// ---------- VOLUMEBLT, BUFFERBLT ----------

// DP2-VOLBLT-004.
void CheckVolumeBlt(const CommandView& view) {
  for (const Record& record : view.Records()) {
    device::VolumeLoad load;
    if (view.is_recording() || !device::ReadVolumeLoad(*view.context.space, record, load).empty() ||
        load.flags == 0)
      continue;
    view.Report(Rule::kDp2VolBlt004, record, stream::Field(layout::kVolumeBlt, "flags"),
                fmt::format("dwFlags is {:#x}", load.flags), fmt::format("{:#x}", load.flags), "0");
  }
}

// DP2-BUFBLT-003, of a copy between two buffers.
void CheckRanges(const CommandView& view, const Record& record, const device::BufferCopy& copy) {
  const bool is_same = copy.source.resource == copy.destination.resource;
  if (copy.size == 0) {
    view.Report(Rule::kDp2BufBlt003, record, stream::PartOf(kBufferRange, 1),
                "Size is 0, nothing is copied", "0", "1 or more");
  } else if (is_same && copy.from < copy.to + copy.size && copy.to < copy.from + copy.size) {
    view.Report(
        Rule::kDp2BufBlt003, record, kBufferOffset,
        fmt::format("bytes {} to {} of buffer {} are copied to {} of the same buffer", copy.from,
                    copy.from + copy.size, copy.source.resource->handle, copy.to),
        fmt::format("{}", copy.to), "bytes beside the source");
  }
}

// DP2-BUFBLT-004.
void CheckKinds(const CommandView& view, const Record& record, const device::BufferCopy& copy) {
  const SurfaceKind from = copy.source.resource->kind;
  const SurfaceKind to = copy.destination.resource->kind;
  const bool is_mixed = (from == SurfaceKind::kVertexBuffer && to == SurfaceKind::kIndexBuffer) ||
                        (from == SurfaceKind::kIndexBuffer && to == SurfaceKind::kVertexBuffer);
  if (!is_mixed) return;
  const bool is_vertex = from == SurfaceKind::kVertexBuffer;
  view.Report(Rule::kDp2BufBlt004, record, stream::Field(layout::kBufferBlt, "dest_surface"),
              fmt::format("{} buffer {} is copied to {} buffer {}", is_vertex ? "vertex" : "index",
                          copy.source.resource->handle, is_vertex ? "index" : "vertex",
                          copy.destination.resource->handle),
              Describe(*copy.destination.resource), Describe(*copy.source.resource));
}

void CheckBufferBlt(const CommandView& view) {
  for (const Record& record : view.Records()) {
    device::BufferCopy copy;
    if (view.is_recording() || !device::ReadBufferCopy(*view.context.space, record, copy).empty())
      continue;
    if (copy.flags != 0) {
      view.Report(Rule::kDp2BufBlt003, record, stream::Field(layout::kBufferBlt, "flags"),
                  fmt::format("dwFlags is {:#x}", copy.flags), fmt::format("{:#x}", copy.flags),
                  "0");
    }
    if (!copy.destination) continue;
    CheckRanges(view, record, copy);
    CheckKinds(view, record, copy);
  }
}

// ---------- BLT, SURFACEBLT, COLORFILL ----------

// DP2-BLT-004.
void CheckEmpty(const CommandView& view, const Record& record, bool is_source_empty,
                bool is_destination_empty) {
  constexpr FieldRef kSource = stream::Field(layout::kBlt, "source_rect");
  constexpr FieldRef kDestination = stream::Field(layout::kBlt, "dest_rect");
  if (!is_source_empty && !is_destination_empty) return;
  view.Report(
      Rule::kDp2Blt004, record, is_source_empty ? kSource : kDestination,
      fmt::format("the rectangle of the {} is empty", is_source_empty ? "source" : "destination"),
      "no texels", "1 x 1 or more");
}

void CheckBlt(const CommandView& view) {
  for (const Record& record : view.Records()) {
    device::BltRecord blt;
    if (view.is_recording() || !device::ReadBlt(*view.context.space, record, blt).empty()) continue;
    CheckEmpty(view, record, blt.source.is_empty(), blt.destination.is_empty());
  }
}

bool IsKnownElsewhere(const Resource& resource, uint32_t memory) {
  return (resource.caps & (device::kCapsSystemMemory | device::kCapsVideoMemory)) != 0 &&
         (resource.caps & memory) == 0;
}

// DP2-BLT-007, DP2-BLT-008.
void CheckSurfaceBlt(const CommandView& view) {
  for (const Record& record : view.Records()) {
    device::BltRecord blt;
    if (view.is_recording() || !device::ReadSurfaceBlt(*view.context.space, record, blt).empty())
      continue;
    const Resource& source = *blt.source.surface.resource;
    const Resource& destination = *blt.destination.surface.resource;
    CheckEmpty(view, record, blt.source.is_empty(), blt.destination.is_empty());
    if (IsKnownElsewhere(source, device::kCapsSystemMemory)) {
      view.Report(Rule::kDp2Blt007, record, stream::Field(layout::kSurfaceBlt, "source"),
                  fmt::format("source {} is not in system memory", source.handle),
                  FlagsText(trace::kSurfaceCapsNames, source.caps), "SYSTEMMEMORY");
    }
    if (IsKnownElsewhere(destination, device::kCapsVideoMemory)) {
      view.Report(Rule::kDp2Blt007, record, stream::Field(layout::kSurfaceBlt, "dest"),
                  fmt::format("destination {} is not in video memory", destination.handle),
                  FlagsText(trace::kSurfaceCapsNames, destination.caps), "VIDEOMEMORY");
    }
    if (blt.flags != 0) {
      view.Report(Rule::kDp2Blt008, record, stream::Field(layout::kSurfaceBlt, "flags"),
                  fmt::format("Flags is {:#x}", blt.flags), fmt::format("{:#x}", blt.flags), "0");
    }
  }
}

void CheckColorFill(const CommandView& view) {
  for (const Record& record : view.Records()) {
    device::BltSide side;
    if (view.is_recording() || !device::ReadColorFill(*view.context.space, record, side).empty())
      continue;
    if (side.is_empty()) {
      view.Report(Rule::kDp2Blt004, record, stream::Field(layout::kColorFill, "rect"),
                  "the rectangle is empty", "no texels", "1 x 1 or more");
    }
  }
}

// ---------- GENERATEMIPSUBLEVELS, SETCONVOLUTIONKERNELMONO ----------

// DP2-MIPGEN-004.
void CheckGenerateMipSubLevels(const CommandView& view) {
  constexpr FieldRef kFilter = stream::Field(layout::kGenerateMipSubLevels, "filter");
  constexpr uint32_t kLinear = d3d::Value(d3d::TextureFilter::Linear);
  constexpr uint32_t kLast = d3d::Value(d3d::TextureFilter::ConvolutionMono);
  for (const Record& record : view.Records()) {
    const uint32_t filter = record.U32(kFilter);
    if (filter <= kLinear || filter > kLast)
      continue;  // 0 and undefined ones are reported by the device
    view.Report(
        Rule::kDp2MipGen004, record, kFilter,
        fmt::format("filter {} counts as LINEAR", ValueText(d3d::kTextureFilterNames, filter)),
        ValueText(d3d::kTextureFilterNames, filter),
        ValueRangesText(d3d::kTextureFilterNames,
                        [](uint32_t row) { return row != 0 && row <= kLinear; }));
  }
}

// DP2-COMPOSE-004, DP2-COMPOSE-005.
void CheckConvolution(const CommandView& view) {
  constexpr FieldRef kWidth = stream::Field(layout::kSetConvolutionKernelMono, "width");
  constexpr FieldRef kHeight = stream::Field(layout::kSetConvolutionKernelMono, "height");
  constexpr FieldRef kFlags = stream::Field(layout::kSetConvolutionKernelMono, "flags");
  constexpr uint32_t kMaxExtent = 7;
  constexpr uint32_t kDefined = layout::kRowWeights | layout::kColWeights;
  for (const Record& record : view.Records()) {
    const uint32_t width = record.U32(kWidth);
    const uint32_t height = record.U32(kHeight);
    const uint32_t flags = record.U32(kFlags);
    const auto is_legal = [](uint32_t extent) { return extent >= 1 && extent <= kMaxExtent; };
    if (!is_legal(width) || !is_legal(height)) {
      view.Report(Rule::kDp2Compose004, record, is_legal(width) ? kHeight : kWidth,
                  fmt::format("a kernel of {} x {}", width, height),
                  fmt::format("{} x {}", width, height), "1 to 7 each way");
    }
    if ((flags & ~kDefined) != 0) {
      view.Report(Rule::kDp2Compose004, record, kFlags, fmt::format("dwFlags is {:#x}", flags),
                  fmt::format("{:#x}", flags), "0 to 3");
    } else if (flags != 0) {
      view.Report(Rule::kDp2Compose005, record, kFlags,
                  fmt::format("dwFlags is {:#x}: weights follow", flags),
                  fmt::format("{:#x}", flags), "0");
    }
  }
}

constexpr CommandRule kCopyRules[] = {
    {Op::kTexBlt, CheckTextureLoads},
    {Op::kVolumeBlt, CheckVolumeBlt},
    {Op::kBufferBlt, CheckBufferBlt},
    {Op::kBlt, CheckBlt},
    {Op::kSurfaceBlt, CheckSurfaceBlt},
    {Op::kColorFill, CheckColorFill},
    {Op::kGenerateMipSubLevels, CheckGenerateMipSubLevels},
    {Op::kSetConvolutionKernelMono, CheckConvolution},
};

}  // namespace

const Topic kCopyTopic = {.rules = [] { return std::span<const CommandRule>(kCopyRules); }};

}  // namespace dp2trace::validate
