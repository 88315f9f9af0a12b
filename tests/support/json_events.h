// The events of a trace in JSON text, one after another. Needs dp2trace::json.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "json/reader.h"

namespace dp2trace::testing {

// Calls visit(number, event) for each event until it returns false.
template <class Visit>
void ForEachJsonEvent(std::string_view text, const Visit& visit) {
  json::Reader reader(
      [&text](std::span<uint8_t> out) -> Result<size_t> {
        const size_t size = std::min(out.size(), text.size());
        std::memcpy(out.data(), text.data(), size);
        text.remove_prefix(size);
        return size;
      },
      {});
  trace::Event event;
  for (uint64_t number = 0;; ++number) {
    const Result<bool> next = reader.Next(event);
    if (!next.ok()) FAIL(FormatDiagnostic("trace", next.status().diagnostic()));
    if (!*next || !visit(number, event)) return;
  }
}

}  // namespace dp2trace::testing
