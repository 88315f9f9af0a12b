// The reader keeps within its memory limit whatever the sizes in a file say.
#include <doctest/doctest.h>

#include "rules/rule.h"
#include "trace_files.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// Three chunks; the sizes in the header of the second are overwritten where they are not 0.
std::vector<uint8_t> WithSizes(uint32_t raw_size, uint32_t stored_size) {
  std::vector<uint8_t> file = testing::WriteChunks(3, 4, Compression::kZstd);
  testing::EditHeader(file, testing::ChunkOffsets(file)[1], [&](ChunkHeader& header) {
    if (raw_size != 0) header.raw_size = raw_size;
    if (stored_size != 0) header.stored_size = stored_size;
  });
  return file;
}

}  // namespace

TEST_CASE("TRACE-010 fires on a chunk that claims 4 GiB raw, which costs only that chunk") {
  const testing::ReadResult read = testing::ReadTrace(WithSizes(0xFFFFFFF0, 0));
  CHECK(testing::CountOf(read.findings, Rule::kTrace010) == 1);
  CHECK(read.findings.items().size() == 1);
  CHECK(read.events.size() == 3 * 4 + 1 - 4);
  CHECK(read.incomplete);
  CHECK_FALSE(read.truncated);
}

TEST_CASE("Memory: a chunk that claims 4 GiB stored in a short file loses only that chunk") {
  const testing::ReadResult read =
      testing::ReadTrace(WithSizes(0, 0xFFFFFFF0), {.max_memory = uint64_t{1} << 34});
  CHECK(testing::CountOf(read.findings, Rule::kTrace008) == 1);
  CHECK(read.findings.items().size() == 1);
  CHECK(read.events.size() == 3 * 4 + 1 - 4);
}

TEST_CASE("TRACE-010 does not fire when the limit is just large enough") {
  const std::vector<uint8_t> file = testing::WriteChunks(3, 4, Compression::kZstd);
  const uint64_t needed = kMinChunkSize;  // from memory nothing but the raw chunk is held
  CHECK(testing::ReadTrace(file, {.max_memory = needed}).findings.empty());
  CHECK(testing::CountOf(testing::ReadTrace(file, {.max_memory = 60000}).findings,
                         Rule::kTrace010) == 3);
}

TEST_CASE("Memory: a decompressed size that is wrong is a contradiction, not an overflow") {
  for (const uint32_t raw_size : {1u, 65535u, 65537u, 1u << 20}) {
    const testing::ReadResult read = testing::ReadTrace(WithSizes(raw_size, 0));
    CHECK(testing::CountOf(read.findings, Rule::kTrace012) == 1);
    CHECK(read.events.size() == 3 * 4 + 1 - 4);
  }
}

TEST_CASE("Memory: a chunk that is too large and repeats events takes none back") {
  std::vector<uint8_t> file = testing::WriteChunks(3, 4, Compression::kZstd);
  const std::vector<size_t> offsets = testing::ChunkOffsets(file);
  testing::EditHeader(file, offsets[1], [](ChunkHeader& header) {
    header.first_event = 0;
    header.event_count = 1;
    header.raw_size = 64 << 20;
  });
  testing::EditHeader(file, offsets[2], [](ChunkHeader& header) { header.first_event = 1; });
  const testing::ReadResult read = testing::ReadTrace(file, {.max_memory = 16 << 20});
  CHECK(testing::CountOf(read.findings, Rule::kTrace010) == 1);
  REQUIRE_FALSE(read.events.empty());
  for (size_t i = 1; i < read.events.size(); ++i)
    CHECK(read.events[i].number > read.events[i - 1].number);
}
