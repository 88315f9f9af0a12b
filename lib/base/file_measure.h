// What work on a file may take grows with the file: a stranger's small one must not ask for much, and a large one has much in it.
// Source: lib/design.md 4 (limits with a named option and a finding).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace dp2trace {

// The bytes that a file counts as: a megabyte at least, and as a gigabyte where its size is not known.
constexpr uint64_t MeasureOf(std::optional<uint64_t> file_bytes) {
  return std::max(file_bytes.value_or(uint64_t{1} << 30), uint64_t{1} << 20);
}

// So much for each piece of so many bytes of a file; the most that there is where that is too much.
constexpr uint64_t ForEach(uint64_t piece, uint64_t amount, std::optional<uint64_t> file_bytes) {
  const uint64_t pieces = MeasureOf(file_bytes) / piece;
  return amount > UINT64_MAX / pieces ? UINT64_MAX : amount * pieces;
}
constexpr uint64_t ForEachByte(uint64_t amount, std::optional<uint64_t> file_bytes) {
  return ForEach(1, amount, file_bytes);
}
constexpr uint64_t ForEachMegabyte(uint64_t amount, std::optional<uint64_t> file_bytes) {
  return ForEach(uint64_t{1} << 20, amount, file_bytes);
}

}  // namespace dp2trace
