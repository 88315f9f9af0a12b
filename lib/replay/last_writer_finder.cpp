#include "replay/last_writer_finder.h"

#include <utility>

namespace dp2trace::replay {
namespace {

// Calls visit(surface) for each render target and the depth surface that are bound.
template <class Visit>
void ForEachTarget(const device::Context& context, Visit visit) {
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    if (const device::SurfaceRef surface = context.Target(slot)) visit(surface);
  }
  if (const device::SurfaceRef depth = context.Depth()) visit(depth);
}

}  // namespace

LastWriterFinder::Place LastWriterFinder::PlaceOf(uint32_t space,
                                                  const device::SurfaceRef& surface) {
  return {space, surface.resource->handle, surface.face, surface.level};
}

std::optional<LastWriterFinder::Bits> LastWriterFinder::BitsOf(
    const device::SurfaceRef& surface) const {
  const image::Level level = surface.bits();
  if (x_ >= level.width || y_ >= level.height || level.info->is_buffer()) return std::nullopt;
  const bool is_volume = surface.surface().description().depth > 1;
  const uint32_t first = is_volume ? slice_ : 0;
  const uint32_t end = is_volume ? slice_ + 1 : level.slices;  // samples
  if (end > level.slices) return std::nullopt;
  Bits bits;
  for (uint32_t z = first; z < end; ++z) {
    const uint8_t* const block = level.block(x_, y_, z);
    bits.insert(bits.end(), block, block + level.info->block_size);
  }
  return bits;
}

void LastWriterFinder::BeforeApply(const device::Context& context, const stream::Command& command) {
  if (!command.op->is(opcode::kDraw)) return;
  before_.clear();
  ForEachTarget(context, [&](const device::SurfaceRef& surface) {
    if (auto bits = BitsOf(surface)) before_[PlaceOf(context.space_id, surface)] = std::move(*bits);
  });
}

Status LastWriterFinder::OnApplied(device::Context& context, const stream::Command& command) {
  if (!command.op->is(opcode::kDraw)) return OkStatus();
  const play::Position& at = player().position();
  ForEachTarget(context, [&](const device::SurfaceRef& surface) {
    const Place place = PlaceOf(context.space_id, surface);
    const auto before = before_.find(place);
    auto bits = BitsOf(surface);
    if (before == before_.end() || !bits || *bits == before->second) return;
    changes_[place] = {std::move(*bits),
                       {at.draw, at.event, at.offset, std::string(command.op->name)}};
  });
  return OkStatus();
}

std::optional<CausingDraw> LastWriterFinder::LastChange(const device::Device& device,
                                                        uint32_t space_id, uint32_t handle,
                                                        uint32_t face, uint32_t level) const {
  const auto space = device.spaces().find(space_id);
  if (space == device.spaces().end()) return std::nullopt;
  device::SurfaceRef surface = space->second->Find(handle);
  if (!surface) return std::nullopt;
  surface.face = face;
  surface.level = level;
  if (!surface.surface().HasLevel(face, level)) return std::nullopt;
  const auto change = changes_.find(PlaceOf(space_id, surface));
  if (change == changes_.end() || BitsOf(surface) != change->second.bits) return std::nullopt;
  return change->second.draw;
}

}  // namespace dp2trace::replay
