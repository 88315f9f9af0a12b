#include "trim/snapshot.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/packet_stream.h"
#include "trace/codec.h"
#include "trim/kmt_use.h"
#include "trim/snapshot_context.h"

namespace dp2trace::trim {

Snapshot::Snapshot(const device::Device& device, const device::KmtObjects& objects,
                   const Creations& creations, const KmtCreations& kmt_creations, const Part& part)
    : device_(device),
      objects_(objects),
      creations_(creations),
      part_(part),
      kmt_(device, objects, kmt_creations, part) {}

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
  gap_ = kmt_.Prepare([this](uint32_t space, uint32_t handle) { return HasHandle(space, handle); });
  if (gap_.empty()) MakeCreates();
  if (gap_.empty()) MakeContexts();
  if (gap_.empty()) CheckPackets();
  return gap_;
}

bool Snapshot::HasHandle(uint32_t space, uint32_t handle) const {
  const device::Space* const owner = device_.FindSpace(space);
  const device::SurfaceRef surface = owner != nullptr ? owner->Find(handle) : device::SurfaceRef{};
  return surface && HasSurface({space, surface.resource->handle});
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
    creates_[made->event] = {trace::Event(Renew(made->create))};
  }
  for (const auto& [number, events] : kmt_.events())
    creates_[number] = events;
  for (const auto& [number, events] : creates_) {
    for (const trace::Event& event : events)
      scratch_.Add(event);
  }
}

void Snapshot::MakeContexts() {
  std::set<uint32_t> spaces;
  const ContextSnapshot::HasSurface has_surface = [this](uint32_t space, uint32_t root) {
    return HasSurface({space, root});
  };
  for (const auto& [key, use] : part_.contexts) {
    const device::Context* const context = device_.FindContext(key.first, key.second);
    if (context == nullptr) continue;  // made in the part, or never
    if (!context->Target(0)) {
      gap_ = "a context has no live render target";
      return;
    }
    const device::SurfaceRef depth = context->Depth();
    if (depth && !device::CanBeDepth(*depth.resource)) {
      gap_ = "the depth surface of a context has become another one";
      return;
    }
    const std::optional<device::KmtKey> kmt_context = KmtContextOf(key.second);
    PacketContext made;
    if (kmt_context) {
      made = kmt_.MakeContext(*context, *kmt_context);
      contexts_.emplace_back(made.create);
    } else if (const trace::ContextCreate* const call =
                   creations_.FindContext(key.first, key.second)) {
      trace::ContextCreate create = *call;
      create.target = context->targets.colors[0];
      create.depth = context->Depth() ? context->targets.depth : 0;
      contexts_.emplace_back(create);
    } else {
      gap_ = "nothing made a context";
      return;
    }
    scratch_.Add(contexts_.back());
    ContextSnapshot snapshot(device_, *context, use, has_surface, scratch_);
    snapshot.Make(spaces.insert(key.first).second);
    gap_ = snapshot.gap();
    if (gap_.empty() && kmt_context) MakePackets(made, snapshot.commands());
    if (!gap_.empty()) return;
    if (kmt_context || snapshot.commands().empty()) continue;
    trace::Dp2 state;
    state.space = key.first;
    state.context = key.second;
    state.commands = storage_.emplace_back(snapshot.commands().begin(), snapshot.commands().end());
    calls_.emplace_back(state);
  }
}

// The state of a context of packets, in packets of its own.
void Snapshot::MakePackets(const PacketContext& made, Bytes commands) {
  const trace::KmtContextCreate& create = made.create;
  const device::KmtContext& context = *objects_.FindKmtContext(create.process, create.context);
  runtime::PacketStream stream(
      {.space = made.space,
       .process = create.process,
       .context = create.context,
       .level = made.level,
       .target = create.d3d->target,
       .depth = create.d3d->depth,
       .has_patches = !create.no_patching,
       .triple = create.triple,
       .queued_buffer_count = 0},
      [&](uint32_t handle) {
        const std::optional<device::Dp2Target> target = objects_.Resolve(context, handle);
        return target ? runtime::SurfaceBinding{target->allocation,
                                                static_cast<uint32_t>(target->base_offset)}
                      : runtime::SurfaceBinding{};
      },
      [&](const trace::Render& packet) {
        std::vector<uint8_t>& payload = storage_.emplace_back();
        trace::EncodePayload(packet, payload);
        trace::DecodePayload(static_cast<uint16_t>(trace::EventKind::kRender), 0, payload,
                             calls_.emplace_back());
      });
  stream.Write(commands, {}, made.end_triple);
  uint32_t unbound = stream.unbound();
  for (const uint32_t handle : {create.d3d->target, create.d3d->depth}) {
    const std::optional<device::Dp2Target> target = objects_.Resolve(context, handle);
    const bool is_there =
        target && objects_.IsLive(create.process, target->allocation, device::KmtType::kAllocation);
    if (handle != 0 && !is_there) unbound = handle;
  }
  if (unbound != 0) gap_ = fmt::format("surface {} has no allocation", unbound);
  if (stream.has_overflowed())
    gap_ = fmt::format("context {} takes no lists that are long enough", create.context);
}

// Whether the KMT objects get where they are.
void Snapshot::CheckPackets() {
  trace_model::ScratchDevice reached;
  trace::Event header;
  trace::DecodePayload(static_cast<uint16_t>(trace::EventKind::kHeader), 0, creations_.header(),
                       header);
  reached.Add(header);
  for (const auto& [number, events] : creates_) {
    for (const trace::Event& event : events)
      reached.Add(event);
  }
  const std::initializer_list<const std::vector<trace::Event>*> rest = {
      &kmt_.dead_events(), &contexts_, &kmt_.plain_contexts(), &calls_, &kmt_.late_events()};
  for (const std::vector<trace::Event>* const events : rest) {
    for (const trace::Event& event : *events)
      reached.Add(event);
  }
  gap_ = kmt_.FindGap(reached.objects());
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
  const auto add_all = [&](const std::vector<trace::Event>& events) {
    for (const trace::Event& event : events)
      DP2TRACE_RETURN_IF_ERROR(add(event));
    return OkStatus();
  };
  for (const auto& [number, events] : creates_)
    DP2TRACE_RETURN_IF_ERROR(add_all(events));
  DP2TRACE_RETURN_IF_ERROR(add_all(kmt_.dead_events()));
  DP2TRACE_RETURN_IF_ERROR(add_all(contexts_));
  DP2TRACE_RETURN_IF_ERROR(add_all(kmt_.plain_contexts()));
  DP2TRACE_RETURN_IF_ERROR(WriteContents(sink, count));
  DP2TRACE_RETURN_IF_ERROR(add_all(calls_));
  return add_all(kmt_.late_events());
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

}  // namespace dp2trace::trim
