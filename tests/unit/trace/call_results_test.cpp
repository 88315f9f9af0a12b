#include "trace/call_results.h"

#include <doctest/doctest.h>

#include "trace_files.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

Dp2 Call(Bytes commands) {
  Dp2 call;
  call.context = 1;
  call.commands = commands;
  return call;
}

CallResult ResultOf(uint64_t call, uint32_t ddrval) {
  CallResult result;
  result.call = call;
  result.ddrval = ddrval;
  result.error_offset = 12;
  return result;
}

// The events as a joiner gives them, each described while it lives.
template <class Function>
size_t ForEachJoined(const std::vector<Event>& events, Function visit) {
  const std::vector<uint8_t> file = testing::WriteTrace(events, {Compression::kNone});
  DiagnosticList findings;
  Result<Reader> reader = Reader::FromBytes(file, findings);
  REQUIRE(reader.ok());
  ResultJoiner joiner([&reader](EventRecord& record) { return reader->Next(record); });
  size_t count = 0;
  for (EventRecord record; joiner.Next(record); ++count) {
    CHECK(record.number == count);
    visit(record);
  }
  CHECK(findings.empty());
  return count;
}

}  // namespace

TEST_CASE("ResultJoiner: a call takes the result that follows it at once") {
  const uint8_t commands[] = {11, 0, 0, 0};
  const size_t count = ForEachJoined(
      {Header{}, Call(commands), ResultOf(1, 0x88760BB8), Call(commands), Call(commands)},
      [&](const EventRecord& record) {
        const auto* const call = std::get_if<Dp2>(&record.event);
        if (call == nullptr) return;
        CHECK(std::vector<uint8_t>(call->commands.begin(), call->commands.end()) ==
              std::vector<uint8_t>(std::begin(commands), std::end(commands)));
        CHECK(call->ddrval.has_value() == (record.number == 1));
        if (record.number == 1) {
          CHECK(*call->ddrval == 0x88760BB8);
          CHECK(call->error_offset == 12);
        }
      });
  CHECK(count == 5);
}

TEST_CASE(
    "ResultJoiner: results of other calls, and those that come later, are left where they are") {
  const auto check = [](const std::vector<Event>& events) {
    CHECK(ForEachJoined(events, [](const EventRecord& record) {
            const auto* const call = std::get_if<Dp2>(&record.event);
            if (call != nullptr) CHECK_FALSE(call->ddrval.has_value());
          }) == events.size());
  };
  check({Header{}, Call({}), ResultOf(7, 1)});
  check({Header{}, Call({}), Marker{}, ResultOf(1, 1)});
  check({Header{}, ResultOf(2, 1), Call({})});
}

TEST_CASE("ResultJoiner: a packet takes the buffers of the next one from its result") {
  CallResult result = ResultOf(1, 0);
  const uint8_t structure[] = {1, 2, 3};
  result.raw_out = structure;
  result.out.emplace().command_buffer = 0x10000;
  result.queued_buffer_count = 2;
  result.new_command_buffer_out = 0x20000;
  Render recorded;
  recorded.out.emplace().command_buffer = 0x30000;
  ForEachJoined({Header{}, Render{}, result, recorded, ResultOf(3, 0)},
                [](const EventRecord& record) {
                  const auto* const render = std::get_if<Render>(&record.event);
                  if (render == nullptr) return;
                  REQUIRE(render->out);
                  CHECK(render->out->command_buffer == (record.number == 1 ? 0x10000 : 0x30000));
                  if (record.number != 1) return;
                  CHECK(render->raw_out.size() == 3);
                  CHECK(render->queued_buffer_count == 2);
                  CHECK(render->new_command_buffer_out == 0x20000);
                });
}

TEST_CASE("ResultJoiner: packets and blits take results, too; a recorded one stays") {
  Blt answered;
  answered.ddrval = 5;
  ForEachJoined({Header{}, Render{}, ResultOf(1, 0xC0000001), Blt{}, ResultOf(3, 1), answered,
                 ResultOf(5, 6)},
                [](const EventRecord& record) {
                  if (const auto* const render = std::get_if<Render>(&record.event))
                    CHECK(render->status == 0xC0000001);
                  if (const auto* const blt = std::get_if<Blt>(&record.event))
                    CHECK(blt->ddrval == (record.number == 3 ? 1U : 5U));
                });
}
