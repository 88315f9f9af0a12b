// The committed traces as files, and conversions between the two forms in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "json/writer.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace dp2trace::testing {

// Paths below traces/, relative to it and sorted: the files under `folder` ("" = all) with this extension. The cases of the rules are files
// below malformed/RULE and accepted/RULE.
std::vector<std::string> TraceFiles(std::string_view folder, std::string_view extension);
std::vector<uint8_t> ReadTraceFile(const std::string& path);
std::string ReadTextFile(const std::string& path);
bool HasTraceFile(const std::string& path);
// The folder of a file, as a path that can be opened.
std::string FolderOf(const std::string& path);

// One event with its own copy of the payload.
struct StoredEvent {
  uint16_t kind = 0;
  uint16_t flags = 0;
  std::vector<uint8_t> payload;
  bool operator==(const StoredEvent&) const = default;
};

// All that a container gives back. A container that cannot be opened has a finding and no events.
struct ReadResult {
  std::vector<StoredEvent> events;
  DiagnosticList findings;
  bool incomplete = false;
};
ReadResult ReadContainer(Bytes container);
std::vector<uint8_t> WriteContainer(const std::vector<StoredEvent>& events,
                                    const trace::WriterOptions& options);

// What `convert` does. Compression none, unless said otherwise; findings of the container are ignored.
std::string ToJson(Bytes container, const json::WriterOptions& options = {});
// An error of the JSON reader ends the conversion and is returned.
Result<std::vector<uint8_t>> ToContainer(
    std::string_view json, const std::string& folder = ".",
    trace::Compression compression = trace::Compression::kNone);

}  // namespace dp2trace::testing
