// Rules about the code of shaders where it is created: DP2-SHADER-*.
// Source: rendering specification, section 8; DP2 specification, section 18.
#pragma once

#include "stream/records.h"
#include "validate/findings.h"

namespace dp2trace::validate {

// The code that a record of the operation brings; empty where it brings none, or bytes that are no tokens (DP2-VSH-006).
Bytes CodeOf(opcode::Op op, const stream::Record& record);

// Every shader that the command creates. Nothing for other commands.
void CheckShaders(const stream::Command& command, const stream::Environment& environment,
                  EventFindings& findings);

}  // namespace dp2trace::validate
