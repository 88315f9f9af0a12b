// Register types of shaders: names, how many there are, and what may be read and written.
// Source: lib/raster/rendering-shaders.md 8.1 and 8.2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shader/instruction.h"

namespace dp2trace::shader {

// Numbers of the parameter tokens, but: c2048 and above (types 11 to 13) are kConst, and type 3 of pixel shaders is kTexture.
enum class RegisterType : uint8_t {
  kTemp = 0,
  kInput,
  kConst,
  kAddress,
  kRastOut,
  kAttributeOut,
  kOutput,
  kConstInt,
  kColorOut,
  kDepthOut,
  kSampler,
  kConstBool = 14,
  kLoop,
  kTempFloat16,
  kMisc,
  kLabel,
  kPredicate,
  kTexture = 32,
};

// Numbers of kRastOut and kMisc.
inline constexpr uint32_t kPositionOut = 0, kFogOut = 1, kPointSizeOut = 2;
inline constexpr uint32_t kPositionIn = 0, kFaceIn = 1;

// "c12", "oPos", "t3", "vFace".
std::string RegisterName(Version version, RegisterType type, uint32_t number);
// What stands in front of an address: "c" of "c[a0.x + 4]".
std::string ArrayName(Version version, RegisterType type);

struct RegisterRef {
  RegisterType type = RegisterType::kTemp;
  uint32_t number = 0;
};
// The other way round: nothing where a name is none.
std::optional<RegisterRef> FindRegister(Version version, std::string_view name);
std::optional<RegisterType> FindArray(Version version, std::string_view name);

// Those that tokens of a version can name, whether it has such registers or not.
std::vector<RegisterType> RegisterTypes(Version version);

// How many registers of the type a version has; 0 where it has none.
uint32_t RegisterCount(Version version, RegisterType type);

// Registers of a type that one instruction may read, each counted once; 0: no limit.
uint32_t ReadPorts(Version version, RegisterType type);

}  // namespace dp2trace::shader
