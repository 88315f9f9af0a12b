#include "os/executable_memory.h"

namespace dp2trace {

std::unique_ptr<ExecutableMemory> ExecutableMemory::Create(std::span<const uint8_t>) {
  return nullptr;
}

ExecutableMemory::~ExecutableMemory() = default;

}  // namespace dp2trace
