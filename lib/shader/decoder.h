// Token arrays to the internal form. Safe on any bytes.
// Source: lib/raster/rendering-shaders.md 8.1; lib/opcode/dp2.md 18.4.
#pragma once

#include "base/bytes.h"
#include "base/diagnostic.h"
#include "shader/program.h"

namespace dp2trace::shader {

// Instructions that a shader may have, whatever its version.
inline constexpr size_t kMaxInstructions = 1U << 16;

// Reads up to END or to the first token that cannot be framed. Offsets of findings count from the start of the code; the caller moves
// them to the place of the code in the command buffer.
Program Decode(Bytes code, DiagnosticList& findings);

// Pairs If, Else and EndIf, Loop and EndLoop, Rep and EndRep, Call and Label. False, with findings, where they do not fit.
bool ResolveFlow(Program& program, DiagnosticList& findings);

// A finding at an instruction.
Diagnostic MakeFinding(Rule rule, const Instruction& instruction, std::string message);

}  // namespace dp2trace::shader
