// The toy driver, hooked as lib/capture/README.md says: what it recorded shows, in a replay, the pixels that it drew.
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "replay/replayer.h"
#include "toy_driver.h"
#include "trace/call_results.h"
#include "trace/reader.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

int Append(void* file, const void* bytes, d2c_u32 size) {
  const auto* const from = static_cast<const uint8_t*>(bytes);
  auto& to = *static_cast<std::vector<uint8_t>*>(file);
  to.insert(to.end(), from, from + size);
  return 0;
}

// The pixels of the screen at the end of the replay, and what it found.
struct Played {
  std::vector<uint8_t> pixels;
  DiagnosticList findings;
  replay::Statistics statistics;
};

// The X of X8R8G8B8 is nobody's: the driver fills it, the reference does not.
void ClearUnused(std::vector<uint8_t>& pixels) {
  for (size_t i = 3; i < pixels.size(); i += 4)
    pixels[i] = 0;
}

class NoImages final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo&, const image::Picture&) override { return OkStatus(); }
};

Played Play(const std::vector<uint8_t>& file) {
  Played played;
  NoImages images;
  replay::Replayer replayer({}, played.findings, images);
  Result<trace::Reader> reader = trace::Reader::FromBytes(file, played.findings);
  REQUIRE(reader.ok());
  trace::ResultJoiner joiner(
      [&reader](trace::EventRecord& record) { return reader->Next(record); });
  for (trace::EventRecord record; joiner.Next(record);)
    REQUIRE(replayer.OnEvent(record.number, record.event).ok());
  const device::Space* const space = replayer.device().FindSpace(0);
  REQUIRE(space != nullptr);
  const device::SurfaceRef screen = space->Find(1);
  REQUIRE(screen);
  const image::Level bits = screen.bits();
  played.pixels.assign(bits.bytes, bits.bytes + sizeof toy_pixels);
  ClearUnused(played.pixels);
  REQUIRE(replayer.Finish().ok());
  played.statistics = replayer.statistics();
  return played;
}

std::vector<uint8_t> Screen() {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(toy_pixels);
  std::vector<uint8_t> pixels(bytes, bytes + sizeof toy_pixels);
  ClearUnused(pixels);
  return pixels;
}

void CreateContext() {
  D3DHAL_CONTEXTCREATEDATA create;
  std::memset(&create, 0, sizeof create);
  create.lpDDSLcl = &toy_screen;
  create.dwhContext = 3;
  D3dContextCreate(&create);
}

}  // namespace

TEST_CASE(
    "Toy driver: a replay of its recording gives its pixels; a snapshot and a frame give them, too") {
  std::vector<uint8_t> whole;
  std::memset(toy_pixels, 0, sizeof toy_pixels);
  toy_capture(Append, &whole, 0);
  D3dCreateSurfaceEx(&toy_screen);
  CreateContext();
  toy_clear(0xFF102030, 0, 0, 16, 8);
  toy_pixels[3][4] = 0xFFFFFFFF;
  DdUnlock(&toy_screen);
  DdFlip(&toy_screen);
  REQUIRE(d2c_finish(&capture) == D2C_OK);
  const std::vector<uint8_t> first = Screen();

  std::vector<uint8_t> rest;
  toy_capture(Append, &rest, 1);
  toy_clear(0xFF00FF00, 2, 1, 5, 7);
  DdFlip(&toy_screen);
  REQUIRE(d2c_finish(&capture) == D2C_OK);

  const Played beginning = Play(whole);
  CHECK(beginning.findings.count(Severity::kError) == 0);
  CHECK(beginning.statistics.frames == 1);
  CHECK(beginning.pixels == first);
  const Played middle = Play(rest);
  CHECK(middle.findings.count(Severity::kError) == 0);
  CHECK(middle.pixels == Screen());
  CHECK(middle.pixels != first);

  // Both files after each other: two sessions, the second one ends with the same pixels.
  std::vector<uint8_t> both = whole;
  both.insert(both.end(), rest.begin(), rest.end());
  const Played sessions = Play(both);
  CHECK(sessions.findings.count(Severity::kError) == 0);
  CHECK(sessions.statistics.frames == 2);
  CHECK(sessions.pixels == Screen());
}

TEST_CASE("Toy driver: recording takes 25 lines of it, as the page says") {
  std::ifstream source(std::string(DP2TRACE_SOURCE_DIR) + "/tests/capture/toy_driver.c");
  REQUIRE(source.good());
  int count = 0;
  bool is_capture = false;
  for (std::string line; std::getline(source, line);) {
    const bool begins = line.find("/* capture: */") != std::string::npos;
    const bool ends = line.find("/* :capture */") != std::string::npos;
    if (begins || ends) {
      is_capture = begins;
    } else if (is_capture && !line.empty()) {
      ++count;
    }
  }
  CHECK(count == 25);
}
