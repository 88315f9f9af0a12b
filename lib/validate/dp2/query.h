// Rules about queries and responses: DP2-QUERY-*.
// Source: lib/opcode/dp2.md 19 and 25.
#pragma once

#include "validate/command_view.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

// What these rules remember of the trace.
struct QueryTraceMemory {
  bool has_responses = false;  // some call recorded a response buffer
};

// The response buffer of a call whose tokens have been applied.
void CheckQueryResponse(const EventView& view, const device::Context& context, Bytes response);

}  // namespace dp2trace::validate
