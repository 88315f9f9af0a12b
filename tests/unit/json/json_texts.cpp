#include "json_texts.h"

#include <algorithm>
#include <cstring>

#include "rules/rule_info.h"
#include "trace/codec.h"

namespace dp2trace::testing {

std::string FormatText(const std::vector<trace::Event>& events,
                       const json::WriterOptions& options) {
  std::string text;
  json::Writer writer(
      [&text](std::string_view piece) {
        text += piece;
        return OkStatus();
      },
      options);
  Status status;
  for (const trace::Event& event : events) {
    status = writer.Write(event);
    if (!status.ok()) return {};
  }
  status = writer.Finish();
  return status.ok() ? text : std::string();
}

TextResult ParseText(std::string_view text, const json::ReaderOptions& options, size_t piece,
                     const json::WriterOptions& lines) {
  json::Reader reader(
      [&text, piece](std::span<uint8_t> out) -> Result<size_t> {
        const size_t size = std::min({out.size(), text.size(), piece});
        std::memcpy(out.data(), text.data(), size);
        text.remove_prefix(size);
        return size;
      },
      options);
  TextResult result;
  trace::Event event;
  Result<bool> next = reader.Next(event);
  for (; next.ok() && *next; next = reader.Next(event)) {
    result.lines.push_back(json::ToText(event, lines.vertices));
    trace::EncodePayload(event, result.payloads.emplace_back());
  }
  result.status = next.status();
  result.truncated = reader.truncated();
  return result;
}

std::string WithHeader(std::string_view event) {
  return "[\n{\"event\":\"header\"},\n" + std::string(event) + "\n]\n";
}

std::string Canonical(std::string_view event) {
  const TextResult result = ParseText(WithHeader(event));
  if (result.status.ok()) return result.lines.at(1);
  const Diagnostic& diagnostic = result.status.diagnostic();
  return std::string(Info(diagnostic.rule).id) + " " + diagnostic.path;
}

std::string CanonicalToken(std::string_view token) {
  constexpr std::string_view kStart = "{\"event\":\"dp2\",\"commands\":[";
  const std::string line = Canonical(std::string(kStart) + std::string(token) + "]}");
  if (!line.starts_with(kStart)) return line;
  return line.substr(kStart.size(), line.size() - kStart.size() - 2);
}

}  // namespace dp2trace::testing
