// The last part of a recording in memory: what is dumped is a whole trace, whatever the ring has lost.
#include "dp2trace_capture_ring.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bridge.h"
#include "trace/reader.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

struct Dumped {
  std::vector<uint8_t> file;
  std::vector<std::string> markers;  // of the events, in order; "header" of a header
  std::string error;
};

Dumped Dump(d2c_ring& ring) {
  testing::Sink sink;
  REQUIRE(d2c_ring_dump(&ring, testing::Sink::Write, &sink) == D2C_OK);
  Dumped dumped;
  dumped.file = sink.file;
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(dumped.file, findings);
  REQUIRE(reader.ok());
  for (EventRecord record; reader->Next(record);) {
    CHECK(record.number == dumped.markers.size());
    if (const auto* const marker = std::get_if<Marker>(&record.event))
      dumped.markers.emplace_back(marker->text);
    else
      dumped.markers.emplace_back("header");
  }
  for (const Diagnostic& finding : findings.items())
    if (finding.severity != Severity::kAdvice) dumped.error = finding.message;
  return dumped;
}

// Events with numbers for names, a header before each `every`-th.
class Recording {
 public:
  Recording(uint32_t size, uint32_t every, bool packs = false) : memory(size), every_(every) {
    REQUIRE(d2c_ring_init(&ring, memory.data(), size, 7) == D2C_OK);
    d2c_open(&capture_, d2c_ring_write, &ring, buffer_, sizeof buffer_, nullptr, 0);
    d2c_set_flush(&capture_, D2C_FLUSH_EVENT);
    d2c_set_packing(&capture_, packs ? 1 : 0);
    d2c_header_init(&header_);
    REQUIRE(d2c_put_header(&capture_, &header_) == D2C_OK);
  }
  void Add(uint32_t count) {
    for (; count != 0; --count, ++events) {
      if (events % every_ == 0 && events != 0)
        REQUIRE(d2c_begin_snapshot(&capture_, &header_) == D2C_OK);
      const std::string text = std::to_string(events) + std::string(events * 7 % 50, 'x');
      struct d2c_marker marker;
      d2c_marker_init(&marker);
      marker.text = text.c_str();
      REQUIRE(d2c_marker(&capture_, &marker) == D2C_OK);
      texts.push_back(text);
    }
  }

  std::vector<uint8_t> memory;
  struct d2c_ring ring {};
  uint32_t events = 0;
  std::vector<std::string> texts;

 private:
  d2c capture_{};
  unsigned char buffer_[4096] = {};  // NOLINT(modernize-avoid-c-arrays)
  struct d2c_header header_ {};
  uint32_t every_;
};

// What was dumped ends with the last event, and begins with a header.
void CheckTail(const Dumped& dumped, const Recording& r) {
  CHECK(dumped.error == "");
  REQUIRE(dumped.markers.size() > 1);
  CHECK(dumped.markers.front() == "header");
  std::vector<std::string> plain = dumped.markers;
  std::erase(plain, "header");
  REQUIRE(plain.size() <= r.texts.size());
  CHECK(std::equal(plain.rbegin(), plain.rend(), r.texts.rbegin()));
}

}  // namespace

TEST_CASE("Ring: what fits is dumped whole, and again") {
  Recording r(1 << 16, 1000);
  r.Add(20);
  const Dumped dumped = Dump(r.ring);
  CheckTail(dumped, r);
  CHECK(dumped.markers.size() == 21);
  CHECK(Dump(r.ring).file == dumped.file);
  r.Add(1);
  CHECK(Dump(r.ring).markers.size() == 22);
}

TEST_CASE("Ring: of what does not fit the newest sessions are dumped, from a header on") {
  for (const bool packs : {false, true}) {
    for (const uint32_t size : {3000U, 4001U, 10000U}) {
      CAPTURE(size);
      Recording r(size, 8, packs);
      for (int i = 0; i < 60; ++i) {
        r.Add(3);
        CheckTail(Dump(r.ring), r);
      }
      CHECK(r.ring.left_out == 0);
    }
  }
}

TEST_CASE("Ring: at the next start the memory still has it") {
  Recording r(5000, 8);
  r.Add(100);
  const Dumped expected = Dump(r.ring);
  std::vector<uint8_t> memory = r.memory;
  struct d2c_ring later {};
  REQUIRE(d2c_ring_open(&later, memory.data(), static_cast<d2c_u32>(memory.size())) == D2C_OK);
  CHECK(Dump(later).file == expected.file);
  CHECK(d2c_ring_open(&later, memory.data(), static_cast<d2c_u32>(memory.size() - 1)) ==
        D2C_E_ARGUMENT);
  std::fill(memory.begin(), memory.begin() + 32, uint8_t{0xFF});
  CHECK(d2c_ring_open(&later, memory.data(), static_cast<d2c_u32>(memory.size())) ==
        D2C_E_ARGUMENT);
  CHECK(d2c_ring_write(&later, "x", 1) != 0);
}

TEST_CASE(
    "Ring: a number of chunks, a chunk that is too large, no session, a callback that fails") {
  Recording few(1 << 16, 4);
  few.ring.most_chunks = 10;
  few.Add(50);
  const Dumped dumped = Dump(few.ring);
  CheckTail(dumped, few);
  CHECK(dumped.markers.size() <= 10);

  Recording bare(2000, 1000000);
  bare.Add(100);
  const Dumped tail = Dump(bare.ring);
  CHECK(tail.error == "");
  CHECK(tail.markers.back() == bare.texts.back());
  CHECK(tail.markers.front() == "header");  // of the ring's own: the trace is bare
  CHECK(testing::TallyOf(tail.file).is_bare);
  CHECK(testing::TallyOf(tail.file).level == 7);

  struct d2c_ring small {};
  std::vector<uint8_t> memory(1000);
  CHECK(d2c_ring_init(&small, memory.data(), 80, 9) == D2C_E_ARGUMENT);
  REQUIRE(d2c_ring_init(&small, memory.data(), 1000, 9) == D2C_OK);
  d2c capture;
  d2c_open(&capture, d2c_ring_write, &small, nullptr, 0, nullptr, 0);
  struct d2c_marker marker;
  d2c_marker_init(&marker);
  const std::string large(1200, 'y');
  for (int i = 0; i < 2; ++i) {
    marker.text = large.c_str();
    CHECK(d2c_marker(&capture, &marker) == D2C_E_WRITE);
    CHECK(small.left_out == static_cast<d2c_u32>(i + 1));
    marker.text = "small";
    CHECK(d2c_marker(&capture, &marker) == D2C_OK);
    testing::Sink sink;
    REQUIRE(d2c_ring_dump(&small, testing::Sink::Write, &sink) == D2C_OK);
    const testing::Tally tally = testing::TallyOf(sink.file);
    CHECK(tally.lost == static_cast<uint64_t>(i + 1));  // the trace says what was lost
    CHECK(tally.cause == LostCause::kWrite);
  }
  testing::Sink failing;
  failing.fail_at = 1;
  CHECK(d2c_ring_dump(&few.ring, testing::Sink::Write, &failing) == D2C_E_WRITE);
  CHECK(d2c_ring_dump(nullptr, testing::Sink::Write, &failing) == D2C_E_ARGUMENT);
}

TEST_CASE("Ring: damage in its memory ends what is dumped, and nothing else") {
  Recording r(5000, 8);
  r.Add(100);
  for (uint32_t at = 8; at < 5000; at += 97) {
    std::vector<uint8_t> memory = r.memory;
    memory[at] ^= 0x55;
    struct d2c_ring later {};
    if (d2c_ring_open(&later, memory.data(), 5000) != D2C_OK) continue;
    testing::Sink sink;
    CHECK(d2c_ring_dump(&later, testing::Sink::Write, &sink) == D2C_OK);
    CHECK(sink.file.size() <= 5000 + 16);
  }
}

// A call with its result, or without one. Words of zeros, so that there is something to pack.
void AddCall(d2c& capture, bool has_result) {
  const std::vector<uint8_t> vertices(96);
  struct d2c_dp2 call;
  d2c_dp2_init(&call);
  call.vertices = d2c_bytes_of(vertices.data(), static_cast<d2c_u32>(vertices.size()));
  struct d2c_u64 number {};
  REQUIRE(d2c_dp2_numbered(&capture, &call, &number) == D2C_OK);
  if (!has_result) return;
  struct d2c_call_result result;
  d2c_call_result_init(&result);
  result.call = number;
  result.has_flags_out = 1;
  result.flags_out = 0x1234;
  REQUIRE(d2c_call_result(&capture, &result) == D2C_OK);
}

TEST_CASE(
    "Ring: results name their calls, whatever went before, and a call without one is the last") {
  for (const bool packs : {false, true}) {
    // Several events in a chunk, or one; sessions before the one whose header is gone.
    for (const uint32_t flush : {D2C_FLUSH_WHEN_FULL, D2C_FLUSH_EVENT}) {
      for (const uint32_t size : {1500U, 3001U, 20000U}) {
        for (size_t calls = 0; calls < 40; ++calls) {
          CAPTURE(packs);
          CAPTURE(size);
          CAPTURE(calls);
          std::vector<uint8_t> memory(size), buffer(400);
          struct d2c_ring ring {};
          REQUIRE(d2c_ring_init(&ring, memory.data(), size, 7) == D2C_OK);
          d2c capture;
          d2c_open(&capture, d2c_ring_write, &ring, buffer.data(),
                   static_cast<d2c_u32>(buffer.size()), nullptr, 0);
          d2c_set_flush(&capture, flush);
          d2c_set_packing(&capture, packs ? 1 : 0);
          struct d2c_header header;
          d2c_header_init(&header);
          for (int session = 0; session < 3; ++session) {
            REQUIRE(d2c_put_header(&capture, &header) == D2C_OK);
            for (size_t i = 0; i < calls; ++i)
              AddCall(capture, true);
          }
          AddCall(capture, false);
          d2c_flush(&capture);
          testing::Sink sink;
          REQUIRE(d2c_ring_dump(&ring, testing::Sink::Write, &sink) == D2C_OK);
          DiagnosticList findings;
          Result<Reader> reader = Reader::FromBytes(sink.file, findings);
          REQUIRE(reader.ok());
          std::vector<bool> is_call;  // by number; a call whose result is known is none
          uint64_t session = 0;
          size_t results = 0, gone = 0, all = 0;
          for (EventRecord record; reader->Next(record);) {
            REQUIRE(record.number == is_call.size());
            is_call.push_back(std::holds_alternative<Dp2>(record.event));
            all += is_call.back() ? 1U : 0U;
            if (std::holds_alternative<Header>(record.event)) session = record.number;
            if (std::holds_alternative<Marker>(record.event)) ++gone;
            const auto* const result = std::get_if<CallResult>(&record.event);
            if (result == nullptr) continue;
            ++results;
            CHECK(result->flags_out == 0x1234);
            REQUIRE(session + result->call < record.number);
            CHECK(is_call[session + result->call]);
            is_call[session + result->call] = false;
          }
          CHECK(gone <= 1);
          CHECK(all == results + 1);
          CHECK(is_call.back());
          for (const Diagnostic& finding : findings.items())
            CHECK(finding.severity == Severity::kAdvice);
          if (packs && size == 20000) CHECK(all == 3 * calls + 1);
        }
      }
    }
  }
}

TEST_CASE("Pause: nothing is recorded until the next header, and nothing counts as lost") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  struct d2c_header header;
  d2c_header_init(&header);
  d2c_put_header(&capture, &header);
  struct d2c_marker marker;
  d2c_marker_init(&marker);
  marker.text = "on";
  d2c_marker(&capture, &marker);
  CHECK(d2c_pause(&capture) == D2C_OK);
  const size_t size = sink.file.size();
  marker.text = "off";
  CHECK(d2c_marker(&capture, &marker) == D2C_OK);
  struct d2c_u64 number {};
  struct d2c_dp2 call;
  d2c_dp2_init(&call);
  CHECK(d2c_dp2_numbered(&capture, &call, &number) == D2C_OK);
  CHECK(d2c_flush(&capture) == D2C_OK);
  CHECK(sink.file.size() == size);
  CHECK(d2c_begin_snapshot(&capture, &header) == D2C_OK);
  struct d2c_call_result result;
  d2c_call_result_init(&result);
  result.call = number;  // of the call that was not recorded
  CHECK(d2c_call_result(&capture, &result) == D2C_OK);
  marker.text = "on again";
  d2c_marker(&capture, &marker);
  CHECK(d2c_finish(&capture) == D2C_OK);
  const testing::Tally tally = testing::TallyOf(sink.file);
  CHECK(tally.headers == 2);
  CHECK(tally.given == 2);
  CHECK(tally.lost == 0);
  CHECK(d2c_pause(nullptr) == D2C_E_ARGUMENT);
}
