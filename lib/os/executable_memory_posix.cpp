#include <sys/mman.h>

#include <cstring>

#include "os/executable_memory.h"

namespace dp2trace {

std::unique_ptr<ExecutableMemory> ExecutableMemory::Create(std::span<const uint8_t> code) {
  void* const pages = mmap(nullptr, code.size(), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);  // rounded up to pages
  if (pages == MAP_FAILED) return nullptr;
  std::unique_ptr<ExecutableMemory> memory(
      new ExecutableMemory(static_cast<uint8_t*>(pages), code.size()));
  std::memcpy(pages, code.data(), code.size());
  if (mprotect(pages, code.size(), PROT_READ | PROT_EXEC) != 0) return nullptr;
  return memory;
}

ExecutableMemory::~ExecutableMemory() {
  munmap(data_, size_);
}

}  // namespace dp2trace
