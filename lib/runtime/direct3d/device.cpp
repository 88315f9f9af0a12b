// The life of a device: creation, swap chains, reset, end.
#include "runtime/direct3d/device.h"

#include <algorithm>
#include <utility>

#include "d3d/states.h"

namespace dp2trace::runtime {
namespace {

constexpr uint32_t kX8R8G8B8 = 22;
// Unspecified: the size of back buffers that take the size of a window, which a capture does not hold; chosen: 640 x 480.
constexpr uint32_t kWindowWidth = 640, kWindowHeight = 480;

PresentParameters Completed(PresentParameters parameters) {
  if (parameters.width == 0 || parameters.height == 0) {
    parameters.width = kWindowWidth;
    parameters.height = kWindowHeight;
  }
  if (parameters.format == 0) parameters.format = kX8R8G8B8;
  // Programs ask for thousands only by mistake; the runtime allows 3 (Direct3D 9Ex: 30).
  parameters.count = std::clamp<uint32_t>(parameters.count, 1, 30);
  return parameters;
}

ResourceDescription BackBufferOf(const PresentParameters& parameters) {
  ResourceDescription description;
  description.width = parameters.width;
  description.height = parameters.height;
  description.format = parameters.format;
  description.usage = kUsageRenderTarget;
  description.samples = parameters.samples;
  description.sample_quality = parameters.sample_quality;
  description.is_implicit = true;
  return description;
}

// D3DSWAPEFFECT_FLIP and _FLIPEX. Observed: _DISCARD with several back buffers, which leaves their contents undefined, flips, too.
bool IsFlipping(const PresentParameters& parameters) {
  constexpr uint32_t kDiscard = 1;
  constexpr uint32_t kFlip = 2;
  constexpr uint32_t kFlipEx = 5;
  const uint32_t effect = parameters.swap_effect;
  return effect == kFlip || effect == kFlipEx || (effect == kDiscard && parameters.count > 1);
}

}  // namespace

SwapChain::SwapChain(const std::shared_ptr<DeviceLink>& shared, const PresentParameters& parameters,
                     bool is_implicit)
    : Object(shared), is_flipping_(IsFlipping(parameters)), is_implicit_(is_implicit) {
  const PresentParameters completed = Completed(parameters);
  ResourceDescription description = BackBufferOf(completed);
  description.is_implicit = is_implicit;
  const uint32_t count = completed.count + (is_flipping_ ? 1 : 0);
  for (uint32_t i = 0; i < count; ++i)
    buffers_.push_back(std::make_shared<Resource>(shared, description));
}

// One after the other: standard libraries destroy the elements of a vector in orders of their own.
SwapChain::~SwapChain() {
  for (std::shared_ptr<Resource>& buffer : buffers_)
    buffer.reset();
}

SurfaceRef SwapChain::BackBuffer(uint32_t index) const {
  const size_t count = buffers_.size() - (is_flipping_ ? 1 : 0);
  return index < count ? SurfaceRef{buffers_[index], 0, 0} : SurfaceRef();
}

bool SwapChain::Holds(const SurfaceRef& surface) const {
  return std::ranges::find(buffers_, surface.resource) != buffers_.end();
}

bool SwapChain::Present(const std::optional<d3d::Rect>& source) {
  link().recorder.Present({link().space, buffers_.front()->handle(), source});
  if (is_flipping_) Resource::Rotate(buffers_);
  return is_flipping_;
}

Device::Device(Recorder& recorder, uint32_t level, const PresentParameters& parameters)
    : link_(std::make_shared<DeviceLink>(
          DeviceLink{.recorder = recorder, .level = level, .space = recorder.NewSpace()})) {
  CreateImplicit(parameters);
  const uint32_t depth = implicit_depth_ ? implicit_depth_->handle() : 0;
  // 4 = 8.0, 5 = 9.0.
  link_->context = recorder.CreateContext(link_->space, swap_chain_->BackBuffer(0).handle(), depth,
                                          level >= 9 ? 5 : 4);
  targets_[0] = swap_chain_->BackBuffer(0);
  depth_ = SurfaceRef{implicit_depth_, 0, 0};
  ResetViewport();
}

Device::~Device() {
  Close();
}

void Device::CreateImplicit(const PresentParameters& parameters) {
  const PresentParameters completed = Completed(parameters);
  swap_chain_ = std::make_shared<SwapChain>(link_, completed, true);
  implicit_depth_.reset();
  if (!completed.has_depth) return;
  ResourceDescription description = BackBufferOf(completed);
  description.format = completed.depth_format;
  description.usage = kUsageDepthStencil;
  implicit_depth_ = std::make_shared<Resource>(link_, description);
}

void Device::Present(SwapChain& chain, const std::optional<d3d::Rect>& source) {
  if (!chain.Present(source)) return;
  for (uint32_t i = 0; i < targets_.size(); ++i) {
    if (targets_[i] && chain.Holds(targets_[i])) EmitTarget(i);
  }
}

void Device::Reset(const PresentParameters& parameters) {
  if (!is_extended_) {
    recording_.reset();
    ResetStates();
    current_palette_ = kNoPalette;
  }
  // The old surfaces stay bound until the new ones are.
  const std::shared_ptr<SwapChain> old_chain = std::exchange(swap_chain_, nullptr);
  const std::shared_ptr<Resource> old_depth = std::exchange(implicit_depth_, nullptr);
  CreateImplicit(parameters);
  const SurfaceRef target = swap_chain_->BackBuffer(0);
  const SurfaceRef depth{implicit_depth_, 0, 0};
  if (level() >= 9) {
    for (uint32_t i = 1; i < targets_.size(); ++i) {
      if (targets_[i]) SetTarget(i, {});
    }
    SetTarget(0, target);
    SetDepth(depth);
  } else {
    SetTargetAndDepth(target, depth);
  }
  if (is_extended_) return;
  SetWord(StateKind::kRenderState, d3d::Value(d3d::RenderState::ZEnable), 0,
          implicit_depth_ != nullptr ? 1 : 0);
}

void Device::ResetStates() {
  const bool has_depth = implicit_depth_ != nullptr;
  if (!link_->recorder.Spend(state_.size() * kStateSteps)) return;
  for (const StateKey& key : state_.Keys()) {
    if (key.kind != StateKind::kViewport && key.kind != StateKind::kScissor)
      Set(key, DefaultValue(key, has_depth));
  }
}

void Device::Close() {
  if (!link_->is_open) return;
  const bool is_silent = link_->is_silent;
  // Shaders end with the context; surfaces are reported one by one.
  link_->is_open = false;
  if (!is_silent) link_->recorder.DestroyContext(link_->context);
  recording_.reset();
  link_->recorder.GiveBack(std::exchange(counted_states_, 0) * kStateSize);
  state_.Clear();
  driver_format_.reset();
  targets_ = {};
  depth_ = {};
  user_indices_.reset();
  implicit_depth_.reset();
  swap_chain_.reset();
}

}  // namespace dp2trace::runtime
