// Files with random damage, from a fixed seed: reading them never crashes, hangs or invents an event.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/event_generator.h"
#include "trace_files.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint64_t kSeed = 20240817;
constexpr int kMutations = 20'000;

using Buffer = std::vector<uint8_t>;

size_t Below(testing::Random& random, size_t bound) {
  return static_cast<size_t>(random.Next() % bound);
}

std::ptrdiff_t Place(const Buffer& file, testing::Random& random) {
  return static_cast<std::ptrdiff_t>(Below(random, file.size()));
}

void FlipBit(Buffer& file, testing::Random& random) {
  file[Below(random, file.size())] ^= static_cast<uint8_t>(1u << Below(random, 8));
}
void SetNumber(Buffer& file, testing::Random& random) {
  const uint64_t values[] = {0,          1,          0xFF,         0xFFFFFFFF,
                             0x7FFFFFFF, 0x80000000, ~uint64_t{0}, random.Next()};
  const uint64_t value = values[Below(random, std::size(values))];
  const size_t at = Below(random, file.size());
  std::memcpy(&file[at], &value, std::min<size_t>(size_t{1} << Below(random, 4), file.size() - at));
}
void Cut(Buffer& file, testing::Random& random) {
  file.resize(1 + Below(random, file.size()));
}
void Remove(Buffer& file, testing::Random& random) {
  const auto at = file.begin() + Place(file, random);
  const auto count =
      std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(Below(random, 300)), file.end() - at);
  file.erase(at, at + count);
  if (file.empty()) file.push_back(0);
}
void Copy(Buffer& file, testing::Random& random) {
  const size_t from = Below(random, file.size());
  const size_t size = std::min<size_t>(Below(random, 3000), file.size() - from);
  const Buffer piece(&file[from], &file[from] + size);
  file.insert(file.begin() + Place(file, random), piece.begin(), piece.end());
}
// A change that the hashes agree with: it reaches the code after them.
void ForgeHeader(Buffer& file, testing::Random& random) {
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  if (offsets.empty()) return;
  testing::EditHeader(file, offsets[Below(random, offsets.size())], [&](ChunkHeader& header) {
    switch (Below(random, 6)) {
      case 0:
        header.type = static_cast<uint8_t>(Below(random, 5));
        break;
      case 1:
        header.compression = static_cast<uint8_t>(Below(random, 3));
        break;
      case 2:
        header.event_count = static_cast<uint32_t>(random.Next() >> Below(random, 64));
        break;
      case 3:
        header.first_event = random.Next() >> Below(random, 64);
        break;
      case 4:
        header.raw_size = static_cast<uint32_t>(random.Next() >> Below(random, 64));
        break;
      default:
        header.stored_size = static_cast<uint32_t>(random.Next() >> Below(random, 64));
        break;
    }
  });
}
void ForgeData(Buffer& file, testing::Random& random) {
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  if (offsets.empty()) return;
  const size_t at = offsets[Below(random, offsets.size())];
  const uint32_t stored = LoadU32(&file[at + 28]);
  if (stored == 0 || stored > file.size() - at - kChunkHeaderSize) return;
  file[at + kChunkHeaderSize + Below(random, stored)] = static_cast<uint8_t>(random.Next());
  testing::FixDataHash(file, at);
}

void Mutate(Buffer& file, testing::Random& random) {
  constexpr void (*kMutators[])(Buffer&, testing::Random&) = {
      FlipBit, SetNumber, Cut, Remove, Copy, ForgeHeader, ForgeData};
  kMutators[Below(random, std::size(kMutators))](file, random);
}

void ReadEverything(Bytes file, testing::Random& random) {
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(file, findings, {.max_memory = 16 << 20});
  if (!reader.ok()) return;
  EventRecord record;
  uint64_t next = 0;
  while (reader->Next(record)) {
    REQUIRE(record.number >= next);
    next = record.number + 1;
  }
  if (!reader->SeekToEvent(Below(random, 400))) return;
  reader->Next(record);
}

}  // namespace

TEST_CASE("Reader: 20,000 damaged files are read to some end, with numbers that ascend") {
  testing::EventGenerator generator(kSeed, 1500);
  const std::vector<Event> events = generator.MakeTrace(300);
  const Buffer originals[] = {testing::WriteTrace(events, {Compression::kNone, 3, kMinChunkSize}),
                              testing::WriteTrace(events, {Compression::kZstd, 3, kMinChunkSize})};
  testing::Random random(kSeed);
  for (int i = 0; i < kMutations; ++i) {
    CAPTURE(i);
    Buffer file = originals[i % 2];
    const uint64_t count = 1 + Below(random, 4);
    for (uint64_t k = 0; k < count; ++k)
      Mutate(file, random);
    ReadEverything(file, random);
  }
}
