// The parts of the checker, one per topic. Each goes over the whole program and depends on no other.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "shader/decoder.h"
#include "shader/program.h"

namespace dp2trace::shader {

// Operands, modifiers and masks of single instructions (check_instruction.cpp).
void CheckInstructions(const Program& program, DiagnosticList& findings);
// Declarations, definitions, registers read before they are written, outputs (check_reads.cpp).
void CheckReads(const Program& program, DiagnosticList& findings);
// The rules of pixel shaders 1.x about stages, phases and pairs (check_legacy.cpp).
void CheckLegacyPixel(const Program& program, DiagnosticList& findings);
// Nesting, calls and loops (check_flow.cpp).
void CheckFlow(const Program& program, DiagnosticList& findings);

// Components that the instruction reads of the register behind source `index`.
uint8_t ReadMask(const Program& program, const Instruction& instruction, uint32_t index);

}  // namespace dp2trace::shader
