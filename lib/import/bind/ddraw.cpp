// The table of DirectDraw and Direct3D 2 to 7 functions, and the handlers for objects and palettes.
// Source: Microsoft's DirectDraw 7, DirectX 6 and Direct3D 7 API reference.
#include "import/bind/ddraw.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace dp2trace::import {
namespace {

using B = DirectDrawBinding;

// clang-format off
constexpr B::Row kRows[] = {
    // function                                        handler
    {"DirectDrawCreate",                               &B::OnDirectDrawCreate},
    {"DirectDrawCreateEx",                             &B::OnDirectDrawCreate},
    {"IDirectDraw::CreatePalette",                     &B::OnCreatePalette},
    {"IDirectDraw::CreateSurface",                     &B::OnCreateSurface},
    {"IDirectDraw::DuplicateSurface",                  &B::OnDuplicateSurface},
    {"IDirectDraw::SetDisplayMode",                    &B::OnSetDisplayMode},
    {"IDirectDraw::GetDisplayMode",                    &B::OnGetDisplayMode},
    {"DirectDrawCreateClipper",                        &B::OnCreateClipper},
    {"IDirectDraw::CreateClipper",                     &B::OnCreateClipper},
    {"IDirectDraw::EvaluateMode",                      &B::OnNoEffect},
    {"IDirectDraw::StartModeTest",                     &B::OnNoEffect},
    {"IDirectDraw::Compact",                           &B::OnNoEffect},
    {"IDirectDraw::FlipToGDISurface",                  &B::OnNoEffect},
    {"IDirectDraw::RestoreAllSurfaces",                &B::OnNoEffect},
    {"IDirectDraw::RestoreDisplayMode",                &B::OnNoEffect},
    {"IDirectDraw::SetCooperativeLevel",               &B::OnNoEffect},
    {"IDirectDraw::TestCooperativeLevel",              &B::OnNoEffect},
    {"IDirectDraw::WaitForVerticalBlank",              &B::OnNoEffect},
    {"IDirectDrawClipper::SetHWnd",                    &B::OnSetClipWindow},
    {"IDirectDrawClipper::IsClipListChanged",          &B::OnNoEffect},
    {"IDirectDrawClipper::SetClipList",                &B::OnSetClipList},
    {"IDirectDrawColorControl::SetColorControls",      &B::OnNoEffect},
    {"IDirectDrawGammaControl::SetGammaRamp",          &B::OnNoEffect},
    {"IDirectDrawPalette::SetEntries",                 &B::OnSetEntries},
    {"IDirectDrawSurface::AddAttachedSurface",         &B::OnAddAttachedSurface},
    {"IDirectDrawSurface::AddOverlayDirtyRect",        &B::OnNoEffect},
    {"IDirectDrawSurface::Blt",                        &B::OnBlt},
    {"IDirectDrawSurface::BltBatch",                   &B::OnUnsupported},
    {"IDirectDrawSurface::BltFast",                    &B::OnBltFast},
    {"IDirectDrawSurface::DeleteAttachedSurface",      &B::OnDeleteAttachedSurface},
    {"IDirectDrawSurface::Flip",                       &B::OnFlip},
    {"IDirectDrawSurface::GetAttachedSurface",         &B::OnGetAttachedSurface},
    {"IDirectDrawSurface::GetDDInterface",             &B::OnGetDirectDraw},
    {"IDirectDrawSurface::GetSurfaceDesc",             &B::OnGetSurfaceDescription},
    {"IDirectDrawSurface::IsLost",                     &B::OnNoEffect},
    {"IDirectDrawSurface::ChangeUniquenessValue",      &B::OnNoEffect},
    {"IDirectDrawSurface::FreePrivateData",            &B::OnNoEffect},
    {"IDirectDrawSurface::Lock",                       &B::OnLock},
    {"IDirectDrawSurface::PageLock",                   &B::OnNoEffect},
    {"IDirectDrawSurface::PageUnlock",                 &B::OnNoEffect},
    {"IDirectDrawSurface::GetDC",                      &B::OnGetDc},
    {"IDirectDrawSurface::ReleaseDC",                  &B::OnNoEffect},
    {"IDirectDrawSurface::Restore",                    &B::OnNoEffect},
    {"IDirectDrawSurface::SetClipper",                 &B::OnSetClipper},
    {"IDirectDrawSurface::SetColorKey",                &B::OnSetColorKey},
    {"IDirectDrawSurface::SetLOD",                     &B::OnSetLod},
    {"IDirectDrawSurface::SetOverlayPosition",         &B::OnSetOverlayPosition},
    {"IDirectDrawSurface::SetPalette",                 &B::OnSetPalette},
    {"IDirectDrawSurface::SetPriority",                &B::OnNoEffect},
    {"IDirectDrawSurface::SetPrivateData",             &B::OnNoEffect},
    {"IDirectDrawSurface::SetSurfaceDesc",             &B::OnUnsupported},  // memory of the program, which captures do not hold
    {"IDirectDrawSurface::Unlock",                     &B::OnUnlock},
    {"IDirectDrawSurface::UpdateOverlay",              &B::OnUpdateOverlay},
    {"IDirectDrawSurface::UpdateOverlayDisplay",       &B::OnNoEffect},
    {"IDirectDrawSurface::UpdateOverlayZOrder",        &B::OnUpdateOverlayOrder},
    {"IDirect3D::CreateDevice",                        &B::OnCreateLegacyDevice},
    {"IDirect3D::CreateLight",                         &B::OnCreateLegacyObject},
    {"IDirect3D::CreateMaterial",                      &B::OnCreateLegacyObject},
    {"IDirect3D::CreateVertexBuffer",                  &B::OnCreateVertexBuffer},
    {"IDirect3D::CreateViewport",                      &B::OnCreateLegacyObject},
    {"IDirect3D::EvictManagedTextures",                &B::OnNoEffect},
    {"IDirect3D::FindDevice",                          &B::OnNoEffect},
    {"IDirect3DDevice::AddViewport",                   &B::OnAddViewport},
    {"IDirect3DDevice::Begin",                         &B::OnBegin},
    {"IDirect3DDevice::BeginIndexed",                  &B::OnBegin},
    {"IDirect3DDevice::BeginScene",                    &B::OnScene},
    {"IDirect3DDevice::ComputeSphereVisibility",       &B::OnNoEffect},
    {"IDirect3DDevice::CreateExecuteBuffer",           &B::OnCreateExecuteBuffer},
    {"IDirect3DDevice::CreateMatrix",                  &B::OnMatrix},
    {"IDirect3DDevice::DeleteMatrix",                  &B::OnMatrix},
    {"IDirect3DDevice::DeleteViewport",                &B::OnDeleteViewport},
    {"IDirect3DDevice::DrawIndexedPrimitive",          &B::OnLegacyDrawIndexed},
    {"IDirect3DDevice::DrawIndexedPrimitiveStrided",   &B::OnLegacyDrawStrided},
    {"IDirect3DDevice::DrawIndexedPrimitiveVB",        &B::OnLegacyDrawIndexedBuffer},
    {"IDirect3DDevice::DrawPrimitive",                 &B::OnLegacyDraw},
    {"IDirect3DDevice::DrawPrimitiveStrided",          &B::OnLegacyDrawStrided},
    {"IDirect3DDevice::DrawPrimitiveVB",               &B::OnLegacyDrawBuffer},
    {"IDirect3DDevice::End",                           &B::OnEnd},
    {"IDirect3DDevice::EndScene",                      &B::OnScene},
    {"IDirect3DDevice::Execute",                       &B::OnExecute},
    {"IDirect3DDevice::GetDirect3D",                   &B::OnGetDirect3D},
    {"IDirect3DDevice::GetRenderTarget",               &B::OnGetRenderTarget},
    {"IDirect3DDevice::GetTexture",                    &B::OnGetTexture},
    {"IDirect3DDevice::Index",                         &B::OnIndex},
    {"IDirect3DDevice::MultiplyTransform",             &B::OnLegacyTransform},
    {"IDirect3DDevice::NextViewport",                  &B::OnNoEffect},
    {"IDirect3DDevice::Pick",                          &B::OnNoEffect},  // makes records, not pixels
    {"IDirect3DDevice::SetClipStatus",                 &B::OnNoEffect},
    {"IDirect3DDevice::SetCurrentViewport",            &B::OnSetCurrentViewport},
    {"IDirect3DDevice::SetLightState",                 &B::OnSetLightState},
    {"IDirect3DDevice::SetMatrix",                     &B::OnMatrix},
    {"IDirect3DDevice::SetRenderState",                &B::OnLegacySetRenderState},
    {"IDirect3DDevice::SetRenderTarget",               &B::OnSetRenderTarget},
    {"IDirect3DDevice::SetTexture",                    &B::OnLegacySetTexture},
    {"IDirect3DDevice::SetTextureStageState",          &B::OnLegacySetStageState},
    {"IDirect3DDevice::SetTransform",                  &B::OnLegacyTransform},
    {"IDirect3DDevice::SwapTextureHandles",            &B::OnSwapTextureHandles},
    {"IDirect3DDevice::ValidateDevice",                &B::OnNoEffect},
    {"IDirect3DDevice::Vertex",                        &B::OnVertex},
    {"IDirect3DExecuteBuffer::Lock",                   &B::OnLockExecuteBuffer},
    {"IDirect3DExecuteBuffer::Optimize",               &B::OnNoEffect},
    {"IDirect3DExecuteBuffer::SetExecuteData",         &B::OnSetExecuteData},
    {"IDirect3DExecuteBuffer::Unlock",                 &B::OnUnlockExecuteBuffer},
    {"IDirect3DExecuteBuffer::Validate",               &B::OnNoEffect},
    {"IDirect3DLight::SetLight",                       &B::OnSetLegacyLight},
    {"IDirect3DMaterial::GetHandle",                   &B::OnGetMaterialHandle},
    {"IDirect3DMaterial::Reserve",                     &B::OnNoEffect},
    {"IDirect3DMaterial::SetMaterial",                 &B::OnSetLegacyMaterial},
    {"IDirect3DMaterial::Unreserve",                   &B::OnNoEffect},
    {"IDirect3DTexture::GetHandle",                    &B::OnGetTextureHandle},
    {"IDirect3DTexture::Load",                         &B::OnLoadTexture},
    {"IDirect3DTexture::PaletteChanged",               &B::OnNoEffect},
    {"IDirect3DTexture::Unload",                       &B::OnNoEffect},
    {"IDirect3DVertexBuffer::Lock",                    &B::OnLockVertexBuffer},
    {"IDirect3DVertexBuffer::Optimize",                &B::OnNoEffect},
    {"IDirect3DVertexBuffer::ProcessVertices",         &B::OnProcessVertices},
    {"IDirect3DVertexBuffer::Unlock",                  &B::OnUnlockVertexBuffer},
    {"IDirect3DViewport::AddLight",                    &B::OnViewportLight},
    {"IDirect3DViewport::Clear",                       &B::OnClearViewport},
    {"IDirect3DViewport::Clear2",                      &B::OnClearViewport},
    {"IDirect3DViewport::DeleteLight",                 &B::OnViewportLight},
    {"IDirect3DViewport::LightElements",               &B::OnNoEffect},
    {"IDirect3DViewport::NextLight",                   &B::OnNoEffect},
    {"IDirect3DViewport::SetBackground",               &B::OnSetBackground},
    {"IDirect3DViewport::SetBackgroundDepth",          &B::OnSetBackgroundDepth},
    {"IDirect3DViewport::SetBackgroundDepth2",         &B::OnSetBackgroundDepth},
    {"IDirect3DViewport::SetViewport",                 &B::OnSetLegacyViewport},
    {"IDirect3DViewport::SetViewport2",                &B::OnSetLegacyViewport},
    {"IDirect3DViewport::TransformVertices",           &B::OnNoEffect},  // gives them to the program
    {"IDirect3D7::CreateDevice",                       &B::OnCreateDevice},
    {"IDirect3D7::CreateVertexBuffer",                 &B::OnCreateVertexBuffer},
    {"IDirect3D7::EvictManagedTextures",               &B::OnNoEffect},
    {"IDirect3DDevice7::ApplyStateBlock",              &B::OnStateBlock},
    {"IDirect3DDevice7::BeginScene",                   &B::OnScene},
    {"IDirect3DDevice7::BeginStateBlock",              &B::OnStateBlock},
    {"IDirect3DDevice7::CaptureStateBlock",            &B::OnStateBlock},
    {"IDirect3DDevice7::Clear",                        &B::OnClear},
    {"IDirect3DDevice7::ComputeSphereVisibility",      &B::OnNoEffect},
    {"IDirect3DDevice7::CreateStateBlock",             &B::OnStateBlock},
    {"IDirect3DDevice7::DeleteStateBlock",             &B::OnStateBlock},
    {"IDirect3DDevice7::DrawIndexedPrimitive",         &B::OnDrawIndexedPrimitive},
    {"IDirect3DDevice7::DrawIndexedPrimitiveStrided",  &B::OnDrawStrided},
    {"IDirect3DDevice7::DrawIndexedPrimitiveVB",       &B::OnDrawIndexedPrimitiveBuffer},
    {"IDirect3DDevice7::DrawPrimitive",                &B::OnDrawPrimitive},
    {"IDirect3DDevice7::DrawPrimitiveStrided",         &B::OnDrawStrided},
    {"IDirect3DDevice7::DrawPrimitiveVB",              &B::OnDrawPrimitiveBuffer},
    {"IDirect3DDevice7::EndScene",                     &B::OnScene},
    {"IDirect3DDevice7::EndStateBlock",                &B::OnStateBlock},
    {"IDirect3DDevice7::GetDirect3D",                  &B::OnGetDirect3D},
    {"IDirect3DDevice7::GetRenderTarget",              &B::OnGetRenderTarget},
    {"IDirect3DDevice7::GetTexture",                   &B::OnGetTexture},
    {"IDirect3DDevice7::LightEnable",                  &B::OnLightEnable},
    {"IDirect3DDevice7::Load",                         &B::OnLoad},
    {"IDirect3DDevice7::MultiplyTransform",            &B::OnMultiplyTransform},
    {"IDirect3DDevice7::PreLoad",                      &B::OnPreLoad},
    {"IDirect3DDevice7::SetClipPlane",                 &B::OnSetClipPlane},
    {"IDirect3DDevice7::SetClipStatus",                &B::OnNoEffect},
    {"IDirect3DDevice7::SetLight",                     &B::OnSetLight},
    {"IDirect3DDevice7::SetMaterial",                  &B::OnSetMaterial},
    {"IDirect3DDevice7::SetRenderState",               &B::OnSetRenderState},
    {"IDirect3DDevice7::SetRenderTarget",              &B::OnSetRenderTarget},
    {"IDirect3DDevice7::SetTexture",                   &B::OnSetTexture},
    {"IDirect3DDevice7::SetTextureStageState",         &B::OnSetTextureStageState},
    {"IDirect3DDevice7::SetTransform",                 &B::OnSetTransform},
    {"IDirect3DDevice7::SetViewport",                  &B::OnSetViewport},
    {"IDirect3DDevice7::ValidateDevice",               &B::OnNoEffect},
    {"IDirect3DVertexBuffer7::Lock",                   &B::OnLockVertexBuffer},
    {"IDirect3DVertexBuffer7::Optimize",               &B::OnNoEffect},
    {"IDirect3DVertexBuffer7::ProcessVertices",        &B::OnProcessVertices},
    {"IDirect3DVertexBuffer7::ProcessVerticesStrided", &B::OnUnsupported},
    {"IDirect3DVertexBuffer7::Unlock",                 &B::OnUnlockVertexBuffer},
};
// clang-format on

// "IDirectDrawSurface7::Blt" -> "IDirectDrawSurface::Blt", "IDirect3DDevice3::End" -> "IDirect3DDevice::End"; other names stay, so those of
// Direct3D 7.
std::string WithoutVersion(std::string_view function) {
  const size_t colons = function.find("::");
  std::string name(function);
  if (colons == std::string_view::npos || colons == 0) return name;
  const char last = function[colons - 1];
  const bool is_numbered = function.starts_with("IDirectDraw") ? last >= '1' && last <= '7'
                           : function.starts_with("IDirect3D") ? last == '2' || last == '3'
                                                               : false;
  if (is_numbered) name.erase(colons - 1, 1);
  return name;
}

bool IsOurs(std::string_view function) {
  const bool is_object = function.starts_with("IDirectDraw") || function.starts_with("IDirect3D");
  const size_t colons = function.find("::");
  if (!is_object || colons == std::string_view::npos) return function.starts_with("DirectDraw");
  const std::string_view name = function.substr(0, colons);
  return !name.ends_with('8') && !name.ends_with('9') && !name.ends_with("9Ex");
}

// IID_IDirect3DHALDevice, RGB, MMX, Ramp, Ref and others.
bool IsDeviceClass(std::string_view name) {
  constexpr std::string_view kPrefix = "IID_IDirect3D";
  constexpr std::string_view kSuffix = "Device";
  return name.starts_with(kPrefix) && name.ends_with(kSuffix) &&
         name.size() > kPrefix.size() + kSuffix.size();
}

}  // namespace

DirectDrawBinding::Handler DirectDrawBinding::FindHandler(std::string_view function) {
  if (!IsOurs(function)) return nullptr;
  const std::string name = WithoutVersion(function);
  const auto* const row = std::ranges::find(kRows, std::string_view(name), &Row::name);
  if (row != std::end(kRows)) return row->handler;
  const size_t colons = name.find("::");
  if (colons == std::string::npos)
    return function.starts_with("DirectDrawEnumerate") ? &B::OnNoEffect : nullptr;
  const std::string_view method = std::string_view(name).substr(colons + 2);
  if (method == "QueryInterface") return &B::OnQueryInterface;
  if (method == "AddRef" || method == "Release") return &B::OnSetReferences;
  if (method.starts_with("Get") || method.starts_with("Enum") || method == "Initialize")
    return &B::OnNoEffect;
  // Known, not modelled.
  return function.starts_with("IDirect3D") ? &B::OnUnsupported : nullptr;
}

Outcome DirectDrawBinding::OnCall(const Call& call) {
  const auto found = handlers_.find(call.function);
  const Handler handler =
      found != handlers_.end() ? found->second : FindHandler(call.function->name);
  if (found == handlers_.end()) handlers_[call.function] = handler;
  if (handler == nullptr) return Outcome::kUnknown;
  // What most handlers look through.
  constexpr uint64_t kDeviceSteps = 32;
  constexpr uint64_t kLockSteps = 8;
  (void)session_.recorder.Spend(model_.device_count() * kDeviceSteps + locks_.size() * kLockSteps);
  return (this->*handler)(call);
}

Outcome DirectDrawBinding::OnNoEffect(const Call&) {
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnUnsupported(const Call&) {
  return Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnDirectDrawCreate(const Call& call) {
  model_.OpenObject(ReturnedAt(call, 1));
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnQueryInterface(const Call& call) {
  const uint64_t id = ObjectAt(call, 0);
  const uint64_t returned = ReturnedAt(call, 2);
  if (returned == 0) return Outcome::kNoEffect;
  const std::string_view name = InterfaceNameAt(call, 1);
  // A surface makes the device of the first interface when it is asked for a device class; the device gives its surface back.
  if (model_.surfaces().Find(id) != nullptr && IsDeviceClass(name)) {
    return model_.CreateLegacyDevice(id, returned, runtime::ddraw::DeviceVersion::k1,
                                     DeviceClassOf(name)) != nullptr
               ? Outcome::kDone
               : Outcome::kUnsupported;
  }
  if (const runtime::ddraw::Device* const device = model_.FindDevice(id);
      device != nullptr && name.starts_with("IID_IDirectDrawSurface")) {
    model_.surfaces().AddInterface(returned, device->target());
    return Outcome::kNoEffect;
  }
  (void)model_.AddInterface(id, returned);
  return Outcome::kNoEffect;
}

runtime::ddraw::DeviceClass DirectDrawBinding::DeviceClassOf(std::string_view name) {
  using runtime::ddraw::DeviceClass;
  if (name == "IID_IDirect3DRampDevice") {
    session_.notes.insert(
        "a ramp device is replayed as an RGB device: its colours are not those of its palette");
  }
  return name == "IID_IDirect3DHALDevice" ? DeviceClass::kHardware : DeviceClass::kSoftware;
}

Outcome DirectDrawBinding::OnSetReferences(const Call& call) {
  const uint64_t count = call.result ? AsNumber(*call.result) : 1;
  (void)model_.SetReferences(ObjectAt(call, 0), static_cast<uint32_t>(count));
  return Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetDisplayMode(const Call& call) {
  model_.ObjectOf(ObjectAt(call, 0)).mode = {NumberAt(call, 1), NumberAt(call, 2),
                                             NumberAt(call, 3)};
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnGetDisplayMode(const Call& call) {
  const runtime::ddraw::SurfaceDescription description = DescriptionAt(call, 1);
  if (description.width == 0 || description.height == 0 || description.format.bit_count == 0)
    return Outcome::kNoEffect;
  model_.ObjectOf(ObjectAt(call, 0)).mode = {description.width, description.height,
                                             description.format.bit_count};
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnCreateClipper(const Call& call) {
  const bool is_method = call.function->name != "DirectDrawCreateClipper";
  const uint64_t returned = ReturnedAt(call, is_method ? 2 : 1);
  if (returned == 0) return Outcome::kUnsupported;
  model_.CreateClipper(returned);
  return Outcome::kNoEffect;
}

Outcome DirectDrawBinding::OnSetClipWindow(const Call& call) {
  return model_.SetClipWindow(ObjectAt(call, 0), ObjectAt(call, 2) != 0) ? Outcome::kNoEffect
                                                                         : Outcome::kUnsupported;
}

// Captures hold the header of a clip list: all of a list of one rectangle, the bounds of others.
Outcome DirectDrawBinding::OnSetClipList(const Call& call) {
  const uint64_t clipper = ObjectAt(call, 0);
  const bool has_list = ArgumentAt(call, 1) != nullptr;
  const std::vector<uint32_t> words = WordsAt(call, 1);
  constexpr size_t kCount = 2;
  constexpr size_t kBounds = 4;
  constexpr size_t kHeaderWords = 8;  // RGNDATAHEADER
  if (has_list && words.size() < kHeaderWords) return Outcome::kUnsupported;
  std::optional<d3d::Rect> bounds;
  const auto edge = [&](size_t i) { return static_cast<int32_t>(words[kBounds + i]); };
  if (has_list) bounds = d3d::Rect{edge(0), edge(1), edge(2), edge(3)};
  if (!model_.SetClipList(clipper, bounds)) return Outcome::kUnsupported;
  return !has_list || words[kCount] <= 1 ? Outcome::kNoEffect : Outcome::kUnsupported;
}

Outcome DirectDrawBinding::OnCreatePalette(const Call& call) {
  constexpr uint32_t k4Bit = 0x1;
  constexpr uint32_t k1Bit = 0x100;
  constexpr uint32_t k2Bit = 0x200;  // DDPCAPS_*
  const uint32_t flags = NumberAt(call, 1);
  const uint32_t count = (flags & k4Bit) != 0   ? 16
                         : (flags & k2Bit) != 0 ? 4
                         : (flags & k1Bit) != 0 ? 2
                                                : 256;
  const std::vector<uint32_t> entries = PaletteEntriesAt(call, 2);
  model_.CreatePalette(ReturnedAt(call, 3), flags, count, entries);
  return entries.size() < count ? Outcome::kUnsupported : Outcome::kDone;
}

Outcome DirectDrawBinding::OnSetEntries(const Call& call) {
  const std::vector<uint32_t> entries = PaletteEntriesAt(call, 4);
  const bool is_done = model_.SetEntries(ObjectAt(call, 0), NumberAt(call, 2), entries);
  return is_done && entries.size() >= NumberAt(call, 3) ? Outcome::kDone : Outcome::kUnsupported;
}

std::unique_ptr<Binding> MakeDirectDrawBinding(Session& session) {
  return std::make_unique<DirectDrawBinding>(session);
}

}  // namespace dp2trace::import
