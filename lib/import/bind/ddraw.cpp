// The table of DirectDraw and Direct3D 2 to 7 functions, and the handlers for objects and palettes.
// Source: Microsoft's DirectDraw 7, DirectX 6 and Direct3D 7 API reference.
#include "import/bind/ddraw.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace dp2trace::import {
namespace {

using D = DirectDrawBinding;

// clang-format off
constexpr D::Row kRows[] = {
    // function                                        handler
    {"DirectDrawCreate",                               &D::OnDirectDrawCreate},
    {"DirectDrawCreateEx",                             &D::OnDirectDrawCreate},
    {"IDirectDraw::CreatePalette",                     &D::OnCreatePalette},
    {"IDirectDraw::CreateSurface",                     &D::OnCreateSurface},
    {"IDirectDraw::DuplicateSurface",                  &D::OnDuplicateSurface},
    {"IDirectDraw::SetDisplayMode",                    &D::OnSetDisplayMode},
    {"IDirectDraw::GetDisplayMode",                    &D::OnGetDisplayMode},
    {"DirectDrawCreateClipper",                        &D::OnCreateClipper},
    {"IDirectDraw::CreateClipper",                     &D::OnCreateClipper},
    {"IDirectDraw::EvaluateMode",                      &D::OnNoEffect},
    {"IDirectDraw::StartModeTest",                     &D::OnNoEffect},
    {"IDirectDraw::Compact",                           &D::OnNoEffect},
    {"IDirectDraw::FlipToGDISurface",                  &D::OnNoEffect},
    {"IDirectDraw::RestoreAllSurfaces",                &D::OnNoEffect},
    {"IDirectDraw::RestoreDisplayMode",                &D::OnNoEffect},
    {"IDirectDraw::SetCooperativeLevel",               &D::OnNoEffect},
    {"IDirectDraw::TestCooperativeLevel",              &D::OnNoEffect},
    {"IDirectDraw::WaitForVerticalBlank",              &D::OnNoEffect},
    {"IDirectDrawClipper::SetHWnd",                    &D::OnSetClipWindow},
    {"IDirectDrawClipper::IsClipListChanged",          &D::OnNoEffect},
    {"IDirectDrawClipper::SetClipList",                &D::OnSetClipList},
    {"IDirectDrawColorControl::SetColorControls",      &D::OnNoEffect},
    {"IDirectDrawGammaControl::SetGammaRamp",          &D::OnNoEffect},
    {"IDirectDrawPalette::SetEntries",                 &D::OnSetEntries},
    {"IDirectDrawSurface::AddAttachedSurface",         &D::OnAddAttachedSurface},
    {"IDirectDrawSurface::AddOverlayDirtyRect",        &D::OnNoEffect},
    {"IDirectDrawSurface::Blt",                        &D::OnBlt},
    {"IDirectDrawSurface::BltBatch",                   &D::OnUnsupported},
    {"IDirectDrawSurface::BltFast",                    &D::OnBltFast},
    {"IDirectDrawSurface::DeleteAttachedSurface",      &D::OnDeleteAttachedSurface},
    {"IDirectDrawSurface::Flip",                       &D::OnFlip},
    {"IDirectDrawSurface::GetAttachedSurface",         &D::OnGetAttachedSurface},
    {"IDirectDrawSurface::GetDDInterface",             &D::OnGetDirectDraw},
    {"IDirectDrawSurface::GetSurfaceDesc",             &D::OnGetSurfaceDescription},
    {"IDirectDrawSurface::IsLost",                     &D::OnNoEffect},
    {"IDirectDrawSurface::ChangeUniquenessValue",      &D::OnNoEffect},
    {"IDirectDrawSurface::FreePrivateData",            &D::OnNoEffect},
    {"IDirectDrawSurface::Lock",                       &D::OnLock},
    {"IDirectDrawSurface::PageLock",                   &D::OnNoEffect},
    {"IDirectDrawSurface::PageUnlock",                 &D::OnNoEffect},
    {"IDirectDrawSurface::GetDC",                      &D::OnGetDc},
    {"IDirectDrawSurface::ReleaseDC",                  &D::OnNoEffect},
    {"IDirectDrawSurface::Restore",                    &D::OnNoEffect},
    {"IDirectDrawSurface::SetClipper",                 &D::OnSetClipper},
    {"IDirectDrawSurface::SetColorKey",                &D::OnSetColorKey},
    {"IDirectDrawSurface::SetLOD",                     &D::OnSetLod},
    {"IDirectDrawSurface::SetOverlayPosition",         &D::OnSetOverlayPosition},
    {"IDirectDrawSurface::SetPalette",                 &D::OnSetPalette},
    {"IDirectDrawSurface::SetPriority",                &D::OnNoEffect},
    {"IDirectDrawSurface::SetPrivateData",             &D::OnNoEffect},
    {"IDirectDrawSurface::SetSurfaceDesc",             &D::OnUnsupported},  // memory of the program, which captures do not hold
    {"IDirectDrawSurface::Unlock",                     &D::OnUnlock},
    {"IDirectDrawSurface::UpdateOverlay",              &D::OnUpdateOverlay},
    {"IDirectDrawSurface::UpdateOverlayDisplay",       &D::OnNoEffect},
    {"IDirectDrawSurface::UpdateOverlayZOrder",        &D::OnUpdateOverlayOrder},
    {"IDirect3D::CreateDevice",                        &D::OnCreateLegacyDevice},
    {"IDirect3D::CreateLight",                         &D::OnCreateLegacyObject},
    {"IDirect3D::CreateMaterial",                      &D::OnCreateLegacyObject},
    {"IDirect3D::CreateVertexBuffer",                  &D::OnCreateVertexBuffer},
    {"IDirect3D::CreateViewport",                      &D::OnCreateLegacyObject},
    {"IDirect3D::EvictManagedTextures",                &D::OnNoEffect},
    {"IDirect3D::FindDevice",                          &D::OnNoEffect},
    {"IDirect3DDevice::AddViewport",                   &D::OnAddViewport},
    {"IDirect3DDevice::Begin",                         &D::OnBegin},
    {"IDirect3DDevice::BeginIndexed",                  &D::OnBegin},
    {"IDirect3DDevice::BeginScene",                    &D::OnScene},
    {"IDirect3DDevice::ComputeSphereVisibility",       &D::OnNoEffect},
    {"IDirect3DDevice::CreateExecuteBuffer",           &D::OnCreateExecuteBuffer},
    {"IDirect3DDevice::CreateMatrix",                  &D::OnMatrix},
    {"IDirect3DDevice::DeleteMatrix",                  &D::OnMatrix},
    {"IDirect3DDevice::DeleteViewport",                &D::OnDeleteViewport},
    {"IDirect3DDevice::DrawIndexedPrimitive",          &D::OnLegacyDrawIndexed},
    {"IDirect3DDevice::DrawIndexedPrimitiveStrided",   &D::OnLegacyDrawStrided},
    {"IDirect3DDevice::DrawIndexedPrimitiveVB",        &D::OnLegacyDrawIndexedBuffer},
    {"IDirect3DDevice::DrawPrimitive",                 &D::OnLegacyDraw},
    {"IDirect3DDevice::DrawPrimitiveStrided",          &D::OnLegacyDrawStrided},
    {"IDirect3DDevice::DrawPrimitiveVB",               &D::OnLegacyDrawBuffer},
    {"IDirect3DDevice::End",                           &D::OnEnd},
    {"IDirect3DDevice::EndScene",                      &D::OnScene},
    {"IDirect3DDevice::Execute",                       &D::OnExecute},
    {"IDirect3DDevice::GetDirect3D",                   &D::OnGetDirect3D},
    {"IDirect3DDevice::GetRenderTarget",               &D::OnGetRenderTarget},
    {"IDirect3DDevice::GetTexture",                    &D::OnGetTexture},
    {"IDirect3DDevice::Index",                         &D::OnIndex},
    {"IDirect3DDevice::MultiplyTransform",             &D::OnLegacyTransform},
    {"IDirect3DDevice::NextViewport",                  &D::OnNoEffect},
    {"IDirect3DDevice::Pick",                          &D::OnNoEffect},  // makes records, not pixels
    {"IDirect3DDevice::SetClipStatus",                 &D::OnNoEffect},
    {"IDirect3DDevice::SetCurrentViewport",            &D::OnSetCurrentViewport},
    {"IDirect3DDevice::SetLightState",                 &D::OnSetLightState},
    {"IDirect3DDevice::SetMatrix",                     &D::OnMatrix},
    {"IDirect3DDevice::SetRenderState",                &D::OnLegacySetRenderState},
    {"IDirect3DDevice::SetRenderTarget",               &D::OnSetRenderTarget},
    {"IDirect3DDevice::SetTexture",                    &D::OnLegacySetTexture},
    {"IDirect3DDevice::SetTextureStageState",          &D::OnLegacySetStageState},
    {"IDirect3DDevice::SetTransform",                  &D::OnLegacyTransform},
    {"IDirect3DDevice::SwapTextureHandles",            &D::OnSwapTextureHandles},
    {"IDirect3DDevice::ValidateDevice",                &D::OnNoEffect},
    {"IDirect3DDevice::Vertex",                        &D::OnVertex},
    {"IDirect3DExecuteBuffer::Lock",                   &D::OnLockExecuteBuffer},
    {"IDirect3DExecuteBuffer::Optimize",               &D::OnNoEffect},
    {"IDirect3DExecuteBuffer::SetExecuteData",         &D::OnSetExecuteData},
    {"IDirect3DExecuteBuffer::Unlock",                 &D::OnUnlockExecuteBuffer},
    {"IDirect3DExecuteBuffer::Validate",               &D::OnNoEffect},
    {"IDirect3DLight::SetLight",                       &D::OnSetLegacyLight},
    {"IDirect3DMaterial::GetHandle",                   &D::OnGetMaterialHandle},
    {"IDirect3DMaterial::Reserve",                     &D::OnNoEffect},
    {"IDirect3DMaterial::SetMaterial",                 &D::OnSetLegacyMaterial},
    {"IDirect3DMaterial::Unreserve",                   &D::OnNoEffect},
    {"IDirect3DTexture::GetHandle",                    &D::OnGetTextureHandle},
    {"IDirect3DTexture::Load",                         &D::OnLoadTexture},
    {"IDirect3DTexture::PaletteChanged",               &D::OnNoEffect},
    {"IDirect3DTexture::Unload",                       &D::OnNoEffect},
    {"IDirect3DVertexBuffer::Lock",                    &D::OnLockVertexBuffer},
    {"IDirect3DVertexBuffer::Optimize",                &D::OnNoEffect},
    {"IDirect3DVertexBuffer::ProcessVertices",         &D::OnProcessVertices},
    {"IDirect3DVertexBuffer::Unlock",                  &D::OnUnlockVertexBuffer},
    {"IDirect3DViewport::AddLight",                    &D::OnViewportLight},
    {"IDirect3DViewport::Clear",                       &D::OnClearViewport},
    {"IDirect3DViewport::Clear2",                      &D::OnClearViewport},
    {"IDirect3DViewport::DeleteLight",                 &D::OnViewportLight},
    {"IDirect3DViewport::LightElements",               &D::OnNoEffect},
    {"IDirect3DViewport::NextLight",                   &D::OnNoEffect},
    {"IDirect3DViewport::SetBackground",               &D::OnSetBackground},
    {"IDirect3DViewport::SetBackgroundDepth",          &D::OnSetBackgroundDepth},
    {"IDirect3DViewport::SetBackgroundDepth2",         &D::OnSetBackgroundDepth},
    {"IDirect3DViewport::SetViewport",                 &D::OnSetLegacyViewport},
    {"IDirect3DViewport::SetViewport2",                &D::OnSetLegacyViewport},
    {"IDirect3DViewport::TransformVertices",           &D::OnNoEffect},  // gives them to the program
    {"IDirect3D7::CreateDevice",                       &D::OnCreateDevice},
    {"IDirect3D7::CreateVertexBuffer",                 &D::OnCreateVertexBuffer},
    {"IDirect3D7::EvictManagedTextures",               &D::OnNoEffect},
    {"IDirect3DDevice7::ApplyStateBlock",              &D::OnStateBlock},
    {"IDirect3DDevice7::BeginScene",                   &D::OnScene},
    {"IDirect3DDevice7::BeginStateBlock",              &D::OnStateBlock},
    {"IDirect3DDevice7::CaptureStateBlock",            &D::OnStateBlock},
    {"IDirect3DDevice7::Clear",                        &D::OnClear},
    {"IDirect3DDevice7::ComputeSphereVisibility",      &D::OnNoEffect},
    {"IDirect3DDevice7::CreateStateBlock",             &D::OnStateBlock},
    {"IDirect3DDevice7::DeleteStateBlock",             &D::OnStateBlock},
    {"IDirect3DDevice7::DrawIndexedPrimitive",         &D::OnDrawIndexedPrimitive},
    {"IDirect3DDevice7::DrawIndexedPrimitiveStrided",  &D::OnDrawStrided},
    {"IDirect3DDevice7::DrawIndexedPrimitiveVB",       &D::OnDrawIndexedPrimitiveBuffer},
    {"IDirect3DDevice7::DrawPrimitive",                &D::OnDrawPrimitive},
    {"IDirect3DDevice7::DrawPrimitiveStrided",         &D::OnDrawStrided},
    {"IDirect3DDevice7::DrawPrimitiveVB",              &D::OnDrawPrimitiveBuffer},
    {"IDirect3DDevice7::EndScene",                     &D::OnScene},
    {"IDirect3DDevice7::EndStateBlock",                &D::OnStateBlock},
    {"IDirect3DDevice7::GetDirect3D",                  &D::OnGetDirect3D},
    {"IDirect3DDevice7::GetRenderTarget",              &D::OnGetRenderTarget},
    {"IDirect3DDevice7::GetTexture",                   &D::OnGetTexture},
    {"IDirect3DDevice7::LightEnable",                  &D::OnLightEnable},
    {"IDirect3DDevice7::Load",                         &D::OnLoad},
    {"IDirect3DDevice7::MultiplyTransform",            &D::OnMultiplyTransform},
    {"IDirect3DDevice7::PreLoad",                      &D::OnPreLoad},
    {"IDirect3DDevice7::SetClipPlane",                 &D::OnSetClipPlane},
    {"IDirect3DDevice7::SetClipStatus",                &D::OnNoEffect},
    {"IDirect3DDevice7::SetLight",                     &D::OnSetLight},
    {"IDirect3DDevice7::SetMaterial",                  &D::OnSetMaterial},
    {"IDirect3DDevice7::SetRenderState",               &D::OnSetRenderState},
    {"IDirect3DDevice7::SetRenderTarget",              &D::OnSetRenderTarget},
    {"IDirect3DDevice7::SetTexture",                   &D::OnSetTexture},
    {"IDirect3DDevice7::SetTextureStageState",         &D::OnSetTextureStageState},
    {"IDirect3DDevice7::SetTransform",                 &D::OnSetTransform},
    {"IDirect3DDevice7::SetViewport",                  &D::OnSetViewport},
    {"IDirect3DDevice7::ValidateDevice",               &D::OnNoEffect},
    {"IDirect3DVertexBuffer7::Lock",                   &D::OnLockVertexBuffer},
    {"IDirect3DVertexBuffer7::Optimize",               &D::OnNoEffect},
    {"IDirect3DVertexBuffer7::ProcessVertices",        &D::OnProcessVertices},
    {"IDirect3DVertexBuffer7::ProcessVerticesStrided", &D::OnUnsupported},
    {"IDirect3DVertexBuffer7::Unlock",                 &D::OnUnlockVertexBuffer},
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
    return function.starts_with("DirectDrawEnumerate") ? &D::OnNoEffect : nullptr;
  const std::string_view method = std::string_view(name).substr(colons + 2);
  if (method == "QueryInterface") return &D::OnQueryInterface;
  if (method == "AddRef" || method == "Release") return &D::OnSetReferences;
  if (method.starts_with("Get") || method.starts_with("Enum") || method == "Initialize")
    return &D::OnNoEffect;
  // Known, not modelled.
  return function.starts_with("IDirect3D") ? &D::OnUnsupported : nullptr;
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
