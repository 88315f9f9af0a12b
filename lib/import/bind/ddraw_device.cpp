// Handlers of IDirect3D7 and of the state of IDirect3DDevice7.
// Source: Microsoft's Direct3D 7 API reference.
#include "import/bind/ddraw.h"

namespace dp2trace::import {

using runtime::ddraw::Surface;

Outcome DirectDrawBinding::OnCreateDevice(const Call& call) {
  return model_.CreateDevice(ObjectAt(call, 2), ReturnedAt(call, 3)) != nullptr
             ? Outcome::kDone
             : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnGetDirect3D(const Call& call) {
  if (const runtime::ddraw::Device* const device = DeviceOf(call))
    model_.AdoptObject(ReturnedAt(call, 1), device->space());
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnSetRenderTarget(const Call& call) {
  return model_.SetTarget(ObjectAt(call, 0), ObjectAt(call, 1)) ? Outcome::kDone
                                                                : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnGetRenderTarget(const Call& call) {
  const runtime::ddraw::Device* const device = DeviceOf(call);
  const uint64_t returned = ReturnedAt(call, 1);
  if (device != nullptr && returned != 0)
    model_.surfaces().AddInterface(returned, device->target());
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnGetTexture(const Call& call) {
  const runtime::ddraw::Device* const device = DeviceOf(call);
  const uint64_t returned = ReturnedAt(call, 2);
  if (device == nullptr || returned == 0) return Outcome::kNoEffect;
  const auto found = device->state().textures.find(NumberAt(call, 1));
  if (found != device->state().textures.end() && found->second != nullptr)
    model_.surfaces().AddInterface(returned, *found->second);
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnScene(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  if (device == nullptr) return Outcome::kUnsupported;
  device->BeginScene(call.function->name.ends_with("BeginScene"));
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnClear(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  if (device == nullptr) return Outcome::kUnsupported;
  std::optional<std::vector<d3d::Rect>> rects;
  // A count of 0 with a pointer clears nothing; without a pointer the count does not matter. Source: lib/raster/rendering-output.md 7.3.
  if (ArgumentAt(call, 2) != nullptr) {
    const std::vector<uint32_t> words = WordsAt(call, 2);
    const auto side = [&](size_t i) { return static_cast<int32_t>(words[i]); };
    rects.emplace();
    const size_t count = std::min<size_t>(NumberAt(call, 1), words.size() / 4);
    for (size_t i = 0; i < count; ++i)
      rects->push_back({side(4 * i), side(4 * i + 1), side(4 * i + 2), side(4 * i + 3)});
  }
  session_.Mark(call);
  device->Clear(rects, NumberAt(call, 3), NumberAt(call, 4), FloatBitsAt(call, 5),
                NumberAt(call, 6));
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetRenderState(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetRenderState(NumberAt(call, 1), NumberAt(call, 2));
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetTextureStageState(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  if (device == nullptr) return Outcome::kUnsupported;
  device->SetStageState(NumberAt(call, 1), NumberAt(call, 2), NumberAt(call, 3));
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetTexture(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  Surface* const texture = SurfaceAt(call, 2);
  const bool is_known = texture != nullptr || ObjectAt(call, 2) == 0;
  if (device == nullptr || !is_known || (texture != nullptr && texture->space != device->space()))
    return Outcome::kUnsupported;
  device->SetTexture(NumberAt(call, 1), texture);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetTransform(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto matrix = StructureAt<16>(call, 2);
  if (device == nullptr || !matrix) return Outcome::kUnsupported;
  device->SetTransform(NumberAt(call, 1), *matrix);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnMultiplyTransform(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto matrix = StructureAt<16>(call, 2);
  if (device == nullptr || !matrix) return Outcome::kUnsupported;
  device->MultiplyTransform(NumberAt(call, 1), *matrix);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetViewport(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto viewport = StructureAt<6>(call, 1);
  if (device == nullptr || !viewport) return Outcome::kUnsupported;
  device->SetViewport(*viewport);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetMaterial(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto material = StructureAt<17>(call, 1);
  if (device == nullptr || !material) return Outcome::kUnsupported;
  device->SetMaterial(*material);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetLight(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto light = StructureAt<26>(call, 2);
  if (device == nullptr || !light) return Outcome::kUnsupported;
  device->SetLight(NumberAt(call, 1), *light);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnLightEnable(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  if (device == nullptr) return Outcome::kUnsupported;
  device->EnableLight(NumberAt(call, 1), NumberAt(call, 2) != 0);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetClipPlane(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const auto plane = StructureAt<4>(call, 2);
  if (device == nullptr || !plane) return Outcome::kUnsupported;
  device->SetClipPlane(NumberAt(call, 1), *plane);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnStateBlock(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  if (device == nullptr) return Outcome::kUnsupported;
  const std::string_view method =
      std::string_view(call.function->name).substr(call.function->name.find("::") + 2);
  if (method == "BeginStateBlock") {
    device->BeginStateBlock();
    return Outcome::kDone;
  }
  if (method == "EndStateBlock") {
    device->EndStateBlock(static_cast<uint32_t>(ReturnedAt(call, 1)));
    return Outcome::kDone;
  }
  if (method == "CreateStateBlock") {
    const uint32_t type = NumberAt(call, 1);
    if (type < 1 || type > 3) return Outcome::kUnsupported;
    device->CreateStateBlock(static_cast<uint32_t>(ReturnedAt(call, 2)),
                             static_cast<runtime::ddraw::StateBlockType>(type));
    return Outcome::kDone;
  }
  const uint32_t block = NumberAt(call, 1);
  const bool is_done = method == "ApplyStateBlock"     ? device->ApplyStateBlock(block)
                       : method == "CaptureStateBlock" ? device->CaptureStateBlock(block)
                                                       : device->DeleteStateBlock(block);
  return is_done ? Outcome::kDone : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnLoad(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  Surface* const dest = SurfaceAt(call, 1);
  const Surface* const source = SurfaceAt(call, 3);
  if (device == nullptr || dest == nullptr || source == nullptr) return Outcome::kUnsupported;
  const auto point = StructureAt<2>(call, 2).value_or(std::array<uint32_t, 2>{});
  const std::array<int32_t, 2> position = {static_cast<int32_t>(point[0]),
                                           static_cast<int32_t>(point[1])};
  session_.Mark(call);
  if (!device->Load(dest, position, *source, RectAt(call, 4), NumberAt(call, 5)))
    return Outcome::kUnsupported;
  model_.CopyProperties(*source, *dest);
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnPreLoad(const Call& call) {
  runtime::ddraw::Device* const device = DeviceOf(call);
  const Surface* const texture = SurfaceAt(call, 1);
  if (device == nullptr || texture == nullptr) return Outcome::kUnsupported;
  return device->Load(nullptr, {0, 0}, *texture, std::nullopt, 0) ? Outcome::kDone
                                                                  : Outcome::kUnsupported;
}

}  // namespace dp2trace::import
