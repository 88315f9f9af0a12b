// Render states and texture stage states: number, name, value type, legal values and default of each.
// Source: lib/opcode/dp2.md 7 and 8.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/enum_info.h"
#include "d3d/enums.h"

namespace dp2trace::d3d {

enum class RenderState : uint32_t {
#define DP2TRACE_RENDER_STATE(Enumerator, code, ...) Enumerator = (code),
#include "d3d/render_states.def"
#undef DP2TRACE_RENDER_STATE
};

enum class TextureStageState : uint32_t {
#define DP2TRACE_TEXTURE_STAGE_STATE(Enumerator, code, ...) Enumerator = (code),
#include "d3d/texture_stage_states.def"
#undef DP2TRACE_TEXTURE_STAGE_STATE
};

// What the 32 bits of a state value mean.
enum class ValueType : uint8_t {
  kU32,
  kHex,      // a mask or a packed number, better read in hexadecimal
  kBool,     // 0 or non-zero
  kF32,      // the bits of an f32
  kColor,    // D3DCOLOR, 0xAARRGGBB
  kEnum,     // a value of StateInfo::names
  kFlags,    // bits of StateInfo::names
  kU16Pair,  // two u16: the low and the high word
  kHandle,   // a texture or patch handle
};
// "u32", "hex", "bool", ...
std::string_view Name(ValueType type);

// Which stages take a texture stage state; kRender for render states. Source: lib/opcode/dp2.md 8.1.
enum class StateClass : uint8_t {
  kRender,
  kCombiner,  // stages 0 to 7
  kSampler,   // stages 0 to 7; at level 9 also 8 to 15 and 256 to 260
  kUserMode,  // never in a kernel stream
};
std::string_view Name(StateClass state_class);

// A default value; that of level 6 may differ (render states) or that of stage 0 (texture stage states).
struct StateDefault {
  // NOLINTNEXTLINE(google-explicit-constructor): most rows of the tables give one number
  constexpr StateDefault(uint32_t value) : first(value), other(value) {}
  constexpr StateDefault(uint32_t first_value, uint32_t other_value)
      : first(first_value), other(other_value) {}
  uint32_t first;  // at level 6, or of stage 0
  uint32_t other;  // at levels 7 to 9, or of the other stages
};

struct StateInfo {
  uint32_t code;
  std::string_view name;      // in JSON and dump: the DX8/9 name, else the DX6/7 name
  std::string_view dx7_name;  // after D3DRENDERSTATE_ or D3DTSS_; empty where DX6/7 lack it
  std::string_view dx9_name;  // after D3DRS_ or D3DTSS_; empty where DX8/9 lack it
  // First and last API generation that defines it; drivers of a higher level still receive it from old interfaces.
  uint8_t first_level;
  uint8_t last_level;
  StateClass state_class;
  ValueType type;
  const EnumInfo* names;         // for kEnum and kFlags
  const EnumInfo* legacy_names;  // filters below runtime version 4 (8.3), else null
  // Legal values, inclusive: of the number, of the f32, or of the low word of a pair.
  double min;
  double max;
  uint32_t excluded;  // bit v set: the value v of `names` is not legal for this state
  StateDefault default_value;
  bool has_side_effect;  // an action, never part of a state block
  std::string_view remark;
};

inline constexpr uint32_t kRenderStateCount = 256;       // numbers 0 to 255
inline constexpr uint32_t kTextureStageStateCount = 35;  // numbers 0 to 34
// D3DSTATE_OVERRIDE_BIAS: number 256 + n overrides state n.
inline constexpr uint32_t kRenderStateOverrideBias = 256;
inline constexpr uint32_t kCombinerStageCount = 8;
inline constexpr uint32_t kPixelSamplerCount = 16;
// D3DDMAPSAMPLER; the vertex samplers are 257 to 260.
inline constexpr uint32_t kDisplacementMapSampler = 256;
inline constexpr uint32_t kLastVertexSampler = 260;
// Runtime versions from here on use the D3DTEXF numbering of filters (8.3).
inline constexpr uint32_t kFirstModernRuntime = 4;

// The row of a state number, or null. Numbers above 256 (overrides) are no rows.
const StateInfo* FindRenderState(uint32_t state);
const StateInfo* FindTextureStageState(uint32_t state);
// By the name, or by either of the two generations' names ("TEXTUREPERSPECTIVE", "POSITIONDEGREE").
const StateInfo* FindRenderStateByName(std::string_view name);
const StateInfo* FindTextureStageStateByName(std::string_view name);
// All rows by ascending number.
std::span<const StateInfo> AllRenderStates();
std::span<const StateInfo> AllTextureStageStates();

inline const StateInfo& Info(RenderState state) {
  return *FindRenderState(Value(state));
}
inline const StateInfo& Info(TextureStageState state) {
  return *FindTextureStageState(Value(state));
}

// The names of the state's values in a context of this runtime version (0-5), or null. The version matters for filters only.
const EnumInfo* ValueNames(const StateInfo& info, uint32_t runtime_version);

// The value before any token sets it; 0 for a number without row. `has_depth`: a depth surface is attached at creation (ZENABLE).
uint32_t DefaultRenderState(uint32_t state, uint32_t level, bool has_depth = true);
uint32_t DefaultTextureStageState(uint32_t state, uint32_t stage, uint32_t runtime_version);

// True where an enumeration has the value and this state, of all that share it, has not.
bool IsExcluded(const StateInfo& info, uint32_t value);

// True where `value` is in the documented list or range at this driver level and runtime version. Booleans take any value. What
// depends on the device (MaxAnisotropy, stencil width) or on other states is not looked at.
bool IsLegalValue(const StateInfo& info, uint32_t value, uint32_t level, bool d3d9ex,
                  uint32_t runtime_version);

// True for the stages that take the state at this driver level. Source: lib/opcode/dp2.md 8.1.
bool IsLegalStage(const StateInfo& info, uint32_t stage, uint32_t level);

// The render state number of WRAPn, n in 0..15: 128 to 135, then 198 to 205. Source: lib/opcode/dp2.md 7.5.
constexpr uint32_t WrapState(uint32_t texcoord_set) {
  return texcoord_set < 8 ? 128 + texcoord_set : 198 + texcoord_set - 8;
}

}  // namespace dp2trace::d3d
