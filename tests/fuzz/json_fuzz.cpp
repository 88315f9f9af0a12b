// Any text: the reader ends with events or one finding, and what it delivers is a fixed point of writing and reading.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "json/reader.h"
#include "json/writer.h"
#include "require.h"
#include "rules/rule.h"

namespace {

using dp2trace::Result;
using dp2trace::testing::Require;

// The lines of all events that are delivered, and how the text ended.
dp2trace::Status ReadLines(std::string_view text, std::vector<std::string>& lines) {
  dp2trace::json::ReaderOptions options;
  options.folder = "/nonexistent";
  options.max_memory = 64 << 20;
  dp2trace::json::Reader reader(
      [&text](std::span<uint8_t> out) -> Result<size_t> {
        const size_t size = std::min(out.size(), text.size());
        std::memcpy(out.data(), text.data(), size);
        text.remove_prefix(size);
        return size;
      },
      options);
  dp2trace::trace::Event event;
  Result<bool> next = reader.Next(event);
  for (; next.ok() && *next; next = reader.Next(event))
    lines.push_back(dp2trace::json::ToText(event));
  return next.status();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::string> lines;
  (void)ReadLines({reinterpret_cast<const char*>(data), size}, lines);
  if (lines.empty()) return 0;

  std::string text = "[\n";
  for (size_t i = 0; i < lines.size(); ++i)
    text += (i == 0 ? "" : ",\n") + lines[i];
  text += "\n]\n";
  std::vector<std::string> again;
  const dp2trace::Status status = ReadLines(text, again);
  // A misplaced header is reported after the last event.
  Require(status.ok() || status.diagnostic().rule == dp2trace::Rule::kJson015,
          "canonical text is refused");
  Require(again == lines, "canonical text changes when it is read and written");
  return 0;
}
