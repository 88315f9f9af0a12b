// Instructions back to tokens: the inverse of the decoder.
#pragma once

#include <cstdint>
#include <vector>

#include "shader/program.h"

namespace dp2trace::shader {

// Appends the words of an instruction. Bits that carry no meaning come out as compilers write them: reserved bits are 0, a register that is added to a
// number has one component, or all of them where it is aL.
void EncodeInstruction(Version version, const Instruction& instruction, std::vector<uint32_t>& out);

}  // namespace dp2trace::shader
