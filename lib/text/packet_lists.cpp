#include "text/packet_lists.h"

#include <fmt/format.h>

#include "kmt/lists.h"
#include "text/value.h"

namespace dp2trace::text {
namespace {

// The bit fields of a word that are not 0, and what no field defines.
void AppendBits(std::string& out, uint32_t word, std::span<const kmt::BitField> fields) {
  uint32_t rest = word;
  for (const kmt::BitField& field : fields) {
    rest &= ~field.mask();
    const uint32_t value = field.Get(word);
    if (value == 0) continue;
    out += fmt::format(" {}", field.name);
    if (field.width > 1) out += fmt::format("={:#x}", value);
  }
  if (rest != 0) out += fmt::format(" reserved={:#x}", rest);
}

void AppendRest(std::string& out, std::string_view name, Bytes rest) {
  if (rest.empty()) return;
  out += fmt::format("  {} list ends with ", name);
  AppendBytes(out, rest);
  out += '\n';
}

}  // namespace

void AppendAllocationList(std::string& out, Bytes list) {
  const kmt::AllocationListView elements(list);
  for (size_t i = 0; i < elements.size(); ++i) {
    const kmt::AllocationElement element = elements[i];
    out += fmt::format("  allocation {} handle={:#x}", i, element.handle);
    AppendBits(out, element.value, kmt::kAllocationBits);
    out += '\n';
  }
  AppendRest(out, "allocation", list.subspan(elements.size() * kmt::kAllocationElementSize));
}

void AppendPatchList(std::string& out, Bytes list) {
  const kmt::PatchListView elements(list);
  for (size_t i = 0; i < elements.size(); ++i) {
    const kmt::PatchElement element = elements[i];
    out += fmt::format("  patch {} AllocationIndex={}", i, element.allocation_index);
    AppendBits(out, element.value, kmt::kPatchBits);
    out += fmt::format(
        " DriverId={:#x} AllocationOffset={:#x} PatchOffset={:#x} SplitOffset={:#x}\n",
        element.driver_id, element.allocation_offset, element.patch_offset, element.split_offset);
  }
  AppendRest(out, "patch", list.subspan(elements.size() * kmt::kPatchElementSize));
}

}  // namespace dp2trace::text
