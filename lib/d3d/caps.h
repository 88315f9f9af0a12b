// The members of D3DCAPS9 by name.
// Source: d3d9caps.h, D3DCAPS9 (304 bytes).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dp2trace::d3d {

enum class Cap : uint32_t {
#define DP2TRACE_CAP(Enumerator, ...) Enumerator,
#include "d3d/caps.def"
#undef DP2TRACE_CAP
};

enum class CapType : uint8_t { kU32, kI32, kF32, kHex };
// "u32", "i32", "f32", "hex".
std::string_view Name(CapType type);

struct CapInfo {
  Cap cap;
  std::string_view name;      // snake_case: "max_texture_width"
  CapType type;               // of the 32 bits; kHex are flag words and versions
  std::string_view spelling;  // "MaxTextureWidth"
  std::string_view
      rules;  // that read it, separated by "; "; empty: nothing in a trace depends on it
  std::string_view why_not;  // why no rule reads it
  // Position of the member in D3DCAPS9, in bytes.
  constexpr uint32_t offset() const { return static_cast<uint32_t>(cap) * 4; }
};

const CapInfo& Info(Cap cap);
const CapInfo* FindCap(std::string_view name);
// All rows in the order of the structure.
std::span<const CapInfo> AllCaps();

}  // namespace dp2trace::d3d
