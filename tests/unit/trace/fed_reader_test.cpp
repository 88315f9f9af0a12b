// Every test of this folder that reads a trace also feeds it in pieces (trace_files.cpp). Here is what only the fed reader has: when events
// come, how much it keeps, and the traces of the repository in every kind of split.
#include "trace/fed_reader.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/file.h"
#include "rules/rule.h"
#include "trace_files.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// A chunk for each event, as a recorder writes that flushes at each event.
std::vector<uint8_t> EventByEvent(const std::vector<Event>& events) {
  std::vector<uint8_t> file;
  Writer writer(
      [&file](Bytes bytes) {
        file.insert(file.end(), bytes.begin(), bytes.end());
        return OkStatus();
      },
      {Compression::kNone});
  for (const Event& event : events) {
    REQUIRE(writer.Add(event).ok());
    REQUIRE(writer.Flush().ok());
  }
  REQUIRE(writer.Finish().ok());
  return file;
}

std::vector<uint8_t> Markers(size_t count) {
  std::vector<Event> events = {Header{}};
  for (size_t i = 1; i < count; ++i)
    events.emplace_back(testing::TextMarker("a marker"));
  return EventByEvent(events);
}

size_t CountNew(FedReader& reader) {
  EventRecord record;
  size_t count = 0;
  while (reader.Next(record))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("FedReader: an event comes with the last byte of its chunk") {
  const std::vector<uint8_t> file = Markers(20);
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  DiagnosticList findings;
  FedReader reader(findings);
  size_t count = 0;
  for (size_t at = 0; at < file.size(); ++at) {
    reader.Feed(Bytes(file).subspan(at, 1));
    count += CountNew(reader);
    size_t expected = 0;
    while (expected < 20 && offsets[expected + 1] <= at + 1)
      ++expected;
    REQUIRE(count == expected);
  }
  CHECK_FALSE(reader.ended());
  reader.Close();
  CHECK(CountNew(reader) == 0);
  CHECK(reader.ended());
  CHECK(findings.empty());
  CHECK(reader.position() == file.size());
}

TEST_CASE("FedReader: after damage events come again with the first whole chunk") {
  std::vector<uint8_t> file = Markers(20);
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  file[offsets[5] + 3] ^= 1;
  DiagnosticList findings;
  FedReader reader(findings);
  reader.Feed(Bytes(file).first(offsets[8]));
  CHECK(CountNew(reader) == 7);
  REQUIRE(findings.items().size() == 1);
  CHECK(findings.items()[0].rule == Rule::kTrace008);
  CHECK(findings.items()[0].offset == offsets[5]);
}

TEST_CASE("FedReader: pieces may be handed over before the last ones were used up") {
  const std::vector<uint8_t> file = Markers(50);
  DiagnosticList findings;
  FedReader reader(findings);
  RawEvent event;
  size_t count = 0;
  for (size_t at = 0; at < file.size(); at += 100) {
    const Bytes rest = Bytes(file).subspan(at);
    const std::vector<uint8_t> piece(
        rest.begin(),
        rest.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(100, rest.size())));
    reader.Feed(piece);
    if (reader.Next(event)) ++count;
    reader.Feed({});
  }
  reader.Close();
  while (reader.Next(event))
    ++count;
  CHECK(count == 50);
  CHECK(findings.empty());
}

TEST_CASE("FedReader: a chunk beyond the memory limit is passed over while it comes") {
  const std::vector<uint8_t> file =
      testing::WriteSizedEvents({10, 3'000'000, 10}, {Compression::kNone, 0, kMinChunkSize});
  const testing::ReadResult read =
      testing::FeedTrace(file, [] { return size_t{1000}; }, {.max_memory = 1'000'000});
  CHECK(testing::CountOf(read.findings, Rule::kTrace010) == 1);
  CHECK(testing::CountOf(read.findings, Rule::kTrace004) == 1);  // about the events
  CHECK(read.findings.items().size() == 2);
  CHECK(read.events.size() == 3);
  CHECK(read.incomplete);
}

TEST_CASE("TRACE-002 fires on fed bytes of another kind at once, and nothing comes after it") {
  std::vector<uint8_t> picture = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  picture.resize(100);
  DiagnosticList findings;
  FedReader reader(findings);
  reader.Feed(picture);
  CHECK(CountNew(reader) == 0);
  REQUIRE_FALSE(reader.status().ok());
  CHECK(reader.status().diagnostic().rule == Rule::kTrace002);
  CHECK(reader.ended());
  reader.Feed(Markers(3));
  CHECK(CountNew(reader) == 0);
}

TEST_CASE(
    "TRACE-002 fires on fed text when a trace cannot follow any more: at the end, or after 16 MiB") {
  const std::vector<uint8_t> text(size_t{16} << 20, 'x');
  for (const bool is_closed : {false, true}) {
    CAPTURE(is_closed);
    DiagnosticList findings;
    FedReader reader(findings);
    reader.Feed(Bytes(text).first(text.size() - 1));
    CHECK(CountNew(reader) == 0);
    CHECK(reader.status().ok());
    CHECK_FALSE(reader.ended());
    if (is_closed) {
      reader.Close();
    } else {
      reader.Feed(Bytes(text).last(1));
    }
    CHECK(CountNew(reader) == 0);
    REQUIRE_FALSE(reader.status().ok());
    CHECK(reader.status().diagnostic().rule == Rule::kTrace002);
    CHECK(reader.ended());
  }
}

TEST_CASE("FedReader: after other text events come with the last byte of their chunk, too") {
  const std::vector<uint8_t> trace = Markers(3);
  const std::vector<size_t> offsets = testing::ChunkOffsets(trace);
  const std::string text = "COM1: the driver is loaded\r\n";
  std::vector<uint8_t> file(text.begin(), text.end());
  file.insert(file.end(), trace.begin(), trace.end());
  DiagnosticList findings;
  FedReader reader(findings);
  size_t count = 0;
  for (size_t at = 0; at < file.size(); ++at) {
    reader.Feed(Bytes(file).subspan(at, 1));
    count += CountNew(reader);
    size_t expected = 0;
    while (expected < 3 && text.size() + offsets[expected + 1] <= at + 1)
      ++expected;
    REQUIRE(count == expected);
  }
  CHECK(testing::CountOf(findings, Rule::kTrace013) == 1);
  CHECK(findings.items().size() == 1);
}

TEST_CASE("FedReader: nothing at all is not a container") {
  DiagnosticList findings;
  FedReader reader(findings);
  CHECK(CountNew(reader) == 0);
  CHECK(reader.status().ok());
  reader.Close();
  CHECK(CountNew(reader) == 0);
  CHECK_FALSE(reader.status().ok());
}

TEST_CASE("FedReader: the traces of the repository in pieces, whole and cut, once and twice") {
  size_t count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(DP2TRACE_SOURCE_DIR "/traces")) {
    if (entry.path().extension() != ".dp2t") continue;
    CAPTURE(entry.path().string());
    const Result<std::vector<uint8_t>> read = ReadWholeFile(entry.path().string(), 1 << 24);
    REQUIRE(read.ok());
    const std::vector<uint8_t>& file = *read;
    testing::ReadRecords(file);
    for (const size_t size : {file.size() / 3, file.size() / 2, file.size() * 99 / 100})
      testing::ReadRecords(Bytes(file).first(size));
    std::vector<uint8_t> twice = file;
    twice.insert(twice.end(), file.begin(), file.end());
    testing::ReadRecords(twice);
    ++count;
  }
  CHECK(count > 100);
}
