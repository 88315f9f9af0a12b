// Objects by pointer; devices and swap chains.
#include "import/bind/direct3d.h"

#include <algorithm>
#include <utility>

namespace dp2trace::import {
namespace {

using runtime::Device;
using runtime::SurfaceRef;

// What is kept of a pointer to an object, about.
constexpr uint64_t kEntrySize = 256;

runtime::PresentParameters ParametersAt(const CallArgs& args, size_t index) {
  const auto member = [&](std::string_view name) {
    return static_cast<uint32_t>(args.MemberOf(index, name));
  };
  runtime::PresentParameters parameters;
  parameters.width = member("BackBufferWidth");
  parameters.height = member("BackBufferHeight");
  parameters.format = member("BackBufferFormat");
  parameters.count = member("BackBufferCount");
  parameters.swap_effect = member("SwapEffect");
  parameters.samples = SamplesOf(member("MultiSampleType"));
  parameters.sample_quality = member("MultiSampleQuality");
  parameters.has_depth = member("EnableAutoDepthStencil") != 0;
  parameters.depth_format = member("AutoDepthStencilFormat");
  return parameters;
}

}  // namespace

std::optional<d3d::Rect> RectAt(const CallArgs& args, size_t index) {
  const std::vector<uint32_t> words = args.Words(index);
  if (words.size() < 4) return std::nullopt;
  return d3d::Rect{static_cast<int32_t>(words[0]), static_cast<int32_t>(words[1]),
                   static_cast<int32_t>(words[2]), static_cast<int32_t>(words[3])};
}

Direct3DBinding::~Direct3DBinding() {
  for (const auto& link : links_)
    link->is_silent = true;
}

const ObjectEntry* Direct3DBinding::Find(uint64_t pointer) const {
  const auto found = objects_.find(pointer);
  return found == objects_.end() ? nullptr : &found->second;
}

void Direct3DBinding::Forget(uint64_t pointer) {
  const auto found = objects_.find(pointer);
  if (found == objects_.end()) return;
  session_.recorder.GiveBack(kEntrySize);
  // The entry ends last: it may hold the object.
  const ObjectEntry entry = std::move(found->second);
  objects_.erase(found);
  const auto pointers = pointers_.find(entry.object.get());
  if (pointers == pointers_.end() || !session_.recorder.Spend(pointers->second.size())) return;
  std::erase(pointers->second, pointer);
  if (pointers->second.empty()) pointers_.erase(pointers);
}

void Direct3DBinding::ForgetObject(const runtime::Object* object) {
  const auto pointers = pointers_.extract(object);
  if (pointers.empty()) return;
  for (const uint64_t pointer : pointers.mapped())
    Forget(pointer);
}

void Direct3DBinding::Put(uint64_t pointer, ObjectEntry entry) {
  if (pointer == 0) return;
  const ObjectEntry* old = Find(pointer);
  if (old != nullptr && old->object != nullptr && old->object == entry.object) {
    objects_[pointer] = std::move(entry);
    return;
  }
  Forget(pointer);
  session_.recorder.Hold(kEntrySize);
  if (entry.object != nullptr) pointers_[entry.object.get()].push_back(pointer);
  objects_[pointer] = std::move(entry);
}

void Direct3DBinding::PutSurface(uint64_t pointer, const std::shared_ptr<Device>& device,
                                 const SurfaceRef& surface) {
  if (surface) {
    Put(pointer, {.device = device,
                  .object = surface.resource,
                  .face = surface.face,
                  .level = surface.level});
  }
}

Device* Direct3DBinding::DeviceOf(const CallArgs& args) const {
  const ObjectEntry* entry = Find(args.U64(0));
  return entry == nullptr ? nullptr : entry->device.get();
}

std::shared_ptr<runtime::Resource> Direct3DBinding::ResourceAt(uint64_t pointer) const {
  const ObjectEntry* entry = Find(pointer);
  return entry == nullptr ? nullptr : std::dynamic_pointer_cast<runtime::Resource>(entry->object);
}

SurfaceRef Direct3DBinding::SurfaceAt(uint64_t pointer) const {
  const ObjectEntry* entry = Find(pointer);
  if (entry == nullptr) return {};
  return {std::dynamic_pointer_cast<runtime::Resource>(entry->object), entry->face, entry->level};
}

// The result is the number of references that are left; levels share the count of their texture.
Outcome Direct3DBinding::Release(const CallArgs& args) {
  if (!args.call().result || AsNumber(*args.call().result) != 0) return Outcome::kDone;
  const ObjectEntry* found = Find(args.U64(0));
  if (found == nullptr) return Outcome::kDone;
  const ObjectEntry entry = *found;
  if (entry.is_device) {
    Forget(args.U64(0));
    entry.device->Close();
    return Outcome::kDone;
  }
  // Back buffers, the depth surface and the first swap chain live as long as the device.
  const auto* resource = dynamic_cast<const runtime::Resource*>(entry.object.get());
  const auto* chain = dynamic_cast<const runtime::SwapChain*>(entry.object.get());
  if ((resource != nullptr && resource->description().is_implicit) ||
      (chain != nullptr && chain->is_implicit()))
    return Outcome::kDone;
  if (entry.object == nullptr) {
    Forget(args.U64(0));
  } else {
    ForgetObject(entry.object.get());
  }
  return Outcome::kDone;
}

Outcome Direct3DBinding::QueryInterface(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry != nullptr && args.Out(2) != args.U64(0)) Put(args.Out(2), ObjectEntry(*entry));
  return Outcome::kDone;
}

Outcome Direct3DBinding::MakeDevice(const CallArgs& args, size_t parameters, size_t out) {
  auto device = std::make_shared<Device>(session_.recorder, level_, ParametersAt(args, parameters));
  constexpr uint32_t kSoftwareProcessing = 0x20;
  constexpr uint32_t kMixedProcessing = 0x80;  // D3DCREATE_*
  device->link()->keeps_vertices = (args.U32(4) & (kSoftwareProcessing | kMixedProcessing)) != 0;
  links_.push_back(device->link());
  if (args.call().function->name.starts_with("IDirect3D9Ex")) device->MakeExtended();
  Put(args.Out(out),
      {.device = std::move(device), .object = nullptr, .block = nullptr, .is_device = true});
  return Outcome::kDone;
}

Outcome Direct3DBinding::CreateDevice(const CallArgs& args) {
  return MakeDevice(args, 5, 6);
}
Outcome Direct3DBinding::CreateDeviceEx(const CallArgs& args) {
  return MakeDevice(args, 5, 7);
}

Outcome Direct3DBinding::Reset(const CallArgs& args) {
  Device* device = DeviceOf(args);
  if (device == nullptr) return Outcome::kUnsupported;
  const std::shared_ptr<runtime::SwapChain> chain = device->swap_chain();
  for (uint32_t i = 0; chain->BackBuffer(i); ++i)
    ForgetObject(chain->BackBuffer(i).resource.get());
  ForgetObject(chain.get());
  ForgetObject(device->implicit_depth().get());
  device->Reset(ParametersAt(args, 1));
  return Outcome::kDone;
}

Outcome Direct3DBinding::CreateSwapChain(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  auto chain =
      std::make_shared<runtime::SwapChain>(entry->device->link(), ParametersAt(args, 1), false);
  Put(args.Out(2), {.device = entry->device, .object = std::move(chain), .block = nullptr});
  return Outcome::kDone;
}

Outcome Direct3DBinding::GetSwapChain(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  // Other numbers are those of further adapters of a group.
  if (args.U32(1) != 0) return Outcome::kUnsupported;
  const std::shared_ptr<Device> device = entry->device;
  Put(args.Out(2), {.device = device, .object = device->swap_chain(), .block = nullptr});
  return Outcome::kDone;
}

Outcome Direct3DBinding::GetBackBuffer(const CallArgs& args) {
  const ObjectEntry* found = Find(args.U64(0));
  if (found == nullptr) return Outcome::kUnsupported;
  const ObjectEntry entry = *found;
  const auto chain = std::dynamic_pointer_cast<runtime::SwapChain>(entry.object);
  if (chain != nullptr) {
    PutSurface(args.Out(3), entry.device, chain->BackBuffer(args.U32(1)));
    return Outcome::kDone;
  }
  const size_t first = level_ >= 9 ? 2 : 1;
  // Other chains by number are those of further adapters of a group.
  if (level_ >= 9 && args.U32(1) != 0) return Outcome::kUnsupported;
  PutSurface(args.Out(first + 2), entry.device,
             entry.device->swap_chain()->BackBuffer(args.U32(first)));
  return Outcome::kDone;
}

Outcome Direct3DBinding::GetRenderTarget(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  const uint32_t index = level_ >= 9 ? args.U32(1) : 0;
  PutSurface(args.Out(level_ >= 9 ? 2 : 1), entry->device, entry->device->target(index));
  return Outcome::kDone;
}

Outcome Direct3DBinding::GetDepthStencil(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  PutSurface(args.Out(1), entry->device, entry->device->depth());
  return Outcome::kDone;
}

Outcome Direct3DBinding::Present(const CallArgs& args) {
  const ObjectEntry* entry = Find(args.U64(0));
  if (entry == nullptr) return Outcome::kUnsupported;
  auto chain = std::dynamic_pointer_cast<runtime::SwapChain>(entry->object);
  if (chain == nullptr) chain = entry->device->swap_chain();
  // Where and in which window it appears changes no surface.
  entry->device->Present(*chain, RectAt(args, 1));
  return Outcome::kDone;
}

std::unique_ptr<Binding> MakeDirect3DBinding(Session& session) {
  return std::make_unique<Direct3DBinding>(session);
}

}  // namespace dp2trace::import
