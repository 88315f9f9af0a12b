#include "validate/rules_stream_draw.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> StreamDrawRules() { return {}; }

void CheckStreamDrawAtDraw(const CommandView&) {}

void CheckDrawnStreamDraw(const CommandView&, const device::Draw&) {}

}  // namespace dp2trace::validate
