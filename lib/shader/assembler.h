// One line of assembly text to an instruction: the language that the disassembler prints. The text does not say what carries no meaning: control bits of
// instructions without variants, comparisons and texture types that there are not, the usage of declarations that have none, modifiers of declarations
// of constants, and the bits of a NaN.
// Source: Direct3D 9 assembly shader reference.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "shader/program.h"

namespace dp2trace::shader {

// "mad_sat r0.xyz, v0, c[a0.x + 4], -c1.w". Fails with a column, what stands there and what is expected there. An instruction of another version, or a
// register that the version does not have, is assembled as the disassembler prints it: shader::Check reports it.
Result<Instruction> ReadInstruction(Version version, std::string_view line);

// The words of instructions between ';' or newlines; none where there is no text. Fails as above; columns are those of the text.
Result<std::vector<uint32_t>> Assemble(Version version, std::string_view text);

}  // namespace dp2trace::shader
