// Memory for machine code that the program makes: written first, executed afterwards, never both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace dp2trace {

class ExecutableMemory {
 public:
  // Pages that hold the code, from the start of a page on. Null where the system gives none.
  static std::unique_ptr<ExecutableMemory> Create(std::span<const uint8_t> code);
  ~ExecutableMemory();
  ExecutableMemory(const ExecutableMemory&) = delete;
  ExecutableMemory& operator=(const ExecutableMemory&) = delete;

  std::span<const uint8_t> bytes() const { return {data_, size_}; }

 private:
  ExecutableMemory(uint8_t* data, size_t size) : data_(data), size_(size) {}

  uint8_t* data_;
  size_t size_;
};

}  // namespace dp2trace
