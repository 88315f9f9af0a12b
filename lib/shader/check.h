// The parts of the checker, one per topic. Each goes over the whole program and depends on no other.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "shader/decoder.h"
#include "shader/program.h"

namespace dp2trace::shader {

// Operands, modifiers and masks of single instructions (check_instruction.cpp).
void CheckInstructions(const Program& program, DiagnosticList& findings);
// Declarations, definitions, temporary registers read before they are written, outputs (check_reads.cpp).
void CheckReads(const Program& program, DiagnosticList& findings);
// Predicate and address registers used before they are written (check_address.cpp).
void CheckAddresses(const Program& program, DiagnosticList& findings);
// Components that a declaration does not name (check_components.cpp).
void CheckComponents(const Program& program, DiagnosticList& findings);
// Texture lookups and derivatives where they have no meaning (check_lookups.cpp).
void CheckLookups(const Program& program, DiagnosticList& findings);
// Colour and depth outputs of pixel shaders 2.x (check_outputs.cpp).
void CheckPixelOutputs(const Program& program, DiagnosticList& findings);
// The rules of pixel shaders 1.x about stages, phases and pairs (check_legacy.cpp).
void CheckLegacyPixel(const Program& program, DiagnosticList& findings);
// Nesting, calls and loops (check_flow.cpp).
void CheckFlow(const Program& program, DiagnosticList& findings);

// Nothing runs more than once or elsewhere than it stands: order in the code is order in time.
bool IsStraight(const Program& program);
// Components that the instruction reads of the register after source `index`.
uint8_t ReadMask(const Program& program, const Instruction& instruction, uint32_t index);

}  // namespace dp2trace::shader
