#include "inspect/histories.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "inspect_run.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

class TextSink final : public inspect::DataSink {
 public:
  Status Write(std::string_view name, std::string_view value) override {
    texts[std::string(name)] = value;
    return OkStatus();
  }
  Status WritePacked(std::string_view name, std::string_view value) override {
    return Write(name, value);
  }
  uint64_t bytes() const override { return 0; }

  std::map<std::string, std::string> texts;
};

}  // namespace

TEST_CASE("WriteHistories: each pixel of each frame has its data") {
  const std::string trace =
      TraceOf(std::string(kTarget) + Call(Clear("0xFF102030")) + "," + std::string(kPresent));
  TextFeed feed(trace);
  TextSink sink;
  REQUIRE(
      inspect::WriteHistories({.frames = {1}, .pixels = {{1, 2}, {3, 4}}, .play = {}}, feed, sink)
          .ok());
  CHECK(sink.texts.size() == 2);
  CHECK(sink.texts.at("history/1-3-4").find("#ff102030") != std::string::npos);
}
