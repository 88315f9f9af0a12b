// Handlers of IDirectDrawSurface and of surface creation.
// Source: Microsoft's DirectDraw 7 API reference; lib/import/captures.md (locks).
#include <algorithm>

#include "d3d/interface.h"
#include "import/bind/ddraw.h"

namespace dp2trace::import {

using runtime::ddraw::Surface;
using runtime::ddraw::SurfaceTable;
namespace ddblt = runtime::ddraw::ddblt;
namespace ddbltfast = runtime::ddraw::ddbltfast;

namespace {

trace::SurfaceRead UnknownRead(const Surface* surface, const std::optional<d3d::Rect>& rect) {
  trace::SurfaceRead read;
  read.space = surface == nullptr ? 0 : surface->space;
  read.handle = surface == nullptr ? 0 : surface->root->handle;
  read.rect = rect;
  return read;
}

LockKey GdiKeyOf(const Surface& surface) {
  return {uint64_t{surface.space} << 32 | surface.root->handle, surface.face * 32 + surface.level};
}

}  // namespace

Outcome DirectDrawBinding::OnCreateSurface(const Call& call) {
  const Surface* const surface =
      model_.CreateSurface(ObjectAt(call, 0), DescriptionAt(call, 1), ReturnedAt(call, 2));
  return surface == nullptr ? Outcome::kUnsupported : Outcome::kDone;
}

Outcome DirectDrawBinding::OnGetAttachedSurface(const Call& call) {
  Surface* const surface = SurfaceAt(call, 0);
  const uint64_t returned = ReturnedAt(call, 2);
  if (surface == nullptr || returned == 0) return Outcome::kUnsupported;
  Surface* attached = model_.surfaces().Find(returned);
  const bool is_attached =
      attached != nullptr &&
      (attached->complex == surface->complex || attached == surface->depth ||
       std::ranges::any_of(surface->added, [&](const runtime::ddraw::Attachment& attachment) {
         return attachment.surface == attached;
       }));
  // Else not known yet, or a pointer that served another surface before.
  if (!is_attached) {
    const std::vector<uint32_t> caps = WordsAt(call, 1);
    attached = SurfaceTable::FindAttached(*surface, caps.empty() ? 0 : caps[0],
                                          caps.size() < 2 ? 0 : caps[1]);
  }
  if (attached == nullptr) return Outcome::kUnsupported;
  model_.surfaces().AddInterface(returned, *attached);
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnAddAttachedSurface(const Call& call) {
  return model_.Attach(ObjectAt(call, 0), ObjectAt(call, 1)) ? Outcome::kDone
                                                             : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnDeleteAttachedSurface(const Call& call) {
  return model_.Detach(ObjectAt(call, 0), ObjectAt(call, 2)) ? Outcome::kDone
                                                             : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnGetDirectDraw(const Call& call) {
  const Surface* const surface = SurfaceAt(call, 0);
  if (surface != nullptr) model_.AdoptObject(ReturnedAt(call, 1), surface->space);
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnGetSurfaceDescription(const Call& call) {
  if (Surface* const surface = SurfaceAt(call, 0)) model_.Learn(*surface, DescriptionAt(call, 1));
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnSetColorKey(const Call& call) {
  Surface* const surface = SurfaceAt(call, 0);
  if (surface == nullptr) return Outcome::kUnsupported;
  model_.surfaces().SetColorKey(*surface, NumberAt(call, 1), ColorKeyAt(call, 2));
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetPalette(const Call& call) {
  return model_.SetPalette(ObjectAt(call, 0), ObjectAt(call, 1)) ? Outcome::kDone
                                                                 : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnSetClipper(const Call& call) {
  return model_.SetClipper(ObjectAt(call, 0), ObjectAt(call, 1)) ? Outcome::kNoEffect
                                                                 : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnSetLod(const Call& call) {
  return model_.SetLod(ObjectAt(call, 0), NumberAt(call, 1)) ? Outcome::kDone
                                                             : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnDuplicateSurface(const Call& call) {
  Surface* const surface = SurfaceAt(call, 1);
  const uint64_t returned = ReturnedAt(call, 2);
  if (surface == nullptr || returned == 0) return Outcome::kUnsupported;
  // Unspecified: the second object on the same memory; chosen: another interface of the first.
  model_.surfaces().AddInterface(returned, *surface);
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnBlt(const Call& call) {
  SurfaceTable::BltCall blt;
  blt.dest = SurfaceAt(call, 0);
  blt.dest_rect = RectAt(call, 1);
  blt.source = SurfaceAt(call, 2);
  blt.source_rect = RectAt(call, 3);
  blt.flags = NumberAt(call, 4);
  blt.effects = EffectsAt(call, 5);
  // Unspecified: which surface's key interfaces 2 and 3 take; chosen: as interface 1, before DirectDraw 4 changed it.
  const std::string& name = call.function->name;
  blt.takes_source_dest_key =
      !name.starts_with("IDirectDrawSurface7") && !name.starts_with("IDirectDrawSurface4");
  if (blt.source == nullptr && ObjectAt(call, 2) != 0) return Outcome::kUnsupported;
  session_.Mark(call);
  return model_.surfaces().Blt(blt) ? Outcome::kDone : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnBltFast(const Call& call) {
  SurfaceTable::BltCall blt;
  blt.dest = SurfaceAt(call, 0);
  blt.source = SurfaceAt(call, 3);
  if (blt.dest == nullptr || blt.source == nullptr) return Outcome::kUnsupported;
  const auto x = static_cast<int32_t>(NumberAt(call, 1));
  const auto y = static_cast<int32_t>(NumberAt(call, 2));
  const d3d::Rect whole = {0, 0, static_cast<int32_t>(blt.source->width),
                           static_cast<int32_t>(blt.source->height)};
  blt.source_rect = RectAt(call, 4);
  const d3d::Rect source = blt.source_rect.value_or(whole);
  const int64_t right = int64_t{x} + source.right - source.left;
  const int64_t bottom = int64_t{y} + source.bottom - source.top;
  if (right > INT32_MAX || bottom > INT32_MAX) return Outcome::kUnsupported;
  blt.dest_rect = d3d::Rect{x, y, static_cast<int32_t>(right), static_cast<int32_t>(bottom)};
  const uint32_t kind = NumberAt(call, 5);
  blt.flags = ddblt::kWait;
  if ((kind & ddbltfast::kSourceKey) != 0) blt.flags |= ddblt::kKeySrc;
  if ((kind & ddbltfast::kDestKey) != 0) blt.flags |= ddblt::kKeyDest;
  session_.Mark(call);
  return model_.surfaces().Blt(blt) ? Outcome::kDone : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnFlip(const Call& call) {
  session_.Mark(call);
  return model_.Flip(ObjectAt(call, 0), ObjectAt(call, 1)) ? Outcome::kDone : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnUpdateOverlay(const Call& call) {
  session_.Mark(call);
  const SurfaceTable::OverlayCall overlay = {.overlay = SurfaceAt(call, 0),
                                             .source_rect = RectAt(call, 1),
                                             .dest = SurfaceAt(call, 2),
                                             .dest_rect = RectAt(call, 3),
                                             .flags = NumberAt(call, 4),
                                             .effects = OverlayEffectsAt(call, 5)};
  return model_.surfaces().UpdateOverlay(overlay) ? Outcome::kDone : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnSetOverlayPosition(const Call& call) {
  const Surface* const overlay = SurfaceAt(call, 0);
  if (overlay == nullptr) return Outcome::kUnsupported;
  session_.Mark(call);
  const bool is_moved = model_.surfaces().SetOverlayPosition(
      *overlay, static_cast<int32_t>(NumberAt(call, 1)), static_cast<int32_t>(NumberAt(call, 2)));
  return is_moved ? Outcome::kDone : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnUpdateOverlayOrder(const Call& call) {
  const Surface* const overlay = SurfaceAt(call, 0);
  if (overlay == nullptr) return Outcome::kUnsupported;
  session_.Mark(call);
  // The order of overlays that are not shown is not kept: nothing depends on it until they are.
  (void)model_.surfaces().SetOverlayOrder(
      *overlay, static_cast<runtime::ddraw::OverlayOrder>(NumberAt(call, 1)), SurfaceAt(call, 2));
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnGetDc(const Call& call) {
  const Surface* const surface = SurfaceAt(call, 0);
  if (surface == nullptr) return Outcome::kUnsupported;
  session_.gdi.OnGetDc(GdiKeyOf(*surface), call.function->name, session_.recorder);
  return Outcome::kNoEffect;
}

void DirectDrawBinding::OpenSurfaceLock(uint64_t object, const Surface& surface, uint64_t pointer,
                                        const runtime::ddraw::LockedArea& area) {
  // A lock of the same memory whose Unlock is not in the capture.
  std::erase_if(locks_, [&](const OpenLock& lock) {
    if (lock.pointer != pointer) return false;
    (void)session_.locks.Close(lock.key);
    return true;
  });
  const LockKey key = {object, ++lock_count_};
  session_.locks.Open(key, pointer, area.size());
  locks_.push_back({&surface, key, pointer, area});
}

Outcome DirectDrawBinding::OnLock(const Call& call) {
  Surface* const surface = SurfaceAt(call, 0);
  const uint32_t flags = NumberAt(call, 3);
  const bool is_counted = (flags & d3d::kLockReadOnly) != 0;
  const runtime::ddraw::SurfaceDescription description = DescriptionAt(call, 2);
  if (surface != nullptr) model_.Learn(*surface, description);
  const auto area = surface == nullptr
                        ? std::nullopt
                        : SurfaceTable::AreaOf(*surface, RectAt(call, 1), description, flags);
  if (is_counted) session_.Mark(call);
  if (!area) {
    // A read that cannot be followed keeps its number.
    if (is_counted) session_.recorder.ReadSurface(UnknownRead(surface, RectAt(call, 1)));
    return Outcome::kUnsupported;
  }
  const uint64_t pointer = SurfacePointerAt(call, 2);
  if (pointer != 0) OpenSurfaceLock(ObjectAt(call, 0), *surface, pointer, *area);
  if (!is_counted) return Outcome::kNoEffect;
  model_.surfaces().Read(*surface, *area);
  return Outcome::kDone;
}

std::vector<DirectDrawBinding::OpenLock>::iterator DirectDrawBinding::FindLock(
    const Call& call, const Surface& surface) {
  // Interfaces 4 and 7 name the rectangle, older ones the pointer.
  const std::optional<d3d::Rect> rect = RectAt(call, 1);
  const uint64_t pointer = rect ? 0 : ObjectAt(call, 1);
  const auto is_named = [&](const OpenLock& lock) {
    return lock.surface == &surface &&
           (rect ? lock.area.rect == *rect : pointer == 0 || lock.pointer == pointer);
  };
  const auto named = std::ranges::find_if(locks_, is_named);
  if (named != locks_.end()) return named;
  return std::ranges::find_if(locks_,
                              [&](const OpenLock& lock) { return lock.surface == &surface; });
}

Outcome DirectDrawBinding::OnUnlock(const Call& call) {
  const Surface* const surface = SurfaceAt(call, 0);
  if (surface == nullptr) return Outcome::kUnsupported;
  const auto lock = FindLock(call, *surface);
  if (lock == locks_.end()) return Outcome::kNoEffect;
  CloseLock(lock, call);
  return Outcome::kDone;
}

void DirectDrawBinding::CloseLock(std::vector<OpenLock>::iterator lock, const Call& call) {
  const OpenLock closed = *lock;
  locks_.erase(lock);
  const auto writes = session_.locks.Close(closed.key);
  if (!writes || writes->empty()) return;
  const LockWrite& first = writes->front();
  if (closed.area.is_whole && first.offset == 0 && first.bytes.size() == closed.area.size())
    session_.gdi.OnWholeWrite(GdiKeyOf(*closed.surface), session_.recorder);
  session_.Mark(call);
  for (const LockWrite& write : *writes)
    model_.surfaces().Write(*closed.surface, closed.area, write.offset, write.bytes);
}

}  // namespace dp2trace::import
