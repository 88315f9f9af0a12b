#include "os/executable_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

using dp2trace::ExecutableMemory;

TEST_CASE("ExecutableMemory: holds the bytes, from the start of a page on") {
  std::vector<uint8_t> code(10000);
  for (size_t i = 0; i < code.size(); ++i)
    code[i] = static_cast<uint8_t>(i * 7);
  const auto memory = ExecutableMemory::Create(code);
  REQUIRE(memory != nullptr);
  CHECK(std::ranges::equal(memory->bytes(), code));
  CHECK(reinterpret_cast<uintptr_t>(memory->bytes().data()) % 4096 == 0);
}

#if defined(__x86_64__)
TEST_CASE("ExecutableMemory: what it holds can be called") {
  constexpr std::array<uint8_t, 6> kReturn42 = {0xB8, 42, 0, 0, 0, 0xC3};
  const auto memory = ExecutableMemory::Create(kReturn42);
  REQUIRE(memory != nullptr);
  const auto code =
      reinterpret_cast<int (*)()>(reinterpret_cast<uintptr_t>(memory->bytes().data()));
  CHECK(code() == 42);
}
#endif
