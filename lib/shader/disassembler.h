// The assembly text that Direct3D programmers know.
// Source: Direct3D 9 assembly shader reference.
#pragma once

#include <cstdint>
#include <string>

#include "shader/program.h"

namespace dp2trace::shader {

// "vs_1_1", "ps_2_x", "vs_3_sw".
std::string VersionName(Version version);
// The components of a mask after a register: ".xz"; empty for all four.
std::string MaskText(Version version, uint8_t mask);
// One instruction without indentation: "mad_sat r0.xyz, v0, c[a0.x + 4], -c1.w".
std::string InstructionText(const Program& program, const Instruction& instruction);
// Version and instructions, one a line, blocks indented; every line ends with a newline. Empty where the version is not known.
std::string Disassemble(const Program& program);

}  // namespace dp2trace::shader
