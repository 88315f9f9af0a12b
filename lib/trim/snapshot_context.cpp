#include "trim/snapshot_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "d3d/interface.h"
#include "device/state_block.h"
#include "trim/shader_token.h"

namespace dp2trace::trim {
namespace {

using d3d::RenderState;
using d3d::TextureStageState;
using device::Context;
using device::StateKey;
using device::StateKind;
using device::StateWords;
using opcode::Meaning;
using opcode::Op;

constexpr int kRounds = 4;  // a token may change more than one value

bool Equal(StateKey key, const StateWords& a, const StateWords& b) {
  return std::equal(a.begin(), a.begin() + device::WordCount(key.kind), b.begin());
}

// Of the three values of the vertex program those of the model that is in force.
bool IsInForce(const Context& context, StateKey key) {
  const bool is_level8 = context.state.vertex_program.is_level8;
  if (key.kind == StateKind::kVertexShader) return is_level8;
  const bool is_level9 =
      key.kind == StateKind::kVertexDeclaration || key.kind == StateKind::kVertexFunction;
  return !is_level9 || !is_level8;
}

bool IsTexture(StateKey key) {
  if (key.kind == StateKind::kRender) return key.index == d3d::Value(RenderState::TextureHandle);
  return key.kind == StateKind::kStage &&
         key.index % d3d::kTextureStageStateCount == d3d::Value(TextureStageState::TextureMap);
}

bool CanBegin(uint32_t query_type) {
  using enum d3d::QueryType;
  return query_type == d3d::Value(Occlusion) || query_type == d3d::Value(TimestampDisjoint) ||
         query_type >= d3d::Value(PipelineTimings);
}

}  // namespace

ContextSnapshot::ContextSnapshot(const device::Device& device, const Context& context,
                                 const ContextUse& use, const HasSurface& has_surface,
                                 trace_model::ScratchDevice& scratch)
    : device_(device),
      context_(context),
      use_(use),
      names_(use.names),
      has_surface_(has_surface),
      scratch_(scratch) {}

const Context& ContextSnapshot::Reached() const {
  return *scratch_.device().FindContext(context_.space_id, context_.id);
}

void ContextSnapshot::Append(Op op, std::initializer_list<uint32_t> values, Bytes tail) {
  tokens_.Append(op, std::span(values.begin(), values.size()), tail, std::nullopt);
}

void ContextSnapshot::Flush() {
  if (tokens_.empty()) return;
  trace::Dp2 call;
  call.space = context_.space_id;
  call.context = context_.id;
  call.commands = tokens_.bytes();
  scratch_.Add(trace::Event(call));
  commands_.insert(commands_.end(), call.commands.begin(), call.commands.end());
  tokens_.clear();
}

void ContextSnapshot::Make(bool owns_surfaces) {
  if (context_.has_loss) Fail("part of the stream could not be read before");
  if (context_.bindings.is_unknown.any()) Fail("a binding was refused before");
  AddShaders();
  AddPalettes();
  if (owns_surfaces) AddSurfaceValues();
  AddLights();
  Flush();
  AddBlocks();
  AddTargets();
  AddValues();
  MendLegacyBlend();
  AddOverrides();
  AddQueries();
  // The part ends a scene that was begun before.
  if (use_.first_capture == false)
    Append(Op::kRenderState, {d3d::Value(RenderState::SceneCapture), 1});
  Flush();
  if (context_.recording) AddBlock(*context_.recording, true);
}

void ContextSnapshot::AddShaders() {
  for (const device::ShaderSpace& space : device::kShaderSpaces) {
    for (const auto& [handle, shader] : context_.*space.table) {
      if (names_.contains({space.meaning, handle}))
        AppendShaderCreation(space, handle, shader, tokens_);
    }
  }
}

// Palettes that are bound to surfaces of the snapshot, or named; of their entries those that were written.
void ContextSnapshot::AddPalettes() {
  std::set<uint32_t> palettes;
  for (const auto& [root, binding] : context_.palette_bindings) {
    if (!has_surface_(context_.space_id, root)) continue;
    palettes.insert(binding.palette);
    Append(Op::kSetPalette, {binding.palette, binding.flags, root});
  }
  const bool is_rgbx = device_.header().palette_order == trace::PaletteOrder::kRgbx;
  for (const auto& [handle, palette] : context_.palettes) {
    if (!palettes.contains(handle) && !names_.contains({Meaning::kPalette, handle})) continue;
    for (uint32_t first = 0, end = 0; first < d3d::kPaletteSize; first = end + 1) {
      std::vector<uint8_t> entries;
      for (end = first; end < d3d::kPaletteSize && palette.written.test(end); ++end) {
        const std::array<uint8_t, 4>& e = palette.rgba[end];
        const std::array<uint8_t, 4> stored = {is_rgbx ? e[0] : e[2], e[1], is_rgbx ? e[2] : e[0],
                                               e[3]};
        entries.insert(entries.end(), stored.begin(), stored.end());
      }
      if (end > first) Append(Op::kUpdatePalette, {handle, first, end - first}, entries);
    }
  }
}

void ContextSnapshot::AddSurfaceValues() {
  for (const auto& [handle, resource] : context_.space->roots()) {
    if (!has_surface_(context_.space_id, handle)) continue;
    if (resource->lod != 0) Append(Op::kSetTexLod, {handle, resource->lod});
    if (resource->priority != 0) Append(Op::kSetPriority, {handle, resource->priority});
  }
}

void ContextSnapshot::AddLights() {
  for (const auto& [index, light] : context_.state.lights)
    Append(Op::kCreateLight, {index});
}

void ContextSnapshot::AddBlocks() {
  for (const auto& [handle, block] : context_.state_blocks) {
    if (names_.contains({Meaning::kStateBlock, handle})) AddBlock(*block, false);
  }
}

// Values that no token of this level says are those of stages that this level lacks: they do nothing.
void ContextSnapshot::AddBlock(const device::StateBlock& block, bool is_open) {
  const uint32_t type = d3d::Value(d3d::StateBlockType::Null);
  Append(Op::kStateSet, {d3d::Value(d3d::StateSetOp::Begin), block.handle(), type});
  std::vector<StateKey> expected;
  for (const device::StateBlock::Entry& entry : block.entries()) {
    StateWords words = {};
    block.Get(entry.key, words);
    if (AppendStateToken(context_, entry.key, words, tokens_)) {
      expected.push_back(entry.key);
    } else if (entry.key.kind != StateKind::kStage) {
      Fail(fmt::format("state block {} holds a value that no token says", block.handle()));
    }
  }
  if (!is_open) Append(Op::kStateSet, {d3d::Value(d3d::StateSetOp::End), block.handle(), type});
  Flush();
  const auto found = Reached().state_blocks.find(block.handle());
  const device::StateBlock* const reached = is_open ? Reached().recording.get()
                                            : found != Reached().state_blocks.end()
                                                ? found->second.get()
                                                : nullptr;
  bool is_equal = reached != nullptr && reached->entries().size() == expected.size() &&
                  reached->refused() == block.refused();
  for (size_t i = 0; is_equal && i < expected.size(); ++i) {
    StateWords there = {};
    StateWords here = {};
    is_equal = reached->Get(expected[i], there) && block.Get(expected[i], here) &&
               Equal(expected[i], there, here);
  }
  if (!is_equal) Fail(fmt::format("state block {} cannot be recorded again", block.handle()));
}

// The context was created with the first target and the depth surface of now.
void ContextSnapshot::AddTargets() {
  for (uint32_t slot = 1; slot < device::kTargetCount; ++slot) {
    const uint32_t handle = context_.targets.colors[slot];
    if (HasSurfaceHandle(handle)) Append(Op::kSetRenderTarget2, {slot, handle});
  }
  Flush();
}

bool ContextSnapshot::HasSurfaceHandle(uint32_t handle) const {
  const device::SurfaceRef surface =
      handle != 0 ? context_.space->Find(handle) : device::SurfaceRef{};
  return surface && has_surface_(context_.space_id, surface.resource->handle);
}

bool ContextSnapshot::HasObject(StateKey key, uint32_t handle) const {
  if (handle == 0) return true;
  const Context& reached = Reached();
  switch (key.kind) {
    case StateKind::kStream:
    case StateKind::kIndices:
      return HasSurfaceHandle(handle);
    case StateKind::kVertexShader:
      return (handle & 1) == 0 || reached.vertex_shaders.contains(handle);
    case StateKind::kVertexDeclaration:
      return (handle & 1) == 0 || reached.declarations.contains(handle);
    case StateKind::kVertexFunction:
      return reached.vertex_functions.contains(handle);
    case StateKind::kPixelShader:
      return reached.pixel_shaders.contains(handle);
    default:
      // Texture handles of level 6 are numbers of the driver.
      return !IsTexture(key) || HasSurfaceHandle(handle) ||
             (context_.level < 7 && !context_.space->Find(handle));
  }
}

bool ContextSnapshot::Wants(StateKey key, StateWords& words) const {
  if (!IsInForce(context_, key) || use_.overwritten.contains(key)) return false;
  device::ReadState(context_.state, key, words);
  if (HasObject(key, words[0])) return true;
  // Left out: nothing is bound. A stream keeps its stride for nobody.
  words = {};
  return true;
}

// Lights exist; objects exist. What one token changes beside its own value comes right in the next round.
void ContextSnapshot::AddValues() {
  const std::vector<StateKey> keys = KeysOf(context_.state);
  std::vector<StateKey> missing;
  for (int round = 0; round < kRounds; ++round) {
    missing.clear();
    for (const StateKey key : keys) {
      StateWords wanted = {};
      StateWords reached = {};
      if (!Wants(key, wanted)) continue;
      device::ReadState(Reached().state, key, reached);
      if (Equal(key, wanted, reached)) continue;
      missing.push_back(key);
      AppendStateToken(context_, key, wanted, tokens_);
    }
    if (missing.empty()) return;
    Flush();
  }
  for (const StateKey key : keys) {
    StateWords wanted = {};
    StateWords reached = {};
    if (!Wants(key, wanted)) continue;
    device::ReadState(Reached().state, key, reached);
    if (!Equal(key, wanted, reached)) {
      return Fail(fmt::format("no token says value {} of kind {}", key.index,
                              static_cast<uint32_t>(key.kind)));
    }
  }
}

// Whether TEXTUREMAPBLEND follows the texture hangs on which token came last.
void ContextSnapshot::MendLegacyBlend() {
  Flush();
  if (context_.has_legacy_modulate == Reached().has_legacy_modulate) return;
  if (context_.has_legacy_modulate) {
    constexpr uint32_t kBlend = d3d::Value(RenderState::TextureMapBlend);
    Append(Op::kRenderState, {kBlend, context_.state.render[kBlend]});
  } else {
    constexpr uint32_t kColorOp = d3d::Value(TextureStageState::ColorOp);
    Append(Op::kTextureStageState, {0, kColorOp, context_.state.stages[0][kColorOp]});
  }
  Flush();
  AddValues();
  if (context_.has_legacy_modulate != Reached().has_legacy_modulate)
    Fail("TEXTUREMAPBLEND and the stage states cannot be set again");
}

void ContextSnapshot::AddOverrides() {
  for (uint32_t number = 0; number < d3d::kRenderStateCount; ++number) {
    if (context_.overridden[number])
      Append(Op::kRenderState, {d3d::kRenderStateOverrideBias + number, 1});
  }
}

void ContextSnapshot::AddQueries() {
  const uint32_t begin = d3d::Value(d3d::IssueFlag::Begin);
  for (const auto& [id, query] : context_.queries) {
    if (!names_.contains({Meaning::kQuery, id})) continue;
    Append(Op::kCreateQuery, {id, query.type});
    const bool is_begun = query.state == device::QueryState::kBuilding ||
                          (query.state == device::QueryState::kIssued && CanBegin(query.type));
    if (is_begun) Append(Op::kIssueQuery, {id, begin});
    if (query.state == device::QueryState::kIssued)
      Append(Op::kIssueQuery, {id, d3d::Value(d3d::IssueFlag::End)});
  }
}

}  // namespace dp2trace::trim
