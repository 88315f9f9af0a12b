// Allocation lists and patch lists as arrays of objects. A list that does not consist of whole elements is {"raw": HEX}.
// Source: lib/kmt/packets.md 3.1 and 3.2.
#pragma once

#include <span>
#include <string_view>

#include "json/builder.h"
#include "json/values.h"

namespace dp2trace::json {

// Bits [shift, shift + width) of a u32 of the element.
struct PackedField {
  std::string_view name;
  uint8_t offset;  // bytes from the start of the element
  uint8_t shift = 0;
  uint8_t width = 32;
  bool is_bool = false;  // true and false; else a number
};

// Every bit of the element belongs to one field. A field that is 0 is left out.
struct PackedElement {
  std::string_view spec_name;
  uint32_t size;  // bytes
  std::span<const PackedField> fields;
};

extern const PackedElement kAllocationListElement;  // D3DDDI_ALLOCATIONLIST
extern const PackedElement kPatchListElement;       // D3DDDI_PATCHLOCATIONLIST

void WritePackedList(const PackedElement& element, Bytes list, Builder& out);
bool ReadPackedList(Values& values, Node& node, const PackedElement& element, Bytes& out);

// {"raw": HEX}
void WriteRaw(Bytes bytes, Builder& out);
bool ReadRaw(Values& values, Node& node, Bytes& out);

}  // namespace dp2trace::json
