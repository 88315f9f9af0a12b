// Files that were cut off or damaged: what is whole is delivered, what is lost is said.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rules/rule.h"
#include "support/event_generator.h"
#include "trace_files.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

bool IsPrefix(const std::vector<testing::ReadEvent>& part,
              const std::vector<testing::ReadEvent>& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

// The position after every event of an uncompressed file.
std::vector<size_t> EventEnds(Bytes file) {
  std::vector<size_t> ends;
  for (const size_t offset : testing::ChunkOffsets(file)) {
    const auto header = ParseChunkHeader(file.subspan(offset));
    size_t at = offset + kChunkHeaderSize;
    for (uint32_t i = 0; i < header->event_count; ++i) {
      at += kEventHeaderSize + LoadU32(&file[at + 4]);
      ends.push_back(at);
    }
  }
  return ends;
}

// The file is cut, and says so, unless it ends after a whole chunk.
void CheckPrefix(Bytes file, size_t size, const std::vector<testing::ReadEvent>& all,
                 size_t expected_at_least) {
  CAPTURE(size);
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  const bool is_whole =
      std::ranges::find(offsets.begin() + 1, offsets.end(), size) != offsets.end();
  const testing::ReadResult read = testing::ReadTrace(file.first(size));
  REQUIRE(read.status.ok());
  REQUIRE(read.truncated != is_whole);
  REQUIRE(read.incomplete != is_whole);
  REQUIRE(read.findings.items().size() == 1);
  REQUIRE(read.findings.items()[0].rule == (is_whole ? Rule::kTrace019 : Rule::kTrace007));
  REQUIRE(IsPrefix(read.events, all));
  REQUIRE(read.events.size() >= expected_at_least);
}

// The numbers of the events that the chunk at `index` holds.
std::set<uint64_t> EventsOfChunk(Bytes file, size_t index) {
  const auto header = ParseChunkHeader(file.subspan(testing::ChunkOffsets(file)[index]));
  std::set<uint64_t> numbers;
  for (uint32_t i = 0; i < header->event_count; ++i)
    numbers.insert(header->first_event + i);
  return numbers;
}

// Exactly the events of chunk `lost` are missing; with none, none is.
void CheckLost(const testing::ReadResult& read, const std::vector<testing::ReadEvent>& all,
               const std::set<uint64_t>& lost) {
  std::vector<testing::ReadEvent> expected;
  std::ranges::copy_if(all, std::back_inserter(expected),
                       [&](const auto& event) { return !lost.contains(event.number); });
  REQUIRE(read.status.ok());
  REQUIRE(read.events == expected);
}

std::vector<uint8_t> SmallFile(Compression compression) {
  std::vector<size_t> sizes(200);
  for (size_t i = 0; i < sizes.size(); ++i)
    sizes[i] = (i * 37) % 900;
  return testing::WriteSizedEvents(sizes, {compression, 3, kMinChunkSize});
}

}  // namespace

TEST_CASE(
    "TRACE-007 fires on every prefix of a raw file but after a chunk, and every whole event is delivered") {
  const std::vector<uint8_t> file = SmallFile(Compression::kNone);
  const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
  const std::vector<size_t> ends = EventEnds(file);
  REQUIRE(testing::ChunkOffsets(file).size() == 4);
  for (size_t size = 1; size < file.size();
       size += size < 500 || file.size() - size < 300 ? 1u : 97u) {
    const auto whole = static_cast<size_t>(std::ranges::upper_bound(ends, size) - ends.begin());
    CheckPrefix(file, size, all, whole);
  }
}

TEST_CASE(
    "TRACE-007 fires on every prefix of a zstd file but after a chunk, and the events of whole chunks are delivered") {
  const std::vector<uint8_t> file = SmallFile(Compression::kZstd);
  const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  for (size_t size = 1; size < file.size(); ++size) {
    size_t whole = 0;
    for (size_t i = 0; i + 1 < offsets.size(); ++i) {
      if (offsets[i + 1] <= size) whole += EventsOfChunk(file, i).size();
    }
    CheckPrefix(file, size, all, whole);
  }
}

TEST_CASE("TRACE-007: of a cut zstd chunk the events that can be decompressed are delivered") {
  testing::EventGenerator generator(9);
  const Bytes noise = generator.MakeBytes(3'000'000);
  std::vector<uint8_t> mixed(noise.begin(), noise.end());
  for (size_t i = 0; i < mixed.size(); i += 4)
    mixed[i] = 0;  // compressible, in many blocks
  std::vector<Event> events = {Header{}};
  for (size_t i = 0; i < 3000; ++i)
    events.emplace_back(Unknown{5000, 1, Bytes(mixed).subspan(i * 1000, 1000)});
  const std::vector<uint8_t> file =
      testing::WriteTrace(events, {Compression::kZstd, 3, kMaxChunkSize});
  REQUIRE(testing::ChunkOffsets(file).size() == 3);
  const testing::ReadResult read = testing::ReadTrace(Bytes(file).first(file.size() / 2));
  CHECK(read.events.size() > 1000);
  CHECK(read.events.size() < 2000);
}

TEST_CASE("TRACE-019 fires after each whole chunk with its events, and is advice") {
  for (const Compression compression : {Compression::kNone, Compression::kZstd}) {
    const std::vector<uint8_t> file = SmallFile(compression);
    const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
    const std::vector<size_t> offsets = testing::ChunkOffsets(file);
    size_t whole = 0;
    for (size_t i = 1; i < offsets.size(); ++i) {
      whole += EventsOfChunk(file, i - 1).size();
      CheckPrefix(file, offsets[i], all, whole);
      const testing::ReadResult read = testing::ReadTrace(Bytes(file).first(offsets[i]));
      CHECK(read.events.size() == whole);
      CHECK(read.findings.items()[0].severity == Severity::kAdvice);
      CHECK(read.findings.items()[0].offset == offsets[i]);
    }
    CHECK(whole == all.size());
  }
}

TEST_CASE("TRACE-019 does not fire where no chunk was written: that trace is cut") {
  const std::vector<uint8_t> file = SmallFile(Compression::kZstd);
  const testing::ReadResult read = testing::ReadTrace(Bytes(file).first(kFileHeaderSize));
  CHECK(read.truncated);
  CHECK(testing::CountOf(read.findings, Rule::kTrace019) == 0);
}

TEST_CASE("TRACE-007 does not fire on a whole file") {
  CHECK(testing::ReadTrace(SmallFile(Compression::kZstd)).findings.empty());
  CHECK(testing::ReadTrace(SmallFile(Compression::kNone)).findings.empty());
}

TEST_CASE(
    "TRACE-008 fires once for a flipped bit in a chunk, which costs only the events of that chunk") {
  for (const Compression compression : {Compression::kNone, Compression::kZstd}) {
    std::vector<uint8_t> file = SmallFile(compression);
    const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
    const std::vector<size_t> offsets = testing::ChunkOffsets(file);
    const size_t step = file.size() > 50000 ? 97 : 5;
    for (size_t at = kFileHeaderSize; at < offsets[offsets.size() - 2];
         at += at % 5000 < 60 ? size_t{1} : step) {
      CAPTURE(at);
      const auto chunk =
          static_cast<size_t>(std::ranges::upper_bound(offsets, at) - offsets.begin()) - 1;
      const std::set<uint64_t> lost = EventsOfChunk(file, chunk);
      file[at] ^= static_cast<uint8_t>(1u << (at % 8));
      const testing::ReadResult read = testing::ReadTrace(file);
      file[at] ^= static_cast<uint8_t>(1u << (at % 8));
      CheckLost(read, all, lost);
      REQUIRE(read.findings.items().size() == 1);
      const Diagnostic& finding = read.findings.items()[0];
      REQUIRE(finding.rule == Rule::kTrace008);
      REQUIRE(finding.offset == offsets[chunk]);
      REQUIRE(finding.length == offsets[chunk + 1] - offsets[chunk]);
      REQUIRE(finding.message.find(fmt::format("events {} to {} are lost", *lost.begin(),
                                               *lost.rbegin())) != std::string::npos);
      REQUIRE(read.incomplete);
      REQUIRE_FALSE(read.truncated);
    }
  }
}

TEST_CASE("TRACE-009 fires for every flipped bit in index and footer, which cost nothing") {
  std::vector<uint8_t> file = SmallFile(Compression::kZstd);
  const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  for (size_t bit = offsets[offsets.size() - 2] * 8; bit < file.size() * 8; ++bit) {
    CAPTURE(bit);
    file[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    const testing::ReadResult read = testing::ReadTrace(file);
    file[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    CheckLost(read, all, {});
    REQUIRE(read.findings.items().size() == 1);
    REQUIRE(read.findings.items()[0].rule == Rule::kTrace009);
    REQUIRE_FALSE(read.truncated);
    REQUIRE_FALSE(read.incomplete);
  }
}

TEST_CASE("TRACE-009 does not fire on a whole file, by way of the index either") {
  const std::vector<uint8_t> file = SmallFile(Compression::kZstd);
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(file, findings);
  REQUIRE(reader.ok());
  CHECK(reader->Index() != nullptr);
  CHECK(findings.empty());
}

TEST_CASE("Salvage: a flipped bit in the file header costs no event, or the version is refused") {
  std::vector<uint8_t> file = SmallFile(Compression::kZstd);
  const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
  for (size_t bit = 0; bit < kFileHeaderSize * 8; ++bit) {
    CAPTURE(bit);
    file[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    const testing::ReadResult read = testing::ReadTrace(file);
    file[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    if (bit > 64 && bit < 80) {
      CHECK(read.status.diagnostic().rule == Rule::kTrace003);
    } else {
      CheckLost(read, all, {});
      CHECK(testing::CountOf(read.findings, Rule::kTrace008) == (bit <= 64 ? 1 : 0));
    }
  }
}

TEST_CASE("TRACE-008: a chunk that was taken out is missed, without damage anywhere") {
  std::vector<uint8_t> file = SmallFile(Compression::kNone);
  const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  const std::set<uint64_t> lost = EventsOfChunk(file, 0);
  file.erase(file.begin() + static_cast<std::ptrdiff_t>(offsets[0]),
             file.begin() + static_cast<std::ptrdiff_t>(offsets[1]));
  const testing::ReadResult read = testing::ReadTrace(file);
  CheckLost(read, all, lost);
  REQUIRE(read.findings.items().size() == 1);
  CHECK(read.findings.items()[0].rule == Rule::kTrace008);
  CHECK(read.findings.items()[0].length == 0);
}

TEST_CASE("Salvage: bytes taken out of or put into a chunk cost only that chunk") {
  for (const std::ptrdiff_t change : {-3000, -1, 1, 100, 3000}) {
    CAPTURE(change);
    std::vector<uint8_t> file = SmallFile(Compression::kNone);
    const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
    for (const size_t chunk : {size_t{0}, size_t{1}}) {
      const std::set<uint64_t> lost = EventsOfChunk(file, chunk);
      std::vector<uint8_t> changed = file;
      const auto at =
          changed.begin() + static_cast<std::ptrdiff_t>(testing::ChunkOffsets(file)[chunk] + 1000);
      if (change < 0) changed.erase(at, at - change);
      if (change > 0) changed.insert(at, static_cast<size_t>(change), 0x55);
      const testing::ReadResult read = testing::ReadTrace(changed);
      CheckLost(read, all, lost);
      CHECK(testing::CountOf(read.findings, Rule::kTrace008) == 1);
    }
  }
}

TEST_CASE("Salvage: a trace inside a damaged chunk of a trace is not mistaken for it") {
  const std::vector<uint8_t> inner = testing::WriteChunks(3, 3, Compression::kNone);
  SurfaceUpdate update;
  update.data = inner;
  std::vector<Event> events = {Header{}};
  for (int i = 0; i < 40; ++i)
    events.emplace_back(testing::TextMarker("before"));
  events.emplace_back(update);
  for (int i = 0; i < 40; ++i)
    events.emplace_back(testing::TextMarker("after"));
  std::vector<uint8_t> file = testing::WriteTrace(events, {Compression::kNone, 3, kMinChunkSize});
  const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
  for (const size_t at :
       {testing::ChunkOffsets(file)[1] + 3, testing::ChunkOffsets(file)[1] + 60}) {
    file[at] ^= 1;
    CheckLost(testing::ReadTrace(file), all, {41});
    file[at] ^= 1;
  }
}

TEST_CASE("TRACE-012 fires on a chunk that is there twice; its events are delivered once") {
  std::vector<uint8_t> file = SmallFile(Compression::kNone);
  const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  const std::vector<uint8_t> copy(file.begin() + static_cast<std::ptrdiff_t>(offsets[0]),
                                  file.begin() + static_cast<std::ptrdiff_t>(offsets[1]));
  file.insert(file.begin() + static_cast<std::ptrdiff_t>(offsets[1]), copy.begin(), copy.end());
  const testing::ReadResult read = testing::ReadTrace(file);
  CheckLost(read, all, {});
  CHECK(testing::CountOf(read.findings, Rule::kTrace012) == 1);
}

TEST_CASE(
    "TRACE-012 fires on a chunk with fewer whole events than it announces; the whole ones are delivered") {
  std::vector<uint8_t> file = SmallFile(Compression::kNone);
  const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
  const size_t at = testing::ChunkOffsets(file)[1];
  const std::set<uint64_t> numbers = EventsOfChunk(file, 1);
  size_t event = at + kChunkHeaderSize;
  for (int i = 0; i < 10; ++i)
    event += kEventHeaderSize + LoadU32(&file[event + 4]);
  Store<uint32_t>(&file[event + 4], 0xFFFFFFFF);
  testing::FixDataHash(file, at);
  std::set<uint64_t> lost(std::next(numbers.begin(), 10), numbers.end());
  const testing::ReadResult read = testing::ReadTrace(file);
  CheckLost(read, all, lost);
  REQUIRE(read.findings.items().size() == 1);
  CHECK(read.findings.items()[0].rule == Rule::kTrace012);
}

TEST_CASE("TRACE-012 does not fire on chunks that follow each other") {
  CHECK(testing::CountOf(testing::ReadTrace(SmallFile(Compression::kNone)).findings,
                         Rule::kTrace012) == 0);
}

TEST_CASE("TRACE-012 fires on event numbers that no file can have") {
  std::vector<uint8_t> file = SmallFile(Compression::kNone);
  testing::EditHeader(file, testing::ChunkOffsets(file)[1],
                      [](ChunkHeader& header) { header.first_event = ~uint64_t{0} - 1; });
  const testing::ReadResult read = testing::ReadTrace(file);
  CHECK(testing::CountOf(read.findings, Rule::kTrace012) == 1);
  CHECK(testing::CountOf(read.findings, Rule::kTrace008) == 1);  // and its events are missing
}

TEST_CASE("TRACE-013 fires on text before the file header, which costs nothing up to 16 MiB") {
  constexpr size_t kMost = (size_t{16} << 20) - kFileHeaderSize - kChunkHeaderSize;
  const std::vector<uint8_t> file = SmallFile(Compression::kZstd);
  const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
  for (const size_t size : {size_t{1}, size_t{15}, size_t{64}, size_t{5000}, kMost, kMost + 1}) {
    CAPTURE(size);
    std::vector<uint8_t> later(size, 'x');
    later.insert(later.end(), file.begin(), file.end());
    const testing::ReadResult read = testing::ReadTrace(later);
    if (size > kMost) {
      REQUIRE_FALSE(read.status.ok());
      CHECK(read.status.diagnostic().rule == Rule::kTrace002);
      continue;
    }
    CheckLost(read, all, {});
    REQUIRE(read.findings.items().size() == 1);
    CHECK(read.findings.items()[0].rule == Rule::kTrace013);
    CHECK(read.findings.items()[0].offset == 0);
    CHECK(read.findings.items()[0].length == size);
    CHECK_FALSE(read.incomplete);
  }
}

TEST_CASE("TRACE-013 fires on text between two chunks, which costs nothing") {
  const std::vector<uint8_t> file = SmallFile(Compression::kZstd);
  const std::vector<testing::ReadEvent> all = testing::ReadTrace(file).events;
  std::vector<size_t> chunks = testing::ChunkOffsets(file);
  REQUIRE(chunks.size() > 3);
  chunks.erase(chunks.begin());
  for (const std::string_view text : {std::string_view("usb 1-1: connected\r\n"),
                                      std::string_view("\0\0\0", 3), std::string_view("x")}) {
    for (const size_t at : chunks) {
      CAPTURE(text);
      CAPTURE(at);
      std::vector<uint8_t> longer = file;
      longer.insert(longer.begin() + static_cast<ptrdiff_t>(at), text.begin(), text.end());
      const testing::ReadResult read = testing::ReadTrace(longer);
      CheckLost(read, all, {});
      REQUIRE(read.findings.items().size() == 1);
      CHECK(read.findings.items()[0].rule == Rule::kTrace013);
      CHECK(read.findings.items()[0].offset == at);
      CHECK(read.findings.items()[0].length == text.size());
      CHECK_FALSE(read.incomplete);
    }
  }
}

TEST_CASE("TRACE-008 fires on text in place of a chunk: its events are lost") {
  std::vector<uint8_t> file = SmallFile(Compression::kZstd);
  const std::vector<size_t> chunks = testing::ChunkOffsets(file);
  std::fill(file.begin() + static_cast<ptrdiff_t>(chunks[1]),
            file.begin() + static_cast<ptrdiff_t>(chunks[2]), 'x');
  const testing::ReadResult read = testing::ReadTrace(file);
  REQUIRE(read.findings.items().size() == 1);
  CHECK(read.findings.items()[0].rule == Rule::kTrace008);
}

TEST_CASE("TRACE-013 fires on bytes after the footer, and only there") {
  std::vector<uint8_t> file = SmallFile(Compression::kZstd);
  file.push_back(0);
  const testing::ReadResult read = testing::ReadTrace(file);
  REQUIRE(read.findings.items().size() == 1);
  CHECK(read.findings.items()[0].rule == Rule::kTrace013);
  CHECK(read.findings.items()[0].offset == file.size() - 1);
  file.pop_back();
  CHECK(testing::ReadTrace(file).findings.empty());
}

TEST_CASE(
    "Salvage: a file of sync markers and headers that claim everything is read in time that grows with its size") {
  std::vector<uint8_t> file = testing::WriteTrace({});
  file.resize(kFileHeaderSize);
  for (uint64_t i = 0; i < 100'000; ++i) {
    ChunkHeader header;
    header.type = 1;
    header.first_event = i;
    header.event_count = 1;
    header.raw_size = header.stored_size = 48 * 50'000;
    std::array<uint8_t, kChunkHeaderSize> bytes{};
    EncodeChunkHeader(header, bytes);
    file.insert(file.end(), bytes.begin(), bytes.end());
  }
  const testing::ReadResult read = testing::ReadTrace(file);
  CHECK(read.events.empty());
  CHECK(read.truncated);
}
