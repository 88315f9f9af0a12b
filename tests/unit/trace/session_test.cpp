// Captures that were appended to each other, cut before the next one, written into a file that was longer, or changed while written.
#include <doctest/doctest.h>

#include "rules/rule.h"
#include "trace_files.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::vector<uint8_t>& Capture() {
  static const std::vector<uint8_t> kFile = testing::WriteTrace(
      {Header{}, testing::TextMarker("one"), Present{}, testing::TextMarker("two")},
      {Compression::kNone});
  return kFile;
}

std::vector<uint8_t> operator+(Bytes a, Bytes b) {
  std::vector<uint8_t> sum(a.begin(), a.end());
  sum.insert(sum.end(), b.begin(), b.end());
  return sum;
}

// Without index and footer.
std::vector<uint8_t> Unfinished() {
  const std::vector<size_t> offsets = testing::ChunkOffsets(Capture());
  return {Capture().begin(), Capture().begin() + static_cast<std::ptrdiff_t>(offsets[1])};
}

std::vector<uint16_t> Kinds(const testing::ReadResult& read) {
  std::vector<uint16_t> kinds;
  for (size_t i = 0; i < read.events.size(); ++i) {
    CHECK(read.events[i].number == i);
    kinds.push_back(read.events[i].kind);
  }
  return kinds;
}

const std::vector<uint16_t> kTwice = {1, 12, 11, 12, 1, 12, 11, 12};

}  // namespace

TEST_CASE("Sessions: two captures appended are one trace, whose numbers go on") {
  const testing::ReadResult read = testing::ReadRecords(Capture() + Capture());
  CHECK(Kinds(read) == kTwice);
  CHECK(read.findings.empty());
  CHECK_FALSE(read.truncated);
  CHECK_FALSE(read.incomplete);
}

TEST_CASE("Sessions: the first one may lack its end") {
  const testing::ReadResult read = testing::ReadRecords(Unfinished() + Capture());
  CHECK(Kinds(read) == kTwice);
  REQUIRE(read.findings.items().size() == 1);
  CHECK(read.findings.items()[0].rule == Rule::kTrace019);
  CHECK(read.findings.items()[0].offset == Unfinished().size());
  CHECK_FALSE(read.truncated);
  CHECK_FALSE(read.incomplete);
}

TEST_CASE(
    "Sessions: the first one may be cut at every byte; its whole events and all of the second are there") {
  const std::vector<uint8_t> first = Unfinished();
  for (size_t size = kFileHeaderSize; size < first.size(); ++size) {
    CAPTURE(size);
    const testing::ReadResult read = testing::ReadRecords(Bytes(first).first(size) + Capture());
    REQUIRE(read.status.ok());
    REQUIRE(read.events.size() >= 4);
    CHECK(read.events[read.events.size() - 4].kind == 1);
    CHECK(testing::CountOf(read.findings, Rule::kTrace007) == 1);
    CHECK(read.findings.items().size() == 1);
  }
}

TEST_CASE("Sessions: the second one may be cut at every byte; after a chunk it is whole") {
  const std::vector<size_t> offsets = testing::ChunkOffsets(Capture());
  REQUIRE(offsets.size() == 3);
  for (size_t size = kFileHeaderSize; size < Capture().size(); ++size) {
    CAPTURE(size);
    const testing::ReadResult read = testing::ReadRecords(Capture() + Bytes(Capture()).first(size));
    const bool is_whole = size == offsets[1] || size == offsets[2];
    CHECK(read.events.size() >= (is_whole ? 8 : 4));
    REQUIRE(read.findings.items().size() == 1);
    CHECK(read.findings.items()[0].rule == (is_whole ? Rule::kTrace019 : Rule::kTrace007));
    CHECK(read.truncated != is_whole);
  }
}

TEST_CASE("Sessions: seeking reads from the start, and finds events of the second one") {
  const std::vector<uint8_t> file = Capture() + Capture();
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(file, findings);
  REQUIRE(reader.ok());
  CHECK(reader->Index() == nullptr);
  REQUIRE(reader->SeekToEvent(6));
  RawEvent event;
  REQUIRE(reader->Next(event));
  CHECK(event.number == 6);
  CHECK(event.kind == 11);
  CHECK(findings.empty());
}

TEST_CASE("TRACE-019 fires on zeros and text after the last whole chunk: the trace is whole") {
  for (const size_t size : std::initializer_list<size_t>{1, 47, 48, 96, 5000, 200000}) {
    for (const uint8_t fill : std::initializer_list<uint8_t>{0x00, 'x'}) {
      CAPTURE(size);
      CAPTURE(fill);
      const std::vector<uint8_t> tail(size, fill);
      for (const bool is_last : {true, false}) {
        CAPTURE(is_last);
        const testing::ReadResult read = testing::ReadRecords(
            Unfinished() + tail + (is_last ? std::vector<uint8_t>() : Capture()));
        CHECK(read.events.size() == (is_last ? 4U : 8U));
        CHECK_FALSE(read.truncated);
        CHECK_FALSE(read.incomplete);
        REQUIRE(read.findings.items().size() == (fill == 0 ? 1U : 2U));
        CHECK(read.findings.items()[0].rule == Rule::kTrace019);
        CHECK(read.findings.items()[0].offset == Unfinished().size());
        CHECK(testing::CountOf(read.findings, Rule::kTrace013) == (fill == 0 ? 0 : 1));
      }
    }
  }
}

TEST_CASE("TRACE-007: garbage after the last whole chunk is what was not written") {
  for (const size_t size : std::initializer_list<size_t>{1, 47, 48, 96, 5000, 200000}) {
    for (const uint8_t fill : std::initializer_list<uint8_t>{0x01, 0xFF, 0xFE}) {
      CAPTURE(size);
      const std::vector<uint8_t> tail(size, fill);
      const testing::ReadResult read = testing::ReadRecords(Unfinished() + tail);
      CHECK(read.events.size() == 4);
      REQUIRE(read.findings.items().size() == 1);
      CHECK(read.findings.items()[0].rule == Rule::kTrace007);
      CHECK(read.findings.items()[0].offset == Unfinished().size());
    }
  }
}

TEST_CASE("TRACE-007: a chunk that ends in zeros gives the events before them") {
  const std::vector<uint8_t> whole = Unfinished();
  const size_t begin = kFileHeaderSize + kChunkHeaderSize;
  for (size_t size = begin; size < whole.size(); ++size) {
    CAPTURE(size);
    std::vector<uint8_t> file(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    file.resize(whole.size() + 1000);
    const testing::ReadResult read = testing::ReadRecords(file);
    CHECK(read.events.size() <= 4);
    CHECK(testing::CountOf(read.findings, Rule::kTrace007) == 1);
    if (size > begin + 40) CHECK(read.events.size() >= 1);
  }
}

TEST_CASE("TRACE-015 fires when bytes of a blob changed, and the chunk is read") {
  std::vector<uint8_t> file = Capture();
  const size_t letter = kFileHeaderSize + kChunkHeaderSize + 16 + kEventHeaderSize + 12;
  REQUIRE(file[letter] == 'o');
  file[letter] = 'O';
  const testing::ReadResult read = testing::ReadRecords(file);
  CHECK(read.events.size() == 4);
  REQUIRE(read.findings.items().size() == 1);
  CHECK(read.findings.items()[0].rule == Rule::kTrace015);
  CHECK(read.findings.items()[0].severity == Severity::kWarning);
  CHECK_FALSE(read.incomplete);
}

TEST_CASE("TRACE-015 does not fire where an event does not decode: the chunk is lost (TRACE-008)") {
  std::vector<uint8_t> file = Capture();
  file[kFileHeaderSize + kChunkHeaderSize + 16 + kEventHeaderSize] = 0xFF;  // the mask of a marker
  const testing::ReadResult read = testing::ReadRecords(file);
  CHECK(read.events.empty());
  CHECK(testing::CountOf(read.findings, Rule::kTrace015) == 0);
  CHECK(testing::CountOf(read.findings, Rule::kTrace008) == 1);
}

TEST_CASE("Index: an empty one is none, and no finding") {
  std::vector<uint8_t> file = Unfinished();
  const size_t offset = file.size();
  const auto append = [&file](ChunkType type, const std::vector<uint8_t>& data) {
    const size_t at = file.size();
    file.resize(at + kChunkHeaderSize);
    ChunkHeader header;
    header.type = static_cast<uint8_t>(type);
    header.first_event = 4;
    header.raw_size = header.stored_size = static_cast<uint32_t>(data.size());
    EncodeChunkHeader(header, std::span(file).subspan(at).first<kChunkHeaderSize>());
    file.insert(file.end(), data.begin(), data.end());
    testing::FixDataHash(file, at);
  };
  append(ChunkType::kIndex, std::vector<uint8_t>(24, 0));
  Footer footer;
  footer.index_offset = offset;
  footer.index_size = kChunkHeaderSize + 24;
  footer.file_size = file.size() + kFooterSize;
  const auto payload = EncodeFooter(footer);
  append(ChunkType::kFooter, {payload.begin(), payload.end()});
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(file, findings);
  REQUIRE(reader.ok());
  CHECK(reader->Index() == nullptr);
  REQUIRE(reader->SeekToEvent(2));
  RawEvent event;
  REQUIRE(reader->Next(event));
  CHECK(event.number == 2);
  while (reader->Next(event)) {
  }
  CHECK(findings.empty());
  CHECK_FALSE(reader->truncated());
}
