// D3DKMT_RENDER as data. Source: lib/kmt/packets.md 1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/bytes.h"
#include "kmt/layout.h"
#include "kmt/profile.h"

namespace dp2trace::kmt {

namespace render_detail {

// The C++ type of a row of render_layout.def: pointers and 64-bit values as u64, the rest as u32, arrays as std::array.
template <FieldType kType, uint32_t kCount>
struct MemberType {
  using Value = std::conditional_t<kType == FieldType::kU64 || kType == FieldType::kPointer,
                                   uint64_t, uint32_t>;
  using Type = std::conditional_t<kCount == 1, Value, std::array<Value, kCount>>;
};

}  // namespace render_detail

// The structure, one member per row of render_layout.def. Pointers are numbers and are never followed.
struct RenderStruct {
#define DP2TRACE_RENDER_FIELD(member, Name, type, direction, count, w64, w32, since) \
  render_detail::MemberType<FieldType::k##type, count>::Type member{};
#include "kmt/render_layout.def"
#undef DP2TRACE_RENDER_FIELD

  bool operator==(const RenderStruct&) const = default;
};

// Index of a row of kRenderLayout by member name: RenderFieldIndex::flags.
struct RenderFieldIndex {
  enum : uint32_t {
#define DP2TRACE_RENDER_FIELD(member, Name, type, direction, count, w64, w32, since) member,
#include "kmt/render_layout.def"
#undef DP2TRACE_RENDER_FIELD
    kCount
  };
};

// sizeof(D3DKMT_RENDER): 368 and 336 bytes, on Vista 344 and 320.
inline uint32_t RenderSize(PointerWidth width, OsProfile profile) {
  return kRenderLayout.Size(width, profile);
}

// The structure in `raw`, or nothing when `raw` has not exactly the size of the profile. Fields that the profile lacks are 0.
std::optional<RenderStruct> DecodeRender(Bytes raw, PointerWidth width, OsProfile profile);

// The inverse: padding is 0, pointers are cut to the width, fields that the profile lacks are dropped.
std::vector<uint8_t> EncodeRender(const RenderStruct& render, PointerWidth width,
                                  OsProfile profile);

// Calls visit(row, left, right) for every field that differs: row is a LayoutField, left and right are members.
template <class Visit>
void ForEachDifference(const RenderStruct& left, const RenderStruct& right, Visit&& visit) {
#define DP2TRACE_RENDER_FIELD(member, Name, type, direction, count, w64, w32, since) \
  if (left.member != right.member)                                                   \
    visit(kRenderLayout.fields[RenderFieldIndex::member], left.member, right.member);
#include "kmt/render_layout.def"
#undef DP2TRACE_RENDER_FIELD
}

}  // namespace dp2trace::kmt
