// Codes with which programs drive extensions of a vendor through states that mean something else. A device of another vendor takes them
// for values. The formats among such extensions (INTZ, DF16, DF24, NULL, ATI1, ATI2) are rows of formats.def.
// Source: "D3D9 GPU Hacks" (aras-p.info); AMD, "Advanced DX9 Capabilities for ATI Radeon Cards"; ATI, "R2VB Programming" (atir2vb.h); NVIDIA, "GPU Programming Guide".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "d3d/states.h"

namespace dp2trace::d3d {

struct VendorCode {
  StateClass state_class = StateClass::kRender;
  uint32_t state = 0;
  uint32_t value = 0;
  std::string_view name;
  std::string_view meaning;
  bool is_drawn = true;   // a replay does what it means
  uint32_t argument = 0;  // bits of the value that the extension reads and the code leaves open

  constexpr bool Is(uint32_t number) const { return (number & ~argument) == value; }
  std::string Words() const {
    return std::string(meaning) + (is_drawn ? "" : ", which a replay does not draw");
  }
};

constexpr uint32_t FourCc(const char (&text)[5]) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < 4; ++i)
    value |= static_cast<uint32_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  return value;
}

inline constexpr uint32_t kReszCode = 0x7FA05000;
inline constexpr uint32_t kAtocCode = FourCc("ATOC"), kA2m1Code = FourCc("A2M1");

inline constexpr VendorCode kVendorCodes[] = {
    {StateClass::kRender, Value(RenderState::PointSize), kReszCode, "RESZ",
     "copies the depth surface into the texture of stage 0"},
    {StateClass::kRender, Value(RenderState::PointSize), FourCc("A2M0"), "A2M0",
     "alpha to coverage off"},
    {StateClass::kRender, Value(RenderState::PointSize), kA2m1Code, "A2M1", "alpha to coverage on"},
    {StateClass::kRender, Value(RenderState::PointSize), FourCc("INST"), "INST",
     "instancing with vertex shaders of version 2"},
    {StateClass::kRender, Value(RenderState::PointSize), FourCc("CENT"), "CENT",
     "centroid interpolation", false},
    {StateClass::kRender, Value(RenderState::PointSize), 0x70FF0000, "R2VB",
     "streams out of vertex textures on or off", false, 0xFFFF},
    {StateClass::kRender, Value(RenderState::PointSize), 0x71FF0000, "R2VB_VS2SM",
     "a stream out of a vertex texture", false, 0xFFFF},
    {StateClass::kRender, Value(RenderState::AdaptiveTessX), FourCc("NVDB"), "NVDB",
     "depth bounds test between ADAPTIVETESS_Z and ADAPTIVETESS_W", false},
    {StateClass::kRender, Value(RenderState::AdaptiveTessY), kAtocCode, "ATOC",
     "alpha to coverage on"},
    {StateClass::kRender, Value(RenderState::AdaptiveTessY), FourCc("SSAA"), "SSAA",
     "supersampling of transparent texels on", false},
    {StateClass::kSampler, Value(TextureStageState::MipMapLodBias), FourCc("GET4"), "GET4",
     "four texels in one sample on", false},
    {StateClass::kSampler, Value(TextureStageState::MipMapLodBias), FourCc("GET1"), "GET1",
     "four texels in one sample off"},
};

constexpr bool IsOf(const VendorCode& code, const StateInfo& info) {
  return code.state_class == info.state_class && code.state == info.code;
}
// The code that the value of a state is, or null.
constexpr const VendorCode* FindVendorCode(const StateInfo& info, uint32_t value) {
  for (const VendorCode& code : kVendorCodes) {
    if (code.Is(value) && IsOf(code, info)) return &code;
  }
  return nullptr;
}
constexpr bool HasVendorCodes(const StateInfo& info) {
  for (const VendorCode& code : kVendorCodes) {
    if (IsOf(code, info)) return true;
  }
  return false;
}

}  // namespace dp2trace::d3d
