// The state of devices before Direct3D 7: handles, render states, light states and transforms.
// Source: lib/opcode/dp2.md 7.4 and 7.5; Microsoft's DirectX 6 API reference (D3DRENDERSTATETYPE, D3DLIGHTSTATETYPE).
#include <algorithm>
#include <bit>
#include <utility>

#include "d3d/legacy_states.h"
#include "d3d/states.h"
#include "runtime/ddraw/legacy_device.h"

namespace dp2trace::runtime::ddraw {
namespace {

using d3d::RenderState;
using d3d::TextureStageState;
using d3d::Value;
using opcode::Op;

constexpr uint32_t kDriverLevel = 6;
constexpr size_t kWorld = 0, kView = 1, kProjection = 2;  // of the transforms

// The place of a D3DTRANSFORMSTATETYPE.
std::optional<size_t> TransformIndex(uint32_t type) {
  if (type < 1 || type > 3) return std::nullopt;
  return type - 1;
}

bool IsLegacyTextureState(uint32_t state) {
  constexpr RenderState kStates[] = {
      RenderState::TextureAddress,  RenderState::TextureMag,    RenderState::TextureMin,
      RenderState::TextureMapBlend, RenderState::BorderColor,   RenderState::TextureAddressU,
      RenderState::TextureAddressV, RenderState::MipMapLodBias, RenderState::Anisotropy};
  return std::ranges::any_of(kStates, [state](RenderState row) { return Value(row) == state; });
}

}  // namespace

LegacyDevice::LegacyDevice(Recorder& recorder, Device& device, DeviceVersion version,
                           DeviceClass device_class)
    : recorder_(recorder), device_(device), version_(version), class_(device_class) {
  transforms_.fill(IdentityMatrix());
  // What the runtimes set at the start, as far as it is not the default of level 6.
  states_[Value(RenderState::NormalizeNormals)] = 1;
  if (version == DeviceVersion::k1) SetRenderState(Value(RenderState::ColorKeyEnable), 1);
  if (version == DeviceVersion::k2) SetRenderState(Value(RenderState::SpecularEnable), 1);
  // To IDirect3DDevice3 the defaults of its texture stages are those of MODULATE.
  if (version != DeviceVersion::k3) SendTextureBlend();
}

void LegacyDevice::SetMatrix(uint32_t handle, const Matrix& matrix) {
  recorder_.At(matrices_, handle) = matrix;
  // A transform that the handle names follows.
  for (uint32_t i = 0; i < transform_handles_.size(); ++i) {
    if (transform_handles_[i] == handle) (void)SetTransformByHandle(i + 1, handle);
  }
}

bool LegacyDevice::MultiplyMatrices(uint32_t dest, uint32_t left, uint32_t right) {
  const auto a = matrices_.find(left);
  const auto b = matrices_.find(right);
  if (a == matrices_.end() || b == matrices_.end() || !matrices_.contains(dest)) return false;
  SetMatrix(dest, Multiply(a->second, b->second));
  return true;
}

bool LegacyDevice::CopyMatrix(uint32_t dest, uint32_t source) {
  const auto found = matrices_.find(source);
  if (found == matrices_.end() || !matrices_.contains(dest)) return false;
  SetMatrix(dest, Matrix(found->second));
  return true;
}

bool LegacyDevice::SetTransformByHandle(uint32_t type, uint32_t handle) {
  const auto found = matrices_.find(handle);
  const auto index = TransformIndex(type);
  if (found == matrices_.end() || !index) return false;
  SetTransform(type, found->second);
  transform_handles_[*index] = handle;
  return true;
}

void LegacyDevice::NameTexture(uint32_t handle, const std::shared_ptr<Surface>& texture) {
  recorder_.At(textures_, handle) = texture;
}

Surface* LegacyDevice::FindTexture(uint32_t handle) const {
  const auto found = textures_.find(handle);
  return found == textures_.end() ? nullptr : found->second.lock().get();
}

void LegacyDevice::SwapTextures(const Surface& a, const Surface& b) {
  std::vector<uint32_t> of_a;
  std::vector<uint32_t> of_b;
  std::shared_ptr<Surface> surface_a;
  std::shared_ptr<Surface> surface_b;
  constexpr uint64_t kTextureSteps = 32;
  if (!recorder_.Spend(textures_.size() * kTextureSteps)) return;
  for (const auto& [handle, texture] : textures_) {
    const std::shared_ptr<Surface> surface = texture.lock();
    if (surface.get() == &a) {
      of_a.push_back(handle);
      surface_a = surface;
    } else if (surface.get() == &b) {
      of_b.push_back(handle);
      surface_b = surface;
    }
  }
  for (const uint32_t handle : of_a)
    textures_[handle] = surface_b;
  for (const uint32_t handle : of_b)
    textures_[handle] = surface_a;
  const auto bound = states_.find(Value(RenderState::TextureHandle));
  if (bound != states_.end() && bound->second != 0) SetTextureHandle(bound->second);
}

void LegacyDevice::NameMaterial(uint32_t handle, std::shared_ptr<LegacyMaterial> material) {
  recorder_.At(materials_, handle) = std::move(material);
}

const LegacyMaterial* LegacyDevice::FindMaterial(uint32_t handle) const {
  const auto found = materials_.find(handle);
  return found == materials_.end() ? nullptr : found->second.get();
}

uint32_t LegacyDevice::StateOf(uint32_t state) const {
  const auto found = states_.find(state);
  return found != states_.end() ? found->second : d3d::DefaultRenderState(state, kDriverLevel + 1);
}

void LegacyDevice::SetRenderState(uint32_t state, uint32_t value) {
  if (state == Value(RenderState::OldAlphaBlendEnable))
    state = Value(RenderState::AlphaBlendEnable);
  recorder_.At(states_, state) = value;
  if (state == Value(RenderState::TextureHandle)) return SetTextureHandle(value);
  if (const uint32_t bit = d3d::LegacyWrapBit(state); bit != 0) {
    const uint32_t wrap = StateOf(Value(RenderState::Wrap0));
    return SetRenderState(Value(RenderState::Wrap0), value != 0 ? wrap | bit : wrap & ~bit);
  }
  if (SetLegacyTextureState(state, value)) return;
  const d3d::StateInfo* const info = d3d::FindRenderState(state);
  // The rest is for the runtime's own work on vertices.
  if (info != nullptr && info->first_level <= kDriverLevel) device_.SetRenderState(state, value);
}

bool LegacyDevice::SetLegacyTextureState(uint32_t state, uint32_t value) {
  if (!IsLegacyTextureState(state)) return false;
  if (state == Value(RenderState::TextureMapBlend)) {
    const auto blend = static_cast<TextureBlend>(value);
    if (blend == blend_) return true;
    blend_ = blend;
    follows_blend_ = true;
    SendTextureBlend();
    return true;
  }
  const d3d::StageWrites writes =
      d3d::LegacyStageWrites(state, value, device_.runtime_version(), false);
  for (const d3d::StageWrite& write : writes.items())
    device_.SetStageState(0, Value(write.state), write.value);
  return true;
}

// TEXTUREHANDLE. A handle that names nothing binds nothing.
void LegacyDevice::SetTextureHandle(uint32_t handle) {
  SetTexture(0, handle == 0 ? nullptr : FindTexture(handle));
}

void LegacyDevice::SendTextureBlend() {
  if (!follows_blend_) return;
  const Surface* const texture = device_.texture(0);
  const d3d::StageWrites writes =
      d3d::LegacyStageWrites(Value(RenderState::TextureMapBlend), static_cast<uint32_t>(blend_),
                             device_.runtime_version(), texture == nullptr || HasAlpha(*texture));
  for (const d3d::StageWrite& write : writes.items())
    device_.SetStageState(0, Value(write.state), write.value);
}

bool LegacyDevice::HasAlpha(const Surface& texture) {
  const d3d::FormatInfo* const info = FormatOf(texture.format);
  const Palette* const palette = texture.root->palette.get();
  return info != nullptr &&
         info->has_alpha(palette != nullptr && (palette->flags & kPaletteAlpha) != 0);
}

void LegacyDevice::SetTexture(uint32_t stage, Surface* texture) {
  if (texture != nullptr && class_ == DeviceClass::kHardware && !texture->Has(ddscaps::kTexture))
    texture = nullptr;
  device_.SetTexture(stage, texture);
  if (stage == 0 && texture != nullptr) SendTextureBlend();
}

void LegacyDevice::SetStageState(uint32_t stage, uint32_t state, uint32_t value) {
  const bool is_combiner =
      state >= Value(TextureStageState::ColorOp) && state <= Value(TextureStageState::AlphaArg2);
  if (stage == 0 && is_combiner) {
    const uint32_t old = device_.stage_state(stage, state);
    // What comes into stage 0 is the diffuse colour.
    const auto is_input = [](uint32_t argument) {
      return argument == Value(d3d::TextureArg::Diffuse) ||
             argument == Value(d3d::TextureArg::Current);
    };
    const bool is_operation =
        state == Value(TextureStageState::ColorOp) || state == Value(TextureStageState::AlphaOp);
    if (value == old || (!is_operation && is_input(value) && is_input(old))) return;
    follows_blend_ = false;
  }
  const d3d::StateInfo* const info = d3d::FindTextureStageState(state);
  if (info != nullptr && info->first_level <= kDriverLevel)
    device_.SetStageState(stage, state, value);
}

void LegacyDevice::SetLightState(uint32_t state, uint32_t value) {
  recorder_.At(light_states_, state) = value;
}

void LegacyDevice::SetTransform(uint32_t type, const Matrix& matrix) {
  const auto index = TransformIndex(type);
  if (!index) return;
  transforms_[*index] = matrix;
  transform_handles_[*index] = 0;
  if (*index == kProjection) SendDepthRange();
}

void LegacyDevice::MultiplyTransform(uint32_t type, const Matrix& matrix) {
  if (const auto index = TransformIndex(type))
    SetTransform(type, Multiply(matrix, Matrix(transforms_[*index])));
}

// WINFO: the range of w, for drivers that make fog from it. Equal ends where the projection is affine.
void LegacyDevice::SendDepthRange() {
  const auto at = [&](size_t row, size_t column) {
    return std::bit_cast<float>(transforms_[kProjection][4 * row + column]);
  };
  const float m33 = at(2, 2);
  const float m34 = at(2, 3);
  const float m43 = at(3, 2);
  const float m44 = at(3, 3);
  const bool is_perspective = m34 != 0 && m33 != 0 && m33 != m34;
  const float near = is_perspective ? m44 - m43 / m33 * m34 : m44;
  const float far = is_perspective ? (m44 - m43) / (m33 - m34) * m34 + m44 : m44;
  const std::array<uint32_t, 2> range = {Bits(near), Bits(far)};
  if (sent_depth_range_ == range) return;
  recorder_.Token(device_.context(), Op::kWInfo, range);
  sent_depth_range_ = range;
}

std::optional<vertex::FogEquation> LegacyDevice::VertexFog() const {
  const auto light = [&](LightState state, RenderState other) {
    const auto found = light_states_.find(static_cast<uint32_t>(state));
    return found != light_states_.end() ? found->second : StateOf(Value(other));
  };
  vertex::FogEquation fog;
  fog.mode = light(LightState::kFogMode, RenderState::FogVertexMode);
  const bool is_on = StateOf(Value(RenderState::FogEnable)) != 0 &&
                     vertex::IsFogEquation(fog.mode) &&
                     !vertex::IsFogEquation(StateOf(Value(RenderState::FogTableMode)));
  if (!is_on) return std::nullopt;
  fog.start = std::bit_cast<float>(light(LightState::kFogStart, RenderState::FogStart));
  fog.end = std::bit_cast<float>(light(LightState::kFogEnd, RenderState::FogEnd));
  fog.density = std::bit_cast<float>(light(LightState::kFogDensity, RenderState::FogDensity));
  return fog;
}

std::optional<GeometryState> LegacyDevice::Geometry(bool is_lit) const {
  if (viewport_ == nullptr) return std::nullopt;
  const ViewportArea& area = viewport_->area;
  const auto light_state = [&](LightState state, uint32_t other) {
    const auto found = light_states_.find(static_cast<uint32_t>(state));
    return found != light_states_.end() ? found->second : other;
  };
  Matrix clip_space = IdentityMatrix();
  for (size_t i = 0; i < 3; ++i) {
    clip_space[5 * i] = Bits(area.scale[i]);
    clip_space[12 + i] = Bits(area.offset[i]);
  }
  GeometryState state;
  state.world = std::bit_cast<vertex::Matrix>(transforms_[kWorld]);
  state.view = std::bit_cast<vertex::Matrix>(transforms_[kView]);
  state.projection = std::bit_cast<vertex::Matrix>(Multiply(transforms_[kProjection], clip_space));
  state.viewport = {area.x, area.y, area.width, area.height, 0, 1};
  const LegacyMaterial* const material = FindMaterial(light_state(LightState::kMaterial, 0));
  // Without a material lighting is off.
  state.is_lit = is_lit && material != nullptr;
  if (material != nullptr) state.material = material->material;
  state.normalizes_normals = StateOf(Value(RenderState::NormalizeNormals)) != 0;
  state.lighting.ambient =
      vertex::FromColor(light_state(LightState::kAmbient, StateOf(Value(RenderState::Ambient))));
  state.lighting.has_specular = StateOf(Value(RenderState::SpecularEnable)) != 0;
  state.lighting.uses_vertex_colors =
      light_state(LightState::kColorVertex, StateOf(Value(RenderState::ColorVertex))) != 0;
  for (const std::shared_ptr<LegacyLight>& light : viewport_->lights) {
    if (light->is_set) state.lights.push_back(light->light);
  }
  state.fog = VertexFog();
  state.has_range_fog = StateOf(Value(RenderState::RangeFogEnable)) != 0;
  return state;
}

}  // namespace dp2trace::runtime::ddraw
