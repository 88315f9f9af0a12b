// Handlers of the objects of Direct3D 2 to 6: IDirect3D to IDirect3D3, viewports, materials, lights, textures, execute buffers.
// Source: Microsoft's DirectX 6 API reference; lib/import/captures.md (what captures of these interfaces hold).
#include <algorithm>
#include <bit>

#include "import/bind/ddraw.h"

namespace dp2trace::import {

using runtime::ddraw::ExecuteBuffer;
using runtime::ddraw::LegacyDevice;
using runtime::ddraw::LegacyLight;
using runtime::ddraw::LegacyMaterial;
using runtime::ddraw::LegacyViewport;
using runtime::ddraw::Surface;

namespace {

// The rectangles of a clear: a count, then D3DRECTs.
std::vector<d3d::Rect> RectsAt(const Call& call, size_t count_index, size_t rects_index) {
  const std::vector<uint32_t> words = WordsAt(call, rects_index);
  const size_t count = std::min<size_t>(NumberAt(call, count_index), words.size() / 4);
  const auto side = [&](size_t i) { return static_cast<int32_t>(words[i]); };
  std::vector<d3d::Rect> rects;
  for (size_t i = 0; i < count; ++i)
    rects.push_back({side(4 * i), side(4 * i + 1), side(4 * i + 2), side(4 * i + 3)});
  return rects;
}

float Real(uint32_t bits) {
  return std::bit_cast<float>(bits);
}

}  // namespace

Outcome DirectDrawBinding::OnCreateLegacyDevice(const Call& call) {
  const std::string& name = call.function->name;
  const auto version = name.starts_with("IDirect3D3::") ? runtime::ddraw::DeviceVersion::k3
                                                        : runtime::ddraw::DeviceVersion::k2;
  const runtime::ddraw::DeviceClass device_class = DeviceClassOf(InterfaceNameAt(call, 1));
  return Done(model_.CreateLegacyDevice(ObjectAt(call, 2), ReturnedAt(call, 3), version,
                                        device_class) != nullptr);
}

Outcome DirectDrawBinding::OnCreateLegacyObject(const Call& call) {
  const uint64_t id = ReturnedAt(call, 1);
  if (id == 0) return Outcome::kUnsupported;
  const std::string& name = call.function->name;
  if (name.ends_with("CreateViewport")) {
    model_.legacy().CreateViewport(id);
  } else if (name.ends_with("CreateMaterial")) {
    model_.legacy().CreateMaterial(id);
  } else {
    model_.legacy().CreateLight(id);
  }
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnAddViewport(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  return Done(device != nullptr && model_.legacy().AddViewport(*device, ObjectAt(call, 1)));
}

Outcome DirectDrawBinding::OnDeleteViewport(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  return Done(device != nullptr && model_.legacy().DeleteViewport(*device, ObjectAt(call, 1)));
}

Outcome DirectDrawBinding::OnSetCurrentViewport(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  return Done(device != nullptr && model_.legacy().SetCurrentViewport(*device, ObjectAt(call, 1)));
}

// D3DVIEWPORT and D3DVIEWPORT2: eleven words, of which the first five are the same.
Outcome DirectDrawBinding::OnSetLegacyViewport(const Call& call) {
  LegacyViewport* const viewport = model_.legacy().FindViewport(ObjectAt(call, 0));
  const auto words = StructureAt<11>(call, 1);
  if (viewport == nullptr || !words) return Outcome::kUnsupported;
  const auto& w = *words;
  const std::array<float, 2> depths = {Real(w[9]), Real(w[10])};
  viewport->area =
      call.function->name.ends_with('2')
          ? runtime::ddraw::AreaOfClipVolume(
                w[1], w[2], w[3], w[4], {Real(w[5]), Real(w[6]), Real(w[7]), Real(w[8])}, depths)
          : runtime::ddraw::AreaOfScales(w[1], w[2], w[3], w[4], {Real(w[5]), Real(w[6])}, depths);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetBackground(const Call& call) {
  LegacyViewport* const viewport = model_.legacy().FindViewport(ObjectAt(call, 0));
  if (viewport == nullptr) return Outcome::kUnsupported;
  viewport->background = NumberAt(call, 1);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetBackgroundDepth(const Call& call) {
  return Done(model_.legacy().SetBackgroundDepth(ObjectAt(call, 0), ObjectAt(call, 1)));
}

Outcome DirectDrawBinding::OnClearViewport(const Call& call) {
  const LegacyViewport* const viewport = model_.legacy().FindViewport(ObjectAt(call, 0));
  if (viewport == nullptr || viewport->device == nullptr) return Outcome::kUnsupported;
  const std::vector<d3d::Rect> rects = RectsAt(call, 1, 2);
  session_.Mark(call);
  if (call.function->name.ends_with("Clear2")) {
    viewport->device->Clear(*viewport, rects, NumberAt(call, 3), NumberAt(call, 4),
                            FloatBitsAt(call, 5), NumberAt(call, 6));
    return Outcome::kDone;
  }
  return Done(model_.legacy().ClearToBackground(*viewport, rects, NumberAt(call, 3)));
}

Outcome DirectDrawBinding::OnViewportLight(const Call& call) {
  const bool is_added = call.function->name.ends_with("AddLight");
  return Done(is_added ? model_.legacy().AddLight(ObjectAt(call, 0), ObjectAt(call, 1))
                       : model_.legacy().DeleteLight(ObjectAt(call, 0), ObjectAt(call, 1)));
}

// D3DMATERIAL: its size, then the words of D3DMATERIAL7.
Outcome DirectDrawBinding::OnSetLegacyMaterial(const Call& call) {
  LegacyMaterial* const material = model_.legacy().FindMaterial(ObjectAt(call, 0));
  const auto words = PrefixAt<18>(call, 1);
  if (material == nullptr || !words) return Outcome::kUnsupported;
  std::array<uint32_t, 17> rest = {};
  std::copy(words->begin() + 1, words->end(), rest.begin());
  material->material = std::bit_cast<d3d::Material>(rest);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnGetMaterialHandle(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 1);
  const auto handle = static_cast<uint32_t>(ReturnedAt(call, 2));
  const bool is_named =
      device != nullptr && model_.legacy().NameMaterial(*device, handle, ObjectAt(call, 0));
  return is_named ? Outcome::kNoEffect : Outcome::kUnsupported;
}

// D3DLIGHT and D3DLIGHT2: size, type, colour, position, direction, range, falloff, three attenuations, theta, phi. The flags of
// D3DLIGHT2 are not in captures: the light shines, with highlights.
Outcome DirectDrawBinding::OnSetLegacyLight(const Call& call) {
  LegacyLight* const light = model_.legacy().FindLight(ObjectAt(call, 0));
  const auto words = PrefixAt<19>(call, 1);
  if (light == nullptr || !words) return Outcome::kUnsupported;
  const auto& w = *words;
  const auto real = [&](size_t i) { return Real(w[i]); };
  d3d::Light& to = light->light;
  to.type = w[1];
  to.diffuse = {real(2), real(3), real(4), real(5)};
  to.specular = to.diffuse;
  to.ambient = {};
  to.position = {real(6), real(7), real(8)};
  to.direction = {real(9), real(10), real(11)};
  to.range = real(12);
  to.falloff = real(13);
  to.attenuation0 = real(14);
  to.attenuation1 = real(15);
  to.attenuation2 = real(16);
  to.theta = real(17);
  to.phi = real(18);
  light->is_set = true;
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnGetTextureHandle(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 1);
  const auto handle = static_cast<uint32_t>(ReturnedAt(call, 2));
  const bool is_named =
      device != nullptr && model_.legacy().NameTexture(*device, handle, ObjectAt(call, 0));
  return is_named ? Outcome::kNoEffect : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnLoadTexture(const Call& call) {
  Surface* const dest = SurfaceAt(call, 0);
  Surface* const source = SurfaceAt(call, 1);
  if (dest == nullptr || source == nullptr) return Outcome::kUnsupported;
  session_.Mark(call);
  return Done(model_.LoadTexture(*dest, *source));
}

Outcome DirectDrawBinding::OnSwapTextureHandles(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  const Surface* const a = SurfaceAt(call, 1);
  const Surface* const b = SurfaceAt(call, 2);
  if (device == nullptr || a == nullptr || b == nullptr) return Outcome::kUnsupported;
  device->SwapTextures(*a, *b);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnCreateExecuteBuffer(const Call& call) {
  const Value* const description = Pointee(ArgumentAt(call, 1));
  const Value* const size = description == nullptr ? nullptr : Member(*description, "dwBufferSize");
  const uint64_t id = ReturnedAt(call, 2);
  if (size == nullptr || id == 0) return Outcome::kUnsupported;
  model_.legacy().CreateExecuteBuffer(id, static_cast<uint32_t>(AsNumber(*size)));
  return Outcome::kNoEffect;
}

// The description is recorded before the call: where the memory lies is not known.
Outcome DirectDrawBinding::OnLockExecuteBuffer(const Call& call) {
  const ExecuteBuffer* const buffer = model_.legacy().FindExecuteBuffer(ObjectAt(call, 0));
  if (buffer == nullptr) return Outcome::kUnsupported;
  session_.locks.OpenAnywhere({ObjectAt(call, 0), 0}, buffer->bytes.size());
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnUnlockExecuteBuffer(const Call& call) {
  ExecuteBuffer* const buffer = model_.legacy().FindExecuteBuffer(ObjectAt(call, 0));
  const auto writes = session_.locks.Close({ObjectAt(call, 0), 0});
  if (buffer == nullptr) return Outcome::kUnsupported;
  if (!writes) return Outcome::kNoEffect;
  for (const LockWrite& write : *writes) {
    if (write.offset > buffer->bytes.size()) continue;
    const size_t room = buffer->bytes.size() - static_cast<size_t>(write.offset);
    std::copy_n(write.bytes.begin(), std::min(room, write.bytes.size()),
                buffer->bytes.begin() + static_cast<std::ptrdiff_t>(write.offset));
  }
  return Outcome::kDone;
}

// D3DEXECUTEDATA: size, vertex offset and count, instruction offset and length, HVertex offset, then D3DSTATUS: flags, status, extent.
Outcome DirectDrawBinding::OnSetExecuteData(const Call& call) {
  ExecuteBuffer* const buffer = model_.legacy().FindExecuteBuffer(ObjectAt(call, 0));
  const auto words = PrefixAt<8>(call, 1);
  if (buffer == nullptr || !words) return Outcome::kUnsupported;
  const auto& w = *words;
  buffer->data = {w[1], w[2], w[3], w[4], w[7]};
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnExecute(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  if (device == nullptr) return Outcome::kUnsupported;
  session_.Mark(call);
  return Done(model_.Execute(*device, ObjectAt(call, 1), ObjectAt(call, 2), NumberAt(call, 3)));
}

Outcome DirectDrawBinding::OnMatrix(const Call& call) {
  LegacyDevice* const device = LegacyDeviceAt(call, 0);
  if (device == nullptr) return Outcome::kUnsupported;
  const std::string& name = call.function->name;
  if (name.ends_with("CreateMatrix")) {
    device->SetMatrix(static_cast<uint32_t>(ReturnedAt(call, 1)), runtime::ddraw::IdentityMatrix());
    return Outcome::kDone;
  }
  if (name.ends_with("DeleteMatrix")) return Done(device->DeleteMatrix(NumberAt(call, 1)));
  const auto matrix = StructureAt<16>(call, 2);
  if (!matrix) return Outcome::kUnsupported;
  device->SetMatrix(NumberAt(call, 1), *matrix);
  return Outcome::kDone;
}

}  // namespace dp2trace::import
