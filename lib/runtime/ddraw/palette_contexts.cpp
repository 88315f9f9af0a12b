#include "runtime/ddraw/palette_contexts.h"

#include <algorithm>
#include <array>
#include <vector>

namespace dp2trace::runtime::ddraw {
namespace {

using opcode::Op;

// D3DDRAWIPAL: the fourth byte of an entry is alpha; 256 entries.
constexpr uint32_t kDriverPaletteAlpha = 0x2000, kDriverPalette256 = 0x1;

}  // namespace

void SendPalette(Recorder& recorder, uint64_t context, const Palette& palette, uint32_t first,
                 uint32_t count) {
  if (first >= palette.known) return;
  count = std::min(count, palette.known - first);
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  for (uint32_t i = 0; i < count; ++i)
    writer.Write(palette.entries[first + i]);
  const std::array<uint32_t, 3> values = {palette.number, first, count};
  recorder.Token(context, Op::kUpdatePalette, values, bytes);
}

void SendSurfacePalette(Recorder& recorder, uint64_t context, const Surface& surface) {
  const Palette* const palette = surface.palette.get();
  const uint32_t alpha =
      palette != nullptr && (palette->flags & kPaletteAlpha) != 0 ? kDriverPaletteAlpha : 0;
  recorder.Token(
      context, Op::kSetPalette,
      {palette == nullptr ? 0 : palette->number, alpha | kDriverPalette256, surface.root->handle});
}

PaletteContexts::Holder& PaletteContexts::HolderOf(uint32_t space) {
  const auto found = holders_.find(space);
  if (found != holders_.end()) return found->second;
  trace::SurfaceCreate target;
  target.space = space;
  target.handle = recorder_.NewHandle(space);
  target.kind = d3d::SurfaceKind::kTarget;
  target.caps = ddscaps::k3dDevice;
  target.format = d3d::Value(d3d::Format::X8R8G8B8);
  target.width = target.height = 1;
  recorder_.CreateSurface(target);
  const uint64_t context = recorder_.CreateContext(space, target.handle, 0);
  return holders_[space] = {target.handle, context, {}};
}

void PaletteContexts::OnSurfacePalette(const Surface& root) {
  // A surface that never had one needs no context to have none.
  if (root.palette == nullptr && !holders_.contains(root.space)) return;
  Holder& holder = HolderOf(root.space);
  if (root.palette != nullptr) {
    if (holder.palettes.insert(root.palette->number).second)
      SendPalette(recorder_, holder.context, *root.palette, 0, root.palette->count);
  }
  SendSurfacePalette(recorder_, holder.context, root);
}

void PaletteContexts::OnEntries(const Palette& palette, uint32_t first, uint32_t count) {
  for (const auto& [space, holder] : holders_) {
    if (holder.palettes.contains(palette.number))
      SendPalette(recorder_, holder.context, palette, first, count);
  }
}

void PaletteContexts::Close(uint32_t space) {
  const auto found = holders_.find(space);
  if (found == holders_.end()) return;
  recorder_.DestroyContext(found->second.context);
  recorder_.DestroySurface(space, found->second.target);
  holders_.erase(found);
}

}  // namespace dp2trace::runtime::ddraw
