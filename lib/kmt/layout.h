// The layout of D3DKMT_RENDER, for both pointer widths. Structures are decoded from byte arrays with these offsets,
// never by casting to a host structure: 64-bit integers are 8-aligned on 32-bit Windows and 4-aligned on 32-bit Linux.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "kmt/profile.h"

namespace dp2trace::kmt {

enum class FieldType : uint8_t {
  kU32,
  kHandle,  // D3DKMT_HANDLE: 32 bits on every platform
  kU64,
  kPointer,  // also HANDLE; 8 or 4 bytes
};

// Size of one value, and its alignment: on Windows they are equal for all of these types.
constexpr uint32_t SizeOf(FieldType type, PointerWidth width) {
  switch (type) {
    case FieldType::kU32:
    case FieldType::kHandle:
      return 4;
    case FieldType::kU64:
      return 8;
    case FieldType::kPointer:
      return width == PointerWidth::k64 ? 8 : 4;
  }
  return 0;
}

enum class Direction : uint8_t { kIn, kOut, kInOut, kReserved };

struct LayoutField {
  std::string_view name;  // the documentation's name
  FieldType type;
  Direction direction;
  uint16_t offset64;  // bytes
  uint16_t offset32;
  uint16_t count = 1;       // > 1: an array
  WddmVersion since = 100;  // first WDDM version whose structure has it

  constexpr uint32_t Offset(PointerWidth width) const {
    return width == PointerWidth::k64 ? offset64 : offset32;
  }
  constexpr uint32_t Size(PointerWidth width) const { return SizeOf(type, width) * count; }
  constexpr uint32_t End(PointerWidth width) const { return Offset(width) + Size(width); }
};

struct Layout {
  std::string_view name;  // the documentation's name
  std::span<const LayoutField> fields;

  // sizeof in the given WDDM version: fields that the version lacks are at the end.
  constexpr uint32_t Size(PointerWidth width, WddmVersion version) const {
    uint32_t end = 0;
    uint32_t alignment = 1;
    for (const LayoutField& field : fields) {
      if (field.since > version) continue;
      end = std::max(end, field.End(width));
      alignment = std::max(alignment, SizeOf(field.type, width));
    }
    return (end + alignment - 1) / alignment * alignment;
  }
  constexpr uint32_t Size(PointerWidth width, OsProfile profile) const {
    return Size(width, NewestWddm(profile));
  }
};

// True when every field stands where a Windows compiler puts it: after its predecessor, rounded up to its alignment.
constexpr bool IsNaturallyLaidOut(const Layout& layout) {
  for (const PointerWidth width : {PointerWidth::k32, PointerWidth::k64}) {
    uint32_t end = 0;
    for (const LayoutField& field : layout.fields) {
      const uint32_t alignment = SizeOf(field.type, width);
      if (field.Offset(width) != (end + alignment - 1) / alignment * alignment) return false;
      end = field.End(width);
    }
  }
  return true;
}

// Element `index` of the field. The caller has checked that the field lies inside `raw`.
uint64_t ReadField(Bytes raw, const LayoutField& field, PointerWidth width, uint32_t index = 0);
// Writes element `index` of the field; a pointer is cut to the width.
void WriteField(std::span<uint8_t> raw, const LayoutField& field, PointerWidth width,
                uint32_t index, uint64_t value);
// True when a byte that belongs to no field is not 0.
bool HasNonZeroPadding(Bytes raw, const Layout& layout, PointerWidth width);

// D3DKMT_RENDER. Source: lib/kmt/packets.md 1.1.
extern const Layout kRenderLayout;

// Source: lib/kmt/packets.md 1.3, 4.7 and 4.9.
inline constexpr uint32_t kMaxBroadcastContexts = 64;  // D3DDDI_MAX_BROADCAST_CONTEXT
inline constexpr uint32_t kMaxObjectsWaitedOn = 32;    // D3DDDI_MAX_OBJECT_WAITED_ON
inline constexpr uint32_t kMaxObjectsSignaled = 32;    // D3DDDI_MAX_OBJECT_SIGNALED
inline constexpr uint32_t kMaxWrittenPrimaries = 16;   // D3DDDI_MAX_WRITTEN_PRIMARIES

}  // namespace dp2trace::kmt
