// What a device advertises: checks of capabilities that are absent are skipped.
// Source: lib/design.md 3 ("Caps"); d3d9caps.h.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "d3d/caps.h"
#include "d3d/formats.h"
#include "trace/events.h"

namespace dp2trace::validate {

class Caps {
 public:
  // Members that the header names replace those that are there, its formats join them.
  void Add(const trace::Header& header);
  void Set(d3d::Cap cap, uint32_t value) {
    values_[static_cast<size_t>(cap)] = value;
    is_empty_ = false;
  }

  // The raw bits of a member.
  std::optional<uint32_t> Find(d3d::Cap cap) const { return values_[static_cast<size_t>(cap)]; }
  std::optional<float> FindReal(d3d::Cap cap) const {
    const auto bits = Find(cap);
    return bits ? std::optional(std::bit_cast<float>(*bits)) : std::nullopt;
  }
  // The same as a header says it.
  void Describe(trace::Header& header) const;
  // Nothing is claimed at all.
  bool empty() const { return is_empty_; }
  // Whether the formats are listed; HasFormat() says nothing otherwise.
  bool has_formats() const { return !formats_.empty(); }
  bool HasFormat(d3d::Format format) const {
    return std::ranges::binary_search(formats_, static_cast<uint32_t>(format));
  }

 private:
  static constexpr size_t kCount = 304 / 4;  // words of D3DCAPS9
  std::array<std::optional<uint32_t>, kCount> values_;
  std::vector<uint32_t> formats_;  // ascending
  bool is_empty_ = true;
};

}  // namespace dp2trace::validate
