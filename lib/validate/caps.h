// What a device advertises: checks of capabilities that are absent are skipped.
// Source: DESIGN section 3 ("Caps"); d3d9caps.h.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "d3d/caps.h"
#include "trace/events.h"

namespace dp2trace::validate {

class Caps {
 public:
  // Members that the header names replace those that are there.
  void Add(const trace::Header& header);
  void Set(d3d::Cap cap, uint32_t value) { values_[static_cast<size_t>(cap)] = value; }

  // The raw bits of a member.
  std::optional<uint32_t> Find(d3d::Cap cap) const { return values_[static_cast<size_t>(cap)]; }
  std::optional<float> FindReal(d3d::Cap cap) const {
    const auto bits = Find(cap);
    return bits ? std::optional(std::bit_cast<float>(*bits)) : std::nullopt;
  }

 private:
  static constexpr size_t kCount = 304 / 4;  // words of D3DCAPS9
  std::array<std::optional<uint32_t>, kCount> values_;
};

}  // namespace dp2trace::validate
