#include "fast/draw_cache.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace dp2trace::fast {
namespace {

using d3d::RenderState;
using d3d::TransformState;

constexpr size_t kMaxStates = 64;
constexpr size_t kMaxEntries = 64;

// A sum of words, each times an odd number of its own: what differs in a few of them has another one.
class Sketch {
 public:
  void Add(uint32_t word) {
    sum_ += word * factor_;
    factor_ += kStep;
  }
  uint64_t value() const { return sum_; }

 private:
  static constexpr uint64_t kStep = 0x9E3779B97F4A7C16;
  uint64_t sum_ = 0;
  uint64_t factor_ = 0xC2B2AE3D27D4EB4F;
};

uint64_t HashOf(const std::vector<uint32_t>& key) {
  return XXH3_64bits(key.data(), key.size() * sizeof(uint32_t));
}

// Of the states that change most often from draw to draw: the others are compared when these are the same.
uint64_t HashOf(const device::State& state) {
  using d3d::TextureStageState;
  constexpr RenderState kStates[] = {
      RenderState::ZEnable,         RenderState::ZWriteEnable,     RenderState::ZFunc,
      RenderState::AlphaTestEnable, RenderState::AlphaRef,         RenderState::AlphaBlendEnable,
      RenderState::SrcBlend,        RenderState::DestBlend,        RenderState::CullMode,
      RenderState::FogEnable,       RenderState::FogColor,         RenderState::SpecularEnable,
      RenderState::Lighting,        RenderState::Ambient,          RenderState::TextureFactor,
      RenderState::StencilEnable,   RenderState::ColorWriteEnable, RenderState::ScissorTestEnable};
  constexpr TextureStageState kStageStates[] = {
      TextureStageState::TextureMap, TextureStageState::ColorOp,   TextureStageState::ColorArg1,
      TextureStageState::ColorArg2,  TextureStageState::AlphaOp,   TextureStageState::AlphaArg1,
      TextureStageState::AlphaArg2,  TextureStageState::MagFilter, TextureStageState::MinFilter,
      TextureStageState::MipFilter,  TextureStageState::AddressU};
  Sketch sketch;
  for (const RenderState number : kStates)
    sketch.Add(state.value(number));
  for (uint32_t stage = 0; stage < 3; ++stage) {
    for (const TextureStageState number : kStageStates)
      sketch.Add(state.stage(stage, number));
  }
  return sketch.value();
}

// Appends to a key.
class KeyWriter {
 public:
  explicit KeyWriter(std::vector<uint32_t>& words) : words_(words) { words_.clear(); }

  void Add(uint32_t word) { words_.push_back(word); }
  void Add64(uint64_t word) {
    Add(static_cast<uint32_t>(word));
    Add(static_cast<uint32_t>(word >> 32));
  }
  void AddPointer(const void* pointer) { Add64(reinterpret_cast<uintptr_t>(pointer)); }
  // Values of whole words without padding.
  template <class T>
  void AddWords(const T& value) {
    static_assert(sizeof(T) % sizeof(uint32_t) == 0);
    AddBytes(&value, sizeof(T));
  }
  template <class T>
  void AddAll(const std::vector<T>& values) {
    Add(static_cast<uint32_t>(values.size()));
    AddBytes(values.data(), values.size() * sizeof(T));
  }

 private:
  void AddBytes(const void* bytes, size_t size) {
    if (size == 0) return;
    const size_t start = words_.size();
    words_.resize(start + size / sizeof(uint32_t));
    std::memcpy(&words_[start], bytes, size);
  }

  std::vector<uint32_t>& words_;
};

void AddLayout(const device::VertexLayout& layout, KeyWriter& key) {
  key.Add(layout.is_transformed ? 1 : 0);
  key.Add(layout.fvf ? 1 : 0);
  key.Add(layout.fvf.value_or(0));
  key.Add(static_cast<uint32_t>(layout.elements.size()));
  for (const device::VertexElement& element : layout.elements) {
    key.Add(element.stream | uint32_t{element.offset} << 16);
    key.Add(element.type | uint32_t{element.method} << 8 | uint32_t{element.usage} << 16 |
            uint32_t{element.usage_index} << 24);
    key.Add(element.shader_register);
  }
}

void AddViewport(const device::State& state, KeyWriter& key) {
  key.Add(state.viewport ? 1 : 0);
  if (state.viewport) key.AddWords(*state.viewport);
  key.AddWords(std::array{state.min_z, state.max_z, state.w_near, state.w_far});
}

void AddLights(const device::State& state, KeyWriter& key) {
  key.AddWords(state.material);
  for (const auto& [index, light] : state.lights) {
    if (light.is_enabled) key.AddWords(static_cast<const d3d::Light&>(light));
  }
}

void AddConstants(const device::ShaderConstants& constants, KeyWriter& key) {
  key.AddAll(constants.floats);
  key.AddAll(constants.integers);
  key.AddAll(constants.booleans);
}

// Other matrices than the first of the world are read where these are set.
bool BlendsVertices(const device::State& state) {
  return state.value(RenderState::VertexBlend) != 0 ||
         state.value(RenderState::IndexedVertexBlendEnable) != 0;
}

// All that a sampler takes of a texture beside the states of its stage; its bytes stand for their generation.
void AddTexture(const device::Context& context, uint32_t slot, const device::Resource* texture,
                KeyWriter& key) {
  key.Add(slot);
  key.AddPointer(texture);
  if (texture == nullptr) return;
  key.Add64(texture->surface.id());
  key.Add64(texture->surface.generation());
  key.Add(texture->lod);
  key.Add(texture->is_declared_volume ? 1 : 0);
  key.Add(texture->color_key ? 1 : 0);
  if (texture->color_key) key.AddWords(*texture->color_key);
  if (context.palette_bindings.empty()) return;
  const std::optional<image::Palette> palette = context.PaletteOf(*texture);
  key.Add(palette ? 1 : 0);
  if (palette) key.Add64(XXH3_64bits(palette->rgba.data(), sizeof(palette->rgba)));
  if (palette) key.Add(palette->has_alpha ? 1 : 0);
}

// Texture stages have no more than these; only pixel shaders sample the others.
constexpr size_t StageBytes(bool has_pixel_shader) {
  const size_t stages = has_pixel_shader ? d3d::kPixelSamplerCount : d3d::kCombinerStageCount;
  return stages * d3d::kTextureStageStateCount * sizeof(uint32_t);
}

uint64_t IdOf(const device::SurfaceRef& surface) {
  return surface ? surface.surface().id() : 0;
}

}  // namespace

template <class Value>
std::shared_ptr<Value> DrawCache::Table<Value>::Find(const Words& key, uint64_t use) {
  hash_ = HashOf(key);
  const auto is_found = [&](size_t i) { return hashes_[i] == hash_ && entries_[i].key == key; };
  if (last_ >= entries_.size() || !is_found(last_)) {
    last_ = 0;
    while (last_ < entries_.size() && !is_found(last_))
      ++last_;
  }
  if (last_ == entries_.size()) return nullptr;
  entries_[last_].last_use = use;
  return entries_[last_].value;
}

template <class Value>
void DrawCache::Table<Value>::Add(const Words& key, std::shared_ptr<Value> value, uint64_t use) {
  if (entries_.size() < kMaxEntries) {
    entries_.emplace_back();
    hashes_.emplace_back();
  }
  const auto oldest = std::ranges::min_element(entries_, {}, &Entry<Value>::last_use);
  last_ = static_cast<size_t>(oldest - entries_.begin());
  hashes_[last_] = hash_;
  oldest->key = key;
  oldest->value = std::move(value);
  oldest->last_use = use;
}

template <class Value>
void DrawCache::Table<Value>::Forget(uint64_t since) {
  size_t kept = 0;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].last_use < since) continue;
    if (kept != i) entries_[kept] = std::move(entries_[i]);
    hashes_[kept++] = hashes_[i];
  }
  entries_.resize(kept);
  hashes_.resize(kept);
}

template <class Value>
void DrawCache::Table<Value>::Clear() {
  entries_.clear();
  hashes_.clear();
}

bool DrawCache::IsSame(const States& states, const device::Context& context,
                       const raster::BoundSurfaces& surfaces) {
  if (states.context != &context || states.runtime_version != context.runtime_version) return false;
  const device::State& state = context.state;
  const bool has_pixel_shader = state.pixel_shader != 0;
  if (states.has_pixel_shader != has_pixel_shader ||
      std::memcmp(states.render.data(), state.render.data(), sizeof(states.render)) != 0 ||
      std::memcmp(states.stages.data(), state.stages.data(), StageBytes(has_pixel_shader)) != 0)
    return false;
  if (states.surfaces != surfaces) return false;
  for (size_t slot = 0; slot < surfaces.colors.size(); ++slot) {
    if (states.surface_ids[slot] != IdOf(surfaces.colors[slot])) return false;
  }
  return states.surface_ids.back() == IdOf(surfaces.depth);
}

void DrawCache::Start(const device::Context& context, const raster::BoundSurfaces& surfaces) {
  ++use_;
  if (current_ != nullptr && IsSame(*current_, context, surfaces)) return;
  const uint64_t hash = HashOf(context.state);
  for (size_t i = 0; i < states_.size(); ++i) {
    if (state_hashes_[i] != hash || !IsSame(*states_[i], context, surfaces)) continue;
    states_[i]->last_use = use_;
    current_ = states_[i].get();
    return;
  }
  AddStates(context, surfaces, hash);
}

void DrawCache::AddStates(const device::Context& context, const raster::BoundSurfaces& surfaces,
                          uint64_t hash) {
  if (states_.size() < kMaxStates) {
    states_.push_back(std::make_unique<States>());
    state_hashes_.emplace_back();
  }
  const auto oldest = std::ranges::min_element(
      states_, {}, [](const std::unique_ptr<States>& states) { return states->last_use; });
  States& states = **oldest;
  states.number = ++states_count_;
  state_hashes_[static_cast<size_t>(oldest - states_.begin())] = hash;
  states.last_use = use_;
  states.context = &context;
  states.runtime_version = context.runtime_version;
  states.has_pixel_shader = context.state.pixel_shader != 0;
  states.render = context.state.render;
  std::memcpy(states.stages.data(), context.state.stages.data(), sizeof(states.stages));
  states.surfaces = surfaces;
  for (size_t slot = 0; slot < surfaces.colors.size(); ++slot)
    states.surface_ids[slot] = IdOf(surfaces.colors[slot]);
  states.surface_ids.back() = IdOf(surfaces.depth);
  current_ = &states;
}

std::shared_ptr<VertexSide> DrawCache::FindVertices(const device::Context& context,
                                                    const device::Draw& draw,
                                                    const raster::ShaderPair& shaders) {
  const device::State& state = context.state;
  keeps_vertices_ = !BlendsVertices(state);
  if (!keeps_vertices_) return nullptr;
  KeyWriter key(vertex_key_);
  key.Add64(current_->number);
  key.Add(d3d::Value(draw.type));
  AddLayout(*draw.layout, key);
  key.AddPointer(shaders.vertex.get());
  key.AddPointer(shaders.pixel.get());
  key.Add(state.pixel_shader != 0 ? 1 : 0);
  AddViewport(state, key);
  const auto add_transform = [&](size_t number) { key.AddWords(state.transforms[number]); };
  for (const TransformState transform :
       {TransformState::WorldMatrix0, TransformState::View, TransformState::Projection})
    add_transform(d3d::Value(transform));
  for (uint32_t stage = 0; stage < d3d::kCombinerStageCount; ++stage) {
    if (state.stage(stage, d3d::TextureStageState::TextureTransformFlags) != 0)
      add_transform(d3d::Value(TransformState::Texture0) + stage);
  }
  if (state.value(RenderState::Lighting) != 0) AddLights(state, key);
  if (state.value(RenderState::ClipPlaneEnable) != 0) {
    for (size_t i = 0; i < raster::kUserPlaneCount; ++i)
      key.AddWords(state.clip_planes[i]);
  }
  if (shaders.vertex != nullptr) AddConstants(state.vertex_constants, key);
  return vertices_.Find(vertex_key_, use_);
}

void DrawCache::AddVertices(const std::shared_ptr<VertexSide>& vertices) {
  if (keeps_vertices_) vertices_.Add(vertex_key_, vertices, use_);
}

std::shared_ptr<const QueuedDraw> DrawCache::FindDraw(const device::Context& context,
                                                      const device::Draw& draw,
                                                      const raster::ShaderPair& shaders,
                                                      const raster::VertexOutputs& outputs,
                                                      const raster::BoundSurfaces& targets) {
  const device::State& state = context.state;
  keeps_draw_ = true;
  KeyWriter key(draw_key_);
  key.Add64(current_->number);
  key.Add(d3d::Value(draw.type));
  static_assert(sizeof(raster::VertexOutputs) == 19 * sizeof(uint32_t) + 4, "no padding");
  key.AddWords(outputs);
  AddViewport(state, key);
  key.Add(state.scissor ? 1 : 0);
  if (state.scissor) key.AddWords(*state.scissor);
  key.AddPointer(shaders.pixel.get());
  if (shaders.pixel != nullptr) AddConstants(state.pixel_constants, key);
  const uint32_t slots =
      shaders.pixel != nullptr ? d3d::kPixelSamplerCount : d3d::kCombinerStageCount;
  for (uint32_t slot = 0; slot < slots; ++slot) {
    if (state.stage(slot, d3d::TextureStageState::TextureMap) == 0) continue;
    const device::Resource* const texture = context.Texture(slot);
    keeps_draw_ = keeps_draw_ && (texture == nullptr || !targets.Contains(*texture));
    AddTexture(context, slot, texture, key);
  }
  return keeps_draw_ ? draws_.Find(draw_key_, use_) : nullptr;
}

void DrawCache::AddDraw(const std::shared_ptr<const QueuedDraw>& draw) {
  if (keeps_draw_) draws_.Add(draw_key_, draw, use_);
}

void DrawCache::EndRound() {
  draws_.Forget(round_starts_.front());
  std::rotate(round_starts_.begin(), round_starts_.begin() + 1, round_starts_.end());
  round_starts_.back() = use_ + 1;
}

void DrawCache::Clear() {
  states_.clear();
  state_hashes_.clear();
  current_ = nullptr;
  vertices_.Clear();
  draws_.Clear();
}

}  // namespace dp2trace::fast
