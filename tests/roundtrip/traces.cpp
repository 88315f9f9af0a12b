#include "traces.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "json/reader.h"
#include "json/writer.h"

namespace dp2trace::testing {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestFile = uint64_t{64} << 20;

const fs::path kTraces = fs::path(DP2TRACE_SOURCE_DIR) / "traces";
const fs::path kRuleTraces = DP2TRACE_RULE_TRACES;

fs::path PathOf(const std::string& path) {
  const bool is_of_rule = path.starts_with("malformed/") || path.starts_with("accepted/");
  return (is_of_rule ? kRuleTraces : kTraces) / path;
}

void AppendFiles(const fs::path& root, std::string_view folder, std::string_view extension,
                 std::vector<std::string>& out) {
  if (!fs::exists(root / folder)) return;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != extension) continue;
    out.push_back(fs::relative(entry.path(), root).generic_string());
  }
}

}  // namespace

std::vector<std::string> TraceFiles(std::string_view folder, std::string_view extension) {
  std::vector<std::string> paths;
  AppendFiles(kTraces, folder, extension, paths);
  // What the cases of the rules are made of stands below malformed.
  std::erase_if(paths, [](const std::string& path) {
    return path.starts_with("rules/") || path.starts_with("containers/");
  });
  AppendFiles(kRuleTraces, folder, extension, paths);
  std::ranges::sort(paths);
  for (const char* const other : {"schema.json", "manifest.json", "manifest.schema.json"})
    std::erase(paths, other);
  return paths;
}

std::vector<uint8_t> ReadTraceFile(const std::string& path) {
  Result<std::vector<uint8_t>> bytes = ReadWholeFile(PathOf(path).string(), kLargestFile);
  REQUIRE(bytes.ok());
  return std::move(*bytes);
}

std::string ReadTextFile(const std::string& path) {
  const std::vector<uint8_t> bytes = ReadTraceFile(path);
  return {bytes.begin(), bytes.end()};
}

bool HasTraceFile(const std::string& path) {
  return fs::is_regular_file(PathOf(path));
}

std::string FolderOf(const std::string& path) {
  return PathOf(path).parent_path().string();
}

ReadResult ReadContainer(Bytes container) {
  ReadResult result;
  Result<trace::Reader> reader = trace::Reader::FromBytes(container, result.findings);
  if (!reader.ok()) {
    result.findings.Add(reader.status().diagnostic());
    result.incomplete = true;
    return result;
  }
  trace::EventRecord record;
  while (reader->Next(record)) {
    result.events.push_back(
        {record.kind, record.flags, {record.payload.begin(), record.payload.end()}});
  }
  result.incomplete = reader->incomplete();
  return result;
}

std::vector<uint8_t> WriteContainer(const std::vector<StoredEvent>& events,
                                    const trace::WriterOptions& options) {
  std::vector<uint8_t> out;
  trace::Writer writer(
      [&out](Bytes bytes) {
        out.insert(out.end(), bytes.begin(), bytes.end());
        return OkStatus();
      },
      options);
  for (const StoredEvent& event : events) {
    REQUIRE(writer.AddRaw(event.kind, event.flags, event.payload).ok());
  }
  REQUIRE(writer.Finish().ok());
  return out;
}

std::string ToJson(Bytes container, const json::WriterOptions& options) {
  std::string text;
  json::Writer writer(
      [&text](std::string_view piece) {
        text += piece;
        return OkStatus();
      },
      options);
  DiagnosticList findings;
  Result<trace::Reader> reader = trace::Reader::FromBytes(container, findings);
  REQUIRE(reader.ok());
  trace::EventRecord record;
  while (reader->Next(record))
    REQUIRE(writer.Write(record.event).ok());
  REQUIRE(writer.Finish().ok());
  return text;
}

Result<std::vector<uint8_t>> ToContainer(std::string_view json, const std::string& folder,
                                         trace::Compression compression) {
  json::Reader reader(
      [rest = json](std::span<uint8_t> out) mutable -> Result<size_t> {
        const size_t count = std::min(out.size(), rest.size());
        std::memcpy(out.data(), rest.data(), count);
        rest.remove_prefix(count);
        return count;
      },
      {.folder = folder});
  std::vector<uint8_t> out;
  trace::Writer writer(
      [&out](Bytes bytes) {
        out.insert(out.end(), bytes.begin(), bytes.end());
        return OkStatus();
      },
      {.compression = compression});
  trace::Event event;
  while (true) {
    const Result<bool> next = reader.Next(event);
    if (!next.ok()) return next.status();
    if (!*next) break;
    DP2TRACE_RETURN_IF_ERROR(writer.Add(event));
  }
  DP2TRACE_RETURN_IF_ERROR(writer.Finish());
  return out;
}

}  // namespace dp2trace::testing
