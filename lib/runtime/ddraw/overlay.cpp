// Overlays: what the display lays over the primary surface.
// Source: Microsoft's DirectDraw 7 API reference (UpdateOverlay, SetOverlayPosition, UpdateOverlayZOrder, DDOVERLAYFX); lib/design.md 3 ("Present").
#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/ddraw/surface_table.h"
#include "runtime/ddraw/temporary_surface.h"

namespace dp2trace::runtime::ddraw {
namespace {

// An overlay is laid on by a blit: each flag of the one has its twin among those of the other.
constexpr std::pair<uint32_t, uint32_t> kTwins[] = {
    {ddover::kKeyDest, ddblt::kKeyDestOverride},
    {ddover::kKeyDestOverride, ddblt::kKeyDestOverride},
    {ddover::kKeySrc, ddblt::kKeySrcOverride},
    {ddover::kKeySrcOverride, ddblt::kKeySrcOverride},
    {ddover::kEffects, ddblt::kEffects},
};

bool HasPalette(const Surface& surface) {
  return FormatOf(surface.format)->has_palette();
}

// Unspecified: whether keys count that surfaces get later; chosen: those at the time of the call, as hardware gets them.
bool TakeKeys(const SurfaceTable::OverlayCall& call, BltEffects& effects) {
  if ((call.flags & ddover::kKeyDestOverride) == 0 && (call.flags & ddover::kKeyDest) != 0) {
    if (!call.dest->dest_overlay_key) return false;
    effects.dest_key = *call.dest->dest_overlay_key;
  }
  if ((call.flags & ddover::kKeySrcOverride) == 0 && (call.flags & ddover::kKeySrc) != 0) {
    if (!call.overlay->source_overlay_key) return false;
    effects.source_key = *call.overlay->source_overlay_key;
  }
  return true;
}

// The blit that lays the overlay on, without its surfaces.
std::optional<SurfaceTable::BltCall> BltOf(const SurfaceTable::OverlayCall& call) {
  const d3d::Rect source = call.source_rect.value_or(WholeOf(*call.overlay));
  const d3d::Rect dest = call.dest_rect.value_or(WholeOf(*call.dest));
  if (!HasExtent(source) || !HasExtent(dest) || !IsInside(*call.overlay, source))
    return std::nullopt;
  SurfaceTable::BltCall blt;
  blt.source_rect = source;
  blt.dest_rect = dest;
  for (const auto& [overlay_flag, blt_flag] : kTwins) {
    if ((call.flags & overlay_flag) != 0) blt.flags |= blt_flag;
  }
  const OverlayEffects given = call.effects.value_or(OverlayEffects());
  blt.effects = BltEffects{
      .effects = given.effects, .dest_key = given.dest_key, .source_key = given.source_key};
  return TakeKeys(call, *blt.effects) ? std::optional(blt) : std::nullopt;
}

}  // namespace

size_t SurfaceTable::OverlayIndex(const Surface& overlay) const {
  const auto is_same = [&](const Overlay& shown) { return shown.surface.lock().get() == &overlay; };
  return static_cast<size_t>(std::ranges::find_if(overlays_, is_same) - overlays_.begin());
}

bool SurfaceTable::UpdateOverlay(const OverlayCall& call) {
  if (call.overlay == nullptr) return false;
  const size_t index = OverlayIndex(*call.overlay);
  const bool is_shown = index < overlays_.size();
  if ((call.flags & ddover::kHide) != 0) {
    if (!is_shown) return true;
    const std::shared_ptr<Surface> primary = overlays_[index].primary.lock();
    overlays_.erase(overlays_.begin() + static_cast<std::ptrdiff_t>(index));
    if (primary != nullptr) Show(*primary, primary->handle, {});
    return true;
  }
  // Flags that show nothing change what is shown already.
  if (!is_shown && (call.flags & ddover::kShow) == 0) return true;
  const bool can_show = call.dest != nullptr && call.dest->Has(ddscaps::kPrimarySurface) &&
                        call.dest->space == call.overlay->space && !HasPalette(*call.dest) &&
                        (call.flags & ddover::kAlpha) == 0;
  if (!can_show) return false;
  const std::optional<BltCall> blt = BltOf(call);
  if (!blt) return false;
  if (!is_shown) overlays_.emplace_back();
  overlays_[index] = {Share(*call.overlay), Share(*call.dest), *blt};
  ShowBelow(*call.overlay);
  return true;
}

bool SurfaceTable::SetOverlayPosition(const Surface& overlay, int32_t x, int32_t y) {
  const size_t index = OverlayIndex(overlay);
  if (index == overlays_.size()) return false;
  d3d::Rect& dest = *overlays_[index].call.dest_rect;
  const int64_t right = int64_t{x} + dest.right - dest.left;
  const int64_t bottom = int64_t{y} + dest.bottom - dest.top;
  if (right > INT32_MAX || bottom > INT32_MAX) return false;
  dest = {x, y, static_cast<int32_t>(right), static_cast<int32_t>(bottom)};
  ShowBelow(overlay);
  return true;
}

bool SurfaceTable::SetOverlayOrder(const Surface& overlay, OverlayOrder order,
                                   const Surface* reference) {
  const size_t from = OverlayIndex(overlay);
  if (from == overlays_.size()) return false;
  const Overlay moved = overlays_[from];
  overlays_.erase(overlays_.begin() + static_cast<std::ptrdiff_t>(from));
  size_t to = 0;
  switch (order) {
    case OverlayOrder::kSendToFront:
      to = overlays_.size();
      break;
    case OverlayOrder::kSendToBack:
      break;
    case OverlayOrder::kMoveForward:
      to = std::min(from + 1, overlays_.size());
      break;
    case OverlayOrder::kMoveBackward:
      to = from == 0 ? 0 : from - 1;
      break;
    case OverlayOrder::kInsertInFrontOf:
    case OverlayOrder::kInsertInBackOf:
      to = reference == nullptr ? overlays_.size() : OverlayIndex(*reference);
      // The reference is not shown: the order stays.
      if (to == overlays_.size()) {
        overlays_.insert(overlays_.begin() + static_cast<std::ptrdiff_t>(from), moved);
        return false;
      }
      if (order == OverlayOrder::kInsertInFrontOf) ++to;
      break;
    default:
      to = from;
  }
  overlays_.insert(overlays_.begin() + static_cast<std::ptrdiff_t>(to), moved);
  if (to != from) ShowBelow(overlay);
  return true;
}

void SurfaceTable::ShowBelow(const Surface& overlay) {
  const size_t index = OverlayIndex(overlay);
  if (index == overlays_.size()) return;
  const std::shared_ptr<Surface> primary = overlays_[index].primary.lock();
  if (primary != nullptr) Show(*primary, primary->handle, {});
}

void SurfaceTable::Show(const Surface& primary, uint32_t handle,
                        const std::optional<d3d::Rect>& rect) {
  constexpr uint64_t kOverlaySteps = 64;  // of looking at one (Allowance)
  if (!recorder_.Spend(overlays_.size() * kOverlaySteps)) return;
  std::erase_if(overlays_, [](const Overlay& overlay) { return overlay.surface.expired(); });
  const auto lies_above = [&](const Overlay& overlay) {
    return overlay.primary.lock().get() == &primary;
  };
  if (std::ranges::none_of(overlays_, lies_above)) {
    recorder_.Present({.space = primary.space, .handle = handle, .rect = rect});
    return;
  }
  const TemporarySurface memory(recorder_, primary, WholeOf(primary));
  trace::Blt copy;
  copy.space = primary.space;
  copy.src = handle;
  copy.dest = memory.handle();
  copy.flags = ddblt::kWait;
  recorder_.Blt(copy);
  Complex complex;
  Surface screen;
  screen.complex = &complex;
  screen.root = &screen;
  screen.space = primary.space;
  screen.handle = memory.handle();
  screen.width = primary.width;
  screen.height = primary.height;
  screen.format = primary.format;
  for (const Overlay& overlay : overlays_) {
    if (!lies_above(overlay)) continue;
    const std::shared_ptr<Surface> source = overlay.surface.lock();
    BltCall call = overlay.call;
    call.dest = &screen;
    call.source = source.get();
    (void)Blt(call);
  }
  recorder_.Present({.space = primary.space, .handle = memory.handle(), .rect = rect});
}

}  // namespace dp2trace::runtime::ddraw
