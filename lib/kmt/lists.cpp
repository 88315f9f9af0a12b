#include "kmt/lists.h"

namespace dp2trace::kmt {

AllocationElement DecodeAllocation(const uint8_t* at) {
  return {.handle = LoadU32(at), .value = LoadU32(at + 4)};
}

PatchElement DecodePatch(const uint8_t* at) {
  return {.allocation_index = LoadU32(at),
          .value = LoadU32(at + 4),
          .driver_id = LoadU32(at + 8),
          .allocation_offset = LoadU32(at + 12),
          .patch_offset = LoadU32(at + 16),
          .split_offset = LoadU32(at + 20)};
}

void EncodeAllocation(const AllocationElement& element, ByteWriter& out) {
  out.Write(element.handle);
  out.Write(element.value);
}

void EncodePatch(const PatchElement& element, ByteWriter& out) {
  out.Write(element.allocation_index);
  out.Write(element.value);
  out.Write(element.driver_id);
  out.Write(element.allocation_offset);
  out.Write(element.patch_offset);
  out.Write(element.split_offset);
}

}  // namespace dp2trace::kmt
