#include "trace/reader.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "rules/rule.h"
#include "support/event_generator.h"
#include "support/test_folder.h"
#include "trace_files.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

struct TemporaryFile {
  testing::TestFolder folder;
  std::string path = folder / "t.dp2t";
  explicit TemporaryFile(Bytes bytes) {
    Result<OutputFile> file = OutputFile::Create(path);
    REQUIRE(file.ok());
    REQUIRE(file->Write(bytes).ok());
    REQUIRE(file->Commit().ok());
  }
};

struct Numbers {
  std::vector<uint64_t> numbers;
  std::vector<uint8_t> bytes;  // of all payloads
  bool operator==(const Numbers&) const = default;
};

Numbers ReadRest(Reader& reader) {
  Numbers result;
  RawEvent event;
  while (reader.Next(event)) {
    result.numbers.push_back(event.number);
    result.bytes.insert(result.bytes.end(), event.payload.begin(), event.payload.end());
  }
  return result;
}

uint64_t NumberAfterSeek(Reader& reader, uint64_t number) {
  REQUIRE(reader.SeekToEvent(number));
  RawEvent event;
  return reader.Next(event) ? event.number : ~uint64_t{0};
}

// Goes to events of a trace whose last one is `last`, and returns what was found meanwhile.
DiagnosticList CheckSeeks(Bytes file, uint64_t last) {
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(file, findings);
  REQUIRE(reader.ok());
  for (const uint64_t number : std::initializer_list<uint64_t>{last, 0, 48, 5, 6, 25, 24, 1})
    CHECK(NumberAfterSeek(*reader, number) == number);
  CHECK(NumberAfterSeek(*reader, last + 1) == ~uint64_t{0});
  CHECK(NumberAfterSeek(*reader, 17) == 17);
  CHECK(ReadRest(*reader).numbers.size() == last - 17);
  return findings;
}

// Copies the file into a pipe and opens its other end; nothing where there are no pipes with names.
std::optional<Numbers> ReadThroughPipe(const std::string& path, DiagnosticList& findings) {
  const std::string fifo = path + ".fifo";
  const std::string command = "mkfifo '" + fifo + "' && (cat '" + path + "' > '" + fifo + "' &)";
  if (std::system(command.c_str()) != 0) return std::nullopt;
  Result<Reader> reader = Reader::Open(fifo, findings);
  REQUIRE(reader.ok());
  CHECK(reader->size() == 0);
  CHECK_FALSE(reader->SeekToEvent(0));
  CHECK(reader->Index() == nullptr);
  Numbers result = ReadRest(*reader);
  std::filesystem::remove(fifo);
  return result;
}

}  // namespace

TEST_CASE(
    "Reader: every event of a random trace comes back decoded, from chunks of every compression") {
  for (const Compression compression : {Compression::kNone, Compression::kZstd}) {
    testing::EventGenerator generator(5, 3000);
    const std::vector<Event> events = generator.MakeTrace(500);
    const std::vector<uint8_t> file = testing::WriteTrace(events, {compression, 1, kMinChunkSize});
    REQUIRE(testing::ChunkOffsets(file).size() > 4);
    DiagnosticList findings;
    Result<Reader> reader = Reader::FromBytes(file, findings);
    REQUIRE(reader.ok());
    EventRecord record;
    for (size_t i = 0; i < events.size(); ++i) {
      REQUIRE(reader->Next(record));
      REQUIRE(record.number == i);
      REQUIRE(testing::SameEvent(record.event, events[i]));
    }
    CHECK_FALSE(reader->Next(record));
    CHECK_FALSE(reader->incomplete());
    CHECK(findings.count(Severity::kError) == testing::CountOf(findings, Rule::kTrace005));
  }
}

TEST_CASE("Reader: memory, file and pipe give the same") {
  for (const Compression compression : {Compression::kNone, Compression::kZstd}) {
    const std::vector<uint8_t> bytes = testing::WriteChunks(20, 7, compression);
    const TemporaryFile file(bytes);
    DiagnosticList findings;
    Result<Reader> memory = Reader::FromBytes(bytes, findings);
    Result<Reader> disk = Reader::Open(file.path, findings);
    REQUIRE(memory.ok());
    REQUIRE(disk.ok());
    CHECK(disk->size() == bytes.size());
    const Numbers expected = ReadRest(*memory);
    CHECK(expected.numbers.size() == 141);
    CHECK(ReadRest(*disk) == expected);
    CHECK(disk->position() == bytes.size());
    CHECK(ReadThroughPipe(file.path, findings).value_or(expected) == expected);
    CHECK(findings.empty());
  }
}

TEST_CASE("TRACE-001 fires for a path that cannot be opened") {
  DiagnosticList findings;
  const Result<Reader> reader = Reader::Open("/nonexistent/trace.dp2t", findings);
  REQUIRE_FALSE(reader.ok());
  CHECK(reader.status().diagnostic().rule == Rule::kTrace001);
  const Result<Reader> folder =
      Reader::Open(std::filesystem::temp_directory_path().string(), findings);
  CHECK(folder.status().diagnostic().message.find("Is a directory") != std::string::npos);
}

TEST_CASE("Reader: SeekToEvent goes to any event, forwards and back, with an index and without") {
  std::vector<uint8_t> bytes = testing::WriteChunks(10, 5, Compression::kZstd);
  CHECK(CheckSeeks(bytes, 50).empty());
  const size_t index_at = testing::ChunkOffsets(bytes)[10];
  bytes.resize(index_at);
  const DiagnosticList cut = CheckSeeks(bytes, 50);
  CHECK(cut.items().size() == 1);  // once, though the end was read several times
  CHECK(testing::CountOf(cut, Rule::kTrace019) == 1);
  bytes.push_back(1);
  const DiagnosticList torn = CheckSeeks(bytes, 50);
  CHECK(torn.items().size() == 1);
  CHECK(testing::CountOf(torn, Rule::kTrace007) == 1);
}

TEST_CASE(
    "Reader: SeekToEvent goes to any event of a trace after other text, or without a header") {
  std::vector<uint8_t> bytes = testing::WriteChunks(10, 5, Compression::kZstd);
  std::vector<uint8_t> later(5000, 'x');
  later.insert(later.end(), bytes.begin(), bytes.end());
  const DiagnosticList behind = CheckSeeks(later, 50);
  CHECK(behind.items().size() == 1);
  CHECK(testing::CountOf(behind, Rule::kTrace013) == 1);
  std::fill_n(later.begin() + 5000, kFileHeaderSize, uint8_t{'x'});
  const DiagnosticList without = CheckSeeks(later, 50);
  CHECK(without.items().size() >= 1);
  CHECK(without.items()[0].rule == Rule::kTrace008);
  CHECK(testing::CountOf(without, Rule::kTrace008) == 1);
}

TEST_CASE("Reader: SeekToEvent on a file moves the file, and Index keeps the reading position") {
  const TemporaryFile file(testing::WriteChunks(10, 5, Compression::kNone));
  DiagnosticList findings;
  Result<Reader> reader = Reader::Open(file.path, findings);
  REQUIRE(reader.ok());
  RawEvent event;
  for (int i = 0; i < 13; ++i)
    REQUIRE(reader->Next(event));
  const std::vector<uint8_t> payload(event.payload.begin(), event.payload.end());
  REQUIRE(reader->Index() != nullptr);
  CHECK(reader->Index()->chunks.size() == 10);
  CHECK(std::ranges::equal(event.payload, payload));
  REQUIRE(reader->Next(event));
  CHECK(event.number == 13);
  CHECK(NumberAfterSeek(*reader, 44) == 44);
  CHECK(NumberAfterSeek(*reader, 2) == 2);
  CHECK(ReadRest(*reader).numbers.size() == 48);
  CHECK(findings.empty());
}

TEST_CASE("Reader: an index that points elsewhere is not trusted") {
  std::vector<uint8_t> bytes = testing::WriteChunks(6, 5, Compression::kNone);
  const size_t at = testing::ChunkOffsets(bytes)[6];
  Store<uint64_t>(&bytes[at + kChunkHeaderSize + 24 + 3 * 24], 100);  // the offset of chunk 3
  testing::FixDataHash(bytes, at);
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(bytes, findings);
  REQUIRE(reader.ok());
  CHECK(NumberAfterSeek(*reader, 17) == 17);
  CHECK(reader->Index() == nullptr);
  CHECK(testing::CountOf(findings, Rule::kTrace009) == 1);
}

TEST_CASE(
    "Reader: numbers of lost events stay free, and a seek to one goes to the next that is there") {
  std::vector<uint8_t> bytes = testing::WriteChunks(6, 5, Compression::kNone);
  bytes[testing::ChunkOffsets(bytes)[3] + 500] ^= 1;
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(bytes, findings);
  REQUIRE(reader.ok());
  CHECK(NumberAfterSeek(*reader, 17) == 21);
  CHECK(NumberAfterSeek(*reader, 15) == 15);
  CHECK(ReadRest(*reader).numbers.size() == 10);
  CHECK(findings.items().size() == 1);
}
