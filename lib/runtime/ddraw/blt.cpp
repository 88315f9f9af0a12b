// Blits between surfaces and fills.
// Source: DESIGN section 3 (`blt`, "Present"); rendering specification, 7.2 (colour keys).
#include <algorithm>
#include <cstdint>

#include "runtime/ddraw/surface_table.h"

namespace dp2trace::runtime::ddraw {
namespace {

constexpr uint32_t kMirrorAndRotate = 0x2 | 0x4 | 0x10 | 0x20 | 0x40;  // DDBLTFX_MIRROR*, _ROTATE*
constexpr uint32_t kFills = ddblt::kColorFill | ddblt::kDepthFill;

bool HasExtent(const d3d::Rect& rect) {
  return rect.left < rect.right && rect.top < rect.bottom;
}

d3d::Rect WholeOf(const Surface& surface) {
  return {0, 0, static_cast<int32_t>(surface.width), static_cast<int32_t>(surface.height)};
}

// Cuts a side of the destination at [0, extent) and the source in proportion.
void CutSide(int32_t extent, int32_t& low, int32_t& high, int32_t& source_low,
             int32_t& source_high) {
  const int64_t size = int64_t{high} - low;
  const int64_t source_size = int64_t{source_high} - source_low;
  const int32_t new_low = std::max(low, 0);
  const int32_t new_high = std::min(high, extent);
  const int32_t source_start = source_low;
  source_low = static_cast<int32_t>(source_start + (int64_t{new_low} - low) * source_size / size);
  source_high = static_cast<int32_t>(source_start + (int64_t{new_high} - low) * source_size / size);
  low = new_low;
  high = new_high;
}

// Unspecified: a blit that sticks out of the destination (a clipper lets it); chosen: cut at the edges, the source in proportion.
void CutAtEdges(const Surface& dest, d3d::Rect& rect, d3d::Rect& source) {
  CutSide(static_cast<int32_t>(dest.width), rect.left, rect.right, source.left, source.right);
  CutSide(static_cast<int32_t>(dest.height), rect.top, rect.bottom, source.top, source.bottom);
}

bool IsInside(const Surface& surface, const d3d::Rect& rect) {
  const d3d::Rect whole = WholeOf(surface);
  return rect.left >= 0 && rect.top >= 0 && rect.right <= whole.right &&
         rect.bottom <= whole.bottom;
}

// What kind of blit the flags ask for. False: none that an event can say.
bool Classify(const SurfaceTable::BltCall& call, trace::Blt& event) {
  const uint32_t rop = call.effects ? call.effects->rop : 0;
  const bool is_rop = (call.flags & ddblt::kRop) != 0;
  if ((call.flags & ddblt::kEffects) != 0 && call.effects &&
      (call.effects->effects & kMirrorAndRotate) != 0)
    return false;
  if ((call.flags & kFills) != 0) {
    if (!call.effects) return false;
    event.kind = (call.flags & ddblt::kDepthFill) != 0 ? trace::BltKind::kDepthFill
                                                       : trace::BltKind::kColorFill;
    event.fill = call.effects->fill;
    return true;
  }
  if (is_rop && (rop == kRopBlackness || rop == kRopWhiteness)) {
    event.kind = trace::BltKind::kColorFill;
    event.fill = rop == kRopBlackness ? 0 : 0xFFFFFFFF;
    return true;
  }
  return call.source != nullptr && (!is_rop || rop == kRopSourceCopy);
}

void AddKeys(const SurfaceTable::BltCall& call, trace::Blt& event) {
  const Surface& dest_key_holder = call.takes_source_dest_key ? *call.source : *call.dest;
  if ((call.flags & ddblt::kKeySrc) != 0) event.src_color_key = call.source->source_key;
  if ((call.flags & ddblt::kKeyDest) != 0) event.dest_color_key = dest_key_holder.dest_key;
  if (!call.effects) return;
  if ((call.flags & ddblt::kKeySrcOverride) != 0) event.src_color_key = call.effects->source_key;
  if ((call.flags & ddblt::kKeyDestOverride) != 0) event.dest_color_key = call.effects->dest_key;
}

}  // namespace

bool SurfaceTable::Blt(const BltCall& call) {
  trace::Blt event;
  if (call.dest == nullptr || !Classify(call, event)) return false;
  const bool is_copy = event.kind == trace::BltKind::kCopy;
  event.space = call.dest->space;
  event.dest = call.dest->root->handle;
  event.dest_face = call.dest->face;
  event.dest_level = call.dest->level;
  event.flags = call.flags;
  d3d::Rect dest = call.dest_rect.value_or(WholeOf(*call.dest));
  d3d::Rect source = is_copy ? call.source_rect.value_or(WholeOf(*call.source)) : dest;
  if (!HasExtent(dest) || !HasExtent(source)) return true;
  const bool is_cut = !IsInside(*call.dest, dest);
  if (is_cut) CutAtEdges(*call.dest, dest, source);
  if (!HasExtent(dest) || !HasExtent(source)) return true;
  if (is_copy) {
    // Surfaces of two DirectDraw objects have no name space in common.
    if (call.source->space != call.dest->space || !IsInside(*call.source, source)) return false;
    event.src = call.source->root->handle;
    event.src_face = call.source->face;
    event.src_level = call.source->level;
    if (call.source_rect || is_cut) event.src_rect = source;
    AddKeys(call, event);
  }
  if (call.dest_rect || is_cut) event.dest_rect = dest;
  recorder_.Blt(event);
  if (call.dest->Has(ddscaps::kPrimarySurface)) {
    recorder_.Present({.space = event.space, .handle = call.dest->handle, .rect = event.dest_rect});
  }
  return true;
}

}  // namespace dp2trace::runtime::ddraw
