#include "shader/registers.h"

#include <fmt/format.h>

#include <array>

namespace dp2trace::shader {
namespace {

constexpr uint32_t kLabelCount = 2048;
constexpr uint32_t kHardwareConstants = 256;
constexpr uint32_t kSoftwareConstants = 8192;

uint32_t VertexRegisterCount(Version version, RegisterType type) {
  const uint8_t code = version.code();
  switch (type) {
    case RegisterType::kTemp:
      return code >= 0x21 ? 32 : 12;
    case RegisterType::kInput:
      return 16;
    // Unspecified: "96 or more" of version 1.1, by the device; chosen: as many as later versions have.
    case RegisterType::kConst:
      return version.is_software() ? kSoftwareConstants : kHardwareConstants;
    case RegisterType::kAddress:
      return 1;
    case RegisterType::kRastOut:
      return code < 0x30 ? 3 : 0;
    case RegisterType::kAttributeOut:
      return code < 0x30 ? 2 : 0;
    case RegisterType::kOutput:
      return code < 0x30 ? 8 : 12;
    case RegisterType::kConstInt:
    case RegisterType::kConstBool:
      if (code < 0x20) return 0;
      return version.is_software() ? kLabelCount : 16;
    case RegisterType::kLoop:
      return code >= 0x20 ? 1 : 0;
    case RegisterType::kLabel:
      return code >= 0x20 ? kLabelCount : 0;
    case RegisterType::kPredicate:
      return code >= 0x21 ? 1 : 0;
    case RegisterType::kSampler:
      return code >= 0x30 ? 4 : 0;
    case RegisterType::kColorOut:
    case RegisterType::kDepthOut:
    case RegisterType::kTempFloat16:
    case RegisterType::kMisc:
    case RegisterType::kTexture:
      break;
  }
  return 0;
}

uint32_t PixelRegisterCount(Version version, RegisterType type) {
  const uint8_t code = version.code();
  switch (type) {
    case RegisterType::kTemp:
      return code >= 0x21 ? 32 : code >= 0x20 ? 12 : code >= 0x14 ? 6 : 2;
    case RegisterType::kInput:
      return code >= 0x30 ? 10 : 2;
    case RegisterType::kConst:
      if (version.is_software()) return kSoftwareConstants;
      return code >= 0x30 ? 224 : code >= 0x20 ? 32 : 8;
    case RegisterType::kTexture:
      return code >= 0x30 ? 0 : code >= 0x20 ? 8 : code >= 0x14 ? 6 : 4;
    case RegisterType::kConstInt:
      return code < 0x21 ? 0 : version.is_software() ? kLabelCount : 16;
    case RegisterType::kConstBool:
      return code < 0x20 ? 0 : version.is_software() ? kLabelCount : 16;
    case RegisterType::kColorOut:
      return code >= 0x20 ? 4 : 0;
    case RegisterType::kDepthOut:
      return code >= 0x20 ? 1 : 0;
    case RegisterType::kSampler:
      return code >= 0x20 ? 16 : 0;
    case RegisterType::kMisc:
      return code >= 0x30 ? 2 : 0;
    case RegisterType::kLoop:
      return code >= 0x30 ? 1 : 0;
    case RegisterType::kLabel:
      return code >= 0x21 ? kLabelCount : 0;
    case RegisterType::kPredicate:
      return code >= 0x21 ? 1 : 0;
    case RegisterType::kAddress:
    case RegisterType::kRastOut:
    case RegisterType::kAttributeOut:
    case RegisterType::kOutput:
    case RegisterType::kTempFloat16:
      break;
  }
  return 0;
}

std::string_view Prefix(Version version, RegisterType type) {
  switch (type) {
    case RegisterType::kTemp:
      return "r";
    case RegisterType::kInput:
      return "v";
    case RegisterType::kConst:
      return "c";
    case RegisterType::kAddress:
      return "a";
    case RegisterType::kAttributeOut:
      return "oD";
    case RegisterType::kOutput:
      return version.code() >= 0x30 ? "o" : "oT";
    case RegisterType::kConstInt:
      return "i";
    case RegisterType::kColorOut:
      return "oC";
    case RegisterType::kSampler:
      return "s";
    case RegisterType::kConstBool:
      return "b";
    case RegisterType::kTempFloat16:
      return "half";
    case RegisterType::kLabel:
      return "l";
    case RegisterType::kPredicate:
      return "p";
    case RegisterType::kTexture:
      return "t";
    // Only numbers that there are not: the others have names.
    case RegisterType::kRastOut:
      return "oRast";
    case RegisterType::kDepthOut:
      return "oDepth";
    case RegisterType::kLoop:
      return "aL";
    case RegisterType::kMisc:
      return "vMisc";
  }
  return "unknown";
}

constexpr uint32_t kMaxType = static_cast<uint32_t>(RegisterType::kTexture);
constexpr uint32_t kNumbers = 2048;  // of a type: what a token holds

// Types 3 and 32 are one in tokens.
bool IsTypeOf(Version version, RegisterType type) {
  if (type == RegisterType::kTexture || type == RegisterType::kAddress)
    return version.is_pixel == (type == RegisterType::kTexture);
  return Prefix(version, type) != "unknown";
}

}  // namespace

std::string RegisterName(Version version, RegisterType type, uint32_t number) {
  constexpr std::array<std::string_view, 3> kRastOut = {"oPos", "oFog", "oPts"};
  constexpr std::array<std::string_view, 2> kMisc = {"vPos", "vFace"};
  if (type == RegisterType::kRastOut && number < kRastOut.size())
    return std::string(kRastOut[number]);
  if (type == RegisterType::kMisc && number < kMisc.size()) return std::string(kMisc[number]);
  if (type == RegisterType::kLoop && number == 0) return "aL";
  if (type == RegisterType::kDepthOut && number == 0) return "oDepth";
  return fmt::format("{}{}", Prefix(version, type), number);
}

std::string ArrayName(Version version, RegisterType type) {
  std::string name = RegisterName(version, type, 0);
  name.erase(name.find_last_not_of("0123456789") + 1);
  return name;
}

std::optional<RegisterRef> FindRegister(Version version, std::string_view name) {
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  uint32_t number = 0;
  for (const char digit : name.substr(digits)) {
    number = number * 10 + static_cast<uint32_t>(digit - '0');
    if (number >= kSoftwareConstants) return std::nullopt;
  }
  for (const RegisterType type : RegisterTypes(version)) {
    const uint32_t count = type == RegisterType::kConst ? kSoftwareConstants : kNumbers;
    // A name without digits is that of a small number.
    const uint32_t last = digits == name.size() ? kPointSizeOut : number;
    for (uint32_t i = number; i <= last && i < count; ++i) {
      if (RegisterName(version, type, i) == name) return RegisterRef{type, i};
    }
  }
  return std::nullopt;
}

std::optional<RegisterType> FindArray(Version version, std::string_view name) {
  for (const RegisterType type : RegisterTypes(version)) {
    if (ArrayName(version, type) == name) return type;
  }
  return std::nullopt;
}

std::vector<RegisterType> RegisterTypes(Version version) {
  std::vector<RegisterType> types;
  for (uint32_t number = 0; number <= kMaxType; ++number) {
    const auto type = static_cast<RegisterType>(number);
    if (IsTypeOf(version, type)) types.push_back(type);
  }
  return types;
}

uint32_t RegisterCount(Version version, RegisterType type) {
  return version.is_pixel ? PixelRegisterCount(version, type) : VertexRegisterCount(version, type);
}

uint32_t ReadPorts(Version version, RegisterType type) {
  const uint8_t code = version.code();
  if (!version.is_pixel) {
    if (version.is_software()) return 0;
    if (type == RegisterType::kConst || type == RegisterType::kInput) return code < 0x30 ? 1 : 0;
    return 0;
  }
  if (code >= 0x30) return 0;
  if (type == RegisterType::kTemp) return code < 0x14 ? 2 : 3;
  if (type == RegisterType::kConst) return 2;
  if (code >= 0x20) return 0;
  if (type == RegisterType::kInput) return 2;
  if (type == RegisterType::kTexture) return code == 0x11 ? 2 : code < 0x14 ? 3 : 1;
  return 0;
}

}  // namespace dp2trace::shader
