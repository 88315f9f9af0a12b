// What changes of a surface while it lives: attachments, colour keys, the order of a flip chain, and what was only guessed.
// Source: lib/design.md 3 ("Present", "Surfaces"); lib/opcode/dp2.md 12.2; Microsoft's DirectDraw 7 API reference.
#include <algorithm>
#include <utility>

#include "runtime/ddraw/surface_table.h"

namespace dp2trace::runtime::ddraw {

namespace {

// Their memory can be exchanged.
bool AreBuffersOfOneChain(const Surface& a, const Surface& b) {
  const auto stands_alone = [](const Surface& surface) {
    return surface.complex->surfaces.size() == 1;
  };
  return stands_alone(a) && stands_alone(b) && a.space == b.space && a.width == b.width &&
         a.height == b.height && FormatOf(a.format) == FormatOf(b.format);
}

}  // namespace

Surface* SurfaceTable::FindAttached(Surface& surface, uint32_t caps, uint32_t caps2) {
  constexpr uint32_t kChain = ddscaps::kFlip | ddscaps::kBackBuffer | ddscaps::kFrontBuffer;
  if ((caps & ddscaps::kZBuffer) != 0) return surface.depth;
  for (Surface* const candidate : surface.attached) {
    const uint32_t wanted = caps & (ddscaps::kTexture | ddscaps::kMipMap | kChain);
    if ((candidate->caps[0] & wanted) == wanted && (candidate->caps[1] & caps2) == caps2)
      return candidate;
  }
  // Observed: programs ask the second back buffer for a FLIP surface and the front buffer for any of the chain.
  for (Surface* const candidate : surface.attached) {
    if ((caps & kChain) != 0 && candidate->Has(ddscaps::kFlip)) return candidate;
  }
  for (const Attachment& attachment : surface.added) {
    if ((attachment.surface->caps[0] & caps) == caps) return attachment.surface;
  }
  return surface.attached.empty() ? nullptr : surface.attached.front();
}

void SurfaceTable::AttachDepth(Surface& surface, Surface& depth, ObjectId depth_interface) {
  if (surface.depth == &depth) return;
  DetachDepth(surface, nullptr);
  surface.depth = &depth;
  surface.depth_interface = depth_interface;
  Pin(depth);
  Hold(depth_interface);
}

void SurfaceTable::DetachDepth(Surface& surface, const Surface* depth) {
  if (surface.depth == nullptr || (depth != nullptr && surface.depth != depth)) return;
  Surface& old = *std::exchange(surface.depth, nullptr);
  // The last reference may go with the interface: the pin goes last.
  LetGo(std::exchange(surface.depth_interface, 0), old);
  Unpin(old);
}

void SurfaceTable::Attach(Surface& surface, Surface& attached, ObjectId attached_interface) {
  const auto is_same = [&](const Attachment& old) { return old.surface == &attached; };
  // Unspecified: how many surfaces another one takes; chosen: more than the levels, faces and buffers that there are.
  constexpr size_t kMaxAttached = 256;
  if (&surface == &attached || surface.added.size() >= kMaxAttached ||
      std::ranges::any_of(surface.added, is_same))
    return;
  surface.added.push_back({&attached, attached_interface});
  Pin(attached);
  Hold(attached_interface);
}

bool SurfaceTable::Detach(Surface& surface, const Surface* attached) {
  bool was_attached = false;
  // Letting go may end surfaces, but not this one: their attachments are not its own.
  for (size_t i = surface.added.size(); i-- > 0;) {
    const Attachment old = surface.added[i];
    if (attached != nullptr && old.surface != attached) continue;
    surface.added.erase(surface.added.begin() + static_cast<std::ptrdiff_t>(i));
    was_attached = true;
    LetGo(old.interface, *old.surface);
    Unpin(*old.surface);
  }
  return was_attached;
}

void SurfaceTable::DetachAll(Surface& surface) {
  DetachDepth(surface, nullptr);
  (void)Detach(surface, nullptr);
}

std::vector<Surface*> SurfaceTable::ChainOf(Surface& front) {
  if (front.complex->chain.size() >= 2) return front.complex->chain;
  constexpr size_t kMaxBuffers = 17;
  std::vector<Surface*> chain = {&front};
  for (size_t i = 0; i < chain.size(); ++i) {
    for (const Attachment& attachment : chain[i]->added) {
      Surface* const next = attachment.surface;
      if (chain.size() < kMaxBuffers && AreBuffersOfOneChain(front, *next) &&
          std::ranges::find(chain, next) == chain.end())
        chain.push_back(next);
    }
  }
  return chain;
}

void SurfaceTable::SetColorKey(Surface& surface, uint32_t flags, std::optional<d3d::ColorKey> key) {
  // Without DDCKEY_COLORSPACE the key is one value.
  if (key && (flags & ddckey::kColorSpace) == 0) key->high = key->low;
  if ((flags & ddckey::kDestBlt) != 0) surface.dest_key = key;
  if ((flags & ddckey::kDestOverlay) != 0) surface.dest_overlay_key = key;
  if ((flags & ddckey::kSourceOverlay) != 0) surface.source_overlay_key = key;
  if ((flags & ddckey::kSourceBlt) == 0) return;
  surface.source_key = key;
  if (surface.root == &surface) Announce(surface);
}

// A live surface cannot change its layout: the guessed ones go, others come under the same or other handles.
void SurfaceTable::Replace(Complex& complex) {
  for (const std::shared_ptr<Surface>& part : complex.surfaces) {
    if (part->root == part.get()) recorder_.DestroySurface(part->space, part->handle);
  }
  for (const std::shared_ptr<Surface>& part : complex.surfaces)
    part->handle = recorder_.NewHandle(part->space);
  AnnounceAll(complex);
}

bool SurfaceTable::Learn(Surface& surface, const SurfaceDescription& description) {
  constexpr uint32_t kNeeded = ddsd::kWidth | ddsd::kHeight | ddsd::kPixelFormat;
  Complex& complex = *surface.complex;
  const bool is_usable = (description.flags & kNeeded) == kNeeded &&
                         FormatOf(description.format) != nullptr && description.width != 0 &&
                         description.height != 0;
  if (!surface.has_guessed_layout || !is_usable || surface.root != &surface ||
      surface.level_count != 1)
    return false;
  const bool is_same = surface.width == description.width && surface.height == description.height &&
                       FormatOf(surface.format) == FormatOf(description.format);
  for (const std::shared_ptr<Surface>& part : complex.surfaces) {
    part->has_guessed_layout = false;
    part->width = description.width;
    part->height = description.height;
    part->format = description.format;
  }
  if (!is_same) Replace(complex);
  return !is_same;
}

bool SurfaceTable::Flip(Surface& front, Surface* override) {
  const std::vector<Surface*> chain = ChainOf(front);
  if (chain.size() < 2) return false;
  Surface* const shown = override != nullptr ? override : chain[1];
  if (std::ranges::find(chain, shown) == chain.end() || shown == chain.front()) return false;
  // A chain beside the primary surface shows nothing, unless it is an overlay's.
  if (chain.front()->Has(ddscaps::kPrimarySurface)) Show(*chain.front(), shown->handle, {});
  if (override != nullptr) {
    std::swap(chain.front()->handle, shown->handle);
  } else {
    const uint32_t first = chain.front()->handle;
    for (size_t i = 0; i + 1 < chain.size(); ++i)
      chain[i]->handle = chain[i + 1]->handle;
    chain.back()->handle = first;
  }
  ShowBelow(*chain.front());
  return true;
}

}  // namespace dp2trace::runtime::ddraw
