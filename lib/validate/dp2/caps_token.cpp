#include "validate/dp2/caps_token.h"

#include <fmt/format.h>

#include <optional>

#include "d3d/caps.h"
#include "d3d/enums.h"
#include "device/blt_record.h"
#include "device/layout.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/caps.h"
#include "validate/dp2/topics.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::Cap;
using d3d::DeclType;
using device::Resource;
using opcode::Op;
using stream::Record;

// ---------- declarations ----------

// D3DDTCAPS: 0 for the types that every device has.
uint32_t BitOfType(uint32_t type) {
  constexpr uint32_t kFirst = d3d::Value(DeclType::UByte4N);
  constexpr uint32_t kLast = d3d::Value(DeclType::Float16x4);
  if (type == d3d::Value(DeclType::UByte4)) return 0x1;
  return type >= kFirst && type <= kLast ? 0x2U << (type - kFirst) : 0;
}

// DP2-CAPS-026.
void CheckDeclarations(const CommandView& view) {
  const std::optional<uint32_t> claimed = view.caps.Find(Cap::DeclTypes);
  if (!claimed) return;
  for (const Record& record : view.Records()) {
    const Result<device::VertexLayout> vertex = device::LayoutOfElements(record.Tail(0).bytes);
    if (!vertex.ok()) continue;
    for (size_t i = 0; i < vertex->elements.size(); ++i) {
      const uint32_t bit = BitOfType(vertex->elements[i].type);
      if (bit == 0 || (*claimed & bit) != 0) continue;
      const std::string_view name = NameOf(d3d::kDeclTypeNames, vertex->elements[i].type);
      view.Report(Rule::kDp2Caps026, record, stream::TailWord(record, 0, i),
                  fmt::format("element {} is of type {}, and DeclTypes is {:#x}, without it", i,
                              name, *claimed),
                  std::string(name), "a type of DeclTypes");
    }
  }
}

// ---------- streams ----------

// DP2-CAPS-032.
void CheckStreamOffset(const CommandView& view) {
  constexpr uint32_t kStreamOffset = 0x1;  // D3DDEVCAPS2_STREAMOFFSET
  constexpr stream::FieldRef kOffset = stream::Field(layout::kSetStreamSource2, "offset");
  const std::optional<uint32_t> claimed = view.caps.Find(Cap::DevCaps2);
  if (!claimed || (*claimed & kStreamOffset) != 0) return;
  for (const Record& record : view.Records()) {
    const uint32_t offset = record.U32(kOffset);
    if (offset == 0) continue;
    view.Report(Rule::kDp2Caps032, record, kOffset,
                fmt::format("the offset is {}, and DevCaps2 is {:#x}, without STREAMOFFSET", offset,
                            *claimed),
                fmt::format("{}", offset), "0");
  }
}

// ---------- blits ----------

// D3DPTFILTERCAPS of StretchRectFilterCaps.
constexpr uint32_t kMinPoint = 0x100, kMinLinear = 0x200;
constexpr uint32_t kMagPoint = 0x1000000, kMagLinear = 0x2000000;

// The bits that a blit of these sizes needs.
uint32_t FilterBits(const device::BltRecord& blt) {
  const image::Area& from = blt.source.place.area;
  const image::Area& to = blt.destination.place.area;
  const bool is_linear = blt.flags == d3d::Value(d3d::BltFlag::Linear);
  uint32_t bits = 0;
  if (to.width() < from.width() || to.height() < from.height())
    bits |= is_linear ? kMinLinear : kMinPoint;
  if (to.width() > from.width() || to.height() > from.height())
    bits |= is_linear ? kMagLinear : kMagPoint;
  return bits;
}

std::string_view NameOfFilterBit(uint32_t bit) {
  switch (bit) {
    case kMinPoint:
      return "MINFPOINT";
    case kMinLinear:
      return "MINFLINEAR";
    case kMagPoint:
      return "MAGFPOINT";
    default:
      return "MAGFLINEAR";
  }
}

// DP2-CAPS-027.
void CheckStretch(const CommandView& view, const Record& record, const device::BltRecord& blt) {
  const std::optional<uint32_t> claimed = view.caps.Find(Cap::StretchRectFilterCaps);
  if (!claimed) return;
  const uint32_t missing = FilterBits(blt) & ~*claimed;
  if (missing == 0) return;
  const std::string_view name = NameOfFilterBit(missing & (~missing + 1));
  view.Report(Rule::kDp2Caps027, record, stream::Field(layout::kBlt, "dest_rect"),
              fmt::format("{} x {} becomes {} x {}, and StretchRectFilterCaps is {:#x}, without {}",
                          blt.source.place.area.width(), blt.source.place.area.height(),
                          blt.destination.place.area.width(), blt.destination.place.area.height(),
                          *claimed, name),
              std::string(name), "sizes and a filter that the device has");
}

// DP2-CAPS-027. Render targets can be read without the capability.
void CheckTextureSource(const CommandView& view, const Record& record,
                        const device::BltRecord& blt) {
  constexpr uint32_t kFromTextures = 0x10;  // D3DDEVCAPS2_CAN_STRETCHRECT_FROM_TEXTURES
  const std::optional<uint32_t> claimed = view.caps.Find(Cap::DevCaps2);
  const Resource& source = *blt.source.surface.resource;
  const bool is_texture = source.is_texture() && (source.caps & device::kCaps3dDevice) == 0;
  if (!claimed || (*claimed & kFromTextures) != 0 || !is_texture) return;
  view.Report(Rule::kDp2Caps027, record, stream::Field(layout::kBlt, "source"),
              fmt::format("the source {} is a texture, and DevCaps2 is {:#x}, without "
                          "CAN_STRETCHRECT_FROM_TEXTURES",
                          source.handle, *claimed),
              "a texture", "a render target or a plain surface");
}

void CheckBltCaps(const CommandView& view) {
  if (view.caps.empty() || view.is_recording()) return;
  for (const Record& record : view.Records()) {
    device::BltRecord blt;
    if (!device::ReadBlt(*view.context.space, record, blt).empty()) continue;
    CheckStretch(view, record, blt);
    CheckTextureSource(view, record, blt);
  }
}

// DP2-CAPS-027: copies between system memory and video memory.
void CheckSurfaceBltCaps(const CommandView& view) {
  constexpr uint32_t kToVideo = 0x100, kToSystem = 0x200;  // D3DCAPS3_COPY_TO_VIDMEM, _SYSTEMMEM
  const std::optional<uint32_t> claimed = view.caps.Find(Cap::Caps3);
  if (!claimed || view.is_recording()) return;
  for (const Record& record : view.Records()) {
    device::BltRecord blt;
    if (!device::ReadSurfaceBlt(*view.context.space, record, blt).empty()) continue;
    const uint32_t from = blt.source.surface.resource->caps;
    const uint32_t to = blt.destination.surface.resource->caps;
    const auto crosses = [from, to](uint32_t a, uint32_t b) {
      return (from & a) != 0 && (to & b) != 0;
    };
    const uint32_t needed = crosses(device::kCapsSystemMemory, device::kCapsVideoMemory) ? kToVideo
                            : crosses(device::kCapsVideoMemory, device::kCapsSystemMemory)
                                ? kToSystem
                                : 0;
    if (needed == 0 || (*claimed & needed) != 0) continue;
    const std::string_view name = needed == kToVideo ? "COPY_TO_VIDMEM" : "COPY_TO_SYSTEMMEM";
    view.Report(Rule::kDp2Caps027, record, stream::Field(layout::kSurfaceBlt, "dest"),
                fmt::format("a copy from {} to {} memory, and Caps3 is {:#x}, without {}",
                            needed == kToVideo ? "system" : "video",
                            needed == kToVideo ? "video" : "system", *claimed, name),
                fmt::format("Caps3 {:#x}", *claimed), std::string(name));
  }
}

constexpr CommandRule kCapsRules[] = {
    {Op::kCreateVertexShaderDecl, CheckDeclarations},
    {Op::kSetStreamSource2, CheckStreamOffset},
    {Op::kBlt, CheckBltCaps},
    {Op::kSurfaceBlt, CheckSurfaceBltCaps},
    {Op::kCreateVertexShader, CheckCapsOfShaders},
    {Op::kCreateVertexShaderFunc, CheckCapsOfShaders},
    {Op::kCreatePixelShader, CheckCapsOfShaders},
};

}  // namespace

const Topic kCapsTopic = {.rules = [] { return std::span<const CommandRule>(kCapsRules); },
                          .at_draw = CheckCapsAtDraw,
                          .drawn = CheckDrawnCaps};

}  // namespace dp2trace::validate
