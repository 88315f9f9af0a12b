// Events to text and back.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "json/writer.h"
#include "json_texts.h"
#include "trace/codec.h"
#include "trace/events.h"

namespace dp2trace::testing {

// The text holds the payloads of these events, and writing what was read gives the text again.
inline void CheckRoundTrip(const std::vector<trace::Event>& events,
                           const json::WriterOptions& options = {}) {
  const std::string text = FormatText(events, options);
  CAPTURE(text);
  const TextResult result = ParseText(text, {}, SIZE_MAX, options);
  if (!result.status.ok()) FAIL(FormatDiagnostic("text", result.status.diagnostic()));
  REQUIRE(result.payloads.size() == events.size());
  std::string again = "[";
  for (size_t i = 0; i < events.size(); ++i) {
    std::vector<uint8_t> payload;
    trace::EncodePayload(events[i], payload);
    CHECK(result.payloads[i] == payload);
    again += (i == 0 ? "\n" : ",\n") + result.lines[i];
  }
  CHECK(again + "\n]\n" == text);
}

}  // namespace dp2trace::testing
