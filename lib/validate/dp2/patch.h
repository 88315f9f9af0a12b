// Rules about patches: DP2-PATCH-*.
// Source: lib/opcode/dp2.md 17 and 25.
#pragma once

#include <cstdint>
#include <set>

#include "validate/command_view.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct PatchMemory {
  // Cached patches whose use under another vertex program, or beside other streams, has been reported since their definition.
  std::set<uint32_t> reported_programs;
  std::set<uint32_t> reported_streams;
};

// The trace has ended; reports are about its last event.
void CheckPatchAtEnd(const EventView& view);

}  // namespace dp2trace::validate
