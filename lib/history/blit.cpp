#include "history/blit.h"

#include <algorithm>

#include "device/blt_record.h"
#include "device/depth_resolve.h"
#include "device/load.h"
#include "device/place.h"
#include "opcode/layouts.h"
#include "stream/records.h"

namespace dp2trace::history {
namespace {

using device::BltPlace;
using device::SurfaceRef;
using image::Area;
using opcode::Op;
using stream::Record;

bool Contains(const Area& area, const Watched& watched) {
  return watched.x >= area.left && watched.x < area.right && watched.y >= area.top &&
         watched.y < area.bottom && watched.slice >= area.front && watched.slice < area.back;
}

bool IsWatched(const SurfaceRef& surface, const BltPlace& place, const Watched& watched) {
  return surface.resource == watched.surface.resource && place.face == watched.surface.face &&
         place.level == watched.surface.level && Contains(place.area, watched);
}

BlitSource SourceOf(const SurfaceRef& source, const BltPlace& from, const Area& to,
                    const Watched& watched) {
  BlitSource blit = {.handle = source.resource->handle,
                     .face = from.face,
                     .level = from.level,
                     .from = from.area,
                     .to = to,
                     .fill = {},
                     .pixel = {}};
  if (from.area.width() == to.width() && from.area.height() == to.height())
    blit.pixel = {from.area.left + (watched.x - to.left), from.area.top + (watched.y - to.top)};
  return blit;
}

std::optional<BlitSource> CopyOf(const device::BltRecord& blt, const Watched& watched) {
  if (!IsWatched(blt.destination.surface, blt.destination.place, watched)) return std::nullopt;
  return SourceOf(blt.source.surface, blt.source.place, blt.destination.place.area, watched);
}

std::optional<BlitSource> ResolveOf(const device::Context& context, const Record& record,
                                    const Watched& watched) {
  const auto resolve = device::FindDepthResolve(context, record);
  if (!resolve) return std::nullopt;
  const auto& [source, destination, area] = *resolve;
  if (!IsWatched(destination, {destination.face, destination.level, area}, watched))
    return std::nullopt;
  return SourceOf(source, {source.face, source.level, area}, area, watched);
}

std::optional<BlitSource> FillOf(const device::Space& space, const Record& record,
                                 const Watched& watched) {
  constexpr stream::FieldRef kColor = stream::Field(opcode::layout::kColorFill, "color");
  device::BltSide side;
  if (!device::ReadColorFill(space, record, side).empty()) return std::nullopt;
  if (!IsWatched(side.surface, side.place, watched)) return std::nullopt;
  return BlitSource{.from = {}, .to = side.place.area, .fill = record.U32(kColor), .pixel = {}};
}

// The pair of levels that holds the pixel. Source: lib/opcode/dp2.md 16.1.
std::optional<BlitSource> LoadOf(const device::Space& space, const Record& record,
                                 const Watched& watched) {
  device::TextureLoad load;
  if (device::Refuses(device::ReadTextureLoad(space, record, load)) || !load.destination)
    return std::nullopt;
  const uint32_t level = watched.surface.level;
  if (load.destination.resource != watched.surface.resource || level >= load.pair_count)
    return std::nullopt;
  Area area = load.area();
  for (uint32_t i = 0; i < load.source_level; ++i)
    area = device::ReduceArea(area);
  auto x = static_cast<uint32_t>(load.x);
  auto y = static_cast<uint32_t>(load.y);
  for (uint32_t i = 0; i < level; ++i) {
    area = device::ReduceArea(area);
    x /= 2;
    y /= 2;
  }
  const Area whole = load.source.surface().WholeLevel(load.source_level + level);
  area.right = std::min(area.right, whole.right);
  area.bottom = std::min(area.bottom, whole.bottom);
  if (area.left >= area.right || area.top >= area.bottom) return std::nullopt;
  const Area to = {x, y, x + area.width(), y + area.height()};
  if (!Contains(to, watched)) return std::nullopt;
  const uint32_t face = load.source.resource->is_cube() ? watched.surface.face : load.source.face;
  return SourceOf(load.source, {face, load.source_level + level, area}, to, watched);
}

std::optional<BlitSource> RecordOf(const device::Context& context, Op op, const Record& record,
                                   const Watched& watched) {
  const device::Space& space = *context.space;
  device::BltRecord blt;
  switch (op) {
    case Op::kBlt:
      if (!device::ReadBlt(space, record, blt).empty()) return std::nullopt;
      return CopyOf(blt, watched);
    case Op::kSurfaceBlt:
      if (!device::ReadSurfaceBlt(space, record, blt).empty()) return std::nullopt;
      return CopyOf(blt, watched);
    case Op::kColorFill:
      return FillOf(space, record, watched);
    case Op::kTexBlt:
      return LoadOf(space, record, watched);
    case Op::kRenderState:
      return ResolveOf(context, record, watched);
    default:
      return std::nullopt;  // what else changes the value is seen by the value
  }
}

std::optional<Area> AreaOf(const std::optional<d3d::Rect>& rect, const SurfaceRef& surface) {
  const Area whole = surface.surface().WholeLevel(surface.level);
  if (!rect) return whole;
  if (rect->left < 0 || rect->top < 0 || rect->right < rect->left || rect->bottom < rect->top)
    return std::nullopt;
  return Area{static_cast<uint32_t>(rect->left), static_cast<uint32_t>(rect->top),
              static_cast<uint32_t>(rect->right), static_cast<uint32_t>(rect->bottom)};
}

SurfaceRef RefOf(const device::BltSide& side) {
  return {side.surface.resource, side.place.face, side.place.level};
}

std::optional<BlitPair> PairOf(const device::Context& context, Op op, const Record& record) {
  const device::Space& space = *context.space;
  device::BltRecord blt;
  device::BltSide side;
  device::TextureLoad load;
  device::VolumeLoad volume;
  switch (op) {
    case Op::kBlt:
    case Op::kSurfaceBlt:
      if (!(op == Op::kBlt ? device::ReadBlt(space, record, blt)
                           : device::ReadSurfaceBlt(space, record, blt))
               .empty())
        return std::nullopt;
      return BlitPair{RefOf(blt.destination), RefOf(blt.source), blt.source.place.area,
                      blt.destination.place.area};
    case Op::kColorFill:
      if (!device::ReadColorFill(space, record, side).empty()) return std::nullopt;
      return BlitPair{RefOf(side), {}, {}, side.place.area};
    case Op::kTexBlt:
      if (device::Refuses(device::ReadTextureLoad(space, record, load)) || !load.destination)
        return std::nullopt;
      return BlitPair{load.destination, load.source};
    case Op::kVolumeBlt:
      if (device::Refuses(device::ReadVolumeLoad(space, record, volume)) || !volume.destination)
        return std::nullopt;
      return BlitPair{volume.destination, volume.source};
    case Op::kRenderState:
      if (const auto resolve = device::FindDepthResolve(context, record))
        return BlitPair{resolve->destination, resolve->source, resolve->area, resolve->area};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<BlitPair> BlitsOf(const device::Context& context, const stream::Command& command) {
  std::vector<BlitPair> pairs;
  if (!command.op->is(opcode::kBlt) && command.op->op != Op::kRenderState) return pairs;
  for (const Record& record : stream::Records(command, {})) {
    if (auto pair = PairOf(context, command.op->op, record)) pairs.push_back(*pair);
  }
  return pairs;
}

std::vector<BlitPair> BlitsOf(const device::Device& device, const trace::Blt& blt) {
  if (device::HasFailed(blt.ddrval)) return {};
  const SurfaceRef to =
      device::FindPlace(device, blt.space, blt.dest, blt.dest_face, blt.dest_level);
  const std::optional<Area> area = to ? AreaOf(blt.dest_rect, to) : std::nullopt;
  if (!area) return {};
  if (blt.kind != trace::BltKind::kCopy) return {{to, {}, {}, *area}};
  const SurfaceRef from =
      device::FindPlace(device, blt.space, blt.src, blt.src_face, blt.src_level);
  const std::optional<Area> source = from ? AreaOf(blt.src_rect, from) : std::nullopt;
  if (!source) return {};
  return {{to, from, *source, *area}};
}

std::optional<BlitSource> FindBlit(const device::Context& context, const stream::Command& command,
                                   const Watched& watched) {
  std::optional<BlitSource> found;
  if (!command.op->is(opcode::kBlt) && !command.op->is(opcode::kResource) &&
      command.op->op != Op::kRenderState)
    return found;
  for (const Record& record : stream::Records(command, {})) {
    if (auto blit = RecordOf(context, command.op->op, record, watched)) found = std::move(blit);
  }
  return found;
}

std::optional<BlitSource> FindBlit(const device::Device& device, const trace::Blt& blt,
                                   const Watched& watched) {
  if (device::HasFailed(blt.ddrval)) return std::nullopt;
  const SurfaceRef to =
      device::FindPlace(device, blt.space, blt.dest, blt.dest_face, blt.dest_level);
  if (to != watched.surface) return std::nullopt;
  const std::optional<Area> area = AreaOf(blt.dest_rect, to);
  if (!area || !Contains(*area, watched)) return std::nullopt;
  if (blt.kind != trace::BltKind::kCopy)
    return BlitSource{.from = {}, .to = *area, .fill = blt.fill, .pixel = {}};
  const SurfaceRef from =
      device::FindPlace(device, blt.space, blt.src, blt.src_face, blt.src_level);
  const std::optional<Area> source = from ? AreaOf(blt.src_rect, from) : std::nullopt;
  if (!source) return std::nullopt;
  return SourceOf(from, {from.face, from.level, *source}, *area, watched);
}

bool Covers(const device::Device& device, const trace::SurfaceUpdate& update,
            const Watched& watched) {
  const SurfaceRef target =
      device::FindPlace(device, update.space, update.handle, update.face, update.level);
  if (target != watched.surface) return false;
  if (update.box) {
    return Contains({update.box->left, update.box->top, update.box->right, update.box->bottom,
                     update.box->front, update.box->back},
                    watched);
  }
  if (update.range) return false;  // seen by the value
  const std::optional<Area> area = AreaOf(update.rect, target);
  return area && Contains(*area, watched);
}

}  // namespace dp2trace::history
