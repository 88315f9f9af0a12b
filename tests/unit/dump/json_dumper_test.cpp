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
      options, nullptr);
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

TEST_CASE("JsonDumper: an array of the chosen events, with their draws") {
  const std::string events = std::string(kTarget) + Call(kClear);
  const std::string text = Dump(events, Events("2-3"));
  CHECK(text.starts_with("[\n{\"number\":2,\"frame\":1,\"event\":{\"event\":\"context_create\""));
  CHECK(text.find("\n{\"number\":3,\"frame\":1,\"draws\":[{\"draw\":1,\"command\":0,\"offset\":0}],"
                  "\"event\":{\"event\":\"dp2\"") != std::string::npos);
  CHECK(text.ends_with("}\n]\n"));
  CHECK(Dump(events, Events("9")) == "[]\n");
}

TEST_CASE("JsonDumper: what the sink fails with is the result") {
  dump::JsonDumper dumper([](std::string_view) { return Failure(Rule::kIo001, "full"); }, {},
                          nullptr);
  CHECK(!dumper.Add(0, trace::Event{}).ok());
}
