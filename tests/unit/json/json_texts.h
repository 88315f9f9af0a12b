// Traces as JSON text in memory, for the tests of this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "json/reader.h"
#include "json/writer.h"
#include "rules/rule.h"
#include "trace/events.h"

namespace dp2trace::testing {

std::string FormatText(const std::vector<trace::Event>& events,
                       const json::WriterOptions& options = {});

// What a reader delivered: each event as its line and as its bytes.
struct TextResult {
  std::vector<std::string> lines;
  std::vector<std::vector<uint8_t>> payloads;
  Status status;
  bool truncated = false;
  // The finding that ended the reading; kIo001 (which the reader never reports) where there is none.
  Rule rule() const { return status.ok() ? Rule::kIo001 : status.diagnostic().rule; }
};
// `piece`: bytes that the source hands out at once; `lines`: how TextResult::lines are written.
TextResult ParseText(std::string_view text, const json::ReaderOptions& options = {},
                     size_t piece = SIZE_MAX, const json::WriterOptions& lines = {});

// A text with a header and, on line 3, this event: "[\n{\"event\":\"header\"},\n" EVENT "\n]\n".
std::string WithHeader(std::string_view event);
// Reads WithHeader(event); the line of the event, or "JSON-nnn POINTER".
std::string Canonical(std::string_view event);
// The same for one token of a dp2 event: its "commands" without the brackets.
std::string CanonicalToken(std::string_view token);

}  // namespace dp2trace::testing
