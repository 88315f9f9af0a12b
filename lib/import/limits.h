// What an import may take of the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/allowance.h"

namespace dp2trace::import {

// Work of a byte that is written, in steps (Allowance).
inline constexpr uint64_t kOutputSteps = 32;

// `max_memory`: bytes for the whole import. `max_steps` none: as many as a file of that size may ask for; none: it is not known.
std::shared_ptr<Allowance> MakeAllowance(uint64_t max_memory, std::optional<uint64_t> max_steps,
                                         std::optional<uint64_t> file_size);

}  // namespace dp2trace::import
