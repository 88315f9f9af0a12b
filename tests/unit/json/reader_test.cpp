#include "json/reader.h"

#include <doctest/doctest.h>

#include "base/file.h"
#include "json_texts.h"
#include "rules/rule.h"
#include "support/event_generator.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Reader: every prefix of a text is truncated, and delivers the events that are whole") {
  EventGenerator generator(21, 30);
  const std::string text = FormatText(generator.MakeTrace(12));
  const TextResult whole = ParseText(text);
  REQUIRE(whole.status.ok());
  const size_t end = text.rfind(']');
  size_t delivered = 0;
  for (size_t size = 0; size <= end; ++size) {
    CAPTURE(size);
    const TextResult result = ParseText(std::string_view(text).substr(0, size));
    REQUIRE(result.rule() == Rule::kJson002);
    CHECK(result.truncated);
    REQUIRE(result.lines.size() >= delivered);
    delivered = result.lines.size();
    CHECK(std::equal(result.lines.begin(), result.lines.end(), whole.lines.begin()));
  }
  CHECK(delivered == whole.lines.size());
}

TEST_CASE("Reader: an error stays") {
  json::Reader reader([done = false](std::span<uint8_t> out) mutable -> Result<size_t> {
    out[0] = '{';
    const size_t size = done ? 0 : 1;
    done = true;
    return size;
  });
  trace::Event event;
  const Result<bool> first = reader.Next(event);
  const Result<bool> second = reader.Next(event);
  REQUIRE_FALSE(first.ok());
  REQUIRE_FALSE(second.ok());
  CHECK(first.status().diagnostic() == second.status().diagnostic());
  CHECK(reader.event_count() == 0);
}

TEST_CASE("Reader: an error of the source is handed on") {
  json::Reader reader([](std::span<uint8_t>) -> Result<size_t> {
    return Status(MakeDiagnostic(Rule::kTrace001, "gone"));
  });
  trace::Event event;
  const Result<bool> next = reader.Next(event);
  REQUIRE_FALSE(next.ok());
  CHECK(next.status().diagnostic().rule == Rule::kTrace001);
  CHECK(next.status().diagnostic().message == "gone");
  CHECK_FALSE(reader.truncated());
}

TEST_CASE("Reader: line and offset are those of the value") {
  const std::string text =
      "[\n{\"event\":\"header\"},\n{\"event\":\"present\",\n \"handle\":\n 5000000000}\n]\n";
  const TextResult result = ParseText(text);
  REQUIRE_FALSE(result.status.ok());
  CHECK(result.status.diagnostic().line == 5);
  CHECK(*result.status.diagnostic().offset >= text.find("5000000000"));
  CHECK(*result.status.diagnostic().offset <= text.find("\n]"));
}

TEST_CASE("Reader: a text that nests without end is refused without recursion") {
  const std::string deep = WithHeader("{\"event\":" + std::string(1000000, '['));
  CHECK(ParseText(deep).rule() == Rule::kJson002);
  CHECK(ParseText(
            WithHeader("{\"event\":" + std::string(100000, '[') + std::string(100000, ']') + "}"))
            .rule() == Rule::kJson004);
}

TEST_CASE("Reader: a hand-written trace with spaces, other key orders and other spellings") {
  const std::string text = R"( [ { "event" : "header" , "driver_level" : 7 } ,
    { "handle": "0x10", "event": "surface_create", "width": 64, "height": 64, "format": "X8R8G8B8", "kind": 1 } ,
    { "commands": [ { "op": "TRIANGLELIST", "count": 1 } ], "event": "dp2", "flags": 1, "vertex_type": 68 } ] )";
  const TextResult result = ParseText(text);
  REQUIRE(result.status.ok());
  CHECK(
      result.lines[1] ==
      R"({"event":"surface_create","handle":16,"kind":"target","format":"X8R8G8B8","width":64,"height":64})");
  CHECK(
      result.lines[2] ==
      R"({"event":"dp2","flags":["USERMEMVERTICES"],"vertex_type":68,"commands":[{"op":"TRIANGLELIST","v_start":0}]})");
}

TEST_CASE(
    "Reader: allocation and patch lists are objects, or bytes where they are no whole elements") {
  const std::string event =
      R"({"event":"render","allocation_list":[{},{"allocation":1073741824,"write_operation":true,"offer_priority":7,"reserved":1}],)"
      R"("patch_location_list":[{"allocation_index":1,"slot_id":16777215,"reserved":255,"driver_id":2,"allocation_offset":3,"patch_offset":4,"split_offset":5}]})";
  CHECK(Canonical(event) == event);
  const std::string odd =
      R"({"event":"render","allocation_list":{"raw":"01020304"},"patch_location_list":{"raw":"00"}})";
  CHECK(Canonical(odd) == odd);
  CHECK(Canonical(R"({"event":"render","patch_location_list":[{"slot_id":16777216}]})") ==
        "JSON-009 /1/patch_location_list/0/slot_id");
}

TEST_CASE("Reader: unknown events keep kind, flags and bytes") {
  const std::string event = R"({"event":"unknown","kind":4000,"flags":1,"payload":"00ff"})";
  CHECK(Canonical(event) == event);
}

TEST_CASE("traces/README.md: the example of the JSON form is canonical") {
  const Result<std::vector<uint8_t>> page =
      ReadWholeFile(DP2TRACE_SOURCE_DIR "/traces/README.md", 1 << 20);
  REQUIRE(page.ok());
  const std::string text(page->begin(), page->end());
  const size_t start = text.find("```json\n") + 8;
  REQUIRE(start >= 8);
  const std::string example = text.substr(start, text.find("```", start) - start);
  const TextResult result = ParseText(example);
  REQUIRE(result.status.ok());
  std::string again = "[";
  for (const std::string& line : result.lines)
    again += (again.size() == 1 ? "\n" : ",\n") + line;
  CHECK(again + "\n]\n" == example);
}

TEST_CASE("Writer: an empty trace is still an array, and a failing sink ends the writing") {
  CHECK(FormatText({}) == "[\n]\n");
  json::Writer writer(
      [](std::string_view) { return Status(MakeDiagnostic(Rule::kIo001, "full")); });
  CHECK(writer.Write(trace::Header{}).ok());
  CHECK_FALSE(writer.Finish().ok());
}
