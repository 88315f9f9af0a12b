#include "trace/index.h"

#include <doctest/doctest.h>

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

TraceIndex Example() {
  TraceIndex index;
  index.chunks = {{16, 0, 5, 100}, {200, 5, 3, 90}};
  index.frames = {2, 6};
  index.event_count = 8;
  return index;
}

bool Parses(const TraceIndex& index) {
  return ParseIndex(EncodeIndex(index)).has_value();
}

}  // namespace

TEST_CASE("Index: reads back") {
  CHECK(ParseIndex(EncodeIndex(Example())) == Example());
  CHECK(ParseIndex(EncodeIndex(TraceIndex{})) == TraceIndex{});
}

TEST_CASE("Index: every prefix and every longer form fails") {
  std::vector<uint8_t> bytes = EncodeIndex(Example());
  for (size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(ParseIndex(Bytes(bytes).first(size)).has_value());
  bytes.push_back(0);
  CHECK_FALSE(ParseIndex(bytes).has_value());
}

TEST_CASE("Index: numbers that do not ascend or do not add up fail") {
  TraceIndex index = Example();
  index.chunks[1].offset = 16;
  CHECK_FALSE(Parses(index));
  index = Example();
  index.chunks[1].first_event = 4;
  CHECK_FALSE(Parses(index));
  index = Example();
  index.event_count = 9;
  CHECK_FALSE(Parses(index));
  index = Example();
  index.frames = {6, 6};
  CHECK_FALSE(Parses(index));
  index.frames = {8};
  CHECK_FALSE(Parses(index));
}

TEST_CASE("Index: counts that no file can hold are refused before memory is taken") {
  std::vector<uint8_t> bytes(24, 0xFF);
  CHECK_FALSE(ParseIndex(bytes).has_value());
}

TEST_CASE(
    "EventsOfFrame: frames count from 1 and end with their present; the rest is the last one") {
  const TraceIndex index = Example();
  CHECK(EventsOfFrame(index, 1) == EventRange{0, 2});
  CHECK(EventsOfFrame(index, 2) == EventRange{3, 6});
  CHECK(EventsOfFrame(index, 3) == EventRange{7, 7});
  CHECK_FALSE(EventsOfFrame(index, 0).has_value());
  CHECK_FALSE(EventsOfFrame(index, 4).has_value());
  TraceIndex whole = Example();
  whole.frames = {2, 7};
  CHECK_FALSE(EventsOfFrame(whole, 3).has_value());
}
