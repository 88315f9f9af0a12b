#include "trim/use_collector.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "d3d/interface.h"
#include "device/depth_resolve.h"
#include "device/layout.h"
#include "device/place.h"
#include "device/state_block.h"
#include "device/vertex_program.h"
#include "kmt/lists.h"
#include "opcode/layouts.h"
#include "stream/records.h"
#include "trace_model/names.h"

namespace dp2trace::trim {
namespace {

using device::Context;
using device::SurfaceRef;
using opcode::Meaning;
using opcode::Op;

constexpr uint32_t kFirstVertexSampler = d3d::kPixelSamplerCount + 1;

bool CoversWhole(const std::optional<d3d::Rect>& rect, const SurfaceRef& surface) {
  const image::Area whole = surface.surface().WholeLevel(surface.level);
  return !rect || (rect->left <= 0 && rect->top <= 0 && rect->right >= int64_t{whole.right} &&
                   rect->bottom >= int64_t{whole.bottom});
}

// Every bit of the level.
bool CoversWhole(const raster::ClearFill& fill) {
  const image::Surface& surface = fill.surface.surface();
  if (fill.area != surface.WholeLevel(fill.surface.level)) return false;
  return !fill.depth ||
         (fill.depth->writes_depth && fill.depth->writes_stencil == surface.info().has_stencil());
}

// Stages before the first one that is switched off.
uint32_t CascadeMask(const device::State& state) {
  uint32_t mask = 0;
  for (uint32_t stage = 0; stage < d3d::kCombinerStageCount; ++stage) {
    if (state.stage(stage, d3d::TextureStageState::ColorOp) == d3d::Value(d3d::TextureOp::Disable))
      break;
    mask |= 1U << stage;
  }
  return mask;
}

// The last level that a draw may sample: of fixed function with no filter between levels the one that SETTEXLOD chose.
uint32_t LastLevelRead(const Context& context, uint32_t slot) {
  constexpr uint32_t kLegacyNone = 1;  // D3DTFP_NONE
  // D3DTEXF_NONE.
  const uint32_t none = context.runtime_version < d3d::kFirstModernRuntime ? kLegacyNone : 0;
  const bool is_fixed = slot < d3d::kCombinerStageCount && context.state.pixel_shader == 0;
  if (!is_fixed || context.state.stage(slot, d3d::TextureStageState::MipFilter) != none)
    return UINT32_MAX;
  return context.Texture(slot)->lod;
}

// Tokens that read the surfaces that they name, not only bind them.
bool ReadsSurfaces(const opcode::OpInfo& op) {
  return op.is(opcode::kBlt) || op.op == Op::kGenerateMipSubLevels;
}

template <class T>
constexpr bool kHasPlace = requires(const T& event) {
  event.handle;
  event.face;
  event.level;
};

}  // namespace

void UseCollector::Begin() {
  for (const auto& [id, space] : device_->spaces()) {
    for (const auto& [handle, resource] : space->roots())
      part_->surfaces[{id, handle}].id = resource->surface.id();
  }
}

SurfaceUse* UseCollector::UseOf(uint32_t space, const SurfaceRef& surface) {
  if (!surface) return nullptr;
  const auto found = part_->surfaces.find({space, surface.resource->handle});
  if (found == part_->surfaces.end() || found->second.id != surface.surface().id()) return nullptr;
  found->second.is_named = true;
  return &found->second;
}

void UseCollector::Name(uint32_t space, uint32_t handle) {
  const device::Space* const owner = device_->FindSpace(space);
  if (owner != nullptr) UseOf(space, owner->Find(handle));
}

void UseCollector::Need(uint32_t space, const SurfaceRef& surface) {
  if (SurfaceUse* const use = UseOf(space, surface))
    use->places.try_emplace({surface.face, surface.level}, FirstUse::kContent);
}

void UseCollector::NeedAll(uint32_t space, const SurfaceRef& surface, uint32_t last_level) {
  SurfaceUse* const use = UseOf(space, surface);
  if (use == nullptr) return;
  const image::SurfaceDescription& description = surface.surface().description();
  for (uint32_t face = 0; face < description.faces; ++face) {
    for (uint32_t level = 0; level < description.levels && level <= last_level; ++level)
      use->places.try_emplace({face, level}, FirstUse::kContent);
  }
}

void UseCollector::Overwrite(uint32_t space, const SurfaceRef& surface) {
  if (SurfaceUse* const use = UseOf(space, surface))
    use->places.try_emplace({surface.face, surface.level}, FirstUse::kOverwrite);
}

void UseCollector::OnSurfaceWritten(const trace::SurfaceUpdate& update) {
  const SurfaceRef place =
      device::FindPlace(*device_, update.space, update.handle, update.face, update.level);
  if (!place) return;
  const image::ConstLevel bits = std::as_const(place.surface()).level(place.face, place.level);
  const bool is_whole = !update.rect && !update.box && (!update.range || update.range->offset == 0);
  if (is_whole && update.data.size() >= bits.slices * bits.slice_pitch)
    Overwrite(update.space, place);
}

void UseCollector::OnSurfaceWritten(const trace::Blt& blt) {
  const SurfaceRef to =
      device::FindPlace(*device_, blt.space, blt.dest, blt.dest_face, blt.dest_level);
  if (to && blt.kind == trace::BltKind::kColorFill && CoversWhole(blt.dest_rect, to))
    Overwrite(blt.space, to);
}

void UseCollector::OnBlt(const trace::Blt& blt) {
  Name(blt.space, blt.dest);
  if (blt.kind == trace::BltKind::kCopy) {
    Name(blt.space, blt.src);
    Need(blt.space, device::FindPlace(*device_, blt.space, blt.src, blt.src_face, blt.src_level));
  }
}

void UseCollector::OnDestroy(uint64_t number, const trace::SurfaceDestroy& destroy) {
  const device::Space* const owner = device_->FindSpace(destroy.space);
  const SurfaceRef surface = owner != nullptr ? owner->Find(destroy.handle) : SurfaceRef{};
  if (!surface) return;
  const std::pair<uint32_t, uint32_t> key = {destroy.space, surface.resource->handle};
  const auto use = part_->surfaces.find(key);
  if (use != part_->surfaces.end() && use->second.id == surface.surface().id())
    part_->surface_ends[number] = key;
}

void UseCollector::OnCreate(const trace::SurfaceCreate& create) {
  Name(create.space, create.handle);
  for (const uint32_t handle : create.flip_chain)
    Name(create.space, handle);
}

// The vertices that the packet takes from an allocation.
void UseCollector::OnRender(const trace::Render& packet) {
  const std::optional<device::ContextKey> key =
      objects_->FindContext(packet.process, packet.context);
  if (!key || packet.payload != trace::PayloadKind::kDp2) return;
  part_->contexts[{key->space, key->id}];
  if (!packet.dp2_env || packet.dp2_env->vertex_source != trace::VertexSource::kAllocation) return;
  const kmt::AllocationListView list(packet.allocation_list);
  if (packet.dp2_env->allocation_index >= list.size()) return;
  const uint32_t allocation = list[packet.dp2_env->allocation_index].handle;
  const uint32_t handle = objects_->HandleOf(packet.process, packet.context, allocation).first;
  NeedAll(key->space, device::FindPlace(*device_, key->space, handle, 0, 0));
}

void UseCollector::OnContext(const trace::KmtContextCreate& create) {
  const device::KmtDevice* const owner = objects_->FindDevice(create.process, create.device);
  if (owner == nullptr || !create.d3d) return;
  Name(owner->space, create.d3d->target);
  Name(owner->space, create.d3d->depth);
  part_->contexts[{owner->space, device::D3dContextId(create.process, create.context)}];
}

void UseCollector::OnEvent(uint64_t number, const trace::Event& event) {
  kmt_.OnEvent(number, event);
  std::visit(
      [&](const auto& e) {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::SurfaceUpdate>) {
          Name(e.space, e.handle);
        } else if constexpr (std::is_same_v<T, trace::Blt>) {
          OnBlt(e);
        } else if constexpr (std::is_same_v<T, trace::SurfaceDestroy>) {
          OnDestroy(number, e);
        } else if constexpr (std::is_same_v<T, trace::SurfaceCreate>) {
          OnCreate(e);
        } else if constexpr (std::is_same_v<T, trace::ContextCreate>) {
          Name(e.space, e.target);
          Name(e.space, e.depth);
          part_->contexts[{e.space, e.context}];
        } else if constexpr (std::is_same_v<T, trace::ContextDestroy>) {
          part_->context_ends[number] = {e.space, e.context};
        } else if constexpr (std::is_same_v<T, trace::Present>) {
          Need(e.space, device::FindPlace(*device_, e.space, e.handle, 0, 0));
        } else if constexpr (std::is_same_v<T, trace::Dp2>) {
          part_->contexts[{e.space, e.context}];
          NeedAll(e.space, device::FindPlace(*device_, e.space, e.vertex_buffer, 0, 0));
        } else if constexpr (std::is_same_v<T, trace::Render>) {
          OnRender(e);
        } else if constexpr (std::is_same_v<T, trace::KmtContextCreate>) {
          OnContext(e);
        } else if constexpr (kHasPlace<T>) {  // reads and pictures
          Need(e.space, device::FindPlace(*device_, e.space, e.handle, e.face, e.level));
          Name(e.space, e.handle);
        }
      },
      event);
}

void UseCollector::OnCommand(const Context& context, const stream::Command& command,
                             const stream::Environment& environment) {
  const std::pair<uint32_t, uint64_t> key = {context.space_id, context.id};
  ContextUse& use = part_->contexts[key];
  ObjectNames& names = use.names;
  use.has_read |= command.op->is(opcode::kDraw) || command.op->is(opcode::kStateBlockKind);
  const bool reads = ReadsSurfaces(*command.op);
  set_.clear();
  trace_model::VisitNames(command, environment,
                          [&](Meaning kind, uint32_t handle, uint32_t /*offset*/) {
                            if (kind != Meaning::kSurface)
                              return NameObject(context, kind, handle, names);
                            Name(context.space_id, handle);
                            if (reads) NeedAll(context.space_id, context.space->Find(handle));
                          });
  if (command.op->op == Op::kCreatePixelShader || command.op->op == Op::kDeletePixelShader)
    masks_ = {};
  if (command.op->is(opcode::kDraw)) OnDraw(context, command, names);
}

void UseCollector::OnSet(const Context& context, device::StateKey key,
                         const device::StateWords& words) {
  constexpr uint32_t kCapture = d3d::Value(d3d::RenderState::SceneCapture);
  ContextUse& use = part_->contexts[{context.space_id, context.id}];
  if (key.kind == device::StateKind::kRender) {
    if (const auto resolve = device::FindDepthResolve(context, key.index, words[0])) {
      use.has_read = true;
      Need(context.space_id, resolve->source);
      Need(context.space_id, resolve->destination);
    }
  }
  if (!use.has_read) set_.insert(key);
  if (key == device::StateKey{device::StateKind::kRender, kCapture} && !use.first_capture)
    use.first_capture = words[0] != 0;
}

// A value that takes effect before anything reads the one of before. What the token changes beside it hangs on others.
void UseCollector::OnApplied(const Context& context, const stream::Command& command) {
  namespace layout = opcode::layout;
  if (command.op->op == Op::kClear)
    Need(context.space_id, context.Target(0));  // a picture shows it
  ContextUse& use = part_->contexts[{context.space_id, context.id}];
  const bool is_render = command.op->op == Op::kRenderState;
  if (use.has_read || !(is_render || command.op->op == Op::kTextureStageState)) return;
  for (uint32_t i = 0; i < command.count; ++i) {
    const stream::Record record = stream::RecordAt(command, i);
    device::StateKey key = {device::StateKind::kRender,
                            record.U32(stream::Field(layout::kRenderState, "render_state"))};
    if (is_render && key.index >= d3d::kRenderStateCount) continue;
    if (!is_render) {
      constexpr stream::FieldRef kStage = stream::Field(layout::kTextureStageState, "stage");
      constexpr stream::FieldRef kState = stream::Field(layout::kTextureStageState, "ts_state");
      const std::optional<uint32_t> slot = device::StageSlot(record.U32(kStage));
      if (!slot || record.U32(kState) >= d3d::kTextureStageStateCount) continue;
      key = {device::StateKind::kStage, device::StageIndex(*slot, record.U32(kState))};
    }
    if (set_.contains(key)) use.overwritten.insert(key);
  }
}

void UseCollector::NameObject(const Context& context, Meaning kind, uint32_t handle, Names& names) {
  if (!names.insert({kind, handle}).second) return;
  if (kind == Meaning::kStateBlock) NeedBlock(context, handle, names);
  if (kind == Meaning::kPatch && context.patches.contains(handle) && part_->gap.empty())
    part_->gap = "it uses a patch that was cached before";
  const auto query = context.queries.find(handle);
  if (kind == Meaning::kQuery && query != context.queries.end() && query->second.result != 0 &&
      part_->gap.empty())
    part_->gap = "a query has counted pixels before";
}

void UseCollector::NeedBlock(const Context& context, uint32_t handle, Names& names) {
  const auto block = context.state_blocks.find(handle);
  if (block == context.state_blocks.end()) return;
  for (const device::StateBlock::Entry& entry : block->second->entries()) {
    device::StateWords words = {};
    block->second->Get(entry.key, words);
    switch (entry.key.kind) {
      case device::StateKind::kStage:
        if (device::BindingOf(entry.key)) Name(context.space_id, words[0]);
        break;
      case device::StateKind::kStream:
      case device::StateKind::kIndices:
        Name(context.space_id, words[0]);
        break;
      case device::StateKind::kVertexShader:
        names.insert({Meaning::kVertexShader, words[0]});
        break;
      case device::StateKind::kVertexDeclaration:
        names.insert({Meaning::kVertexDeclaration, words[0]});
        break;
      case device::StateKind::kVertexFunction:
        names.insert({Meaning::kVertexShaderCode, words[0]});
        break;
      case device::StateKind::kPixelShader:
        names.insert({Meaning::kPixelShader, words[0]});
        break;
      default:
        break;
    }
  }
}

void UseCollector::OnDraw(const Context& context, const stream::Command& command, Names& names) {
  if (command.op->op == Op::kComposeRects) return;  // reads what it names
  if (command.op->op == Op::kClear) {
    for (uint32_t slot = 0; slot < device::kTargetCount; ++slot)
      UseOf(context.space_id, context.Target(slot));
    return;
  }
  NeedProgram(context, names);
  NeedStreams(context, command);
  NeedTextures(context);
  NeedTargets(context);
}

// What is overwritten first, whatever rectangles come before.
void UseCollector::OnCleared(const Context& context, const std::vector<raster::ClearFill>& fills) {
  for (const raster::ClearFill& fill : fills) {
    if (CoversWhole(fill)) Overwrite(context.space_id, fill.surface);
  }
  for (const raster::ClearFill& fill : fills)
    Need(context.space_id, fill.surface);
}

// What is bound, whether the draw changes it or not: a picture shows it.
void UseCollector::NeedTargets(const Context& context) {
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot)
    Need(context.space_id, context.Target(slot));
  Need(context.space_id, context.Depth());
}

void UseCollector::NeedProgram(const Context& context, Names& names) {
  const device::VertexProgram& program = context.state.vertex_program;
  names.insert(
      {program.is_level8 ? Meaning::kVertexShader : Meaning::kVertexDeclaration, program.format});
  names.insert({Meaning::kVertexShaderCode, program.function});
  names.insert({Meaning::kPixelShader, context.state.pixel_shader});
}

void UseCollector::NeedStreams(const Context& context, const stream::Command& command) {
  if (command.op->level < d3d::kFirstStreamLevel) return;
  const device::State& state = context.state;
  const auto need = [&](uint32_t handle) {
    if (handle != 0) NeedAll(context.space_id, context.space->Find(handle));
  };
  const device::BoundProgram program = device::FindBoundProgram(context);
  const uint32_t used = program.layout != nullptr ? device::UsedStreams(*program.layout) : 1;
  for (uint32_t i = 0; i < device::kStreamCount; ++i) {
    if ((used >> i & 1) != 0) need(state.streams[i].buffer);
  }
  const bool is_indexed =
      command.op->op == Op::kDrawIndexedPrimitive || command.op->op == Op::kDrawIndexedPrimitive2;
  if (is_indexed) need(state.indices.buffer);
}

void UseCollector::NeedTextures(const Context& context) {
  const device::State& state = context.state;
  uint32_t mask =
      state.pixel_shader != 0 ? masks_.Of(context, state.pixel_shader) : CascadeMask(state);
  mask |= 1U << d3d::kPixelSamplerCount;  // the displacement map
  if (context.VertexShader() != nullptr) mask |= UINT32_MAX << kFirstVertexSampler;
  for (uint32_t slot = 0; slot < device::kStageSlotCount; ++slot) {
    if ((mask >> slot & 1) == 0 || context.Texture(slot) == nullptr) continue;
    const uint32_t handle = state.stage(slot, d3d::TextureStageState::TextureMap);
    NeedAll(context.space_id, context.space->Find(handle), LastLevelRead(context, slot));
  }
}

void UseCollector::NoteRest() {
  for (const auto& [key, context] : device_->contexts()) {
    if (!part_->contexts.contains(key)) continue;
    Part::Rest& rest = part_->rests[key];
    for (const auto& [handle, patch] : context->patches)
      rest.patches.insert(handle);
    if (context->recording) rest.block = context->recording->handle();
  }
}

void UseCollector::End() {
  if (part_->end) NoteRest();
}

}  // namespace dp2trace::trim
