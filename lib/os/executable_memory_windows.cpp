#include <windows.h>

#include <cstring>

#include "os/executable_memory.h"

namespace dp2trace {

std::unique_ptr<ExecutableMemory> ExecutableMemory::Create(std::span<const uint8_t> code) {
  void* const pages = VirtualAlloc(nullptr, code.size(), MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (pages == nullptr) return nullptr;
  std::unique_ptr<ExecutableMemory> memory(
      new ExecutableMemory(static_cast<uint8_t*>(pages), code.size()));
  std::memcpy(pages, code.data(), code.size());
  DWORD before = 0;
  if (VirtualProtect(pages, code.size(), PAGE_EXECUTE_READ, &before) == 0) return nullptr;
  FlushInstructionCache(GetCurrentProcess(), pages, code.size());
  return memory;
}

ExecutableMemory::~ExecutableMemory() {
  VirtualFree(data_, 0, MEM_RELEASE);
}

}  // namespace dp2trace
