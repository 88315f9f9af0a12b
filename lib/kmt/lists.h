// Elements of the allocation list and of the patch-location list.
// Source: lib/kmt/packets.md 3; both have the same layout in every process.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "kmt/profile.h"

namespace dp2trace::kmt {

// A bit field of a 32-bit word.
struct BitField {
  std::string_view name;  // the documentation's name
  uint8_t shift;
  uint8_t width;            // bits
  WddmVersion since = 100;  // first WDDM version that defines it

  constexpr uint32_t mask() const { return ((width == 32 ? 0 : 1u << width) - 1u) << shift; }
  constexpr uint32_t Get(uint32_t word) const { return (word & mask()) >> shift; }
  constexpr uint32_t Set(uint32_t word, uint32_t value) const {
    return (word & ~mask()) | ((value << shift) & mask());
  }
};

// Bits of the word that no field up to `version` defines.
constexpr uint32_t ReservedMask(std::span<const BitField> fields, WddmVersion version) {
  uint32_t defined = 0;
  for (const BitField& field : fields) {
    if (field.since <= version) defined |= field.mask();
  }
  return ~defined;
}

// D3DDDI_ALLOCATIONLIST.Value.
inline constexpr BitField kWriteOperation = {"WriteOperation", 0, 1};
inline constexpr BitField kDoNotRetireInstance = {"DoNotRetireInstance", 1, 1};
inline constexpr BitField kOfferPriority = {"OfferPriority", 2, 3,
                                            120};  // D3DDDI_OFFER_PRIORITY, 0-4
inline constexpr BitField kAllocationBits[] = {kWriteOperation, kDoNotRetireInstance,
                                               kOfferPriority};

// D3DDDI_PATCHLOCATIONLIST.Value.
inline constexpr BitField kSlotId = {"SlotId", 0, 24};
inline constexpr BitField kPatchBits[] = {kSlotId};

static_assert(ReservedMask(kAllocationBits, NewestWddm(OsProfile::kVista)) == 0xFFFFFFFC);
static_assert(ReservedMask(kAllocationBits, NewestWddm(OsProfile::kWin7)) == 0xFFFFFFFC);
static_assert(ReservedMask(kAllocationBits, NewestWddm(OsProfile::kWin8)) == 0xFFFFFFE0);
static_assert(ReservedMask(kPatchBits, NewestWddm(OsProfile::kWin10)) == 0xFF000000);

inline constexpr uint32_t kAllocationElementSize = 8;
inline constexpr uint32_t kPatchElementSize = 24;

// D3DDDI_ALLOCATIONLIST.
struct AllocationElement {
  uint32_t handle = 0;  // hAllocation; 0 is the NULL element
  uint32_t value = 0;   // kAllocationBits

  bool write_operation() const { return kWriteOperation.Get(value) != 0; }
  bool do_not_retire_instance() const { return kDoNotRetireInstance.Get(value) != 0; }
  uint32_t offer_priority() const { return kOfferPriority.Get(value); }
  bool operator==(const AllocationElement&) const = default;
};

// D3DDDI_PATCHLOCATIONLIST.
struct PatchElement {
  uint32_t allocation_index = 0;
  uint32_t value = 0;  // kPatchBits
  uint32_t driver_id = 0;
  uint32_t allocation_offset = 0;  // bytes inside the allocation
  uint32_t patch_offset = 0;       // bytes from the start of the command buffer
  uint32_t split_offset = 0;

  uint32_t slot_id() const { return kSlotId.Get(value); }
  bool operator==(const PatchElement&) const = default;
};

// One element. The caller has checked that kAllocationElementSize or kPatchElementSize bytes are there.
AllocationElement DecodeAllocation(const uint8_t* at);
PatchElement DecodePatch(const uint8_t* at);
// Appends one element.
void EncodeAllocation(const AllocationElement& element, ByteWriter& out);
void EncodePatch(const PatchElement& element, ByteWriter& out);

// A recorded list as an array: whole elements only, a remainder is not part of it.
template <class Element, uint32_t kSize, Element (*kDecode)(const uint8_t*)>
class ListView {
 public:
  explicit ListView(Bytes bytes) : bytes_(bytes) {}
  size_t size() const { return bytes_.size() / kSize; }
  Element operator[](size_t index) const { return kDecode(bytes_.data() + index * kSize); }

 private:
  Bytes bytes_;
};
using AllocationListView = ListView<AllocationElement, kAllocationElementSize, &DecodeAllocation>;
using PatchListView = ListView<PatchElement, kPatchElementSize, &DecodePatch>;

}  // namespace dp2trace::kmt
