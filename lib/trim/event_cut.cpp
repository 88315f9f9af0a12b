#include "trim/event_cut.h"

#include <algorithm>

#include "device/device.h"

namespace dp2trace::trim {

trace::Dp2 CutCall(const trace::Dp2& call, std::optional<uint64_t> begin,
                   std::optional<uint64_t> end) {
  trace::Dp2 cut = call;
  if (end) {
    const uint64_t size = *end - cut.command_offset;
    cut.commands = cut.commands.first(std::min<size_t>(size, cut.commands.size()));
    if (cut.command_length) cut.command_length = static_cast<uint32_t>(cut.commands.size());
    cut.response = {};
    if (device::HasFailed(cut.ddrval)) {
      cut.ddrval.reset();
      cut.error_offset = 0;
      cut.flags_out.reset();
    }
  }
  if (begin) {
    const uint64_t removed = *begin - cut.command_offset;
    cut.commands = cut.commands.subspan(std::min<size_t>(removed, cut.commands.size()));
    if (cut.command_length) cut.command_length = static_cast<uint32_t>(cut.commands.size());
    cut.command_offset += static_cast<uint32_t>(removed);
  }
  return cut;
}

}  // namespace dp2trace::trim
