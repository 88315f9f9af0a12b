#include "validate/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <variant>

#include "base/plain_text.h"
#include "d3d/interface.h"
#include "device/depth_resolve.h"
#include "device/load.h"
#include "device/place.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/causes.h"

namespace dp2trace::validate {
namespace {

using d3d::RenderState;
using d3d::TextureStageState;
using opcode::Meaning;
using opcode::Op;

constexpr uint32_t kNamedStates = 6;  // in a message
constexpr uint32_t kNamedPlaces = 4;
constexpr stream::FieldRef kCreatedShader =
    stream::Field(opcode::layout::kCreatePixelShader, "handle");

// Calls visit(field, value) for the fields of one meaning in the records of a token and its fixed structure.
class FieldVisitor final : public stream::Visitor {
 public:
  using Function = std::function<void(const opcode::FieldDesc&, uint32_t)>;
  FieldVisitor(Meaning meaning, Function visit) : meaning_(meaning), visit_(std::move(visit)) {}

  void OnFixed(const opcode::StructDesc& layout, const uint8_t* at) override { Walk(layout, at); }
  void OnRecord(uint32_t /*index*/, const opcode::StructDesc& layout, const uint8_t* at) override {
    Walk(layout, at);
  }
  void OnTail(uint32_t /*record*/, const opcode::TailDesc& /*desc*/, Bytes /*padding*/,
              Bytes /*bytes*/) override {}

 private:
  void Walk(const opcode::StructDesc& layout, const uint8_t* at) {
    for (size_t i = 0; i < layout.fields.size(); ++i) {
      if (layout.fields[i].meaning == meaning_)
        visit_(layout.fields[i], stream::FieldU32(layout, at, i));
    }
  }

  Meaning meaning_;
  Function visit_;
};

void ForEachField(const CommandView& view, Meaning meaning, FieldVisitor::Function visit) {
  FieldVisitor visitor(meaning, std::move(visit));
  stream::Visit(view.command, view.call.environment, visitor);
}

// States that a snapshot has: those of the level that are no action and name no object.
bool IsStateOf(const d3d::StateInfo& state, uint32_t level) {
  return state.first_level <= level && level <= state.last_level && !state.has_side_effect &&
         state.type != d3d::ValueType::kHandle && state.state_class == d3d::StateClass::kRender;
}

// "surface 4", "surface 4, level 1".
std::string NameOf(const device::SurfaceRef& surface) {
  std::string name = fmt::format("surface {}", surface.resource->handle);
  if (surface.face != 0) name += fmt::format(", face {}", surface.face);
  if (surface.level != 0) name += fmt::format(", level {}", surface.level);
  return name;
}

image::Area AreaOf(const d3d::Rect& rect) {
  const auto edge = [](int32_t x) { return static_cast<uint32_t>(std::max(x, 0)); };
  return {edge(rect.left), edge(rect.top), edge(rect.right), edge(rect.bottom)};
}

std::optional<image::Area> AreaOf(const std::optional<d3d::Rect>& rect) {
  return rect ? std::optional(AreaOf(*rect)) : std::nullopt;
}

image::Area BytesOf(uint64_t begin, uint64_t end) {
  const auto edge = [](uint64_t x) {
    return static_cast<uint32_t>(std::min<uint64_t>(x, UINT32_MAX));
  };
  return {edge(begin), 0, edge(end), 1};
}

// What an update writes; nothing: all.
std::optional<image::Area> AreaOf(const trace::SurfaceUpdate& update,
                                  const device::SurfaceRef& place) {
  if (!place) return std::nullopt;
  if (place.resource->is_buffer()) {
    const uint64_t begin = update.range ? update.range->offset : 0;
    const uint64_t size = update.range ? update.range->size : place.surface().size_bytes();
    return BytesOf(begin, begin + std::min<uint64_t>(size, update.data.size()));
  }
  if (!update.box)
    return place.surface().description().depth > 1 ? std::nullopt : AreaOf(update.rect);
  return image::Area{update.box->left,   update.box->top,   update.box->right,
                     update.box->bottom, update.box->front, update.box->back};
}

// Where draws may write: inside of the viewport, and of the scissor rectangle where it is on; nothing: anywhere.
std::optional<image::Area> DrawnArea(const device::State& state) {
  std::optional<image::Area> area;
  if (state.viewport) {
    const auto& [x, y, width, height] = *state.viewport;
    const auto end = [](uint32_t start, uint32_t size) {
      return static_cast<uint32_t>(std::min<uint64_t>(uint64_t{start} + size, UINT32_MAX));
    };
    area = image::Area{x, y, end(x, width), end(y, height)};
  }
  if (state.scissor && state.value(RenderState::ScissorTestEnable) != 0)
    area = area ? Shared(*area, AreaOf(*state.scissor)) : AreaOf(*state.scissor);
  return area;
}

constexpr const char* kVertexSize = "the size of a vertex";

std::string SizeText(uint32_t size) {
  return size == 0 ? "0" : fmt::format("{:#x}", size);
}

std::string SizeMessage(uint32_t size) {
  return fmt::format(
      "its vertices have {} bytes each: was the call recorded after the driver ran? dwVertexSize "
      "holds ddrval then",
      SizeText(size));
}

// Source: lib/raster/rendering-output.md 5.6.
bool ReadsTarget(const device::State& state) {
  if (state.value(RenderState::AlphaBlendEnable) == 0) return false;
  const auto operation = static_cast<d3d::BlendOp>(state.value(RenderState::BlendOp));
  if (operation == d3d::BlendOp::Min || operation == d3d::BlendOp::Max) return true;
  switch (static_cast<d3d::BlendFactor>(state.value(RenderState::SrcBlend))) {
    case d3d::BlendFactor::DestAlpha:
    case d3d::BlendFactor::InvDestAlpha:
    case d3d::BlendFactor::DestColor:
    case d3d::BlendFactor::InvDestColor:
    case d3d::BlendFactor::SrcAlphaSat:
    case d3d::BlendFactor::BothSrcAlpha:
    case d3d::BlendFactor::BothInvSrcAlpha:
      return true;
    default:
      return state.value(RenderState::DestBlend) != d3d::Value(d3d::BlendFactor::Zero);
  }
}

// Blending leaves the target as it is.
bool KeepsTarget(const device::State& state) {
  return state.value(RenderState::AlphaBlendEnable) != 0 &&
         state.value(RenderState::SeparateAlphaBlendEnable) == 0 &&
         state.value(RenderState::BlendOp) == d3d::Value(d3d::BlendOp::Add) &&
         state.value(RenderState::SrcBlend) == d3d::Value(d3d::BlendFactor::Zero) &&
         state.value(RenderState::DestBlend) == d3d::Value(d3d::BlendFactor::One);
}

// An area of level 0 at another level: what a copy may write there, or what it reads in any case.
std::optional<image::Area> AtLevel(const std::optional<image::Area>& area, uint32_t level,
                                   bool is_written) {
  if (!area || level == 0) return area;
  const auto end = [&](uint32_t x) {
    const uint64_t up = is_written ? (uint64_t{1} << level) - 1 : 0;
    return std::max<uint32_t>(static_cast<uint32_t>((x + up) >> level), 1);
  };
  return image::Area{area->left >> level, area->top >> level,   end(area->right),
                     end(area->bottom),   area->front >> level, end(area->back)};
}

// RECORD-UPDATE-001.
void CheckUpdateSize(const trace::SurfaceUpdate& update, const device::SurfaceRef& place,
                     EventFindings& findings) {
  const std::optional<uint64_t> size =
      place ? device::LargestUpdate(update, place) : std::optional<uint64_t>();
  if (!size || update.data.size() <= *size) return;
  findings.Add(Rule::kRecordUpdate001, "data",
               fmt::format("{} has {} for an area of {}: is it the whole surface?", NameOf(place),
                           Counted(update.data.size(), "byte"), *size),
               fmt::format("{}", update.data.size()), fmt::format("{} or fewer", *size));
}

}  // namespace

// A driver that makes levels itself has all of them with the first one.
RecordingRules::Place RecordingRules::PlaceOf(const device::SurfaceRef& surface) {
  return {surface.surface().id(), surface.face,
          surface.resource->has_auto_levels() ? 0 : surface.level};
}

void RecordingRules::Write(const device::SurfaceRef& surface, const OptionalArea& area) {
  if (!surface) return;
  WrittenArea& written = written_[PlaceOf(surface)];
  if (!area || !asks_for_all_ || surface.resource->has_auto_levels()) {
    written.AddAll();
  } else {
    written.Add(*area, surface.surface().WholeLevel(surface.level));
  }
}

// Levels from the first one on; of the faces with a bit, or of that of the reference.
void RecordingRules::WriteLevels(device::SurfaceRef surface, uint32_t levels, uint32_t faces,
                                 const OptionalArea& area) {
  if (!surface) return;
  if (!surface.resource->is_cube() || faces == 0) faces = 1u << surface.face;
  for (surface.face = 0; faces >> surface.face != 0; ++surface.face) {
    if ((faces >> surface.face & 1) == 0) continue;
    for (surface.level = 0; surface.level < levels; ++surface.level)
      Write(surface, AtLevel(area, surface.level, true));
  }
}

bool RecordingRules::HasSome(const device::SurfaceRef& surface) const {
  const auto found = written_.find(PlaceOf(surface));
  return found != written_.end() && !found->second.empty();
}

std::string_view RecordingRules::ClauseOf(const device::SurfaceRef& surface) const {
  return HasSome(surface) ? "a part of which nothing in the recording wrote"
                          : "which nothing in the recording wrote";
}

bool RecordingRules::IsUnknown(Rule rule, const device::SurfaceRef& surface,
                               const OptionalArea& area) {
  if (!surface) return false;
  const Place place = PlaceOf(surface);
  const auto written = written_.find(place);
  const image::Area whole = surface.surface().WholeLevel(surface.level);
  const bool is_known = written != written_.end() && !written->second.empty() &&
                        (!area || written->second.Covers(Shared(*area, whole)));
  return !is_known && reported_.emplace(rule, place).second;
}

void RecordingRules::ForgetDestroyed(const device::Device& device) {
  if (written_.size() + reported_.size() + looked_through_.size() < most_places_) return;
  std::set<uint64_t> live;
  for (const auto& [number, space] : device.spaces()) {
    for (const auto& [handle, resource] : space->roots())
      live.insert(resource->surface.id());
  }
  std::erase_if(written_,
                [&](const auto& written) { return !live.contains(written.first.surface); });
  std::erase_if(reported_,
                [&](const auto& reported) { return !live.contains(reported.second.surface); });
  std::erase_if(looked_through_,
                [&](const auto& surface) { return !live.contains(surface.first); });
  most_places_ =
      std::max<size_t>(4096, 2 * (written_.size() + reported_.size() + looked_through_.size()));
}

void RecordingRules::OnEvent(const trace::Event& event, const device::Device& device,
                             EventFindings& findings) {
  target_context_ = UINT64_MAX;  // a handle may name another surface
  if (std::holds_alternative<trace::SurfaceDestroy>(event)) ForgetDestroyed(device);
  const auto find = [&](uint32_t space, uint32_t handle, uint32_t face, uint32_t level) {
    return device::FindPlace(device, space, handle, face, level);
  };
  if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&event)) {
    const device::SurfaceRef place =
        find(update->space, update->handle, update->face, update->level);
    if (asks_for_all_) CheckUpdateSize(*update, place, findings);
    Write(place, AreaOf(*update, place));
  } else if (const auto* const blt = std::get_if<trace::Blt>(&event)) {
    if (blt->kind == trace::BltKind::kCopy && asks_for_all_)
      OnCopy(*blt, find(blt->space, blt->src, blt->src_face, blt->src_level), findings);
    if (!device::HasFailed(blt->ddrval))
      Write(find(blt->space, blt->dest, blt->dest_face, blt->dest_level), AreaOf(blt->dest_rect));
  } else if (!asks_for_all_) {
    return;
  } else if (const auto* const present = std::get_if<trace::Present>(&event)) {
    OnPresent(*present, find(present->space, present->handle, 0, 0), findings);
  } else if (const auto* const marker = std::get_if<trace::Marker>(&event)) {
    OnMarker(*marker, findings);
  } else if (const auto* const call = std::get_if<trace::Dp2>(&event)) {
    OnCall(*call, findings);
  }
}

// Vertices of such a size are not there: no token of the call is reached.
void RecordingRules::OnCall(const trace::Dp2& call, EventFindings& findings) {
  if (call.vertex_type == 0 || call.vertex_length.value_or(0) == 0 ||
      !device::HasFailed(call.vertex_size) || std::exchange(is_size_reported_, true))
    return;
  findings.Add(Rule::kRecordCall001, "vertex_size", SizeMessage(call.vertex_size),
               SizeText(call.vertex_size), kVertexSize);
}

void RecordingRules::OnPresent(const trace::Present& present, const device::SurfaceRef& shown,
                               EventFindings& findings) {
  if (!shown) return;
  const std::string_view clause = ClauseOf(shown);
  const OptionalArea area =
      present.rect ? AreaOf(present.rect) : shown.surface().WholeLevel(shown.level);
  if (!IsUnknown(Rule::kRecordContent004, shown, area)) return;
  findings.Add(Rule::kRecordContent004, "handle",
               fmt::format("surface {} is shown, {}", present.handle, clause),
               fmt::format("{} without contents", NameOf(shown)),
               "the surface that was drawn to, or a surface_update of it");
}

void RecordingRules::OnCopy(const trace::Blt& blt, const device::SurfaceRef& source,
                            EventFindings& findings) {
  if (!IsUnknown(Rule::kRecordContent005, source, AreaOf(blt.src_rect))) return;
  findings.Add(
      Rule::kRecordContent005, "src",
      fmt::format("surface {} gets a copy of {}, {}", blt.dest, NameOf(source), ClauseOf(source)),
      fmt::format("{} without contents", NameOf(source)),
      "a surface_update of the source before the blt");
}

void RecordingRules::OnMarker(const trace::Marker& marker, EventFindings& findings) {
  if (!marker.position) return;
  const auto [place, is_first] =
      positions_.try_emplace(std::string(marker.source), *marker.position);
  if (!is_first && *marker.position < place->second) {
    findings.Add(Rule::kRecordOrder001, "position",
                 fmt::format("the position of the marker is {}, of one before it {}",
                             *marker.position, place->second),
                 fmt::format("{}", *marker.position), fmt::format("{} or more", place->second));
  }
  place->second = *marker.position;
}

void RecordingRules::OnCommand(const CommandView& view) {
  const opcode::OpInfo& op = *view.command.op;
  if (op.op == Op::kClear) {
    if (!asks_for_all_) WriteCleared(view);
  } else if (op.is(opcode::kBlt)) {
    if (view.context.space != nullptr) WriteCopies(view);
  } else if (op.is(opcode::kDraw)) {
    CheckTextures(view);
    if (asks_for_all_) CheckDraw(view);
    WriteTargets(view);
  } else if (op.op == Op::kRenderState) {
    for (const stream::Record& record : view.Records()) {
      if (const auto resolve = device::FindDepthResolve(view.context, record))
        Write(resolve->destination);
    }
  } else if (op.op == Op::kCreatePixelShader || op.op == Op::kDeletePixelShader) {
    for (const stream::Record& record : view.Records())
      masks_.Forget(record.U32(kCreatedShader));
  }
  if (asks_for_all_) NoteStates(view);
}

// All of what a lint knows to be cleared.
void RecordingRules::WriteCleared(const CommandView& view) {
  const uint32_t flags = view.Fixed().U32(stream::Field(opcode::layout::kClear, "flags"));
  if ((flags & d3d::Value(d3d::ClearFlag::Target)) != 0) Write(view.context.Target(0));
  if ((flags & d3d::kClearDepthStencil) != 0) Write(view.context.Depth());
}

void RecordingRules::OnClear(const CommandView& view, const device::ClearDraw& clear) {
  if (!asks_for_all_) return;
  const bool is_limited = (clear.flags & d3d::Value(d3d::ClearFlag::ComputeRects)) == 0;
  const auto write = [&](const device::SurfaceRef& surface) {
    if (clear.rects.empty() || !is_limited) return Write(surface);
    for (const d3d::Rect& rect : clear.rects)
      Write(surface, AreaOf(rect));
  };
  if ((clear.flags & d3d::Value(d3d::ClearFlag::Target)) != 0) write(view.context.Target(0));
  if ((clear.flags & d3d::kClearDepthStencil) != 0) write(view.context.Depth());
}

// Which vertices and indices it reads. Streams that are divided among instances are left out.
void RecordingRules::OnDraw(const CommandView& view, const device::Draw& draw) {
  if (!asks_for_all_ || draw.layout == nullptr) return;
  for (uint32_t stage = 0; waiting_ >> stage != 0; ++stage) {
    if ((waiting_ >> stage & 1) != 0) CheckTexture(view, stage, FindSampledBox(view, draw, stage));
  }
  const bool is_stream = view.command.op->level >= d3d::kFirstStreamLevel;
  const uint64_t count = device::VertexCount(draw.type, draw.primitive_count);
  const bool is_indexed = draw.indices.size != 0;
  if (count == 0 || (is_indexed && !is_stream)) return;
  const int64_t first = draw.base_vertex + (is_indexed ? int64_t{draw.first_index} : 0);
  const int64_t last =
      is_indexed ? draw.base_vertex + draw.last_index : first + static_cast<int64_t>(count) - 1;
  for (uint32_t i = 0; i < device::kStreamCount; ++i) {
    const device::VertexStream& stream = draw.streams[i];
    const int64_t begin = static_cast<int64_t>(stream.origin) + first * stream.stride;
    if (stream.bytes.empty() || stream.divider != 1 || begin < 0) continue;
    const int64_t end = static_cast<int64_t>(stream.origin) + (last + 1) * stream.stride;
    CheckBytes(view, is_stream ? view.context.state.streams[i].buffer : view.call.vertex_buffer,
               stream.bytes.data(), static_cast<uint64_t>(begin),
               std::min(static_cast<uint64_t>(end), uint64_t{stream.bytes.size()}), "vertices");
  }
  if (is_indexed) {
    CheckBytes(view, view.context.state.indices.buffer, draw.indices.bytes.data(),
               draw.indices.origin,
               std::min(draw.indices.origin + count * draw.indices.size,
                        uint64_t{draw.indices.bytes.size()}),
               "indices");
  }
}

void RecordingRules::CheckBytes(const CommandView& view, uint32_t handle, const uint8_t* at,
                                uint64_t begin, uint64_t end, const char* what) {
  if (handle == 0 || view.context.space == nullptr) return;
  const device::SurfaceRef buffer = view.context.space->Find(handle);
  if (!buffer || !buffer.resource->is_buffer() || !HasSome(buffer)) return;
  const auto start = reinterpret_cast<uintptr_t>(buffer.bits().bytes);
  const auto place = reinterpret_cast<uintptr_t>(at);
  const uint64_t size = buffer.surface().size_bytes();
  if (start == 0 || place < start || place - start > size) return;  // memory of the call
  const uint64_t from = place - start + begin;
  const uint64_t to = std::min(place - start + end, size);
  if (from >= to || !IsUnknown(Rule::kRecordContent002, buffer, BytesOf(from, to))) return;
  view.Report(
      Rule::kRecordContent002,
      fmt::format("{} come from bytes {} to {} of buffer {}, a part of which nothing in the "
                  "recording wrote",
                  what, from, to - 1, handle),
      fmt::format("buffer {} with some contents", handle),
      "a surface_update of them before the draw");
}

// What the rest of a draw depends on.
void RecordingRules::CheckDraw(const CommandView& view) {
  CheckVertexSize(view);
  CheckStates(view, contexts_[{view.context.space_id, view.context.id}]);
  CheckBuffers(view);
  CheckTargets(view);
}

void RecordingRules::NoteStates(const CommandView& view) {
  ContextFacts& facts = contexts_[{view.context.space_id, view.context.id}];
  if (view.command.op->op == Op::kStateSet) facts.set_states.set();  // a block may hold any of them
  ForEachField(view, Meaning::kRenderState, [&](const opcode::FieldDesc&, uint32_t state) {
    if (state < facts.set_states.size()) facts.set_states.set(state);
  });
}

void RecordingRules::WriteTargets(const CommandView& view) {
  if (KeepsTarget(view.context.state)) return;
  const OptionalArea drawn = DrawnArea(view.context.state);
  if (target_context_ == view.context.id && targets_ == view.context.targets && drawn_ == drawn)
    return;
  target_context_ = view.context.id;
  targets_ = view.context.targets;
  drawn_ = drawn;
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot)
    Write(view.context.Target(slot), drawn);
  Write(view.context.Depth(), drawn);
}

void RecordingRules::CheckSource(const CommandView& view, const stream::Record& record,
                                 device::SurfaceRef source, uint32_t levels, uint32_t faces,
                                 const OptionalArea& area) {
  if (!source || !asks_for_all_) return;
  if (!source.resource->is_cube() || faces == 0) faces = 1u << source.face;
  std::string places;
  std::string_view clause;
  const uint32_t first = source.level;
  for (source.face = 0; faces >> source.face != 0; ++source.face) {
    if ((faces >> source.face & 1) == 0) continue;
    for (source.level = first; source.level < first + levels; ++source.level) {
      const bool is_unknown =
          IsUnknown(Rule::kRecordContent005, source, AtLevel(area, source.level, false));
      if (!is_unknown || !places.empty()) continue;
      places = NameOf(source);
      clause = ClauseOf(source);
    }
  }
  if (places.empty()) return;
  view.Report(
      Rule::kRecordContent005, record,
      fmt::format(
          "it copies {}, {}: the runtime fills surfaces in system memory without a lock that "
          "the driver sees",
          places, clause),
      fmt::format("{} without contents", places), "a surface_update of the source before the call");
}

// TEXBLT and VOLUMEBLT copy the levels that both have; the others write what their handle names.
void RecordingRules::WriteCopies(const CommandView& view) {
  const Op op = view.command.op->op;
  const device::Space& space = *view.context.space;
  for (const stream::Record& record : view.Records()) {
    if (op == Op::kTexBlt) {
      device::TextureLoad load;
      if (device::Refuses(device::ReadTextureLoad(space, record, load)) || !load.destination)
        continue;
      const uint32_t faces = load.flags >> device::kCubeFaceShift & device::kCubeFaceMask;
      load.source.level = load.source_level;
      const auto x = static_cast<uint32_t>(load.x);
      const auto y = static_cast<uint32_t>(load.y);
      OptionalArea read;
      OptionalArea written;
      if (std::min({load.x, load.y, load.rect.left, load.rect.top}) >= 0) {
        read = load.area();
        written = image::Area{x, y, x + read->width(), y + read->height()};
      }
      CheckSource(view, record, load.source, load.pair_count, faces, read);
      WriteLevels(load.destination, load.pair_count, faces, written);
    } else if (op == Op::kVolumeBlt) {
      device::VolumeLoad load;
      if (device::Refuses(device::ReadVolumeLoad(space, record, load)) || !load.destination)
        continue;
      CheckSource(view, record, load.source, load.copy.level_count, 0);
      WriteLevels(load.destination, load.copy.level_count, 0);
    } else if (op == Op::kBufferBlt) {
      device::BufferCopy copy;
      if (!device::ReadBufferCopy(space, record, copy).empty() || !copy.destination) continue;
      CheckSource(view, record, copy.source, 1, 0, BytesOf(copy.from, copy.from + copy.size));
      Write(copy.destination, BytesOf(copy.to, copy.to + copy.size));
    }
  }
  if (op == Op::kTexBlt || op == Op::kVolumeBlt || op == Op::kBufferBlt) return;
  ForEachField(view, Meaning::kSurface, [&](const opcode::FieldDesc& field, uint32_t handle) {
    const device::SurfaceRef surface = space.Find(handle);
    const bool is_source = field.name.starts_with("src") || field.name.starts_with("source");
    if (!is_source) return Write(surface);
    if (!asks_for_all_ || !IsUnknown(Rule::kRecordContent005, surface)) return;
    view.Report(Rule::kRecordContent005,
                fmt::format("it copies {}, {}", NameOf(surface), ClauseOf(surface)),
                fmt::format("{} without contents", NameOf(surface)),
                "a surface_update of the source before the call");
  });
}

// Which levels a draw samples is decided by its pixels: with a mip filter any of them may be one.
std::string RecordingRules::UnknownPlaces(const CommandView& view, uint32_t stage,
                                          device::Resource& texture,
                                          const std::optional<SampledBox>& sampled) {
  const image::SurfaceDescription& description = texture.surface.description();
  const uint32_t filter = view.context.state.stage(stage, TextureStageState::MipFilter);
  const bool is_mapped = view.runtime_version() < d3d::kFirstModernRuntime
                             ? filter > d3d::Value(d3d::LegacyMipFilter::None)
                             : filter != d3d::Value(d3d::TextureFilter::None);
  const uint32_t base =
      is_mapped
          ? std::max(view.context.state.stage(stage, TextureStageState::MaxMipLevel), texture.lod)
          : texture.lod;
  const uint32_t first = std::min(base, description.levels - 1);
  const uint32_t last = is_mapped ? description.levels - 1 : first;
  if (!sampled && IsLookedThrough(texture.surface, {first, last})) return {};
  const bool may_wait = asks_for_all_ && !sampled && HasPlainCoordinates(view, stage);
  std::string places;
  uint32_t count = 0;
  device::SurfaceRef surface{&texture, 0, 0};
  for (; surface.face < description.faces; ++surface.face) {
    if ((texture.present_faces >> surface.face & 1) == 0) continue;
    for (surface.level = first; surface.level <= last; ++surface.level) {
      const image::Area whole = texture.surface.WholeLevel(surface.level);
      if (may_wait && HasSome(surface)) {
        if (written_.find(PlaceOf(surface))->second.Covers(whole)) continue;
        waiting_ |= 1U << stage;
        looked_through_.erase(texture.surface.id());
        continue;
      }
      if (!IsUnknown(TextureRule(), surface, sampled ? sampled->At(whole) : whole) ||
          ++count > kNamedPlaces)
        continue;
      places += places.empty() ? "" : ", ";
      if (HasSome(surface)) places += "a part of ";
      if (description.faces > 1) places += fmt::format("face {} ", surface.face);
      places += fmt::format("level {}", surface.level);
    }
  }
  if (count > kNamedPlaces) places += fmt::format(" and {} more", count - kNamedPlaces);
  return places;
}

Rule RecordingRules::TextureRule() const {
  return asks_for_all_ ? Rule::kRecordContent001 : Rule::kDp2Tss035;
}

// What was written stays written, and what was reported is not reported again.
bool RecordingRules::IsLookedThrough(const image::Surface& surface, const Levels& levels) {
  const auto [place, is_new] = looked_through_.try_emplace(surface.id(), levels);
  if (!is_new && place->second == levels) return true;
  place->second = levels;
  return false;
}

// A lint of what begins in the middle, of what could not be read and of what others write, too, does not know the contents.
bool RecordingRules::KnowsContents(const CommandView& view, const device::Resource& texture) const {
  // DDSCAPS3_CREATESHAREDRESOURCE, _READONLY, _OPENSHARED.
  constexpr uint32_t kCaps3Shared = 0xE000;
  if (asks_for_all_) return true;
  return view.header().start == trace::RecordingStart::kBeginning && !view.context.has_loss &&
         texture.is_announced && (texture.caps3 & kCaps3Shared) == 0;
}

void RecordingRules::CheckTextures(const CommandView& view) {
  if (!view.Wants(TextureRule())) return;
  waiting_ = 0;
  const uint32_t read = ReadTextures(view, masks_);
  for (uint32_t stage = 0; stage < d3d::kPixelSamplerCount; ++stage) {
    if ((read >> stage & 1) != 0) CheckTexture(view, stage, {});
  }
}

void RecordingRules::CheckTexture(const CommandView& view, uint32_t stage,
                                  const std::optional<SampledBox>& sampled) {
  device::Resource* const texture = view.context.Texture(stage);
  if (texture == nullptr || !KnowsContents(view, *texture)) return;
  const std::string places = UnknownPlaces(view, stage, *texture, sampled);
  if (places.empty()) return;
  view.ReportState(TextureRule(), DetailOf(stage, d3d::TextureStageState::TextureMap, 0),
                   fmt::format("stage {} samples texture {}, of which nothing{} wrote {}", stage,
                               texture->handle, asks_for_all_ ? " in the recording" : "", places),
                   fmt::format("no contents of {}", places), "contents before the draw");
}

void RecordingRules::CheckBuffer(const CommandView& view, uint32_t handle, const char* what) {
  if (handle == 0 || view.context.space == nullptr) return;
  const device::SurfaceRef buffer = view.context.space->Find(handle);
  if (!buffer || !buffer.resource->is_buffer() || !IsUnknown(Rule::kRecordContent002, buffer))
    return;
  view.Report(
      Rule::kRecordContent002,
      fmt::format("{} come from buffer {}, which nothing in the recording wrote", what, handle),
      fmt::format("buffer {} without contents", handle), "a surface_update before the draw");
}

void RecordingRules::CheckBuffers(const CommandView& view) {
  if (view.command.op->level < d3d::kFirstStreamLevel) {
    if (!view.call.has_user_memory) CheckBuffer(view, view.call.vertex_buffer, "vertices");
    return;
  }
  const device::ShaderObject* const declaration = view.context.VertexDeclaration();
  for (uint32_t stream = 0; stream < device::kStreamCount; ++stream) {
    bool is_used = declaration == nullptr && stream == 0;
    for (const device::VertexElement& element : declaration != nullptr
                                                    ? declaration->layout.elements
                                                    : std::vector<device::VertexElement>())
      is_used = is_used || element.stream == stream;
    const device::StreamBinding& binding = view.context.state.streams[stream];
    if (is_used && !binding.is_user_memory) CheckBuffer(view, binding.buffer, "vertices");
  }
  const Op op = view.command.op->op;
  if (op == Op::kDrawIndexedPrimitive || op == Op::kDrawIndexedPrimitive2)
    CheckBuffer(view, view.context.state.indices.buffer, "indices");
}

// A size that no vertex has and that a driver returns: DD_OK, or an error.
void RecordingRules::CheckVertexSize(const CommandView& view) {
  const uint32_t size = view.call.vertex_size;
  if (view.command.op->level >= d3d::kFirstStreamLevel || view.call.vertex_type == 0 ||
      !(size == 0 || device::HasFailed(size)) || std::exchange(is_size_reported_, true))
    return;
  view.Report(Rule::kRecordCall001, SizeMessage(size), SizeText(size), kVertexSize);
}

void RecordingRules::CheckTargets(const CommandView& view) {
  const device::State& state = view.context.state;
  const device::SurfaceRef target = view.context.Target(0);
  const device::SurfaceRef depth = view.context.Depth();
  const bool tests = state.value(RenderState::ZEnable) != 0 &&
                     state.value(RenderState::ZFunc) != d3d::Value(d3d::CompareFunc::Always);
  const OptionalArea drawn = DrawnArea(state);
  const auto check = [&](const device::SurfaceRef& surface, bool is_read, const char* what) {
    if (!is_read || !surface) return;
    const image::Area whole = surface.surface().WholeLevel(surface.level);
    if (!IsUnknown(Rule::kRecordContent003, surface, drawn.value_or(whole))) return;
    const std::string place = NameOf(surface);
    view.Report(
        Rule::kRecordContent003, fmt::format("it {} {}, {}", what, place, ClauseOf(surface)),
        fmt::format("{} without contents", place), "a clear or a surface_update before the draw");
  };
  check(target, ReadsTarget(state), "blends with");
  check(depth, tests, "tests against");
}

void RecordingRules::CheckStates(const CommandView& view, ContextFacts& facts) {
  if (view.header().start == trace::RecordingStart::kBeginning) return;
  if (std::exchange(facts.is_reported, true)) return;
  std::string names;
  uint32_t missing = 0;
  uint32_t count = 0;
  for (const d3d::StateInfo& state : d3d::AllRenderStates()) {
    if (!IsStateOf(state, view.level())) continue;
    ++count;
    if (facts.set_states.test(state.code)) continue;
    if (++missing <= kNamedStates)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", state.name);
  }
  if (missing == 0) return;
  if (missing > kNamedStates) names += ", ...";
  view.Report(Rule::kRecordState001,
              fmt::format("{} of {} render states have not been set since the start: {}", missing,
                          count, names),
              Counted(count - missing, "state"), Counted(count, "state"));
}

}  // namespace dp2trace::validate
