// Prefixes and mutations of the committed containers: findings or a clean read, whole events, never a crash.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "json/writer.h"
#include "play/runner.h"
#include "rules/rule_info.h"
#include "support/random.h"
#include "support/stream_generator.h"
#include "trace/codec.h"
#include "trace/container.h"
#include "traces.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// Hashes of the events that a container gives back.
struct Outline {
  std::vector<uint64_t> events;
  bool has_findings = false;
  bool has_errors = false;
  bool lacks_footer = false;  // alone: it is not cut
  bool incomplete = false;
};

uint64_t HashOf(const trace::RawEvent& event) {
  const uint64_t place = event.number << 32 | uint64_t{event.kind} << 16 | event.flags;
  return Xxh3_64(event.payload, place);
}

Outline Read(Bytes container) {
  Outline outline;
  DiagnosticList findings;
  Result<trace::Reader> reader = trace::Reader::FromBytes(container, findings);
  if (!reader.ok())
    return {.events = {},
            .has_findings = true,
            .has_errors = true,
            .lacks_footer = false,
            .incomplete = true};
  trace::EventRecord record;
  while (reader->Next(record)) {
    outline.events.push_back(HashOf({record.number, record.kind, record.flags, record.payload}));
  }
  outline.has_findings = !findings.empty();
  outline.has_errors = findings.count(Severity::kError) != 0;
  outline.lacks_footer =
      std::ranges::count(findings.items(), Rule::kTrace019, &Diagnostic::rule) == 1;
  outline.incomplete = reader->incomplete();
  return outline;
}

// Offsets at which the events of an uncompressed container end, by walking its chunks.
std::vector<size_t> EventEnds(Bytes container) {
  std::vector<size_t> ends;
  size_t at = trace::kFileHeaderSize;
  while (const auto header = trace::ParseChunkHeader(container.subspan(at))) {
    at += trace::kChunkHeaderSize;
    const size_t end = at + header->stored_size;
    if (header->type == static_cast<uint8_t>(trace::ChunkType::kEvents)) {
      for (size_t event = at; event < end;) {
        event += trace::kEventHeaderSize + LoadU32(&container[event + 4]);
        ends.push_back(event);
      }
    }
    at = end;
    if (at >= container.size()) break;
  }
  return ends;
}

// The container up to `size` ends after a whole chunk: it lacks its footer, and nothing is cut.
bool EndsAfterChunk(Bytes container, size_t size) {
  size_t at = trace::kFileHeaderSize;
  bool has_events = false;
  while (at < size) {
    const auto header = trace::ParseChunkHeader(container.subspan(at));
    if (!header) return false;
    has_events |= header->event_count != 0;
    at += trace::kChunkHeaderSize + header->stored_size;
  }
  return at == size && has_events;
}

// Checks one prefix; returns what is wrong with it, or nothing.
std::string ComplaintAbout(Bytes container, size_t size, const std::vector<uint64_t>& whole,
                           const std::vector<size_t>& ends) {
  const Outline read = Read(container.first(size));
  if (EndsAfterChunk(container, size)) {
    if (!read.lacks_footer) return "no finding";
    if (read.has_errors || read.incomplete) return "an error";
  } else if (!read.has_errors || !read.incomplete || read.lacks_footer) {
    return "no error";
  }
  const auto expected = std::ranges::upper_bound(ends, size) - ends.begin();
  if (read.events.size() != static_cast<size_t>(expected)) {
    return fmt::format("{} events, {} are whole", read.events.size(), expected);
  }
  return std::equal(read.events.begin(), read.events.end(), whole.begin()) ? "" : "other events";
}

bool IsMalformed(const std::string& path) {
  return path.starts_with("malformed/");
}

std::vector<std::vector<uint8_t>> Containers() {
  std::vector<std::vector<uint8_t>> containers;
  for (const std::string& path : TraceFiles("", ".dp2t"))
    containers.push_back(ReadTraceFile(path));
  return containers;
}

// Several chunks of the smallest size, with events of all sizes up to 3000 bytes.
std::vector<StoredEvent> ManyEvents() {
  Random random(7);
  std::vector<StoredEvent> events = {{.kind = 1, .flags = 0, .payload = std::vector<uint8_t>(8)}};
  for (int i = 0; i < 160; ++i) {
    StoredEvent event = {.kind = 5000, .flags = 1, .payload = {}};
    event.payload.resize(random.Below(3000));
    for (uint8_t& byte : event.payload)
      byte = random.Byte();
    events.push_back(std::move(event));
  }
  return events;
}

// Changes bytes anywhere in a file, or cuts, repeats or removes a part of it.
void MutateFile(Random& random, std::vector<uint8_t>& file) {
  if (file.empty()) return file.push_back(random.Byte());
  const size_t at = random.Below(static_cast<uint32_t>(file.size()));
  const size_t length = std::min<size_t>(1 + random.Below(64), file.size() - at);
  const auto first = file.begin() + static_cast<std::ptrdiff_t>(at);
  const auto last = first + static_cast<std::ptrdiff_t>(length);
  switch (random.Below(8)) {
    case 0:
      file.resize(at);
      break;
    case 1:
      file.erase(first, last);
      break;
    case 2: {
      const std::vector<uint8_t> part(first, last);
      file.insert(first, part.begin(), part.end());
      break;
    }
    default:
      Mutate(random, 1 + random.Below(6), file);
      break;
  }
}

// Reads a mutated file: where nothing is found, every event must be as it was.
void CheckMutatedFile(Random& random, const std::vector<uint8_t>& original, const Outline& before) {
  std::vector<uint8_t> file = original;
  MutateFile(random, file);
  const Outline after = Read(file);
  if (!after.has_findings && !before.has_findings && after.events != before.events) {
    FAIL_CHECK("events changed and nothing was found");
  }
}

// Mutates the payload of one event, under checksums that are right: the payload decoder, the rules and JSON get to see it.
void CheckMutatedEvent(Random& random, const std::vector<StoredEvent>& events) {
  std::vector<StoredEvent> pair = {events[0],
                                   events[random.Below(static_cast<uint32_t>(events.size()))]};
  Mutate(random, 1 + random.Below(6), pair[1].payload);
  if (random.OneIn(16)) pair[1].kind = static_cast<uint16_t>(1 + random.Below(48));
  if (pair[1].kind == 1) pair[1].kind = 12;  // one header
  const std::vector<uint8_t> container =
      WriteContainer(pair, {.compression = trace::Compression::kNone});
  DiagnosticList findings;
  Result<trace::Reader> reader = trace::Reader::FromBytes(container, findings);
  REQUIRE(reader.ok());
  play::Observer observer;
  play::Runner validator({}, findings, observer);
  trace::EventRecord record;
  while (reader->Next(record))
    (void)validator.OnEvent(record.number, record.event);
  validator.Finish();
  const auto back = ToContainer(ToJson(container));
  if (!back.ok()) {
    const Diagnostic& error = back.status().diagnostic();
    FAIL_CHECK(error.message << " at " << error.path << " in " << ToJson(container));
  } else if (*back != container) {
    FAIL_CHECK("JSON lost something: " << ToJson(container));
  }
}

void CheckMutations(uint64_t seed, int files, int events) {
  Random random(seed);
  const std::vector<std::vector<uint8_t>> containers = Containers();
  std::vector<Outline> outlines;
  std::vector<std::vector<StoredEvent>> contents;
  for (const std::vector<uint8_t>& container : containers) {
    outlines.push_back(Read(container));
    contents.push_back(ReadContainer(container).events);
  }
  for (int i = 0; i < files; ++i) {
    INFO("seed ", seed, ", file mutation ", i);
    const size_t pick = static_cast<size_t>(i) % containers.size();
    CheckMutatedFile(random, containers[pick], outlines[pick]);
  }
  for (int i = 0; i < events; ++i) {
    INFO("seed ", seed, ", event mutation ", i);
    const size_t pick = static_cast<size_t>(i) % containers.size();
    const std::vector<StoredEvent>& content = contents[pick];
    const bool has_header =
        content.size() > 1 && content[0] == StoredEvent{1, 0, content[0].payload};
    if (has_header) CheckMutatedEvent(random, content);
  }
}

}  // namespace

TEST_CASE(
    "prefixes: every one of every committed container gives its whole events, and an error but after a chunk") {
  for (const std::string& path : TraceFiles("", ".dp2t")) {
    const std::vector<uint8_t> container = ReadTraceFile(path);
    if (IsMalformed(path)) continue;
    const std::vector<size_t> ends = EventEnds(container);
    const Outline whole = Read(container);
    REQUIRE(whole.events.size() == ends.size());
    for (size_t size = 0; size < container.size(); ++size) {
      const std::string complaint = ComplaintAbout(container, size, whole.events, ends);
      if (!complaint.empty()) FAIL_CHECK(path << ", first " << size << " bytes: " << complaint);
    }
  }
}

// The bytes end with a footer: of two files that were appended, the first one is whole.
bool EndsWithFooter(Bytes bytes) {
  return bytes.size() >= trace::kFooterPayloadSize &&
         trace::ParseFooter(bytes.last(trace::kFooterPayloadSize)).has_value();
}

TEST_CASE("prefixes: every one of every malformed container can be read") {
  for (const std::string& path : TraceFiles("malformed", ".dp2t")) {
    const std::vector<uint8_t> container = ReadTraceFile(path);
    const size_t count = Read(container).events.size();
    for (size_t size = 0; size < container.size(); ++size) {
      const Outline read = Read(Bytes(container).first(size));
      if (!read.has_findings && read.events.size() != count &&
          !EndsWithFooter(Bytes(container).first(size)))
        FAIL_CHECK(path << ", first " << size << " bytes");
    }
  }
}

TEST_CASE(
    "prefixes: a container of several chunks gives its whole events, and an error but after a chunk") {
  const std::vector<uint8_t> container =
      WriteContainer(ManyEvents(), {.compression = trace::Compression::kNone, .chunk_size = 1});
  const std::vector<size_t> ends = EventEnds(container);
  const Outline whole = Read(container);
  REQUIRE(whole.events.size() == 161);
  REQUIRE(ends.size() == 161);
  std::vector<size_t> sizes;
  for (size_t size = 0; size < container.size(); size += 499)
    sizes.push_back(size);
  for (const size_t end : ends)
    sizes.insert(sizes.end(), {end - 1, end, end + 1});
  REQUIRE(std::ranges::count_if(sizes,
                                [&](size_t size) { return EndsAfterChunk(container, size); }) > 2);
  for (const size_t size : sizes) {
    const std::string complaint = ComplaintAbout(container, size, whole.events, ends);
    if (!complaint.empty()) FAIL_CHECK("first " << size << " bytes: " << complaint);
  }
}

TEST_CASE(
    "prefixes: a compressed container gives events from its start, and an error but after a chunk") {
  const std::vector<uint8_t> container = WriteContainer(ManyEvents(), {.chunk_size = 1});
  const Outline whole = Read(container);
  REQUIRE(whole.events.size() == 161);
  size_t most = 0;
  for (size_t size = 0; size < container.size(); size += 499) {
    INFO("first ", size, " bytes");
    const Outline read = Read(Bytes(container).first(size));
    const bool is_whole = EndsAfterChunk(container, size);
    CHECK(read.has_errors != is_whole);
    CHECK(read.incomplete != is_whole);
    CHECK(read.events.size() >= most);  // a longer prefix never gives fewer events
    most = read.events.size();
    CHECK(std::equal(read.events.begin(), read.events.end(), whole.events.begin()));
  }
  CHECK(most > 100);
}

TEST_CASE("mutations: a damaged JSON text is refused, or is another trace that survives") {
  Random random(5);
  const std::vector<std::string> paths = TraceFiles("opcodes", ".json");
  size_t refused = 0;
  for (int i = 0; i < 10000; ++i) {
    INFO("seed 5, text mutation ", i);
    const std::string original = ReadTextFile(paths[static_cast<size_t>(i) % paths.size()]);
    std::vector<uint8_t> bytes(original.begin(), original.end());
    MutateFile(random, bytes);
    const std::string text(bytes.begin(), bytes.end());
    const auto container = ToContainer(text);
    if (!container.ok()) {
      CHECK(Info(container.status().diagnostic().rule).id.starts_with("JSON-"));
      ++refused;
      continue;
    }
    const auto again = ToContainer(ToJson(*container));
    REQUIRE(again.ok());
    CHECK(*again == *container);
  }
  CHECK(refused > 5000);
}

// Together 100,000.
TEST_CASE("mutations: seed 1") {
  CheckMutations(1, 15000, 10000);
}
TEST_CASE("mutations: seed 2") {
  CheckMutations(2, 15000, 10000);
}
TEST_CASE("mutations: seed 3") {
  CheckMutations(3, 15000, 10000);
}
TEST_CASE("mutations: seed 4") {
  CheckMutations(4, 15000, 10000);
}
