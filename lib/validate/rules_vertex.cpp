#include "validate/rules_vertex.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> VertexRules() { return {}; }

void CheckVertexAtDraw(const CommandView&) {}

void CheckDrawnVertex(const CommandView&, const device::Draw&) {}

}  // namespace dp2trace::validate
