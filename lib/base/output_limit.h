// How much the program may write: all its files and standard output together.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace dp2trace {

// What a file takes of a disk beside its bytes.
inline constexpr uint64_t kFileOutput = 4096;

// From here on so many bytes; without it, any number.
void SetMaxOutput(uint64_t bytes);
// Counts what is about to be written to `path`. IO-001 where the limit is below it, and from then on.
Status SpendOutput(const std::string& path, uint64_t bytes);

}  // namespace dp2trace
