// Creation, life time and description of surfaces.
#include "runtime/ddraw/surface_table.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "d3d/formats.h"
#include "runtime/core/area_update.h"

namespace dp2trace::runtime::ddraw {
namespace {

constexpr uint32_t kMaxDimension = 16384;
constexpr uint32_t kMaxBackBuffers = 16;
// Of looking at an interface (Allowance).
constexpr uint64_t kFindSteps = 16;

// The format of surfaces that do not name one.
d3d::PixelFormat DisplayFormat(uint32_t bit_count) {
  using d3d::ddpf::kPaletteIndexed8;
  using d3d::ddpf::kRgb;
  switch (bit_count) {
    case 8:
      return {.flags = kRgb | kPaletteIndexed8, .bit_count = 8};
    case 16:
      return {.flags = kRgb,
              .bit_count = 16,
              .red_mask = 0xF800,
              .green_mask = 0x07E0,
              .blue_mask = 0x001F};
    case 24:
      return {.flags = kRgb,
              .bit_count = 24,
              .red_mask = 0xFF0000,
              .green_mask = 0xFF00,
              .blue_mask = 0xFF};
    default:
      return {.flags = kRgb,
              .bit_count = 32,
              .red_mask = 0xFF0000,
              .green_mask = 0xFF00,
              .blue_mask = 0xFF};
  }
}

// Of DDSURFACEDESC (DirectDraw 1-3), which names a depth for z-buffers only.
d3d::PixelFormat DepthFormat(uint32_t bit_depth) {
  const uint32_t bits = bit_depth == 24 ? 32 : bit_depth;
  const uint32_t mask = bit_depth >= 32 ? 0xFFFFFFFF : (uint32_t{1} << bit_depth) - 1;
  return {.flags = d3d::ddpf::kZBuffer, .bit_count = bits, .green_mask = mask};
}

uint32_t LevelCount(const SurfaceDescription& description, uint32_t width, uint32_t height) {
  constexpr uint32_t kMipChain = ddscaps::kMipMap | ddscaps::kComplex;
  if ((description.caps[0] & kMipChain) != kMipChain) return 1;
  const uint32_t full = d3d::FullLevelCount(width, height);
  const bool is_counted =
      (description.flags & ddsd::kMipMapCount) != 0 && description.mip_map_count != 0;
  return is_counted ? std::min(description.mip_map_count, full) : full;
}

d3d::SurfaceKind KindOf(const Surface& surface) {
  if (surface.Has(ddscaps::kTexture)) return d3d::SurfaceKind::kTexture;
  if (surface.Has(ddscaps::kZBuffer)) return d3d::SurfaceKind::kDepth;
  if (surface.Has(ddscaps::k3dDevice | ddscaps::kPrimarySurface)) return d3d::SurfaceKind::kTarget;
  return d3d::SurfaceKind::kPlain;
}

// Size and format of the root, as far as the description and the display mode say them.
void Describe(const SurfaceDescription& description, const DisplayMode& mode, Surface& root) {
  const bool has_size =
      (description.flags & ddsd::kWidth) != 0 && (description.flags & ddsd::kHeight) != 0;
  const bool has_format =
      (description.flags & ddsd::kPixelFormat) != 0 && description.format.flags != 0;
  root.width = has_size ? description.width : mode.width;
  root.height = has_size ? description.height : mode.height;
  root.caps = description.caps;
  root.empty_face_color = description.empty_face_color;
  if (has_format) {
    root.format = description.format;
    // Observed: the pitch of depth of 24 bits is that of 32.
    const bool is_depth = (root.format.flags & d3d::ddpf::kZBuffer) != 0;
    if (is_depth && root.format.bit_count == 24) root.format.bit_count = 32;
  } else if ((description.flags & ddsd::kZBufferBitDepth) != 0 && root.Has(ddscaps::kZBuffer)) {
    root.format = DepthFormat(description.mip_map_count);
  } else {
    root.format = DisplayFormat(mode.bit_count);
    root.has_guessed_layout = true;
  }
  root.has_guessed_layout = root.has_guessed_layout || !has_size;
  if ((description.flags & ddsd::kSourceKey) != 0) root.source_key = description.source_key;
  if ((description.flags & ddsd::kDestKey) != 0) root.dest_key = description.dest_key;
  if ((description.flags & ddsd::kSourceOverlayKey) != 0)
    root.source_overlay_key = description.source_overlay_key;
  if ((description.flags & ddsd::kDestOverlayKey) != 0)
    root.dest_overlay_key = description.dest_overlay_key;
}

}  // namespace

const d3d::FormatInfo* FormatOf(const d3d::PixelFormat& format) {
  return d3d::FormatFromPixelFormat(format.flags, format.four_cc, format.bit_count, format.red_mask,
                                    format.green_mask, format.blue_mask, format.alpha_mask);
}

Surface* SurfaceTable::Create(uint32_t space, const DisplayMode& mode,
                              const SurfaceDescription& description, ObjectId id) {
  auto complex = std::make_unique<Complex>();
  complex->surfaces.push_back(std::make_shared<Surface>());
  Surface& root = *complex->surfaces.front();
  root.complex = complex.get();
  root.root = &root;
  root.space = space;
  Describe(description, mode, root);
  const bool has_size = root.width != 0 && root.height != 0 && root.width <= kMaxDimension &&
                        root.height <= kMaxDimension;
  if (!has_size || FormatOf(root.format) == nullptr) return nullptr;
  root.handle = recorder_.NewHandle(space);
  AddParts(*complex, description);
  const bool has_chain =
      (description.flags & ddsd::kBackBufferCount) != 0 && root.Has(ddscaps::kFlip);
  if (has_chain) AddChain(*complex, std::min(description.back_buffer_count, kMaxBackBuffers));
  AnnounceAll(*complex);
  complexes_.push_back(std::move(complex));
  AddInterface(id, root);
  return &root;
}

void SurfaceTable::AddParts(Complex& complex, const SurfaceDescription& description) {
  Surface& root = *complex.surfaces.front();
  const bool is_cube = (root.caps[1] & ddscaps2::kCubeMap) != 0;
  root.faces = is_cube ? (root.caps[1] & ddscaps2::kCubeFaces) >> ddscaps2::kCubeFaceShift : 0;
  root.level_count = LevelCount(description, root.width, root.height);
  bool is_first = true;
  for (uint32_t face = 0; face < kCubeFaceCount; ++face) {
    if (root.faces == 0 ? face != 0 : (root.faces >> face & 1) == 0) continue;
    Surface* above = nullptr;
    for (uint32_t level = 0; level < root.level_count; ++level) {
      Surface* part = &root;
      if (!std::exchange(is_first, false)) {
        complex.surfaces.push_back(std::make_shared<Surface>(root));
        part = complex.surfaces.back().get();
        part->attached.clear();
        part->interfaces = 0;
        part->handle = recorder_.NewHandle(root.space);
      }
      part->face = face;
      part->level = level;
      part->width = d3d::ClipLevelExtent(root.width, level);
      part->height = d3d::ClipLevelExtent(root.height, level);
      if (is_cube) {
        part->caps[1] = (root.caps[1] & ~ddscaps2::kCubeFaces) |
                        uint32_t{1} << (ddscaps2::kCubeFaceShift + face);
      }
      if (level != 0) part->caps[1] |= ddscaps2::kMipMapSubLevel;
      if (above != nullptr) {
        above->attached.push_back(part);
      } else if (part != &root) {
        root.attached.push_back(part);
      }
      above = part;
    }
  }
  // The caps of the whole: all faces that exist.
  root.caps = description.caps;
}

void SurfaceTable::AddChain(Complex& complex, uint32_t count) {
  Surface* const front = complex.surfaces.front().get();
  complex.chain.push_back(front);
  for (uint32_t i = 0; i < count; ++i) {
    complex.surfaces.push_back(std::make_shared<Surface>(*front));
    Surface* const back = complex.surfaces.back().get();
    back->root = back;
    back->attached.clear();
    back->handle = recorder_.NewHandle(front->space);
    back->caps[0] =
        (front->caps[0] & ~ddscaps::kPrimarySurface) | (i == 0 ? ddscaps::kBackBuffer : 0);
    complex.chain.push_back(back);
  }
  front->caps[0] |= ddscaps::kFrontBuffer;
  for (size_t i = 0; i < complex.chain.size(); ++i) {
    complex.chain[i]->attached.push_back(complex.chain[(i + 1) % complex.chain.size()]);
  }
}

void SurfaceTable::Announce(const Surface& root) {
  trace::SurfaceCreate event;
  event.space = root.space;
  event.handle = root.handle;
  event.kind = KindOf(root);
  event.caps = root.caps[0];
  event.caps2 = root.caps[1];
  event.caps3 = root.caps[2];
  event.caps4 = root.caps[3];
  event.pixel_format = root.format;
  event.width = root.width;
  event.height = root.height;
  event.levels = root.level_count;
  event.faces = root.faces;
  event.color_key = root.source_key;
  event.empty_face_color = root.empty_face_color;
  for (const std::shared_ptr<Surface>& part : root.complex->surfaces) {
    if (part->root != &root || part.get() == &root) continue;
    trace::SubSurface sub;
    sub.handle = part->handle;
    sub.face = part->face;
    sub.level = part->level;
    event.sub_surfaces.push_back(sub);
  }
  const std::vector<Surface*>& chain = root.complex->chain;
  for (size_t i = 1; i < chain.size() && chain.front() == &root; ++i)
    event.flip_chain.push_back(chain[i]->handle);
  recorder_.CreateSurface(event);
}

void SurfaceTable::AnnounceAll(const Complex& complex) {
  for (const std::shared_ptr<Surface>& surface : complex.surfaces) {
    if (surface->root == surface.get()) Announce(*surface);
  }
}

Surface* SurfaceTable::Find(ObjectId id) const {
  const auto found = interfaces_.find(id);
  return found == interfaces_.end() ? nullptr : found->second.surface;
}

std::shared_ptr<Surface> SurfaceTable::Share(ObjectId id) const {
  const Surface* const surface = Find(id);
  return surface == nullptr ? nullptr : Share(*surface);
}

std::shared_ptr<Surface> SurfaceTable::Share(const Surface& surface) {
  const auto& parts = surface.complex->surfaces;
  const auto is_same = [&](const std::shared_ptr<Surface>& part) { return part.get() == &surface; };
  const auto found = std::ranges::find_if(parts, is_same);
  return found == parts.end() ? nullptr : *found;
}

void SurfaceTable::AddInterface(ObjectId id, Surface& surface) {
  const auto found = interfaces_.find(id);
  if (found != interfaces_.end() && found->second.surface == &surface) {
    ++found->second.references;
    return;
  }
  // The pointer was freed without a recorded Release and serves a new object.
  ++surface.complex->interfaces;
  ++surface.interfaces;
  if (found != interfaces_.end()) Drop(id);
  recorder_.At(interfaces_, id) = {&surface, 1};
}

bool SurfaceTable::SetReferences(ObjectId id, uint32_t count) {
  const auto found = interfaces_.find(id);
  if (found == interfaces_.end()) return false;
  found->second.references = count;
  if (count == 0) Drop(id);
  return true;
}

void SurfaceTable::Hold(ObjectId id) {
  const auto found = interfaces_.find(id);
  if (found != interfaces_.end()) ++found->second.references;
}

void SurfaceTable::LetGo(ObjectId id, const Surface& surface) {
  const auto found = interfaces_.find(id);
  if (found == interfaces_.end() || found->second.surface != &surface) return;
  if (found->second.references > 0) --found->second.references;
  if (found->second.references == 0) Drop(id);
}

void SurfaceTable::Unpin(Surface& surface) {
  --surface.complex->pins;
  DestroyIfUnused(*surface.complex);
}

void SurfaceTable::Drop(ObjectId id) {
  Surface& surface = *interfaces_.at(id).surface;
  Complex& complex = *surface.complex;
  recorder_.Erase(interfaces_, id);
  --surface.interfaces;
  --complex.interfaces;
  DestroyIfUnused(complex);
}

void SurfaceTable::DestroyIfUnused(Complex& complex) {
  if (complex.surfaces.front()->interfaces != 0 || complex.pins != 0) return;
  // The parts go with their root, whatever references of theirs are left.
  if (complex.interfaces != 0) {
    (void)recorder_.Spend(interfaces_.size() * kFindSteps);
    const auto count = std::erase_if(
        interfaces_, [&](const auto& entry) { return entry.second.surface->complex == &complex; });
    recorder_.GiveBack(count * Recorder::kEntrySize<decltype(interfaces_)>);
  }
  (void)recorder_.Spend(complexes_.size());
  const auto place =
      std::ranges::find_if(complexes_, [&](const auto& owned) { return owned.get() == &complex; });
  if (place == complexes_.end()) return;
  const std::unique_ptr<Complex> dying = std::move(*place);
  complexes_.erase(place);
  for (const std::shared_ptr<Surface>& surface : dying->surfaces) {
    if (surface->root == surface.get()) recorder_.DestroySurface(surface->space, surface->handle);
  }
  for (const std::shared_ptr<Surface>& surface : dying->surfaces)
    DetachAll(*surface);
}

}  // namespace dp2trace::runtime::ddraw
