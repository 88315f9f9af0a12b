// What the capture header writes is what trace::Writer writes, with any buffer, and readable wherever it ends.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <list>
#include <set>
#include <string>
#include <thread>

#include "bridge.h"
#include "rules/rule.h"
#include "support/event_generator.h"
#include "trace/reader.h"
#include "trace/writer.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file
using testing::RecordAll;
using testing::RecordingOptions;
using testing::Tally;
using testing::TallyOf;

namespace {

constexpr size_t kWholeBuffer = 48 + 1024 * 1024;  // chunks of the size that convert makes
constexpr size_t kLargeIndex = 1 << 20;

std::vector<uint8_t> WriteAll(const std::vector<Event>& events) {
  std::vector<uint8_t> file;
  Writer writer(
      [&file](Bytes bytes) {
        file.insert(file.end(), bytes.begin(), bytes.end());
        return OkStatus();
      },
      {Compression::kNone});
  for (const Event& event : events) {
    if (testing::CanRecord(event)) REQUIRE(writer.Add(event).ok());
  }
  REQUIRE(writer.Finish().ok());
  return file;
}

struct Reading {
  std::vector<std::vector<uint8_t>> events;  // kind, flags and payload
  DiagnosticList findings;
  bool is_truncated = false;
};

Reading Read(Bytes file) {
  Reading reading;
  Result<Reader> reader = Reader::FromBytes(file, reading.findings);
  REQUIRE(reader.ok());
  for (EventRecord record; reader->Next(record);) {
    CHECK(record.number == reading.events.size());
    std::vector<uint8_t>& event = reading.events.emplace_back(4);
    Store(&event[0], record.kind);
    Store(&event[2], record.flags);
    event.insert(event.end(), record.payload.begin(), record.payload.end());
  }
  reading.is_truncated = reader->truncated();
  return reading;
}

// A header, then events of all kinds.
std::vector<Event> Events(testing::EventGenerator& generator, size_t count) {
  std::vector<Event> events = generator.MakeTrace(count);
  while (!testing::CanRecord(events[0]))
    events[0] = generator.Make(EventKind::kHeader);
  std::erase_if(events, [](const Event& event) { return !testing::CanRecord(event); });
  return events;
}

// The offsets after the chunks of a file.
std::set<size_t> ChunkEnds(Bytes file) {
  std::set<size_t> ends;
  for (size_t at = kFileHeaderSize; at < file.size();) {
    at += kChunkHeaderSize + ParseChunkHeader(file.subspan(at))->stored_size;
    ends.insert(at);
  }
  return ends;
}

Bytes Text(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

TEST_CASE("Capture: the file is, byte for byte, that of trace::Writer, for events of every kind") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    testing::EventGenerator generator(seed, seed % 3 == 0 ? 200000 : 300);
    const std::vector<Event> events = Events(generator, 300);
    CHECK(RecordAll(events, {kWholeBuffer, kLargeIndex}) == WriteAll(events));
  }
}

TEST_CASE("Capture: each kind alone, with fields left out and filled") {
  testing::EventGenerator generator(77);
#define DP2TRACE_EVENT(Type, code, name)                                              \
  for (int i = 0; i < 50; ++i) {                                                      \
    const std::vector<Event> events = {Header{}, generator.Make(EventKind::k##Type)}; \
    CAPTURE(name);                                                                    \
    if (testing::CanRecord(events[1]))                                                \
      CHECK(RecordAll(events, {kWholeBuffer, kLargeIndex}) == WriteAll(events));      \
  }
#include "trace/events.def"
#undef DP2TRACE_EVENT
}

TEST_CASE("Capture: every buffer size gives the same events, without a finding") {
  testing::EventGenerator generator(5, 150);
  const std::vector<Event> events = Events(generator, 60);
  const Reading expected = Read(WriteAll(events));
  for (size_t size = 0; size < 2500; size += size < 400 ? 1 : 17) {
    for (const uint32_t flush : {D2C_FLUSH_WHEN_FULL, D2C_FLUSH_FRAME, D2C_FLUSH_EVENT}) {
      CAPTURE(size);
      const Reading reading =
          Read(RecordAll(events, {size, size % 3 == 0 ? kLargeIndex : 0, flush}));
      REQUIRE(reading.findings.empty());
      REQUIRE(reading.events == expected.events);
    }
  }
}

TEST_CASE("Capture: a large event streams through any buffer") {
  testing::EventGenerator generator(6);
  SurfaceUpdate update;
  update.handle = 1;
  update.data = generator.MakeBytes(1 << 20);
  const std::vector<Event> events = {Header{}, update, Present{}};
  const Reading expected = Read(WriteAll(events));
  for (const size_t size : std::initializer_list<size_t>{0, 1, 100, 4096, 65536, 1 << 21}) {
    const Reading reading = Read(RecordAll(events, {size, kLargeIndex}));
    CHECK(reading.findings.empty());
    CHECK(reading.events == expected.events);
  }
}

TEST_CASE("Capture: packed chunks hold the same events, whatever the buffer") {
  testing::EventGenerator generator(9, 400);
  std::vector<Event> events = Events(generator, 60);
  // Pictures: long runs, short ones, none, and bytes that are no whole words.
  std::list<std::vector<uint8_t>> pictures;
  for (uint32_t i = 0; i < 40; ++i) {
    const Bytes random = generator.MakeBytes(i * 137 % 3000);
    std::vector<uint8_t>& bytes = pictures.emplace_back(random.begin(), random.end());
    const size_t run = 1 + i * 91 % 700;
    for (size_t at = 0; i % 4 != 0 && at + run <= bytes.size(); at += run + i % 7)
      std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(at), run, static_cast<uint8_t>(i));
    SurfaceUpdate update;
    update.handle = i;
    update.data = bytes;
    events.emplace_back(update);
  }
  const Reading expected = Read(WriteAll(events));
  for (size_t size = 0; size < 9000; size += size < 400 ? 23 : 511) {
    for (const uint32_t flush : {D2C_FLUSH_WHEN_FULL, D2C_FLUSH_EVENT}) {
      CAPTURE(size);
      RecordingOptions options{size, size % 3 == 0 ? kLargeIndex : 0, flush};
      const size_t plain = RecordAll(events, options).size();
      options.packs = true;
      const std::vector<uint8_t> file = RecordAll(events, options);
      CHECK(file.size() < plain);
      const Reading reading = Read(file);
      REQUIRE(reading.findings.empty());
      REQUIRE(reading.events == expected.events);
    }
  }
}

TEST_CASE("Capture: a picture of few colours is packed to a fraction") {
  std::vector<uint8_t> pixels(size_t{640} * 480 * 4, 0x20);
  for (size_t y = 100; y < 200; ++y)
    std::fill_n(pixels.begin() + static_cast<ptrdiff_t>((y * 640 + 50) * 4), 400, uint8_t{0xF0});
  SurfaceUpdate update;
  update.handle = 1;
  update.data = pixels;
  const std::vector<Event> events = {Header{}, update, Present{}};
  for (const size_t size : {size_t{0}, size_t{65536}, size_t{1} << 21}) {
    RecordingOptions options{size, kLargeIndex};
    options.packs = true;
    const std::vector<uint8_t> file = RecordAll(events, options);
    CHECK(file.size() < update.data.size() / 80);
    CHECK(Read(file).events == Read(WriteAll(events)).events);
  }
}

TEST_CASE(
    "Capture: a call with 16 MB of vertices goes through a buffer of 4 KB, and through none") {
  testing::EventGenerator generator(8);
  Dp2 call;
  call.commands = generator.MakeBytes(600);
  call.vertices = generator.MakeBytes(16 << 20);
  REQUIRE(call.vertices.size() == 16 << 20);
  const std::vector<Event> events = {Header{}, call, Present{}};
  const Reading expected = Read(WriteAll(events));
  for (const size_t size : std::initializer_list<size_t>{0, 4096}) {
    const Reading reading = Read(RecordAll(events, {size, kLargeIndex}));
    CHECK(reading.findings.empty());
    CHECK(reading.events == expected.events);
  }
}

TEST_CASE("Capture: the index is that of the file, and an empty one where its memory is full") {
  testing::EventGenerator generator(7, 400);
  const std::vector<Event> events = Events(generator, 200);
  for (size_t size = 0; size < 24 * 210 + 8 * 30; size += 40) {
    CAPTURE(size);
    const std::vector<uint8_t> file = RecordAll(events, {0, size});
    DiagnosticList findings;
    Result<Reader> reader = Reader::FromBytes(file, findings);
    REQUIRE(reader.ok());
    if (const TraceIndex* const index = reader->Index()) {
      CHECK(index->event_count == events.size());
      CHECK(index->chunks.size() == events.size());
      CHECK(static_cast<size_t>(std::ranges::count_if(events, [](const Event& event) {
              return std::holds_alternative<Present>(event);
            })) == index->frames.size());
    }
    REQUIRE(reader->SeekToEvent(events.size() - 1));
    RawEvent last;
    REQUIRE(reader->Next(last));
    CHECK(last.number == events.size() - 1);
    CHECK_FALSE(reader->Next(last));
    CHECK(findings.empty());
  }
}

TEST_CASE("Capture: a file that is cut at any byte gives its whole events") {
  testing::EventGenerator generator(8, 60);
  const std::vector<Event> events = Events(generator, 40);
  for (const uint32_t flush : {D2C_FLUSH_WHEN_FULL, D2C_FLUSH_EVENT}) {
    const std::vector<uint8_t> file = RecordAll(events, {4096, 0, flush, false});
    const Reading all = Read(file);
    REQUIRE(all.events.size() == events.size());
    const std::set<size_t> ends = ChunkEnds(file);
    size_t last = 0;
    for (size_t size = 16; size < file.size(); ++size) {
      CAPTURE(size);
      const Reading reading = Read(Bytes(file).first(size));
      REQUIRE((reading.is_truncated || ends.contains(size)));  // or after a whole chunk
      REQUIRE(reading.events.size() >= last);
      REQUIRE(reading.events.size() <= all.events.size());
      REQUIRE(std::equal(reading.events.begin(), reading.events.end(), all.events.begin()));
      last = reading.events.size();
    }
  }
}

TEST_CASE("Capture: one chunk per event: a flipped byte costs at most one event") {
  testing::EventGenerator generator(9, 60);
  const std::vector<Event> events = Events(generator, 30);
  std::vector<uint8_t> file = RecordAll(events, {4096, kLargeIndex, D2C_FLUSH_EVENT});
  for (size_t at = 16; at < file.size() - 200 - 24 * events.size(); at += 3) {
    CAPTURE(at);
    file[at] ^= 0x10;
    DiagnosticList findings;
    Result<Reader> reader = Reader::FromBytes(file, findings);
    file[at] ^= 0x10;
    REQUIRE(reader.ok());
    file[at] ^= 0x10;
    size_t count = 0;
    for (EventRecord record; reader->Next(record);)
      ++count;
    file[at] ^= 0x10;
    REQUIRE(count + 1 >= events.size());
    REQUIRE_FALSE(findings.empty());
  }
}

TEST_CASE("Capture: a driver that dies after a call has the call in its trace") {
  testing::Sink sink;
  d2c capture;
  std::vector<uint8_t> buffer(65536);
  d2c_open(&capture, testing::Sink::Write, &sink, buffer.data(), 65536, nullptr, 0);
  d2c_set_flush(&capture, D2C_FLUSH_EVENT);
  REQUIRE(testing::Record(capture, Header{}) == D2C_OK);
  Dp2 call;
  call.context = 1;
  const uint8_t culprit[] = {8, 0, 0, 0};
  call.commands = culprit;
  REQUIRE(testing::Record(capture, call) == D2C_OK);
  const Reading reading = Read(sink.file);  // and the driver hangs
  CHECK(reading.events.size() == 2);
  CHECK_FALSE(reading.is_truncated);  // it ends after a whole chunk
}

TEST_CASE("Capture: a callback that fails for good costs the rest, and no call does harm") {
  for (uint64_t limit = 0; limit < 600; ++limit) {
    testing::Sink sink;
    sink.fail_after = limit;
    d2c capture;
    d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
    int last = D2C_OK;
    for (int i = 0; i < 20; ++i)
      last = testing::Record(capture, Header{});
    CHECK(last == D2C_E_WRITE);
    CHECK(d2c_finish(&capture) == D2C_E_WRITE);
    CHECK(d2c_error(&capture) == D2C_E_WRITE);
    CHECK(sink.file.size() <= limit);
  }
}

TEST_CASE("Capture: calls that cannot be are refused and counted") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  CHECK(d2c_put_header(&capture, nullptr) == D2C_E_ARGUMENT);
  CHECK(d2c_put_header(nullptr, nullptr) == D2C_E_ARGUMENT);
  CHECK(d2c_flush(nullptr) == D2C_E_ARGUMENT);
  CHECK(d2c_error(&capture) == D2C_OK);
  CHECK(d2c_finish(&capture) == D2C_OK);
  CHECK(d2c_finish(&capture) == D2C_E_FINISHED);
  CHECK(testing::Record(capture, Present{}) == D2C_E_FINISHED);
  CHECK(Read(sink.file).findings.empty());
  const Tally tally = TallyOf(sink.file);
  CHECK(tally.lost == 1);
  CHECK(tally.cause == LostCause::kArgument);
  d2c_open(&capture, nullptr, nullptr, nullptr, 0, nullptr, 0);
  CHECK(d2c_finish(&capture) == D2C_E_ARGUMENT);
}

TEST_CASE("Capture: the callback cannot call the recorder") {
  d2c capture;
  int inner = D2C_OK;
  struct State {
    d2c* capture;
    int* inner;
  } state = {&capture, &inner};
  d2c_open(
      &capture,
      [](void* user, const void*, d2c_u32) {
        const auto* const s = static_cast<State*>(user);
        *s->inner = d2c_flush(s->capture);
        return 0;
      },
      &state, nullptr, 0, nullptr, 0);
  CHECK(testing::Record(capture, Header{}) == D2C_OK);
  CHECK(inner == D2C_E_NESTED);
}

TEST_CASE("Capture: a recording that does not begin with the header says that it is bare") {
  Marker marker;
  marker.text = "first";
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  CHECK(d2c_next_event(&capture).lo == 1);
  REQUIRE(testing::Record(capture, marker) == D2C_OK);
  REQUIRE(d2c_finish(&capture) == D2C_OK);
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(sink.file, findings);
  REQUIRE(reader.ok());
  EventRecord record;
  REQUIRE(reader->Next(record));
  CHECK(std::get<Header>(record.event).start == RecordingStart::kBare);
  REQUIRE(reader->Next(record));
  CHECK(std::get<Marker>(record.event).text == "first");
  CHECK(findings.empty());
}

TEST_CASE("Capture: rows of a surface, from top and from bottom, and bytes in pieces") {
  std::vector<uint8_t> memory(64);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = static_cast<uint8_t>(i);
  const auto data_of = [](const d2c_bytes& bytes) {
    testing::Sink sink;
    d2c capture;
    d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
    struct d2c_surface_update update;
    d2c_surface_update_init(&update);
    update.data = bytes;
    REQUIRE(d2c_surface_update(&capture, &update) == D2C_OK);
    DiagnosticList findings;
    Result<Reader> reader = Reader::FromBytes(sink.file, findings);
    EventRecord record;
    REQUIRE(reader->Next(record));
    REQUIRE(reader->Next(record));
    const Bytes data = std::get<SurfaceUpdate>(record.event).data;
    return std::vector<uint8_t>(data.begin(), data.end());
  };
  CHECK(data_of(d2c_rows_of(memory.data(), 3, 3, 16)) ==
        std::vector<uint8_t>{0, 1, 2, 16, 17, 18, 32, 33, 34});
  CHECK(data_of(d2c_rows_of(memory.data() + 32, 2, 3, -16)) ==
        std::vector<uint8_t>{32, 33, 16, 17, 0, 1});
  d2c_bytes first = d2c_bytes_of(memory.data(), 2);
  d2c_bytes none = d2c_bytes_of(nullptr, 1000);
  d2c_bytes last = d2c_rows_of(memory.data() + 8, 1, 2, 8);
  first.next = &none;
  none.next = &last;
  CHECK(data_of(first) == std::vector<uint8_t>{0, 1, 8, 16});
}

TEST_CASE("Capture: empty pieces end a list of bytes, and not the event") {
  const std::vector<uint8_t> memory(100, 7);
  const d2c_bytes none = d2c_bytes_of(nullptr, 1000);
  const d2c_bytes empty = d2c_bytes_of(memory.data(), 0);
  for (const d2c_bytes* const last : {&none, &empty}) {
    for (const size_t buffer_size : std::initializer_list<size_t>{0, 4096}) {
      testing::Sink sink;
      d2c capture;
      std::vector<uint8_t> buffer(buffer_size);
      d2c_open(&capture, testing::Sink::Write, &sink, buffer_size == 0 ? nullptr : buffer.data(),
               static_cast<d2c_u32>(buffer_size), nullptr, 0);
      d2c_bytes second = *last;
      second.next = last;
      struct d2c_dp2 call;
      d2c_dp2_init(&call);
      call.commands = d2c_bytes_of(memory.data(), 8);
      call.commands.next = &second;
      call.vertices = d2c_bytes_of(memory.data(), 90);
      REQUIRE(d2c_dp2_call(&capture, &call) == D2C_OK);
      REQUIRE(d2c_finish(&capture) == D2C_OK);
      DiagnosticList findings;
      Result<Reader> reader = Reader::FromBytes(sink.file, findings);
      EventRecord record;
      REQUIRE(reader->Next(record));
      REQUIRE(reader->Next(record));
      CHECK(std::get<Dp2>(record.event).commands.size() == 8);
      CHECK(std::get<Dp2>(record.event).vertices.size() == 90);
      CHECK(findings.count(Severity::kError) == 0);
    }
  }
}

TEST_CASE("Capture: the numbers of calls count from the last header") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  CHECK(d2c_next_event(&capture).lo == 1);
  struct d2c_header header;
  d2c_header_init(&header);
  struct d2c_marker marker;
  d2c_marker_init(&marker);
  for (int session = 0; session < 3; ++session) {
    REQUIRE(d2c_put_header(&capture, &header) == D2C_OK);
    for (uint32_t number = 1; number < 5; ++number) {
      CHECK(d2c_next_event(&capture).lo == number);
      CHECK(d2c_next_event(&capture).hi == 0);
      REQUIRE(d2c_marker(&capture, &marker) == D2C_OK);
    }
  }
}

TEST_CASE("Capture: text that is not UTF-8 gets question marks; UTF-8 stays") {
  const auto text_of = [](const char* text) {
    testing::Sink sink;
    d2c capture;
    d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
    struct d2c_marker marker;
    d2c_marker_init(&marker);
    marker.text = text;
    REQUIRE(d2c_marker(&capture, &marker) == D2C_OK);
    DiagnosticList findings;
    Result<Reader> reader = Reader::FromBytes(sink.file, findings);
    EventRecord record;
    REQUIRE(reader->Next(record));
    REQUIRE(reader->Next(record));
    return std::string(std::get<Marker>(record.event).text);
  };
  CHECK(text_of("a\xFFz") == "a?z");
  CHECK(text_of("\xC3\xBC \xE6\xBC\xA2 \xF0\x9F\x8E\xAE") ==
        "\xC3\xBC \xE6\xBC\xA2 \xF0\x9F\x8E\xAE");
  CHECK(text_of("\xC0\x80") == "??");
  CHECK(text_of("\xED\xA0\x80") == "???");
  CHECK(text_of("\xE6\xBC") == "??");
}

TEST_CASE("Capture: memory that changes while it is streamed is read with a warning") {
  struct State {
    testing::Sink sink;
    uint8_t* memory;
  } state;
  std::vector<uint8_t> memory(1000, 1);
  state.memory = memory.data();
  d2c capture;
  d2c_open(
      &capture,
      [](void* user, const void* bytes, d2c_u32 size) {
        auto* const s = static_cast<State*>(user);
        s->memory[999] = 2;
        return testing::Sink::Write(&s->sink, bytes, size);
      },
      &state, nullptr, 0, nullptr, 0);
  Dp2 call;
  call.vertices = memory;
  REQUIRE(testing::Record(capture, Header{}) == D2C_OK);
  memory[999] = 1;
  REQUIRE(testing::Record(capture, call) == D2C_OK);
  REQUIRE(testing::Record(capture, Present{}) == D2C_OK);
  REQUIRE(d2c_finish(&capture) == D2C_OK);
  const Reading reading = Read(state.sink.file);
  CHECK(reading.events.size() == 3);
  REQUIRE(reading.findings.items().size() == 1);
  CHECK(reading.findings.items()[0].rule == Rule::kTrace015);
}

TEST_CASE("Capture: an exception inside a call costs that call; recording goes on") {
  struct Gone {};
  for (const size_t buffer_size : {size_t{0}, size_t{4096}}) {
    for (const int fail_at : {1, 2, 3, 5}) {
      struct State {
        testing::Sink sink;
        int calls = 0;
        int fail_at = 0;
      } state;
      std::vector<uint8_t> buffer(buffer_size + 1);
      std::vector<uint8_t> memory(6000, 7);
      d2c capture;
      // The callback stands for memory that is gone: it throws once, after what it took.
      d2c_open(
          &capture,
          [](void* user, const void* bytes, d2c_u32 size) {
            auto* const s = static_cast<State*>(user);
            const int result = testing::Sink::Write(&s->sink, bytes, size);
            if (++s->calls == s->fail_at) throw Gone{};
            return result;
          },
          &state, buffer_size == 0 ? nullptr : buffer.data(), static_cast<d2c_u32>(buffer_size),
          nullptr, 0);
      REQUIRE(testing::Record(capture, Header{}) == D2C_OK);
      REQUIRE(d2c_flush(&capture) == D2C_OK);
      state.calls = 0;
      state.fail_at = fail_at;
      Dp2 call;
      call.vertices = memory;
      bool is_thrown = false;
      try {
        (void)testing::Record(capture, call);
      } catch (const Gone&) {
        is_thrown = true;
      }
      if (is_thrown) CHECK(d2c_recover(&capture) == D2C_OK);
      state.fail_at = 0;
      Marker marker;
      marker.text = "after";
      REQUIRE(testing::Record(capture, marker) == D2C_OK);
      REQUIRE(d2c_finish(&capture) == D2C_OK);
      const Reading reading = Read(state.sink.file);
      const Bytes after = Text("after");
      CHECK(std::ranges::any_of(reading.events, [&after](const std::vector<uint8_t>& event) {
        return std::search(event.begin(), event.end(), after.begin(), after.end()) != event.end();
      }));
      const Tally tally = TallyOf(state.sink.file);
      CHECK(tally.lost == (is_thrown ? 1 : 0));
      if (is_thrown) CHECK(tally.cause == LostCause::kFault);
    }
  }
}

TEST_CASE("Capture: a snapshot is a header that says so, and the state as one call") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  d2c_header header;
  d2c_header_init(&header);
  header.driver_level = 7;
  REQUIRE(d2c_begin_snapshot(&capture, &header) == D2C_OK);
  const d2c_u32 viewport[] = {1, 2, 3, 4};
  const d2c_u32 states[] = {7, 1, 9, 2};
  const d2c_texture_state stages[] = {{1, 2, 3}};
  const uint8_t more[] = {11, 0, 0, 0};
  d2c_state state;
  d2c_state_init(&state);
  state.context = d2c_u64_of(0, 5);
  state.viewport = viewport;
  state.render_states = states;
  state.render_states_count = 2;
  state.texture_states = stages;
  state.texture_states_count = 1;
  state.tokens = d2c_bytes_of(more, sizeof more);
  REQUIRE(d2c_snapshot_state(&capture, &state) == D2C_OK);
  state.render_states_count = 65536;
  CHECK(d2c_snapshot_state(&capture, &state) == D2C_E_ARGUMENT);
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(sink.file, findings);
  EventRecord record;
  REQUIRE(reader->Next(record));
  CHECK(std::get<Header>(record.event).start == RecordingStart::kSnapshot);
  CHECK(std::get<Header>(record.event).driver_level == 7);
  REQUIRE(reader->Next(record));
  const auto& call = std::get<Dp2>(record.event);
  CHECK(call.context == 5);
  const std::vector<uint8_t> expected = {28, 0, 1,  0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0,  0, 4, 0, 0,
                                         0,  8, 0,  2, 0, 7, 0, 0, 0, 1, 0, 0, 0, 9, 0,  0, 0, 2, 0,
                                         0,  0, 25, 0, 1, 0, 1, 0, 2, 0, 3, 0, 0, 0, 11, 0, 0, 0};
  CHECK(std::vector<uint8_t>(call.commands.begin(), call.commands.end()) == expected);
  // The recorder's own call has returned.
  REQUIRE(reader->Next(record));
  CHECK(std::get<CallResult>(record.event).call == 1);
  CHECK_FALSE(reader->Next(record));
}

TEST_CASE("Capture: recorders in threads of their own do not know of each other") {
  testing::EventGenerator generator(9);
  const std::vector<Event> events = Events(generator, 200);
  const std::vector<uint8_t> expected = RecordAll(events, {4096, kLargeIndex});
  std::vector<std::vector<uint8_t>> files(4);
  {
    std::vector<std::jthread> threads;
    threads.reserve(files.size());
    for (std::vector<uint8_t>& file : files)
      threads.emplace_back([&] { file = RecordAll(events, {4096, kLargeIndex}); });
  }
  for (const std::vector<uint8_t>& file : files)
    CHECK(file == expected);
}

TEST_CASE("Capture: a flip is a present") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  struct d2c_flip flip;
  d2c_flip_init(&flip);
  flip.handle = 12;
  REQUIRE(d2c_flip(&capture, &flip) == D2C_OK);
  REQUIRE(d2c_finish(&capture) == D2C_OK);
  const Reading reading = Read(sink.file);
  REQUIRE(reading.events.size() == 2);
  CHECK(reading.findings.empty());
}

TEST_CASE("Capture: the recorder is small") {
  CHECK(sizeof(d2c) < 4096);
}
