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

namespace dp2trace::validate {
namespace {

using d3d::RenderState;
using d3d::TextureStageState;
using opcode::Meaning;
using opcode::Op;

constexpr uint32_t kNamedStates = 6;  // in a message
constexpr uint32_t kNamedPlaces = 4;
constexpr stream::FieldRef kPixelShader =
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

void RecordingRules::Write(const device::SurfaceRef& surface) {
  if (surface) written_.insert(PlaceOf(surface));
}

// Levels from the first one on; of the faces with a bit, or of that of the reference.
void RecordingRules::WriteLevels(device::SurfaceRef surface, uint32_t levels, uint32_t faces) {
  if (!surface) return;
  if (!surface.resource->is_cube() || faces == 0) faces = 1u << surface.face;
  for (surface.face = 0; faces >> surface.face != 0; ++surface.face) {
    if ((faces >> surface.face & 1) == 0) continue;
    for (surface.level = 0; surface.level < levels; ++surface.level)
      Write(surface);
  }
}

bool RecordingRules::IsUnknown(Rule rule, const device::SurfaceRef& surface) {
  if (!surface) return false;
  const Place place = PlaceOf(surface);
  return !written_.contains(place) && told_.emplace(rule, place).second;
}

void RecordingRules::ForgetDestroyed(const device::Device& device) {
  if (written_.size() + told_.size() + weighed_.size() < most_places_) return;
  std::set<uint64_t> live;
  for (const auto& [number, space] : device.spaces()) {
    for (const auto& [handle, resource] : space->roots())
      live.insert(resource->surface.id());
  }
  std::erase_if(written_, [&](const Place& place) { return !live.contains(place.surface); });
  std::erase_if(told_, [&](const auto& told) { return !live.contains(told.second.surface); });
  std::erase_if(weighed_, [&](const auto& surface) { return !live.contains(surface.first); });
  most_places_ = std::max<size_t>(4096, 2 * (written_.size() + told_.size() + weighed_.size()));
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
    Write(place);
  } else if (const auto* const blt = std::get_if<trace::Blt>(&event)) {
    if (blt->kind == trace::BltKind::kCopy && asks_for_all_)
      OnCopy(*blt, find(blt->space, blt->src, blt->src_face, blt->src_level), findings);
    Write(find(blt->space, blt->dest, blt->dest_face, blt->dest_level));
  } else if (!asks_for_all_) {
    return;
  } else if (const auto* const present = std::get_if<trace::Present>(&event)) {
    OnPresent(*present, find(present->space, present->handle, 0, 0), findings);
  } else if (const auto* const marker = std::get_if<trace::Marker>(&event)) {
    OnMarker(*marker, findings);
  }
}

void RecordingRules::OnPresent(const trace::Present& present, const device::SurfaceRef& shown,
                               EventFindings& findings) {
  if (!IsUnknown(Rule::kRecordContent004, shown)) return;
  findings.Add(
      Rule::kRecordContent004, "handle",
      fmt::format("surface {} is shown, which nothing in the recording wrote", present.handle),
      fmt::format("{} without contents", NameOf(shown)),
      "the surface that was drawn to, or a surface_update of it");
}

void RecordingRules::OnCopy(const trace::Blt& blt, const device::SurfaceRef& source,
                            EventFindings& findings) {
  if (!IsUnknown(Rule::kRecordContent005, source)) return;
  findings.Add(Rule::kRecordContent005, "src",
               fmt::format("surface {} gets a copy of {}, which nothing in the recording wrote",
                           blt.dest, NameOf(source)),
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
    const uint32_t flags = view.Fixed().U32(stream::Field(opcode::layout::kClear, "flags"));
    if ((flags & d3d::Value(d3d::ClearFlag::Target)) != 0) Write(view.context.Target(0));
    if ((flags & d3d::kClearDepthStencil) != 0) Write(view.context.Depth());
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
      masks_.Forget(record.U32(kPixelShader));
  }
  if (asks_for_all_) NoteStates(view);
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
  if (target_context_ == view.context.id && targets_ == view.context.targets) return;
  target_context_ = view.context.id;
  targets_ = view.context.targets;
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot)
    Write(view.context.Target(slot));
  Write(view.context.Depth());
}

void RecordingRules::CheckSource(const CommandView& view, const stream::Record& record,
                                 device::SurfaceRef source, uint32_t levels, uint32_t faces) {
  if (!source || !asks_for_all_) return;
  if (!source.resource->is_cube() || faces == 0) faces = 1u << source.face;
  std::string places;
  const uint32_t first = source.level;
  for (source.face = 0; faces >> source.face != 0; ++source.face) {
    if ((faces >> source.face & 1) == 0) continue;
    for (source.level = first; source.level < first + levels; ++source.level) {
      if (IsUnknown(Rule::kRecordContent005, source) && places.empty()) places = NameOf(source);
    }
  }
  if (places.empty()) return;
  view.Report(
      Rule::kRecordContent005, record,
      fmt::format(
          "it copies {}, which nothing in the recording wrote: the runtime fills surfaces in "
          "system memory without a lock that the driver sees",
          places),
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
      CheckSource(view, record, load.source, load.pair_count, faces);
      WriteLevels(load.destination, load.pair_count, faces);
    } else if (op == Op::kVolumeBlt) {
      device::VolumeLoad load;
      if (device::Refuses(device::ReadVolumeLoad(space, record, load)) || !load.destination)
        continue;
      CheckSource(view, record, load.source, load.copy.level_count, 0);
      WriteLevels(load.destination, load.copy.level_count, 0);
    } else if (op == Op::kBufferBlt) {
      device::BufferCopy copy;
      if (!device::ReadBufferCopy(space, record, copy).empty() || !copy.destination) continue;
      CheckSource(view, record, copy.source, 1, 0);
      Write(copy.destination);
    }
  }
  if (op == Op::kTexBlt || op == Op::kVolumeBlt || op == Op::kBufferBlt) return;
  ForEachField(view, Meaning::kSurface, [&](const opcode::FieldDesc& field, uint32_t handle) {
    const device::SurfaceRef surface = space.Find(handle);
    const bool is_source = field.name.starts_with("src") || field.name.starts_with("source");
    if (!is_source) return Write(surface);
    if (!asks_for_all_ || !IsUnknown(Rule::kRecordContent005, surface)) return;
    view.Report(Rule::kRecordContent005,
                fmt::format("it copies {}, which nothing in the recording wrote", NameOf(surface)),
                fmt::format("{} without contents", NameOf(surface)),
                "a surface_update of the source before the call");
  });
}

// Which levels a draw samples is decided by its pixels: with a mip filter any of them may be one.
std::string RecordingRules::UnknownPlaces(const CommandView& view, uint32_t stage,
                                          device::Resource& texture) {
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
  if (IsWeighed(texture.surface, {first, last})) return {};
  std::string places;
  uint32_t count = 0;
  device::SurfaceRef surface{&texture, 0, 0};
  for (; surface.face < description.faces; ++surface.face) {
    if ((texture.present_faces >> surface.face & 1) == 0) continue;
    for (surface.level = first; surface.level <= last; ++surface.level) {
      if (!IsUnknown(TextureRule(), surface) || ++count > kNamedPlaces) continue;
      places += places.empty() ? "" : ", ";
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

// What was written stays written, and what was told is not told again.
bool RecordingRules::IsWeighed(const image::Surface& surface, const Levels& levels) {
  const auto [place, is_new] = weighed_.try_emplace(surface.id(), levels);
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
  const uint32_t read = ReadTextures(view, masks_);
  for (uint32_t stage = 0; stage < d3d::kPixelSamplerCount; ++stage) {
    device::Resource* const texture =
        (read >> stage & 1) != 0 ? view.context.Texture(stage) : nullptr;
    if (texture == nullptr || !KnowsContents(view, *texture)) continue;
    const std::string places = UnknownPlaces(view, stage, *texture);
    if (places.empty()) continue;
    view.Report(TextureRule(),
                fmt::format("stage {} samples texture {}, of which nothing{} wrote {}", stage,
                            texture->handle, asks_for_all_ ? " in the recording" : "", places),
                fmt::format("no contents of {}", places), "contents before the draw");
  }
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

// A size that no vertex has and that is what a driver returns: DD_OK, or an error.
void RecordingRules::CheckVertexSize(const CommandView& view) {
  const uint32_t size = view.call.vertex_size;
  const bool is_result = size == 0 || device::HasFailed(size);
  if (view.command.op->level >= d3d::kFirstStreamLevel || view.call.vertex_type == 0 || !is_result)
    return;
  if (std::exchange(is_size_told_, true)) return;
  view.Report(Rule::kRecordCall001,
              fmt::format("its vertices have {} bytes each: was the call recorded after the driver "
                          "ran? dwVertexSize holds ddrval then",
                          size == 0 ? "0" : fmt::format("{:#x}", size)),
              fmt::format("{:#x}", size), "the size of a vertex");
}

void RecordingRules::CheckTargets(const CommandView& view) {
  const device::State& state = view.context.state;
  const device::SurfaceRef target = view.context.Target(0);
  const device::SurfaceRef depth = view.context.Depth();
  const bool blends = state.value(RenderState::AlphaBlendEnable) != 0;
  const bool tests = state.value(RenderState::ZEnable) != 0 &&
                     state.value(RenderState::ZFunc) != d3d::Value(d3d::CompareFunc::Always);
  const auto check = [&](const device::SurfaceRef& surface, bool is_read, const char* what) {
    if (!is_read || !IsUnknown(Rule::kRecordContent003, surface)) return;
    const std::string place = NameOf(surface);
    view.Report(Rule::kRecordContent003,
                fmt::format("it {} {}, which nothing in the recording wrote", what, place),
                fmt::format("{} without contents", place),
                "a clear or a surface_update before the draw");
  };
  check(target, blends, "blends with");
  check(depth, tests, "tests against");
}

void RecordingRules::CheckStates(const CommandView& view, ContextFacts& facts) {
  if (view.header().start == trace::RecordingStart::kBeginning) return;
  if (std::exchange(facts.is_told, true)) return;
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
