// No call of the capture header does harm, whatever it is given; what is lost is counted, and the trace says it.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "bridge.h"
#include "locked.h"
#include "rules/rule.h"
#include "trace/reader.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file
using testing::Tally;
using testing::TallyOf;

namespace {

// Each function of the recorder, on `c`. True where all of them refuse it.
bool AllRefuse(d2c* c) {
  struct d2c_header header;
  struct d2c_dp2 dp2;
  struct d2c_render render;
  struct d2c_call_result result;
  struct d2c_present present;
  struct d2c_state state;
  d2c_header_init(&header);
  d2c_dp2_init(&dp2);
  d2c_render_init(&render);
  d2c_call_result_init(&result);
  d2c_present_init(&present);
  d2c_state_init(&state);
  struct d2c_u64 number = d2c_u64_of(0, 0);
  d2c_set_flush(c, D2C_FLUSH_EVENT);
  d2c_set_largest(c, 1);
  const int results[] = {d2c_put_header(c, &header),
                         d2c_dp2_call(c, &dp2),
                         d2c_dp2_numbered(c, &dp2, &number),
                         d2c_dp2_numbered(c, nullptr, nullptr),
                         d2c_render_numbered(c, &render, nullptr),
                         d2c_call_result(c, &result),
                         d2c_present(c, &present),
                         d2c_present(c, nullptr),
                         d2c_begin_snapshot(c, &header),
                         d2c_begin_snapshot(c, nullptr),
                         d2c_snapshot_state(c, &state),
                         d2c_snapshot_state(c, nullptr),
                         d2c_flush(c),
                         d2c_recover(c),
                         d2c_leave_out(c, D2C_LOST_CAUSE_ROOM),
                         d2c_error(c),
                         d2c_finish(c)};
  return std::ranges::all_of(results, [](int each) { return each == D2C_E_ARGUMENT; }) &&
         number.lo == UINT32_MAX && d2c_next_event(c).hi == UINT32_MAX && d2c_every(c, 1) == 0;
}

struct d2c_marker MakeMarker() {
  struct d2c_marker marker;
  d2c_marker_init(&marker);
  marker.text = "marker";
  return marker;
}

}  // namespace

TEST_CASE("Losses: a recorder that is zeroed, full of anything, or null refuses every call") {
  d2c capture;
  for (const int fill : {0x00, 0x01, 0x55, 0xCC, 0xFF}) {
    CAPTURE(fill);
    std::memset(&capture, fill, sizeof capture);
    CHECK(AllRefuse(&capture));
  }
  CHECK(AllRefuse(nullptr));
  d2c_open(nullptr, testing::Sink::Write, nullptr, nullptr, 0, nullptr, 0);
  d2c_header_init(nullptr);
  d2c_marker_init(nullptr);
  d2c_state_init(nullptr);
  d2c_hash_begin(nullptr);
  d2c_hash_add(nullptr, "", 1);
  CHECK(d2c_hash_end(nullptr).lo == 0);
}

TEST_CASE("Losses: pieces that go round in a ring are an event that is too large") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  struct d2c_dp2 call;
  d2c_dp2_init(&call);
  call.commands = d2c_bytes_of("", 0);
  call.commands.next = &call.commands;
  CHECK(d2c_dp2_call(&capture, &call) == D2C_E_SIZE);
  CHECK(d2c_error(&capture) == D2C_E_SIZE);
  CHECK(d2c_finish(&capture) == D2C_OK);
  CHECK(TallyOf(sink.file).lost == 1);
  CHECK(TallyOf(sink.file).cause == LostCause::kSize);
}

TEST_CASE("Losses: where a callback fails once, every event is in the file or counted") {
  for (const size_t buffer_size : {size_t{0}, size_t{100}, size_t{300}, size_t{4096}}) {
    for (const uint32_t flush : {D2C_FLUSH_WHEN_FULL, D2C_FLUSH_FRAME, D2C_FLUSH_EVENT}) {
      for (uint64_t fail_at = 0; fail_at < 12; ++fail_at) {
        CAPTURE(buffer_size);
        CAPTURE(flush);
        CAPTURE(fail_at);
        testing::Sink sink;
        sink.fail_at = fail_at;
        std::vector<uint8_t> buffer(buffer_size + 1);
        d2c capture;
        d2c_open(&capture, testing::Sink::Write, &sink, buffer_size == 0 ? nullptr : buffer.data(),
                 static_cast<d2c_u32>(buffer_size), nullptr, 0);
        d2c_set_flush(&capture, flush);
        Header header;
        header.driver_level = 7;
        (void)testing::Record(capture, header);
        Marker marker;
        marker.text = "marker";
        for (int i = 0; i < 30; ++i) {
          (void)testing::Record(capture, marker);
          if (i % 5 == 0) (void)testing::Record(capture, Present{});
        }
        if (d2c_finish(&capture) != D2C_OK || sink.calls <= fail_at) continue;
        const Tally tally = TallyOf(sink.file);
        CHECK(d2c_error(&capture) == D2C_E_WRITE);
        CHECK(tally.level == 7);  // where the header was lost, its numbers come once more
        CHECK(tally.given + tally.lost == 36 + (tally.is_bare ? 1 : 0));
        CHECK(tally.cause == (tally.lost == 0 ? LostCause::kNone : LostCause::kWrite));
      }
    }
  }
}

TEST_CASE("Losses: a call that was lost has no number, and its result is not recorded") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  struct d2c_dp2 call;
  struct d2c_call_result result;
  d2c_dp2_init(&call);
  d2c_call_result_init(&result);
  CHECK(d2c_dp2_numbered(&capture, &call, &result.call) == D2C_OK);
  CHECK(result.call.lo == 1);
  CHECK(d2c_call_result(&capture, &result) == D2C_OK);
  CHECK(d2c_dp2_numbered(&capture, nullptr, &result.call) == D2C_E_ARGUMENT);
  CHECK(result.call.lo == UINT32_MAX);
  CHECK(d2c_call_result(&capture, &result) == D2C_OK);
  CHECK(d2c_finish(&capture) == D2C_OK);
  CHECK(TallyOf(sink.file).given == 2);
  CHECK(TallyOf(sink.file).lost == 1);
}

TEST_CASE("Losses: a `lost` does not come between a call and its result") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  struct d2c_dp2 call;
  struct d2c_call_result result;
  d2c_dp2_init(&call);
  d2c_call_result_init(&result);
  REQUIRE(testing::Record(capture, Header{}) == D2C_OK);
  CHECK(d2c_present(&capture, nullptr) == D2C_E_ARGUMENT);
  REQUIRE(d2c_dp2_numbered(&capture, &call, &result.call) == D2C_OK);
  REQUIRE(d2c_call_result(&capture, &result) == D2C_OK);
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(sink.file, findings);
  std::vector<size_t> kinds;
  for (EventRecord record; reader->Next(record);)
    kinds.push_back(record.kind);
  CHECK(kinds == std::vector<size_t>{1, 8, 13, 15});
}

TEST_CASE("Losses: events above a size are left out and counted, the header never") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  d2c_set_largest(&capture, 20);
  const struct d2c_marker small = MakeMarker();
  struct d2c_marker large = small;
  large.text = "a marker with more than twenty bytes";
  CHECK(d2c_marker(&capture, &small) == D2C_OK);
  CHECK(d2c_marker(&capture, &large) == D2C_OK);
  CHECK(d2c_marker(&capture, &large) == D2C_OK);
  CHECK(d2c_finish(&capture) == D2C_OK);
  const Tally tally = TallyOf(sink.file);
  CHECK(tally.given == 1);
  CHECK(tally.headers == 1);
  CHECK(tally.lost == 2);
  CHECK(tally.cause == LostCause::kLimit);
}

TEST_CASE("Losses: one frame in three") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  std::string is_third;
  for (int i = 0; i < 7; ++i) {
    is_third += d2c_every(&capture, 3) != 0 ? '1' : '0';
    REQUIRE(testing::Record(capture, Present{}) == D2C_OK);
  }
  CHECK(is_third == "1001001");
}

TEST_CASE("Losses: a second thread without a lock is refused and counted; the file stays whole") {
  constexpr uint32_t kThreads = 4;
  constexpr uint32_t kCalls = 5000;
  for (const size_t buffer_size : {size_t{0}, size_t{512}}) {
    testing::Sink sink;
    std::vector<uint8_t> buffer(buffer_size + 1);
    d2c capture;
    d2c_open(&capture, testing::Sink::Write, &sink, buffer_size == 0 ? nullptr : buffer.data(),
             static_cast<d2c_u32>(buffer_size), nullptr, 0);
    std::atomic<uint64_t> done = 0;
    {
      std::vector<std::jthread> threads;
      for (uint32_t i = 0; i < kThreads; ++i) {
        threads.emplace_back([&] {
          for (uint32_t k = 0; k < kCalls; ++k) {
            const struct d2c_marker marker = MakeMarker();
            if (d2c_marker(&capture, &marker) == D2C_OK) ++done;
          }
        });
      }
    }
    REQUIRE(d2c_finish(&capture) == D2C_OK);
    DiagnosticList findings;
    Result<Reader> reader = Reader::FromBytes(sink.file, findings);
    for (EventRecord record; reader->Next(record);) {
    }
    CHECK(findings.empty());
    const Tally tally = TallyOf(sink.file);
    CHECK(tally.given == done);
    CHECK(tally.given + tally.lost == kThreads * kCalls);
    if (tally.lost != 0) CHECK(tally.cause == LostCause::kBusy);
  }
}

TEST_CASE("Losses: with a lock nothing is refused") {
  const Tally tally = TallyOf(testing::RecordLocked(4, 5000));
  CHECK(tally.given == 20000);
  CHECK(tally.lost == 0);
}

TEST_CASE("Losses: what the callback calls of the recorder is refused; the file stays whole") {
  // Each of them at each write, with and without a buffer.
  using Call = void (*)(d2c*);
  const Call nested[] = {
      [](d2c* c) { d2c_open(c, testing::Sink::Write, nullptr, nullptr, 0, nullptr, 0); },
      [](d2c* c) { d2c_recover(c); },
      [](d2c* c) { CHECK(d2c_flush(c) == D2C_E_NESTED); },
      [](d2c* c) { CHECK(d2c_pause(c) == D2C_E_NESTED); },
      [](d2c* c) { CHECK(d2c_finish(c) == D2C_E_NESTED); },
      [](d2c* c) { CHECK(d2c_leave_out(c, D2C_LOST_CAUSE_ROOM) == D2C_E_NESTED); }};
  for (const Call call : nested) {
    for (const size_t buffer_size : {size_t{0}, size_t{300}}) {
      struct State {
        testing::Sink sink;
        d2c capture{};
        Call nested = nullptr;
      } state;
      state.nested = call;
      std::vector<uint8_t> buffer(buffer_size + 1);
      d2c_open(
          &state.capture,
          [](void* user, const void* bytes, d2c_u32 size) {
            auto* const s = static_cast<State*>(user);
            s->nested(&s->capture);
            return testing::Sink::Write(&s->sink, bytes, size);
          },
          &state, buffer_size == 0 ? nullptr : buffer.data(), static_cast<d2c_u32>(buffer_size),
          nullptr, 0);
      struct d2c_marker marker = MakeMarker();
      for (int i = 0; i < 20; ++i)
        CHECK(d2c_marker(&state.capture, &marker) == D2C_OK);
      CHECK(d2c_finish(&state.capture) == D2C_OK);
      const testing::Tally tally = testing::TallyOf(state.sink.file);
      CHECK(tally.given == 20);
      CHECK((tally.lost == 0 || tally.cause == LostCause::kBusy));
    }
  }
}

TEST_CASE("Losses: a callback that recovers and goes on recording does no harm") {
  struct State {
    testing::Sink sink;
    d2c capture{};
    int depth = 0;
  } state;
  std::vector<uint8_t> buffer(300);
  d2c_open(
      &state.capture,
      [](void* user, const void* bytes, d2c_u32 size) {
        auto* const s = static_cast<State*>(user);
        if (++s->depth < 1000) {
          const struct d2c_marker marker = MakeMarker();
          d2c_recover(&s->capture);
          d2c_marker(&s->capture, &marker);
          d2c_recover(&s->capture);
          d2c_open(&s->capture, testing::Sink::Write, &s->sink, nullptr, 0, nullptr, 0);
        }
        return testing::Sink::Write(&s->sink, bytes, size);
      },
      &state, buffer.data(), 300, nullptr, 0);
  const struct d2c_marker marker = MakeMarker();
  for (int i = 0; i < 20; ++i)
    d2c_marker(&state.capture, &marker);
  d2c_finish(&state.capture);
  CHECK(d2c_marker(&state.capture, &marker) == D2C_E_FINISHED);
}

TEST_CASE("Losses: what the caller could not record is in the trace") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  const struct d2c_marker marker = MakeMarker();
  CHECK(d2c_marker(&capture, &marker) == D2C_OK);
  CHECK(d2c_leave_out(&capture, D2C_LOST_CAUSE_ROOM) == D2C_OK);
  CHECK(d2c_finish(&capture) == D2C_OK);
  CHECK(testing::TallyOf(sink.file).lost == 1);
  CHECK(testing::TallyOf(sink.file).cause == LostCause::kRoom);
}
