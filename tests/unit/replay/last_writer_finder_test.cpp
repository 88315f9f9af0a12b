#include "replay/last_writer_finder.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "json/reader.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

class NoImages final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo& /*info*/, const image::Picture& /*picture*/) override {
    return OkStatus();
  }
};

// "draw 2 (event 3, CLEAR)" of the pixel of surface 1, or "none".
std::string LastChange(const std::string& events, uint32_t x, uint32_t y) {
  const std::string text =
      R"([{"event":"header"},{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},)" +
      events + "]";
  size_t at = 0;
  json::Reader reader([&](std::span<uint8_t> out) -> Result<size_t> {
    const size_t count = std::min(out.size(), text.size() - at);
    std::memcpy(out.data(), text.data() + at, count);
    at += count;
    return count;
  });
  replay::LastWriterFinder history(x, y, 0);
  replay::Options options;
  options.listeners = {&history};
  DiagnosticList findings;
  NoImages images;
  replay::Replayer replayer(options, findings, images);
  trace::Event event;
  for (uint64_t number = 0;; ++number) {
    const Result<bool> next = reader.Next(event);
    REQUIRE(next.ok());
    if (!*next) break;
    REQUIRE(replayer.OnEvent(number, event).ok());
  }
  const auto draw = history.LastChange(replayer.device(), 0, 1, 0, 0);
  return draw ? "draw " + std::to_string(draw->number) + " (event " + std::to_string(draw->event) +
                    ", " + draw->operation + ")"
              : "none";
}

std::string Clear(const std::string& color, const std::string& rect) {
  return R"({"op":"CLEAR","flags":["TARGET"],"fill_color":")" + color +
         R"(","fill_depth":1,"fill_stencil":0,"rects":[)" + rect + "]}";
}

std::string Call(const std::string& commands) {
  return R"({"event":"dp2","context":1,"vertex_type":68,"vertex_size":20,"commands":[)" + commands +
         "]}";
}

}  // namespace

TEST_CASE("LastWriterFinder: the last draw that changed the pixel, not the last draw") {
  const std::string events =
      Call(Clear("0xFF000001", "[0,0,8,8]") + "," + Clear("0xFF000002", "[0,0,4,4]")) + "," +
      Call(Clear("0xFF000003", "[4,4,8,8]"));
  CHECK(LastChange(events, 1, 1) == "draw 2 (event 3, CLEAR)");
  CHECK(LastChange(events, 5, 5) == "draw 3 (event 4, CLEAR)");
  CHECK(LastChange(events, 5, 1) == "draw 1 (event 3, CLEAR)");
}

TEST_CASE("LastWriterFinder: a draw that writes the value that is there changes nothing") {
  const std::string events =
      Call(Clear("0xFF000001", "[0,0,8,8]") + "," + Clear("0xFF000001", "[0,0,8,8]"));
  CHECK(LastChange(events, 1, 1) == "draw 1 (event 3, CLEAR)");
}

TEST_CASE("LastWriterFinder: what something else than a draw wrote last has no draw") {
  const std::string update =
      R"({"event":"surface_update","handle":1,"rect":[0,0,1,1],"pitch":4,"data":"AQIDBA=="})";
  const std::string events = Call(Clear("0xFF000001", "[0,0,8,8]")) + "," + update;
  CHECK(LastChange(events, 0, 0) == "none");
  CHECK(LastChange(events, 1, 1) == "draw 1 (event 3, CLEAR)");
}

TEST_CASE("LastWriterFinder: pixels outside of the surface have no draw") {
  CHECK(LastChange(Call(Clear("0xFF000001", "[0,0,8,8]")), 8, 0) == "none");
}
