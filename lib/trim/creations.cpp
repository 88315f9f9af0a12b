#include "trim/creations.h"

#include <variant>

#include "trace/codec.h"

namespace dp2trace::trim {

void Creations::OnEvent(uint64_t number, const trace::Event& event, const device::Device& device) {
  if (const auto* const header = std::get_if<trace::Header>(&event)) {
    surfaces_.clear();
    contexts_.clear();
    header_.clear();
    trace::EncodePayload(*header, header_);
  } else if (const auto* const surface = std::get_if<trace::SurfaceCreate>(&event)) {
    OnSurface(number, *surface, device);
  } else if (const auto* const end = std::get_if<trace::SurfaceDestroy>(&event)) {
    surfaces_.erase({end->space, end->handle});
  } else if (const auto* const context = std::get_if<trace::ContextCreate>(&event)) {
    contexts_[{context->space, context->context}] = *context;
  }
}

void Creations::OnSurface(uint64_t number, const trace::SurfaceCreate& create,
                          const device::Device& device) {
  const device::Space* const space = device.FindSpace(create.space);
  if (space == nullptr) return;
  const auto live = space->roots().find(create.handle);
  if (live == space->roots().end() || !device::IsSameSurface(create, *live->second)) return;
  surfaces_[{create.space, create.handle}] = {number, create};
  for (const uint32_t handle : create.flip_chain)
    surfaces_.try_emplace({create.space, handle}, Surface{number, create});
}

const Creations::Surface* Creations::Find(uint32_t space, uint32_t root) const {
  const auto found = surfaces_.find({space, root});
  return found != surfaces_.end() ? &found->second : nullptr;
}

const trace::ContextCreate* Creations::FindContext(uint32_t space, uint64_t id) const {
  const auto found = contexts_.find({space, id});
  return found != contexts_.end() ? &found->second : nullptr;
}

}  // namespace dp2trace::trim
