// The table of the functions of Direct3D 8 and 9, and the way from a call to its handler.
#include <algorithm>
#include <string>
#include <utility>

#include "import/bind/direct3d.h"

namespace dp2trace::import {
namespace {

// "IDirect3DDevice9Ex::Clear" -> "Device::Clear" and 9. Empty for other names.
std::pair<std::string, uint32_t> ShortName(std::string_view name) {
  constexpr std::string_view kPrefix = "IDirect3D";
  const size_t colons = name.find("::");
  if (!name.starts_with(kPrefix) || colons == std::string_view::npos) return {};
  std::string_view type = name.substr(kPrefix.size(), colons - kPrefix.size());
  if (type.ends_with("Ex")) type.remove_suffix(2);
  if (type.empty() || (type.back() != '8' && type.back() != '9')) return {};
  const uint32_t level = type.back() == '9' ? 9 : 8;
  type.remove_suffix(1);
  return {std::string(type) + std::string(name.substr(colons)), level};
}

// Calls that ask, or that a driver never sees.
bool HasNoEffect(std::string_view name) {
  if (name.starts_with("Direct3DCreate") || name.starts_with("D3DPERF_") ||
      name.starts_with("Direct3DShaderValidator"))
    return true;
  const size_t colons = name.find("::");
  if (colons == std::string_view::npos) return false;
  const std::string_view method = name.substr(colons + 2);
  static constexpr std::string_view kPrefixes[] = {"Get", "Check", "Enum", "AddRef",
                                                   "TestCooperativeLevel"};
  static constexpr std::string_view kMethods[] = {
      "ValidateDevice",    "SetCursorProperties",
      "SetCursorPosition", "ShowCursor",
      "SetGammaRamp",      "RegisterSoftwareDevice",
      "SetDialogBoxMode",  "PreLoad",
      "SetPrivateData",    "FreePrivateData",
      "SetPriority",       "SetSoftwareVertexProcessing",
      "SetClipStatus",     "SetInfo",
      "IsQuerySupported",  "SetMaximumFrameLatency",
      "WaitForVBlank",     "SetGPUThreadPriority",
      "ReleaseDC"};
  return std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return method.starts_with(prefix); }) ||
         std::ranges::find(kMethods, method) != std::end(kMethods);
}

}  // namespace

std::span<const Direct3DBinding::Row> Direct3DBinding::Rows() {
  using B = Direct3DBinding;
  // clang-format off
  static constexpr Row kRows[] = {
      // function                            handler                      marked
      {"::CreateDevice",                     &B::CreateDevice,            false},
      {"::CreateDeviceEx",                   &B::CreateDeviceEx,          false},
      {"Device::Reset",                      &B::Reset,                   true},
      {"Device::ResetEx",                    &B::Reset,                   true},
      {"Device::CreateAdditionalSwapChain",  &B::CreateSwapChain,         false},
      {"Device::GetSwapChain",               &B::GetSwapChain,            false},
      {"Device::GetBackBuffer",              &B::GetBackBuffer,           false},
      {"SwapChain::GetBackBuffer",           &B::GetBackBuffer,           false},
      {"Device::GetRenderTarget",            &B::GetRenderTarget,         false},
      {"Device::GetDepthStencilSurface",     &B::GetDepthStencil,         false},
      {"Device::Present",                    &B::Present,                 true},
      {"Device::PresentEx",                  &B::Present,                 true},
      {"SwapChain::Present",                 &B::Present,                 true},
      {"Device::CreateTexture",              &B::CreateTexture,           false},
      {"Device::CreateCubeTexture",          &B::CreateCubeTexture,       false},
      {"Device::CreateVolumeTexture",        &B::CreateVolumeTexture,     false},
      {"Device::CreateVertexBuffer",         &B::CreateVertexBuffer,      false},
      {"Device::CreateIndexBuffer",          &B::CreateIndexBuffer,       false},
      {"Device::CreateRenderTarget",         &B::CreateRenderTarget,      false},
      {"Device::CreateRenderTargetEx",       &B::CreateRenderTarget,      false},
      {"Device::CreateDepthStencilSurface",  &B::CreateDepthStencil,      false},
      {"Device::CreateDepthStencilSurfaceEx", &B::CreateDepthStencil,     false},
      {"Device::CreateOffscreenPlainSurface", &B::CreatePlainSurface,     false},
      {"Device::CreateOffscreenPlainSurfaceEx", &B::CreatePlainSurface,   false},
      {"Device::CreateImageSurface",         &B::CreateImageSurface,      false},
      {"Texture::GetSurfaceLevel",           &B::GetLevel,                false},
      {"VolumeTexture::GetVolumeLevel",      &B::GetLevel,                false},
      {"CubeTexture::GetCubeMapSurface",     &B::GetCubeSurface,          false},
      {"Surface::LockRect",                  &B::LockSurface,             false},
      {"Surface::UnlockRect",                &B::UnlockSurface,           false},
      {"Volume::LockBox",                    &B::LockSurface,             false},
      {"Volume::UnlockBox",                  &B::UnlockSurface,           false},
      {"Texture::LockRect",                  &B::LockTexture,             false},
      {"Texture::UnlockRect",                &B::UnlockTexture,           false},
      {"VolumeTexture::LockBox",             &B::LockTexture,             false},
      {"VolumeTexture::UnlockBox",           &B::UnlockTexture,           false},
      {"CubeTexture::LockRect",              &B::LockCube,                false},
      {"CubeTexture::UnlockRect",            &B::UnlockCube,              false},
      {"VertexBuffer::Lock",                 &B::LockBuffer,              false},
      {"VertexBuffer::Unlock",               &B::UnlockBuffer,            false},
      {"IndexBuffer::Lock",                  &B::LockBuffer,              false},
      {"IndexBuffer::Unlock",                &B::UnlockBuffer,            false},
      {"Texture::AddDirtyRect",              &B::AddDirtyBox,             true},
      {"CubeTexture::AddDirtyRect",          &B::AddDirtyCubeRect,        true},
      {"VolumeTexture::AddDirtyBox",         &B::AddDirtyBox,             true},
      {"Device::EvictManagedResources",      &B::EvictManaged,            true},
      {"Device::ResourceManagerDiscardBytes", &B::EvictManaged,           true},
      {"Texture::PreLoad",                   &B::PreLoad,                 true},
      {"CubeTexture::PreLoad",               &B::PreLoad,                 true},
      {"VolumeTexture::PreLoad",             &B::PreLoad,                 true},
      {"Texture::SetLOD",                    &B::SetLod,                  false},
      {"CubeTexture::SetLOD",                &B::SetLod,                  false},
      {"VolumeTexture::SetLOD",              &B::SetLod,                  false},
      {"Texture::SetAutoGenFilterType",      &B::SetAutoGenFilter,        false},
      {"CubeTexture::SetAutoGenFilterType",  &B::SetAutoGenFilter,        false},
      {"Texture::GenerateMipSubLevels",      &B::GenerateLevels,          true},
      {"CubeTexture::GenerateMipSubLevels",  &B::GenerateLevels,          true},
      {"Device::SetRenderState",             &B::SetRenderState,          false},
      {"Device::SetTextureStageState",       &B::SetTextureStageState,    false},
      {"Device::SetSamplerState",            &B::SetSamplerState,         false},
      {"Device::SetTexture",                 &B::SetTexture,              false},
      {"Device::SetTransform",               &B::SetTransform,            false},
      {"Device::MultiplyTransform",          &B::MultiplyTransform,       false},
      {"Device::SetViewport",                &B::SetViewport,             false},
      {"Device::SetScissorRect",             &B::SetScissorRect,          false},
      {"Device::SetClipPlane",               &B::SetClipPlane,            false},
      {"Device::SetMaterial",                &B::SetMaterial,             false},
      {"Device::SetLight",                   &B::SetLight,                false},
      {"Device::LightEnable",                &B::LightEnable,             false},
      {"Device::SetFVF",                     &B::SetFvf,                  false},
      {"Device::SetVertexDeclaration",       &B::SetDeclaration,          false},
      {"Device::SetVertexShader",            &B::SetVertexShader,         false},
      {"Device::SetPixelShader",             &B::SetPixelShader,          false},
      {"Device::SetVertexShaderConstant",    &B::SetVertexFloats,         false},
      {"Device::SetVertexShaderConstantF",   &B::SetVertexFloats,         false},
      {"Device::SetVertexShaderConstantI",   &B::SetVertexInts,           false},
      {"Device::SetVertexShaderConstantB",   &B::SetVertexBools,          false},
      {"Device::SetPixelShaderConstant",     &B::SetPixelFloats,          false},
      {"Device::SetPixelShaderConstantF",    &B::SetPixelFloats,          false},
      {"Device::SetPixelShaderConstantI",    &B::SetPixelInts,            false},
      {"Device::SetPixelShaderConstantB",    &B::SetPixelBools,           false},
      {"Device::SetStreamSource",            &B::SetStreamSource,         false},
      {"Device::SetStreamSourceFreq",        &B::SetStreamFrequency,      false},
      {"Device::SetIndices",                 &B::SetIndices,              false},
      {"Device::CreateVertexDeclaration",    &B::CreateDeclaration,       false},
      {"Device::CreateVertexShader",         &B::CreateVertexShader,      false},
      {"Device::CreatePixelShader",          &B::CreatePixelShader,       false},
      {"Device::DeleteVertexShader",         &B::DeleteVertexShader,      false},
      {"Device::DeletePixelShader",          &B::DeletePixelShader,       false},
      {"Device::BeginStateBlock",            &B::BeginStateBlock,         false},
      {"Device::EndStateBlock",              &B::EndStateBlock,           false},
      {"Device::CreateStateBlock",           &B::CreateStateBlock,        false},
      {"Device::ApplyStateBlock",            &B::ApplyStateBlock,         false},
      {"Device::CaptureStateBlock",          &B::CaptureStateBlock,       false},
      {"Device::DeleteStateBlock",           &B::DeleteStateBlock,        false},
      {"StateBlock::Apply",                  &B::ApplyStateBlock,         false},
      {"StateBlock::Capture",                &B::CaptureStateBlock,       false},
      {"Device::SetPaletteEntries",          &B::SetPaletteEntries,       false},
      {"Device::SetCurrentTexturePalette",   &B::SetCurrentPalette,       false},
      {"Device::CreateQuery",                &B::CreateQuery,             false},
      {"Query::Issue",                       &B::IssueQuery,              false},
      {"Device::SetRenderTarget",            &B::SetRenderTarget,         false},
      {"Device::SetDepthStencilSurface",     &B::SetDepthStencil,         false},
      {"Device::BeginScene",                 &B::BeginScene,              false},
      {"Device::EndScene",                   &B::EndScene,                false},
      {"Device::Clear",                      &B::Clear,                   true},
      {"Device::DrawPrimitive",              &B::Draw,                    true},
      {"Device::DrawIndexedPrimitive",       &B::DrawIndexed,             true},
      {"Device::DrawPrimitiveUP",            &B::DrawUser,                true},
      {"Device::DrawIndexedPrimitiveUP",     &B::DrawIndexedUser,         true},
      {"Device::DrawRectPatch",              &B::DrawRectPatch,           true},
      {"Device::DrawTriPatch",               &B::DrawTriPatch,            true},
      {"Device::DeletePatch",                &B::DeletePatch,             false},
      {"Device::SetNPatchMode",              &B::SetPatchMode,            false},
      {"Device::StretchRect",                &B::StretchRect,             true},
      {"Device::ColorFill",                  &B::ColorFill,               true},
      {"Device::UpdateSurface",              &B::UpdateSurface,           true},
      {"Device::UpdateTexture",              &B::UpdateTexture,           true},
      {"Device::CopyRects",                  &B::CopyRects,               true},
      {"Device::GetRenderTargetData",        &B::ReadTarget,              true},
      {"Device::GetFrontBufferData",         &B::ReadFrontBuffer,         true},
      {"Device::GetFrontBuffer",             &B::ReadFrontBuffer,         true},
      {"Device::ProcessVertices",            &B::ProcessVertices,         true},
      {"Device::ComposeRects",               &B::ComposeRects,            true},
      {"Device::SetConvolutionMonoKernel",   &B::Unsupported,             false},
      {"SwapChain::GetFrontBufferData",      &B::ReadFrontBuffer,         true},
      {"Surface::GetDC",                     &B::GetDc,                   false},
  };
  // clang-format on
  return kRows;
}

Direct3DBinding::Route Direct3DBinding::RouteOf(const FunctionSignature& function) const {
  static constexpr Row kRelease = {"Release", &Direct3DBinding::Release, false};
  static constexpr Row kQuery = {"QueryInterface", &Direct3DBinding::QueryInterface, false};
  Route route;
  const auto [name, level] = ShortName(function.name);
  if (!name.empty()) route.level = level;
  const auto found = std::ranges::find(Rows(), name, &Row::name);
  if (found != Rows().end()) {
    route.row = &*found;
  } else if (name.ends_with("::Release")) {
    route.row = &kRelease;
  } else if (name.ends_with("::QueryInterface")) {
    route.row = &kQuery;
  } else {
    route.has_no_effect = HasNoEffect(function.name);
  }
  return route;
}

Outcome Direct3DBinding::OnCall(const Call& call) {
  const auto [entry, is_new] = routes_.try_emplace(call.function);
  if (is_new) entry->second = RouteOf(*call.function);
  const Route& route = entry->second;
  if (route.row == nullptr) return route.has_no_effect ? Outcome::kNoEffect : Outcome::kUnknown;
  level_ = route.level;
  if (route.row->is_marked) session_.Mark(call);
  return (this->*route.row->handler)(CallArgs(call));
}

}  // namespace dp2trace::import
