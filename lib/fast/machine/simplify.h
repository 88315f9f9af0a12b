// Makes programs shorter without another result.
#pragma once

#include <span>

#include "fast/machine/program.h"

namespace dp2trace::fast {

// Removes copies of what is there already and what nobody reads. `results`: what is read after the program; they stay where they are.
void Simplify(Program& program, std::span<const Operand> results);

}  // namespace dp2trace::fast
