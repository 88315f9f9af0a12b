#include "raster/texture/srgb_table.h"

#include <array>

#include "base/transcendental.h"

namespace dp2trace::raster {
namespace {

// Unspecified: precision of the steps; chosen: binary64 with one rounding.
float Linear(uint32_t value, uint32_t bits) {
  const double c = static_cast<double>(value) / static_cast<double>((1U << bits) - 1);
  return c <= 0.04045 ? static_cast<float>(c / 12.92) : PowD((c + 0.055) / 1.055, 2.4);
}

// Widths 1 to 8 one after the other: the table of `bits` starts at 2^bits - 2.
// Unspecified: how channels of fewer than 8 bits index the table of 256; chosen: each width has its own, of value / (2^bits - 1).
constexpr uint32_t kEntryCount = 510;
using Table = std::array<float, kEntryCount>;

Table MakeTable() {
  Table table = {};
  for (uint32_t bits = 1; bits <= 8; ++bits) {
    for (uint32_t value = 0; value < 1U << bits; ++value) {
      table[(1U << bits) - 2 + value] = Linear(value, bits);
    }
  }
  return table;
}

}  // namespace

const float* LinearOfStoredTable(uint32_t bits) {
  static const Table kTable = MakeTable();
  return &kTable[(1U << bits) - 2];
}

float LinearOfStored(uint32_t value, uint32_t bits) {
  return LinearOfStoredTable(bits)[value];
}

}  // namespace dp2trace::raster
