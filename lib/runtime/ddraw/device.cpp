// Device creation, targets, clears and state.
#include "runtime/ddraw/device.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "d3d/states.h"

namespace dp2trace::runtime::ddraw {
namespace {

using opcode::Op;

constexpr uint64_t kStateSteps = 8;     // of looking at a state (Allowance)
constexpr uint32_t kSceneCapture = 62;  // driver-only render state
constexpr uint32_t kClearFlags = 7;     // target, z-buffer, stencil
// SETLIGHT.dwDataType.
uint32_t DepthHandle(const Surface& target) {
  return target.depth == nullptr ? 0 : target.depth->handle;
}

// Legacy render states that stand for a state of stage 0 or for WRAP0. Source: lib/opcode/dp2.md 7.4.
bool IsAlias(uint32_t state) {
  constexpr uint32_t kAliases[] = {1, 3, 5, 6, 17, 18, 21, 43, 44, 45, 46, 49};
  return std::ranges::find(kAliases, state) != std::end(kAliases);
}

// A texture needs its handle on top level.
uint32_t TextureHandle(const Surface* texture) {
  return texture == nullptr ? 0 : texture->root->handle;
}

d3d::Rect Intersect(const d3d::Rect& a, const d3d::Rect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

// A coordinate of a viewport, cut to what a rectangle can hold.
int32_t Cut(uint64_t value) {
  return static_cast<int32_t>(std::min<uint64_t>(value, 0x7FFFFFFF));
}

}  // namespace

Device::Device(Recorder& recorder, SurfaceTable& surfaces, Surface& target,
               ObjectId target_interface, uint32_t runtime_version)
    : recorder_(recorder),
      surfaces_(surfaces),
      target_(&target),
      depth_(target.depth),
      target_interface_(target_interface),
      space_(target.space),
      runtime_version_(runtime_version),
      context_(recorder.CreateContext(target.space, target.handle, DepthHandle(target),
                                      runtime_version)) {
  surfaces_.Pin(target);
  if (depth_ != nullptr) surfaces_.Pin(*depth_);
  if (runtime_version < kRuntimeVersion7) {
    SetClipRectangle({0, 0, Cut(target.width), Cut(target.height)});
  } else {
    SetViewport({0, 0, target.width, target.height, 0, Bits(1.0F)});
  }
}

void Device::Close() {
  recorder_.DestroyContext(context_);
  Release(state_);
  if (recorded_) Release(*recorded_);
  for (const auto& [number, block] : blocks_)
    Release(*block);
  if (depth_ != nullptr) surfaces_.Unpin(*depth_);
  surfaces_.Unpin(*target_);
}

void Device::SetTarget(Surface& target, ObjectId target_interface) {
  surfaces_.Pin(target);
  Surface* const old = std::exchange(target_, &target);
  target_interface_ = target_interface;
  UpdateTarget();
  surfaces_.Unpin(*old);
}

void Device::UpdateTarget() {
  Surface* const old_depth = std::exchange(depth_, target_->depth);
  if (depth_ != nullptr) surfaces_.Pin(*depth_);
  Send(Op::kSetRenderTarget, {target_->handle, DepthHandle(*target_)});
  if (old_depth != nullptr) surfaces_.Unpin(*old_depth);
}

void Device::UpdateHandles(const Complex& complex) {
  if (target_->complex == &complex) UpdateTarget();
  for (const auto& [stage, texture] : state_.textures) {
    if (texture != nullptr && texture->complex == &complex) {
      Send(Op::kTextureStageState,
           {stage, d3d::Value(d3d::TextureStageState::TextureMap), TextureHandle(texture)});
    }
  }
}

void Device::BeginScene(bool begins) {
  // Before level 7 scenes have a callback of their own.
  if (runtime_version_ < kRuntimeVersion7) return;
  Send(Op::kRenderState, {kSceneCapture, begins ? 1U : 0U});
}

Viewport Device::viewport() const {
  return state_.viewport.value_or(Viewport{0, 0, target_->width, target_->height, 0, Bits(1.0F)});
}

Surface* Device::texture(uint32_t stage) const {
  const auto found = state_.textures.find(stage);
  return found == state_.textures.end() ? nullptr : found->second;
}

void Device::Clear(const std::optional<std::vector<d3d::Rect>>& rects, uint32_t flags,
                   uint32_t color, uint32_t depth_bits, uint32_t stencil) {
  const Viewport v = viewport();
  const d3d::Rect area = {Cut(v[0]), Cut(v[1]), Cut(uint64_t{v[0]} + v[2]),
                          Cut(uint64_t{v[1]} + v[3])};
  ClearInside(area, rects.value_or(std::vector<d3d::Rect>{area}), flags, color, depth_bits,
              stencil);
}

void Device::ClearInside(const d3d::Rect& area, std::span<const d3d::Rect> rects, uint32_t flags,
                         uint32_t color, uint32_t depth_bits, uint32_t stencil) {
  const d3d::Rect viewport = Intersect(area, {0, 0, Cut(target_->width), Cut(target_->height)});
  std::vector<uint32_t> values = {flags & kClearFlags, color, depth_bits, stencil};
  for (const d3d::Rect& rect : rects) {
    const d3d::Rect cut = Intersect(rect, viewport);
    if (cut.left >= cut.right || cut.top >= cut.bottom) continue;
    for (const int32_t side : {cut.left, cut.top, cut.right, cut.bottom})
      values.push_back(Bits(side));
    // The count of a token has 16 bits.
    if (values.size() == 4 + 4 * size_t{0xFFFF}) break;
  }
  // Without rectangles nothing is cleared; such a token would mean the whole target to some drivers.
  if (values.size() > 4) recorder_.Token(context_, Op::kClear, values);
}

void Device::ForgetAliases(uint32_t render_state) {
  constexpr uint32_t kWrap0 = 128;
  recorder_.Erase(state_.render_states, render_state);
  recorder_.Erase(state_.render_states, kWrap0);
  (void)recorder_.Spend(state_.stage_states.size() * kStateSteps);
  const auto count =
      std::erase_if(state_.stage_states, [](const auto& entry) { return entry.first.first == 0; });
  recorder_.GiveBack(count * Recorder::kEntrySize<decltype(state_.stage_states)>);
}

void Device::SetRenderState(uint32_t state, uint32_t value) {
  StateSet& set = recorded_ ? *recorded_ : state_;
  if (!recorded_) {
    const auto found = state_.render_states.find(state);
    if (found != state_.render_states.end() && found->second == value) return;
    Send(Op::kRenderState, {state, value});
    if (IsAlias(state)) return ForgetAliases(state);
  }
  recorder_.At(set.render_states, state) = value;
}

void Device::SetStageState(uint32_t stage, uint32_t state, uint32_t value) {
  constexpr uint32_t kAddress = 12;
  constexpr uint32_t kAddressU = 13;
  constexpr uint32_t kAddressV = 14;
  StateSet& set = recorded_ ? *recorded_ : state_;
  if (!recorded_) {
    const auto found = state_.stage_states.find({stage, state});
    if (found != state_.stage_states.end() && found->second == value) return;
    Send(Op::kTextureStageState, {stage, state, value});
  }
  if (state == kAddress) {
    recorder_.At(set.stage_states, {stage, kAddressU}) = value;
    recorder_.At(set.stage_states, {stage, kAddressV}) = value;
    if (!recorded_) return;
  }
  recorder_.At(set.stage_states, {stage, state}) = value;
}

uint32_t Device::stage_state(uint32_t stage, uint32_t state) const {
  const auto found = state_.stage_states.find({stage, state});
  return found != state_.stage_states.end()
             ? found->second
             : d3d::DefaultTextureStageState(state, stage, runtime_version_);
}

void Device::ReplaceTexture(StateSet& set, uint32_t stage, Surface* texture) {
  Surface*& place = recorder_.At(set.textures, stage);
  if (texture != nullptr) surfaces_.Pin(*texture);
  Surface* const old = std::exchange(place, texture);
  if (old != nullptr) surfaces_.Unpin(*old);
}

void Device::ReleaseTextures(StateSet& set) {
  recorder_.GiveBack(set.textures.size() * Recorder::kEntrySize<decltype(set.textures)>);
  for (const auto& [stage, texture] : std::exchange(set.textures, {})) {
    if (texture != nullptr) surfaces_.Unpin(*texture);
  }
}

void Device::SetTexture(uint32_t stage, Surface* texture) {
  if (!recorded_) {
    const auto found = state_.textures.find(stage);
    if (found != state_.textures.end() && found->second == texture) return;
    Send(Op::kTextureStageState,
         {stage, d3d::Value(d3d::TextureStageState::TextureMap), TextureHandle(texture)});
  }
  ReplaceTexture(recorded_ ? *recorded_ : state_, stage, texture);
}

template <size_t N>
void Device::SendWith(opcode::Op op, uint32_t first, const std::array<uint32_t, N>& rest) {
  std::array<uint32_t, N + 1> values = {first};
  std::ranges::copy(rest, values.begin() + 1);
  recorder_.Token(context_, op, values);
}

void Device::SetTransform(uint32_t state, const Matrix& matrix) {
  if (!recorded_) SendWith(Op::kSetTransform, state, matrix);
  recorder_.At((recorded_ ? *recorded_ : state_).transforms, state) = matrix;
}

void Device::MultiplyTransform(uint32_t state, const Matrix& matrix) {
  const auto find = [&](const StateSet& set) -> const Matrix* {
    const auto found = set.transforms.find(state);
    return found == set.transforms.end() ? nullptr : &found->second;
  };
  const Matrix* current = recorded_ ? find(*recorded_) : nullptr;
  if (current == nullptr) current = find(state_);
  SetTransform(state, Multiply(matrix, current == nullptr ? IdentityMatrix() : *current));
}

void Device::SetViewport(const Viewport& viewport) {
  if (recorded_) {
    recorded_->viewport = viewport;
    return;
  }
  Send(Op::kViewportInfo, {viewport[0], viewport[1], viewport[2], viewport[3]});
  Send(Op::kZRange, {viewport[4], viewport[5]});
  state_.viewport = viewport;
}

void Device::SetClipRectangle(const d3d::Rect& rect) {
  const auto side = [](int32_t value) { return static_cast<uint32_t>(value); };
  const Viewport area = {side(rect.left),
                         side(rect.top),
                         side(rect.right - rect.left),
                         side(rect.bottom - rect.top),
                         0,
                         Bits(1.0F)};
  if (state_.viewport == area) return;
  Send(Op::kViewportInfo, {area[0], area[1], area[2], area[3]});
  state_.viewport = area;
}

void Device::SetMaterial(const Material& material) {
  if (!recorded_) recorder_.Token(context_, Op::kSetMaterial, material);
  (recorded_ ? *recorded_ : state_).material = material;
}

void Device::SetLight(uint32_t index, const Light& light) {
  if (recorded_) {
    recorder_.At(recorded_->lights, index) = light;
    return;
  }
  if (!state_.lights.contains(index)) Send(Op::kCreateLight, {index});
  recorder_.At(state_.lights, index) = light;
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  for (const uint32_t word : light)
    writer.Write(word);
  const std::array<uint32_t, 2> record = {index, d3d::Value(d3d::SetLightData::Data)};
  recorder_.Token(context_, Op::kSetLight, record, bytes);
}

void Device::EnableLight(uint32_t index, bool enabled) {
  if (recorded_) {
    recorder_.At(recorded_->enabled_lights, index) = enabled;
    return;
  }
  if (!state_.lights.contains(index)) {
    // The light that LightEnable makes: directional, white, along z. Source: Microsoft's Direct3D 7 API reference, LightEnable.
    Light light = {};
    light[0] = 3;
    light[1] = light[2] = light[3] = Bits(1.0F);
    light[18] = Bits(1.0F);
    SetLight(index, light);
  }
  recorder_.At(state_.enabled_lights, index) = enabled;
  Send(Op::kSetLight, {index, enabled ? d3d::Value(d3d::SetLightData::Enable)
                                      : d3d::Value(d3d::SetLightData::Disable)});
}

void Device::SetClipPlane(uint32_t index, const Plane& plane) {
  if (!recorded_) SendWith(Op::kSetClipPlane, index, plane);
  recorder_.At((recorded_ ? *recorded_ : state_).clip_planes, index) = plane;
}

bool Device::Load(const Surface* dest, const std::array<int32_t, 2>& point, const Surface& source,
                  const std::optional<d3d::Rect>& rect, uint32_t faces) {
  const bool is_top = (dest == nullptr || dest->root == dest) && source.root == &source;
  if (!is_top || source.space != space_ || (dest != nullptr && dest->space != space_)) return false;
  const d3d::Rect area = rect.value_or(d3d::Rect{0, 0, Cut(source.width), Cut(source.height)});
  Send(Op::kTexBlt,
       {dest == nullptr ? 0 : dest->handle, source.handle, Bits(point[0]), Bits(point[1]),
        Bits(area.left), Bits(area.top), Bits(area.right), Bits(area.bottom),
        dest != nullptr && dest->faces != 0 ? faces & ddscaps2::kCubeFaces : 0});
  return true;
}

}  // namespace dp2trace::runtime::ddraw
