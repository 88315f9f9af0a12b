// Blits between surfaces and fills.
// Source: lib/design.md 3 (`blt`, "Present"); lib/raster/rendering-output.md 7.2 (colour keys).
#include <algorithm>
#include <cstdint>

#include "runtime/ddraw/surface_table.h"
#include "runtime/ddraw/temporary_surface.h"

namespace dp2trace::runtime::ddraw {
namespace {

constexpr uint32_t kFills = ddblt::kColorFill | ddblt::kDepthFill;
constexpr int64_t kMaxTemporaryPixels = 4096 * 4096;

// DDBLTFX.dwDDFX.
constexpr uint32_t kMirrorLeftRight = 0x2;
constexpr uint32_t kMirrorUpDown = 0x4;
constexpr uint32_t kRotate180 = 0x10;
constexpr uint32_t kRotate270 = 0x20;
constexpr uint32_t kRotate90 = 0x40;

uint32_t EffectsOf(const SurfaceTable::BltCall& call) {
  return (call.flags & ddblt::kEffects) != 0 && call.effects ? call.effects->effects : 0;
}

Mirroring MirroringOf(uint32_t effects) {
  const bool is_turned = (effects & kRotate180) != 0;
  return {.is_left_right = ((effects & kMirrorLeftRight) != 0) != is_turned,
          .is_up_down = ((effects & kMirrorUpDown) != 0) != is_turned};
}

// What kind of blit the flags ask for. False: none that an event can say.
bool Classify(const SurfaceTable::BltCall& call, trace::Blt& event) {
  const uint32_t rop = call.effects ? call.effects->rop : 0;
  const bool is_rop = (call.flags & ddblt::kRop) != 0;
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
  const bool is_turned = (EffectsOf(call) & (kRotate90 | kRotate270)) != 0;
  return call.source != nullptr && (!is_rop || rop == kRopSourceCopy) && !is_turned;
}

void AddKeys(const SurfaceTable::BltCall& call, trace::Blt& event) {
  const Surface& dest_key_holder = call.takes_source_dest_key ? *call.source : *call.dest;
  if ((call.flags & ddblt::kKeySrc) != 0) event.src_color_key = call.source->source_key;
  if ((call.flags & ddblt::kKeyDest) != 0) event.dest_color_key = dest_key_holder.dest_key;
  if (!call.effects) return;
  if ((call.flags & ddblt::kKeySrcOverride) != 0) event.src_color_key = call.effects->source_key;
  if ((call.flags & ddblt::kKeyDestOverride) != 0) event.dest_color_key = call.effects->dest_key;
}

// Pixels can be copied one by one.
bool HasPixels(const Surface& surface) {
  const d3d::FormatInfo* const format = FormatOf(surface.format);
  return format != nullptr && format->block_width == 1 &&
         format->kind != d3d::FormatKind::kPlanarYuv;
}

// A copy on a temporary surface of the size of `dest` is worth what the original is.
bool CanPassThrough(const Surface& source, const Surface& dest, const d3d::Rect& dest_rect) {
  const int64_t width = int64_t{dest_rect.right} - dest_rect.left;
  const int64_t height = int64_t{dest_rect.bottom} - dest_rect.top;
  if (!HasPixels(source) || width > kMaxTemporaryPixels || height > kMaxTemporaryPixels / width)
    return false;
  // The palette of a surface belongs to it.
  const d3d::FormatInfo* const format = FormatOf(source.format);
  return !format->has_palette() || FormatOf(dest.format) == format;
}

}  // namespace

void SurfaceTable::RecordBlt(trace::Blt event, const d3d::Rect& dest, const d3d::Rect& source) {
  event.dest_rect = dest;
  event.src_rect = source;
  recorder_.Blt(event);
}

// Strips of one pixel: the rectangles of an event do not turn around.
void SurfaceTable::MirrorBlt(const trace::Blt& event, const BltPlacement& placement) {
  for (const BltStrip& strip : MirroredStrips(placement))
    RecordBlt(event, strip.dest, strip.source);
}

// The stretched or twice mirrored image is made beside both surfaces, then cut and compared with the keys.
bool SurfaceTable::BltThroughTemporary(const BltCall& call, const trace::Blt& event,
                                       const BltPlacement& placement) {
  if (!CanPassThrough(*call.source, *call.dest, placement.dest)) return false;
  const d3d::Rect size = {0, 0, placement.dest.right - placement.dest.left,
                          placement.dest.bottom - placement.dest.top};
  const TemporarySurface first(recorder_, *call.source, size);
  trace::Blt whole = event;
  whole.flags = ddblt::kWait;
  whole.src_color_key = whole.dest_color_key = std::nullopt;
  whole.dest = first.handle();
  whole.dest_face = whole.dest_level = 0;
  RecordBlt(whole, size, placement.source);
  BltPlacement rest = placement;
  rest.source = size;
  trace::Blt last = event;
  last.src = first.handle();
  last.src_face = last.src_level = 0;
  if (!rest.mirroring.is_left_right || !rest.mirroring.is_up_down) {
    rest.mirroring.any() ? MirrorBlt(last, rest)
                         : RecordBlt(last, rest.visible, ProportionalSource(rest));
    return true;
  }
  const TemporarySurface second(recorder_, *call.source, size);
  trace::Blt middle = whole;
  middle.src = first.handle();
  middle.src_face = middle.src_level = 0;
  middle.dest = second.handle();
  MirrorBlt(middle, {size, size, size, {.is_left_right = true}});
  last.src = second.handle();
  rest.mirroring = {.is_up_down = true};
  MirrorBlt(last, rest);
  return true;
}

bool SurfaceTable::BltCopy(const BltCall& call, trace::Blt& event, const BltPlacement& placement) {
  // Surfaces of two DirectDraw objects have no name space in common.
  if (call.source->space != call.dest->space || !IsInside(*call.source, placement.source))
    return false;
  event.src = call.source->root->handle;
  event.src_face = call.source->face;
  event.src_level = call.source->level;
  AddKeys(call, event);
  const bool is_cut = placement.visible != placement.dest;
  const Mirroring& mirroring = placement.mirroring;
  if (!mirroring.any() && (!is_cut || HasExactSource(placement))) {
    if (call.source_rect || is_cut) event.src_rect = ProportionalSource(placement);
    if (call.dest_rect || is_cut) event.dest_rect = placement.visible;
    recorder_.Blt(event);
    return true;
  }
  event.flags &= ~ddblt::kEffects;
  const bool is_same_memory = event.src == event.dest && event.src_face == event.dest_face &&
                              event.src_level == event.dest_level;
  const bool is_direct = mirroring.is_left_right != mirroring.is_up_down &&
                         !IsStretched(placement) && !is_same_memory && HasPixels(*call.source);
  if (is_direct) {
    MirrorBlt(event, placement);
    return true;
  }
  if (BltThroughTemporary(call, event, placement)) return true;
  // Unspecified: how a cut goes through a stretched image that cannot be made first; chosen: the source in proportion.
  if (mirroring.any()) return false;
  const d3d::Rect source = ProportionalSource(placement);
  if (HasExtent(source)) RecordBlt(event, placement.visible, source);
  return true;
}

bool SurfaceTable::Blt(const BltCall& call) {
  trace::Blt event;
  if (call.dest == nullptr || !Classify(call, event)) return false;
  const bool is_copy = event.kind == trace::BltKind::kCopy;
  event.space = call.dest->space;
  event.dest = call.dest->root->handle;
  event.dest_face = call.dest->face;
  event.dest_level = call.dest->level;
  event.flags = call.flags;
  BltPlacement placement;
  placement.dest = call.dest_rect.value_or(WholeOf(*call.dest));
  placement.source = is_copy ? call.source_rect.value_or(WholeOf(*call.source)) : placement.dest;
  if (!HasExtent(placement.dest) || !HasExtent(placement.source)) return true;
  placement.mirroring = MirroringOf(EffectsOf(call));
  placement.visible = Overlap(placement.dest, WholeOf(*call.dest));
  const Clipper* const clipper = call.dest->clipper.get();
  if (clipper != nullptr && clipper->bounds())
    placement.visible = Overlap(placement.visible, *clipper->bounds());
  if (!HasExtent(placement.visible)) return true;
  if (is_copy) {
    if (!BltCopy(call, event, placement)) return false;
  } else {
    if (call.dest_rect || placement.visible != placement.dest) event.dest_rect = placement.visible;
    recorder_.Blt(event);
  }
  if (!call.dest->Has(ddscaps::kPrimarySurface)) return true;
  std::optional<d3d::Rect> shown;
  if (call.dest_rect || placement.visible != placement.dest) shown = placement.visible;
  Show(*call.dest, call.dest->handle, shown);
  return true;
}

}  // namespace dp2trace::runtime::ddraw
