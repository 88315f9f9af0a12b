#include "state/state_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "d3d/fvf.h"
#include "d3d/states.h"
#include "shader/disassembler.h"
#include "state/state_values.h"

namespace dp2trace::state {
namespace {

using device::StateKey;
using device::StateKind;

// Fills what the entry says of the key.
void Describe(const device::Context& context, const device::State& defaults,
              const StateWrites& writes, StateKey key, StateEntry& entry) {
  entry.value = ValueText(context, context.state, key);
  entry.is_default = SameValue(context.state, defaults, key);
  entry.default_value = entry.is_default ? entry.value : ValueText(context, defaults, key);
  entry.origin = writes.Find(context, key);
}

void DescribeTarget(const device::Context& context, const StateWrites& writes, uint32_t slot,
                    StateEntry& entry) {
  const bool is_depth = slot == device::kTargetCount;
  const uint32_t handle = is_depth ? context.targets.depth : context.targets.colors[slot];
  entry.value = SurfaceText(context, handle);
  entry.default_value = SurfaceText(context, 0);
  entry.is_default = handle == 0;
  entry.origin = writes.FindTarget(context, slot);
}

class SnapshotWriter {
 public:
  SnapshotWriter(const device::Context& context, const StateWrites& writes)
      : context_(context), writes_(writes), first_(writes.FirstState(context)) {}

  std::vector<StateEntry> Take() {
    AddTargets();
    AddTextures();
    AddRenderStates();
    AddStageStates();
    AddPrograms();
    AddStreams();
    AddTransforms();
    AddFixedFunction();
    AddConstants(StateGroup::kVertexConstant, context_.state.vertex_constants,
                 {StateKind::kVertexFloat, StateKind::kVertexInteger, StateKind::kVertexBoolean});
    AddConstants(StateGroup::kPixelConstant, context_.state.pixel_constants,
                 {StateKind::kPixelFloat, StateKind::kPixelInteger, StateKind::kPixelBoolean});
    return std::move(entries_);
  }
  // Of the entries, after Take().
  std::vector<std::optional<StateKey>> TakeKeys() { return std::move(keys_); }

 private:
  const device::State& Defaults() const { return first_ != nullptr ? *first_ : context_.state; }

  void Add(StateGroup group, StateKey key, std::string name) {
    StateEntry entry;
    entry.group = group;
    entry.name = std::move(name);
    Describe(context_, Defaults(), writes_, key, entry);
    keys_.emplace_back(key);
    entries_.push_back(std::move(entry));
  }

  void AddTargets() {
    for (uint32_t slot = 0; slot <= device::kTargetCount; ++slot) {
      StateEntry entry;
      entry.group = StateGroup::kTarget;
      entry.name = slot == device::kTargetCount ? "depth" : fmt::format("target {}", slot);
      DescribeTarget(context_, writes_, slot, entry);
      keys_.emplace_back();
      entries_.push_back(std::move(entry));
    }
  }

  template <class Visit>
  void ForEachStage(Visit visit) const {
    for (uint32_t stage = 0; stage <= d3d::kLastVertexSampler; ++stage) {
      if (const std::optional<uint32_t> slot = device::StageSlot(stage)) visit(stage, *slot);
    }
  }

  void AddStage(StateGroup group, uint32_t stage, uint32_t slot, const d3d::StateInfo& info) {
    const StateKey key = {StateKind::kStage, device::StageIndex(slot, info.code)};
    const bool is_possible = d3d::IsLegalStage(info, stage, context_.level);
    if (is_possible || writes_.Find(context_, key).set)
      Add(group, key, fmt::format("stage {} {}", stage, info.name));
  }

  void AddTextures() {
    ForEachStage([this](uint32_t stage, uint32_t slot) {
      AddStage(StateGroup::kTexture, stage, slot, d3d::Info(d3d::TextureStageState::TextureMap));
    });
  }

  void AddRenderStates() {
    for (const d3d::StateInfo& info : d3d::AllRenderStates())
      Add(StateGroup::kRenderState, {StateKind::kRender, info.code}, std::string(info.name));
  }

  void AddStageStates() {
    ForEachStage([this](uint32_t stage, uint32_t slot) {
      for (const d3d::StateInfo& info : d3d::AllTextureStageStates()) {
        const bool is_texture = info.code == d3d::Value(d3d::TextureStageState::TextureMap);
        if (!is_texture && info.state_class != d3d::StateClass::kUserMode)
          AddStage(StateGroup::kTextureStage, stage, slot, info);
      }
    });
  }

  void AddPrograms() {
    Add(StateGroup::kVertexProgram, {StateKind::kVertexDeclaration}, "declaration");
    Add(StateGroup::kVertexProgram, {StateKind::kVertexFunction}, "vertex shader");
    Add(StateGroup::kPixelProgram, {StateKind::kPixelShader}, "pixel shader");
  }

  void AddStreams() {
    for (uint32_t i = 0; i < device::kStreamCount; ++i) {
      Add(StateGroup::kStream, {StateKind::kStream, i}, fmt::format("stream {}", i));
      Add(StateGroup::kStream, {StateKind::kStreamDivider, i}, fmt::format("stream {} divider", i));
    }
    Add(StateGroup::kStream, {StateKind::kIndices}, "indices");
  }

  void AddTransforms() {
    for (uint32_t i = 0; i < d3d::kTransformSlotCount; ++i) {
      const std::string_view name = NameOf(d3d::kTransformStateNames, i);
      if (name.empty() || d3d::CanonicalTransform(i) != i) continue;
      const StateKey key = {StateKind::kTransform, i};
      const bool is_common = i <= d3d::Value(d3d::TransformState::WorldMatrix0);
      if (is_common || writes_.Find(context_, key).set)
        Add(StateGroup::kTransform, key, std::string(name));
    }
  }

  void AddFixedFunction() {
    Add(StateGroup::kViewport, {StateKind::kViewport}, "viewport");
    Add(StateGroup::kViewport, {StateKind::kZRange}, "z range");
    Add(StateGroup::kViewport, {StateKind::kWInfo}, "w info");
    Add(StateGroup::kViewport, {StateKind::kScissor}, "scissor rectangle");
    for (uint32_t i = 0; i < device::kClipPlaneCount; ++i) {
      const StateKey key = {StateKind::kClipPlane, i};
      if (writes_.Find(context_, key).set)
        Add(StateGroup::kViewport, key, fmt::format("clip plane {}", i));
    }
    Add(StateGroup::kMaterial, {StateKind::kMaterial}, "material");
    for (const auto& [index, light] : context_.state.lights) {
      Add(StateGroup::kLight, {StateKind::kLightEnable, index},
          fmt::format("light {} is on", index));
      Add(StateGroup::kLight, {StateKind::kLight, index}, fmt::format("light {}", index));
    }
  }

  void AddRegisters(StateGroup group, StateKind kind, char letter, size_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      const StateKey key = {kind, i};
      // Registers that nobody wrote are 0.
      if (writes_.Find(context_, key).set) Add(group, key, fmt::format("{}{}", letter, i));
    }
  }

  void AddConstants(StateGroup group, const device::ShaderConstants& constants,
                    const std::array<StateKind, 3>& kinds) {
    AddRegisters(group, kinds[0], 'c', constants.floats.size());
    AddRegisters(group, kinds[1], 'i', constants.integers.size());
    AddRegisters(group, kinds[2], 'b', constants.booleans.size());
  }

  const device::Context& context_;
  const StateWrites& writes_;
  const device::State* first_;
  std::vector<StateEntry> entries_;
  std::vector<std::optional<StateKey>> keys_;
};

std::string Assembly(const device::ShaderObject* shader) {
  return shader == nullptr ? std::string() : shader::Disassemble(*shader->program);
}

}  // namespace

namespace {

struct GroupRow {
  StateGroup group;
  std::string_view name, title;
};
constexpr GroupRow kGroups[] = {
    {StateGroup::kTarget, "target", "targets"},
    {StateGroup::kTexture, "texture", "textures"},
    {StateGroup::kRenderState, "render_state", "render states"},
    {StateGroup::kTextureStage, "texture_stage", "texture stages and samplers"},
    {StateGroup::kVertexProgram, "vertex_program", "vertex format and shader"},
    {StateGroup::kPixelProgram, "pixel_program", "pixel shader"},
    {StateGroup::kStream, "stream", "streams and indices"},
    {StateGroup::kTransform, "transform", "transforms"},
    {StateGroup::kViewport, "viewport", "viewport, clipping and scissor"},
    {StateGroup::kMaterial, "material", "material"},
    {StateGroup::kLight, "light", "lights"},
    {StateGroup::kVertexConstant, "vertex_constant", "constants of the vertex shader"},
    {StateGroup::kPixelConstant, "pixel_constant", "constants of the pixel shader"},
};

}  // namespace

std::string_view Name(StateGroup group) {
  return std::ranges::find(kGroups, group, &GroupRow::group)->name;
}

std::string_view TitleOf(StateGroup group) {
  return std::ranges::find(kGroups, group, &GroupRow::group)->title;
}

std::string ElementText(const device::VertexElement& element) {
  std::string text = fmt::format("stream {} offset {} ", element.stream, element.offset);
  text += NameOrNumber(d3d::kDeclTypeNames, element.type);
  text += ' ';
  if (element.shader_register != 0xFF) return text + fmt::format("v{}", element.shader_register);
  text += NameOrNumber(d3d::kDeclUsageNames, element.usage);
  text += fmt::format("{}", element.usage_index);
  if (element.method != 0) text += " " + NameOrNumber(d3d::kDeclMethodNames, element.method);
  return text;
}

namespace {

StateSnapshot HeadOf(const device::Context& context) {
  StateSnapshot snapshot;
  snapshot.space = context.space_id;
  snapshot.context = context.id;
  snapshot.level = context.level;
  snapshot.runtime_version = context.runtime_version;
  return snapshot;
}

// The text of the value says what a handle stands for, or it is an object itself: CREATELIGHT resets a light that exists.
bool NamesObject(StateKey key) {
  switch (key.kind) {
    case StateKind::kStage:
      return key.index % d3d::kTextureStageStateCount ==
             d3d::Value(d3d::TextureStageState::TextureMap);
    case StateKind::kVertexShader:
    case StateKind::kVertexDeclaration:
    case StateKind::kVertexFunction:
    case StateKind::kPixelShader:
    case StateKind::kStream:
    case StateKind::kIndices:
    case StateKind::kLight:
    case StateKind::kLightEnable:
      return true;
    default:
      return false;
  }
}

bool SameEntry(const StateEntry& a, const StateEntry& b) {
  return a.value == b.value && a.is_default == b.is_default && a.origin.set == b.origin.set &&
         a.origin.changed == b.origin.changed;
}

}  // namespace

void SnapshotSeries::Rebuild(const device::Context& context, const StateWrites& writes) {
  SnapshotWriter writer(context, writes);
  before_ = std::move(snapshot_.entries);
  snapshot_ = HeadOf(context);
  snapshot_.entries = writer.Take();
  keys_ = writer.TakeKeys();
  places_.clear();
  naming_.clear();
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i]) places_[*keys_[i]] = i;
    if (!keys_[i] || NamesObject(*keys_[i])) naming_.push_back(i);
  }
  object_changes_ = writes.object_changes();
  first_ = writes.FirstState(context);
  lights_ = context.state.lights.size();
  changes_.clear();
  is_rebuilt_ = true;
}

void SnapshotSeries::Renew(const device::Context& context, const StateWrites& writes,
                           size_t place) {
  StateEntry& entry = snapshot_.entries[place];
  StateEntry now;
  now.group = entry.group;
  now.name = entry.name;
  if (keys_[place]) {
    Describe(context, *first_, writes, *keys_[place], now);
  } else {
    DescribeTarget(context, writes, static_cast<uint32_t>(place), now);
  }
  if (SameEntry(entry, now)) return;
  changes_.push_back({place, std::exchange(entry, std::move(now))});
}

std::vector<size_t> SnapshotSeries::PlacesOf(const device::Context& context,
                                             const StateWrites& writes,
                                             const std::set<StateKey>& touched) const {
  std::vector<size_t> places;
  if (object_changes_ != writes.object_changes()) places = naming_;
  for (uint32_t slot = 0; slot <= device::kTargetCount; ++slot) {
    const std::optional<StateWrite>& known = snapshot_.entries[slot].origin.set;
    if (writes.FindTarget(context, slot).set != known) places.push_back(slot);
  }
  for (const StateKey key : touched)
    places.push_back(places_.at(key));
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

void SnapshotSeries::Take(const device::Context& context, StateWrites& writes) {
  const std::optional<std::set<StateKey>> touched = writes.TakeTouched(context);
  const bool is_same = first_ != nullptr && first_ == writes.FirstState(context) &&
                       snapshot_.space == context.space_id && snapshot_.context == context.id &&
                       lights_ == context.state.lights.size();
  const auto is_listed = [this](StateKey key) { return places_.contains(key); };
  if (!is_same || !touched || !std::ranges::all_of(*touched, is_listed))
    return Rebuild(context, writes);
  is_rebuilt_ = false;
  changes_.clear();
  for (const size_t place : PlacesOf(context, writes, *touched))
    Renew(context, writes, place);
  object_changes_ = writes.object_changes();
}

StateSnapshot TakeSnapshot(const device::Context& context, const StateWrites& writes) {
  StateSnapshot snapshot = HeadOf(context);
  snapshot.entries = SnapshotWriter(context, writes).Take();
  snapshot.vertex_shader = Assembly(context.VertexShader());
  snapshot.pixel_shader = Assembly(context.PixelShader());
  return snapshot;
}

}  // namespace dp2trace::state
