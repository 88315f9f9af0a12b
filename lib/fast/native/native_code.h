// Makes the machine code of programs.
#pragma once

#include <memory>
#include <span>

#include "fast/machine/isa.h"
#include "fast/machine/native_code.h"
#include "fast/machine/program.h"

namespace dp2trace::fast {

// There is machine code for the instruction set, on this machine and system.
bool HasNativeCode(const Isa& isa);

// Null where there is none, or the program is not worth it. `results`: what is read after the program.
std::shared_ptr<const NativeCode> MakeNativeCode(const Program& program,
                                                 std::span<const Operand> results, const Isa& isa);

}  // namespace dp2trace::fast
