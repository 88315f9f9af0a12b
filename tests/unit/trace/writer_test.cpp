#include "trace/writer.h"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>

#include "rules/rule.h"
#include "support/event_generator.h"
#include "trace_files.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Writer: the bytes that a reader got, added as they are, give the same file") {
  for (const Compression compression : {Compression::kNone, Compression::kZstd}) {
    testing::EventGenerator generator(11, 4000);
    const WriterOptions options = {compression, 3, kMinChunkSize};
    const std::vector<uint8_t> file = testing::WriteTrace(generator.MakeTrace(300), options);
    const testing::ReadResult read = testing::ReadTrace(file);
    CHECK(read.findings.empty());
    std::vector<uint8_t> copy;
    Writer writer(
        [&copy](Bytes bytes) {
          copy.insert(copy.end(), bytes.begin(), bytes.end());
          return OkStatus();
        },
        options);
    for (const testing::ReadEvent& event : read.events)
      REQUIRE(writer.AddRaw(event.kind, event.flags, event.payload).ok());
    REQUIRE(writer.Finish().ok());
    CHECK(copy == file);
  }
}

TEST_CASE(
    "Writer: chunks keep within their size, and an event that is larger has a chunk of its own") {
  const std::vector<uint8_t> file = testing::WriteSizedEvents(
      {30000, 30000, 30000, 200000, 10, 10}, {Compression::kNone, 3, kMinChunkSize});
  std::vector<uint32_t> counts;
  for (const size_t offset : testing::ChunkOffsets(file)) {
    const auto header = ParseChunkHeader(Bytes(file).subspan(offset));
    counts.push_back(header->event_count);
    CHECK((header->event_count == 1 || header->raw_size <= kMinChunkSize));
  }
  CHECK(counts == std::vector<uint32_t>{3, 1, 1, 2, 0, 0});
}

TEST_CASE("Writer: chunk sizes out of range are clamped") {
  const std::vector<size_t> sizes(100, 1000);
  CHECK(testing::WriteSizedEvents(sizes, {Compression::kNone, 3, 1}) ==
        testing::WriteSizedEvents(sizes, {Compression::kNone, 3, kMinChunkSize}));
}

TEST_CASE("Writer: data that do not become smaller are stored raw") {
  testing::EventGenerator generator(3);
  const Bytes noise = generator.MakeBytes(100000);
  const std::vector<uint8_t> file = testing::WriteTrace({Header{}, Unknown{5000, 1, noise}},
                                                        {Compression::kZstd, 19, kMinChunkSize});
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  CHECK(ParseChunkHeader(Bytes(file).subspan(offsets[1]))->compression == 0);
  CHECK(testing::ReadTrace(file).findings.empty());
}

TEST_CASE("Writer: what was flushed is there without Finish, and a chunk is one write") {
  std::vector<uint8_t> file;
  size_t writes = 0;
  Writer writer([&](Bytes bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
    ++writes;
    return OkStatus();
  });
  REQUIRE(writer.Add(Header{}).ok());
  REQUIRE(writer.Add(testing::TextMarker("one")).ok());
  CHECK(file.empty());
  REQUIRE(writer.Flush().ok());
  CHECK(writes == 2);  // file header, chunk
  REQUIRE(writer.Add(testing::TextMarker("lost")).ok());
  const testing::ReadResult read = testing::ReadTrace(file);
  CHECK(read.events.size() == 2);
  CHECK(testing::CountOf(read.findings, Rule::kTrace019) == 1);
  CHECK_FALSE(read.truncated);
}

TEST_CASE(
    "Writer: what ends with FinishCut has all events and is cut, another trace after it or not") {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{3}}) {
    CAPTURE(count);
    std::vector<uint8_t> file;
    Writer writer([&](Bytes bytes) {
      file.insert(file.end(), bytes.begin(), bytes.end());
      return OkStatus();
    });
    for (size_t i = 0; i < count; ++i)
      REQUIRE(writer.Add(Event(Header{})).ok());
    REQUIRE(writer.FinishCut().ok());
    const std::vector<uint8_t> other = testing::WriteTrace({Header{}});
    for (const bool has_other : {false, true}) {
      if (has_other) file.insert(file.end(), other.begin(), other.end());
      const testing::ReadResult read = testing::ReadTrace(file);
      CHECK(read.events.size() == count + (has_other ? 1 : 0));
      CHECK(testing::CountOf(read.findings, Rule::kTrace007) == 1);
      CHECK(read.truncated);
      CHECK(read.incomplete);
    }
  }
}

TEST_CASE("Writer: an empty trace is a whole file") {
  const std::vector<uint8_t> file = testing::WriteTrace({});
  const testing::ReadResult read = testing::ReadTrace(file);
  CHECK(read.status.ok());
  CHECK(read.events.empty());
  CHECK(read.findings.empty());
  CHECK_FALSE(read.incomplete);
}

TEST_CASE("Writer: a failure of the sink ends the writing and is returned from then on") {
  int left = 2;
  Writer writer([&left](Bytes) {
    return left-- > 0 ? OkStatus() : Status(MakeDiagnostic(Rule::kIo001, "disk full"));
  });
  REQUIRE(writer.Add(Header{}).ok());
  REQUIRE(writer.Flush().ok());
  REQUIRE(writer.Add(Marker{}).ok());
  CHECK_FALSE(writer.Flush().ok());
  CHECK(writer.Add(Marker{}).diagnostic().message == "disk full");
  CHECK(writer.Finish().diagnostic().message == "disk full");
}

TEST_CASE(
    "TRACE-014 fires for an event of 4 GiB, and the largest possible size is let through to the sink") {
  constexpr size_t kSize = size_t{1} << 32;
  void* memory =
      mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  Writer writer([](Bytes) { return OkStatus(); });
  REQUIRE(writer.AddRaw(5000, 1, Bytes(static_cast<const uint8_t*>(memory), 1000)).ok());
  const Status status =
      writer.AddRaw(5000, 1, Bytes(static_cast<const uint8_t*>(memory), kSize - 8));
  REQUIRE_FALSE(status.ok());
  CHECK(status.diagnostic().rule == Rule::kTrace014);
  munmap(memory, kSize);
}

TEST_CASE(
    "Writer: the index names the chunks and the frames, and a present that does not decode ends none") {
  Present present;
  present.handle = 1;
  const uint8_t bad[] = {1};
  const std::vector<uint8_t> file =
      testing::WriteTrace({Header{}, present, Marker{}, Unknown{11, 0, bad}, present, Marker{}},
                          {Compression::kZstd, 3, kMinChunkSize});
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(file, findings);
  REQUIRE(reader.ok());
  const TraceIndex* index = reader->Index();
  REQUIRE(index != nullptr);
  CHECK(index->frames == std::vector<uint64_t>{1, 4});
  CHECK(index->event_count == 6);
  REQUIRE(index->chunks.size() == 1);
  CHECK(index->chunks[0].offset == kFileHeaderSize);
}
