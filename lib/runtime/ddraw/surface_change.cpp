// What changes of a surface while it lives: attachments, colour keys, the order of a flip chain, and what was only guessed.
// Source: DESIGN section 3 ("Present", "Surfaces"); DP2 specification, 12.2; DirectDraw 7 API reference facts.
#include <utility>

#include "runtime/ddraw/surface_table.h"

namespace dp2trace::runtime::ddraw {

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

void SurfaceTable::SetColorKey(Surface& surface, uint32_t flags, std::optional<d3d::ColorKey> key) {
  // Without DDCKEY_COLORSPACE the key is one value.
  if (key && (flags & ddckey::kColorSpace) == 0) key->high = key->low;
  if ((flags & ddckey::kDestBlt) != 0) surface.dest_key = key;
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
  const std::vector<Surface*>& chain = front.complex->chain;
  if (chain.size() < 2) return false;
  Surface* const shown = override != nullptr ? override : chain[1];
  if (shown->complex != front.complex || shown == chain.front()) return false;
  // A chain beside the primary surface shows nothing.
  if (chain.front()->Has(ddscaps::kPrimarySurface))
    recorder_.Present({.space = front.space, .handle = shown->handle, .rect = {}});
  if (override != nullptr) {
    std::swap(chain.front()->handle, shown->handle);
    return true;
  }
  const uint32_t first = chain.front()->handle;
  for (size_t i = 0; i + 1 < chain.size(); ++i)
    chain[i]->handle = chain[i + 1]->handle;
  chain.back()->handle = first;
  return true;
}

}  // namespace dp2trace::runtime::ddraw
