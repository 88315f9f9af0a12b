#include "edit/snapshot.h"

#include <fmt/format.h>

#include <algorithm>

#include "edit/snapshot_context.h"
#include "trace/codec.h"

namespace dp2trace::edit {

Snapshot::Snapshot(const device::Device& device, const Creations& creations, const Part& part)
    : device_(device), creations_(creations), part_(part) {}

const device::Resource* Snapshot::FindLive(const SurfaceKey& key) const {
  const device::Space* const space = device_.FindSpace(key.first);
  if (space == nullptr) return nullptr;
  const auto found = space->roots().find(key.second);
  return found != space->roots().end() ? found->second.get() : nullptr;
}

std::string Snapshot::Prepare() {
  trace::Event header;
  trace::DecodePayload(static_cast<uint16_t>(trace::EventKind::kHeader), 0, creations_.header(),
                       header);
  scratch_.Add(header);
  FindSurfaces();
  MakeCreates();
  if (gap_.empty()) MakeContexts();
  return gap_;
}

// The surface, and the others of its flip chain.
void Snapshot::AddSurface(const SurfaceKey& key) {
  if (FindLive(key) == nullptr || !surfaces_.insert(key).second) return;
  const Creations::Surface* const made = creations_.Find(key.first, key.second);
  if (made == nullptr) return;
  AddSurface({key.first, made->create.handle});
  for (const uint32_t handle : made->create.flip_chain)
    AddSurface({key.first, handle});
}

void Snapshot::FindSurfaces() {
  for (const auto& [key, use] : part_.surfaces) {
    if (use.is_named) AddSurface(key);
  }
  for (const auto& [key, use] : part_.contexts) {
    const device::Context* const context = device_.FindContext(key.first, key.second);
    if (context == nullptr) continue;
    for (const device::SurfaceRef& surface : {context->Target(0), context->Depth()}) {
      if (surface) AddSurface({key.first, surface.resource->handle});
    }
  }
}

trace::SurfaceCreate Snapshot::Renew(const trace::SurfaceCreate& create) const {
  trace::SurfaceCreate renewed = create;
  const device::Space& space = *device_.FindSpace(create.space);
  std::erase_if(renewed.flip_chain, [&](uint32_t handle) {
    return handle != 0 && !HasSurface({create.space, handle});
  });
  for (trace::SubSurface& sub : renewed.sub_surfaces) {
    const device::SurfaceRef named = space.Find(sub.handle);
    const bool is_same = named && named.resource->handle == create.handle &&
                         named.face == sub.face && named.level == sub.level;
    if (!is_same) sub.handle = 0;
  }
  return renewed;
}

void Snapshot::MakeCreates() {
  for (const SurfaceKey& key : surfaces_) {
    const Creations::Surface* const made = creations_.Find(key.first, key.second);
    if (made == nullptr || !HasSurface({key.first, made->create.handle})) {
      gap_ = fmt::format("surface {} was made by one that is gone", key.second);
      return;
    }
    creates_[made->event] = Renew(made->create);
  }
  for (const auto& [event, create] : creates_)
    scratch_.Add(trace::Event(create));
}

void Snapshot::MakeContexts() {
  std::set<uint32_t> spaces;
  const ContextSnapshot::HasSurface has_surface = [this](uint32_t space, uint32_t root) {
    return HasSurface({space, root});
  };
  for (const auto& [key, use] : part_.contexts) {
    const device::Context* const context = device_.FindContext(key.first, key.second);
    if (context == nullptr) continue;  // made in the part, or never
    const trace::ContextCreate* const made = creations_.FindContext(key.first, key.second);
    if (made == nullptr || !context->Target(0)) {
      gap_ = "a context has no live render target";
      return;
    }
    trace::ContextCreate create = *made;
    create.target = context->targets.colors[0];
    create.depth = context->Depth() ? context->targets.depth : 0;
    scratch_.Add(trace::Event(create));
    ContextSnapshot snapshot(device_, *context, use, has_surface, scratch_);
    snapshot.Make(spaces.insert(key.first).second);
    gap_ = snapshot.gap();
    if (!gap_.empty()) return;
    contexts_.push_back(create);
    commands_.emplace_back(snapshot.commands().begin(), snapshot.commands().end());
  }
}

Status Snapshot::Write(trace_file::Sink& sink, uint64_t& count) const {
  const auto add = [&](const trace::Event& event) {
    ++count;
    return sink.Add(event);
  };
  trace::Event header;
  trace::DecodePayload(static_cast<uint16_t>(trace::EventKind::kHeader), 0, creations_.header(),
                       header);
  std::get<trace::Header>(header).start = trace::RecordingStart::kSnapshot;
  DP2TRACE_RETURN_IF_ERROR(add(header));
  for (const auto& [event, create] : creates_)
    DP2TRACE_RETURN_IF_ERROR(add(trace::Event(create)));
  for (const trace::ContextCreate& create : contexts_)
    DP2TRACE_RETURN_IF_ERROR(add(trace::Event(create)));
  DP2TRACE_RETURN_IF_ERROR(WriteContents(sink, count));
  for (size_t i = 0; i < contexts_.size(); ++i) {
    if (commands_[i].empty()) continue;
    trace::Dp2 call;
    call.space = contexts_[i].space;
    call.context = contexts_[i].context;
    call.commands = commands_[i];
    DP2TRACE_RETURN_IF_ERROR(add(trace::Event(call)));
  }
  return OkStatus();
}

Status Snapshot::WriteContents(trace_file::Sink& sink, uint64_t& count) const {
  for (const SurfaceKey& key : surfaces_) {
    const auto use = part_.surfaces.find(key);
    const device::Resource* const resource = FindLive(key);
    if (use == part_.surfaces.end()) continue;
    if (resource->surface.generation() == 0) continue;  // nothing was ever written
    for (const auto& [place, first] : use->second.places) {
      if (first != FirstUse::kContent) continue;
      ++count;
      DP2TRACE_RETURN_IF_ERROR(WriteContent(sink, key, *resource, place.first, place.second));
    }
  }
  return OkStatus();
}

Status Snapshot::WriteContent(trace_file::Sink& sink, const SurfaceKey& key,
                              const device::Resource& resource, uint32_t face,
                              uint32_t level) const {
  const image::ConstLevel bits = std::as_const(resource.surface).level(face, level);
  const auto size = static_cast<size_t>(bits.slices * bits.slice_pitch);
  trace::SurfaceUpdate update;
  update.space = key.first;
  update.handle = key.second;
  update.face = face;
  update.level = level;
  update.data = Bytes(bits.bytes, size);
  // All samples; and planes, whose rows differ.
  const bool is_special =
      resource.surface.description().samples > 1 || bits.info->kind == d3d::FormatKind::kPlanarYuv;
  if (is_special) update.range = d3d::Range{0, static_cast<uint32_t>(size)};
  return sink.Add(trace::Event(update));
}

}  // namespace dp2trace::edit
