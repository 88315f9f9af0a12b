#include "dump/json_dumper.h"

#include <doctest/doctest.h>

#include <string>

#include "rules/rule.h"
#include "unit/state/state_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

std::string Dump(const std::string& events, const text::DumpOptions& options) {
  std::string out;
  dump::JsonDumper dumper(
      [&out](std::string_view piece) {
        out += piece;
        return OkStatus();
      },
      "a.json", options, nullptr);
  ForEachEventOf(events, [&dumper](uint64_t number, const trace::Event& event) {
    return dumper.Add(number, event);
  });
  CHECK(dumper.Finish().ok());
  return out;
}

text::DumpOptions Events(std::string_view selection) {
  std::string error;
  text::DumpOptions options;
  options.events = *Selection::Parse(selection, error);
  return options;
}

}  // namespace

TEST_CASE("JsonDumper: an object with the chosen events, with their draws") {
  const std::string events = std::string(kTarget) + Call(kClear);
  const std::string text = Dump(events, Events("2-3"));
  CHECK(text.starts_with("{\"tool\":\"dp2trace\","));
  CHECK(
      text.find(
          "\"trace\":\"a.json\",\"events\":[\n{\"event\":2,\"frame\":1,\"record\":{\"event\":\"context_create\"") !=
      std::string::npos);
  CHECK(text.find("\n{\"event\":3,\"frame\":1,\"draws\":[{\"draw\":1,\"command\":0,\"offset\":0}],"
                  "\"record\":{\"event\":\"dp2\"") != std::string::npos);
  CHECK(text.ends_with("}\n]}\n"));
  CHECK(Dump(events, Events("9")).ends_with("\"events\":[\n]}\n"));
}

TEST_CASE("JsonDumper: what the sink fails with is the result") {
  dump::JsonDumper dumper([](std::string_view) { return Failure(Rule::kIo001, "full"); }, "a.json",
                          {}, nullptr);
  CHECK(!dumper.Add(0, trace::Event{}).ok());
}
