#include "validate/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <variant>

#include "d3d/interface.h"
#include "device/load.h"
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

void RecordingRules::OnEvent(const trace::Event& event, const device::Device& device,
                             EventFindings& findings) {
  const auto write = [&](uint32_t space_id, uint32_t handle, uint32_t face, uint32_t level) {
    const device::Space* const space = device.FindSpace(space_id);
    device::SurfaceRef surface = space == nullptr ? device::SurfaceRef() : space->Find(handle);
    if (!surface) return;
    if (surface.resource->handle == handle) surface.face = face;
    surface.level += level;
    Write(surface);
  };
  if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&event))
    write(update->space, update->handle, update->face, update->level);
  if (const auto* const blt = std::get_if<trace::Blt>(&event))
    write(blt->space, blt->dest, blt->dest_face, blt->dest_level);
  if (const auto* const marker = std::get_if<trace::Marker>(&event)) OnMarker(*marker, findings);
}

void RecordingRules::OnMarker(const trace::Marker& marker, EventFindings& findings) {
  if (!marker.position) return;
  const auto [place, is_first] =
      positions_.try_emplace(std::string(marker.source), *marker.position);
  if (!is_first && *marker.position < place->second) {
    findings.Add(Rule::kRecordOrder001, "position",
                 fmt::format("the marker stands at {}, one before it at {}", *marker.position,
                             place->second),
                 fmt::format("{}", *marker.position), fmt::format("{} or more", place->second));
  }
  place->second = *marker.position;
}

void RecordingRules::OnCommand(const CommandView& view) {
  ContextFacts& facts = contexts_[{view.context.space_id, view.context.id}];
  ForEachField(view, Meaning::kRenderState, [&](const opcode::FieldDesc&, uint32_t state) {
    if (state < facts.set_states.size()) facts.set_states.set(state);
  });
  const opcode::OpInfo& op = *view.command.op;
  if (op.op == Op::kStateSet) facts.set_states.set();  // a block may hold any of them
  if (op.op == Op::kClear) {
    const uint32_t flags = view.Fixed().U32(stream::Field(opcode::layout::kClear, "flags"));
    if ((flags & d3d::Value(d3d::ClearFlag::Target)) != 0) Write(view.context.Target(0));
    if ((flags & d3d::kClearDepthStencil) != 0) Write(view.context.Depth());
  } else if (op.is(opcode::kDraw)) {
    CheckStates(view, facts);
    CheckTextures(view);
    CheckBuffers(view);
    CheckTargets(view);
  } else if (op.is(opcode::kBlt) && view.context.space != nullptr) {
    WriteCopies(view);
  }
}

// TEXBLT and VOLUMEBLT copy the levels that both have; the others write what their handle names.
void RecordingRules::WriteCopies(const CommandView& view) {
  const Op op = view.command.op->op;
  for (const stream::Record& record : view.Records()) {
    if (op == Op::kTexBlt) {
      device::TextureLoad load;
      if (!device::ReadTextureLoad(*view.context.space, record, load).empty()) continue;
      const uint32_t faces = load.flags >> device::kCubeFaceShift & device::kCubeFaceMask;
      WriteLevels(load.destination, load.pair_count, faces);
    } else if (op == Op::kVolumeBlt) {
      device::VolumeLoad load;
      if (!device::ReadVolumeLoad(*view.context.space, record, load).empty()) continue;
      WriteLevels(load.destination, load.copy.level_count, 0);
    }
  }
  if (op == Op::kTexBlt || op == Op::kVolumeBlt) return;
  ForEachField(view, Meaning::kSurface, [&](const opcode::FieldDesc& field, uint32_t handle) {
    const bool is_source = field.name.starts_with("src") || field.name.starts_with("source");
    if (!is_source) Write(view.context.space->Find(handle));
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
  std::string places;
  uint32_t count = 0;
  device::SurfaceRef surface{&texture, 0, 0};
  for (; surface.face < description.faces; ++surface.face) {
    if ((texture.present_faces >> surface.face & 1) == 0) continue;
    for (surface.level = first; surface.level <= last; ++surface.level) {
      if (!IsUnknown(Rule::kRecordContent001, surface) || ++count > kNamedPlaces) continue;
      places += places.empty() ? "" : ", ";
      if (description.faces > 1) places += fmt::format("face {} ", surface.face);
      places += fmt::format("level {}", surface.level);
    }
  }
  if (count > kNamedPlaces) places += fmt::format(" and {} more", count - kNamedPlaces);
  return places;
}

void RecordingRules::CheckTextures(const CommandView& view) {
  const uint32_t read = ReadTextures(view, masks_);
  for (uint32_t stage = 0; stage < d3d::kPixelSamplerCount; ++stage) {
    device::Resource* const texture =
        (read >> stage & 1) != 0 ? view.context.Texture(stage) : nullptr;
    if (texture == nullptr) continue;
    const std::string places = UnknownPlaces(view, stage, *texture);
    if (places.empty()) continue;
    view.Report(
        Rule::kRecordContent001,
        fmt::format("stage {} samples texture {}, of which nothing in the recording wrote {}",
                    stage, texture->handle, places),
        fmt::format("no contents of {}", places), "a surface_update before the draw");
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

void RecordingRules::CheckTargets(const CommandView& view) {
  const device::State& state = view.context.state;
  const device::SurfaceRef target = view.context.Target(0);
  const device::SurfaceRef depth = view.context.Depth();
  const bool blends = state.value(RenderState::AlphaBlendEnable) != 0;
  const bool tests = state.value(RenderState::ZEnable) != 0 &&
                     state.value(RenderState::ZFunc) != d3d::Value(d3d::CompareFunc::Always);
  const auto check = [&](const device::SurfaceRef& surface, bool is_read, const char* what) {
    if (!is_read || !IsUnknown(Rule::kRecordContent003, surface)) return;
    std::string place = fmt::format("surface {}", surface.resource->handle);
    if (surface.face != 0) place += fmt::format(", face {}", surface.face);
    if (surface.level != 0) place += fmt::format(", level {}", surface.level);
    view.Report(Rule::kRecordContent003,
                fmt::format("it {} {}, which nothing in the recording wrote", what, place),
                fmt::format("{} without contents", place),
                "a clear or a surface_update before the draw");
  };
  check(target, blends, "blends with");
  check(depth, tests, "tests against");
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot)
    Write(view.context.Target(slot));
  Write(depth);
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
              fmt::format("{} states", count - missing), fmt::format("{} states", count));
}

}  // namespace dp2trace::validate
