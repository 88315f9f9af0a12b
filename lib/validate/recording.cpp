#include "validate/recording.h"

#include <fmt/format.h>

#include <functional>
#include <type_traits>
#include <variant>

#include "d3d/interface.h"
#include "opcode/layouts.h"
#include "rules/rule.h"

namespace dp2trace::validate {
namespace {

using d3d::RenderState;
using opcode::Meaning;
using opcode::Op;

constexpr uint32_t kNamedStates = 6;  // in a message

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

void RecordingRules::Write(const device::SurfaceRef& surface) {
  if (surface) written_.insert(surface.surface().id());
}

bool RecordingRules::IsUnknown(const device::Resource* resource) const {
  return resource != nullptr && !written_.contains(resource->surface.id());
}

bool RecordingRules::IsNews(Rule rule, const device::Resource& resource) {
  return told_.emplace(rule, resource.surface.id()).second;
}

void RecordingRules::OnEvent(const trace::Event& event, const device::Device& device,
                             EventFindings& findings) {
  const auto write = [&](uint32_t space_id, uint32_t handle) {
    const device::Space* const space = device.FindSpace(space_id);
    if (space != nullptr) Write(space->Find(handle));
  };
  if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&event))
    write(update->space, update->handle);
  if (const auto* const blt = std::get_if<trace::Blt>(&event)) write(blt->space, blt->dest);
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
    ForEachField(view, Meaning::kSurface, [&](const opcode::FieldDesc& field, uint32_t handle) {
      const bool is_source = field.name.starts_with("src") || field.name.starts_with("source");
      if (!is_source) Write(view.context.space->Find(handle));
    });
  }
}

void RecordingRules::CheckTextures(const CommandView& view) {
  const uint32_t read = ReadTextures(view, masks_);
  for (uint32_t stage = 0; stage < d3d::kPixelSamplerCount; ++stage) {
    const device::Resource* const texture =
        (read >> stage & 1) != 0 ? view.context.Texture(stage) : nullptr;
    if (!IsUnknown(texture) || !IsNews(Rule::kRecordContent001, *texture)) continue;
    view.Report(Rule::kRecordContent001,
                fmt::format("stage {} samples texture {}, which nothing in the recording wrote",
                            stage, texture->handle),
                fmt::format("texture {} without contents", texture->handle),
                "a surface_update before the draw");
  }
}

void RecordingRules::CheckBuffer(const CommandView& view, uint32_t handle, const char* what) {
  if (handle == 0 || view.context.space == nullptr) return;
  const device::Resource* const buffer = view.context.space->Find(handle).resource;
  if (!IsUnknown(buffer) || !buffer->is_buffer() || !IsNews(Rule::kRecordContent002, *buffer))
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
    if (!is_read || !IsUnknown(surface.resource) ||
        !IsNews(Rule::kRecordContent003, *surface.resource))
      return;
    view.Report(Rule::kRecordContent003,
                fmt::format("it {} surface {}, which nothing in the recording wrote", what,
                            surface.resource->handle),
                fmt::format("surface {} without contents", surface.resource->handle),
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
