// Rules about the code of shaders where it is created: DP2-SHADER-*.
// Source: lib/raster/rendering-shaders.md 8; lib/opcode/dp2.md 18.
#pragma once

#include "stream/records.h"
#include "validate/findings.h"

namespace dp2trace::validate {

// The code that a record of the operation brings; empty where it brings none, or bytes that are no tokens (DP2-VSH-006).
Bytes CodeOf(opcode::Op op, const stream::Record& record);

// Every shader that the command creates. Nothing for other commands. `generation`: of the interface (6 to 9); what its documents do not
// promise is less severe.
void CheckShaders(const stream::Command& command, const stream::Environment& environment,
                  uint32_t generation, EventFindings& findings);

}  // namespace dp2trace::validate
