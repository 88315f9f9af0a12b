#include "blame/levels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "blame_run.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

Result<std::optional<blame::BlamedLevel>> LevelOf(const std::string& trace,
                                                  const std::string& driver) {
  const Blamed blamed = BlameOf(trace, driver);
  TextFeed feed(trace);
  return blame::FindLevel(blamed.frame, blamed.blame, PictureOf(driver, 1), {}, SpanOf(trace, 1),
                          {}, feed);
}

// The scene with black in a level of the texture of its floor.
std::string WithLevel(std::string text, uint32_t level) {
  const std::string name = "\"handle\":10,\"level\":" + std::to_string(level);
  size_t at = text.find(name);
  REQUIRE(at != std::string::npos);
  at = text.find("\"data\":\"", at) + 8;
  std::fill(text.begin() + static_cast<ptrdiff_t>(at),
            text.begin() + static_cast<ptrdiff_t>(text.find('=', at) - 4), 'A');
  return text;
}

}  // namespace

TEST_CASE("Levels: the level of a texture that a driver got wrong is named") {
  const std::string trace = TraceText("scenes/columns-in-fog.json");
  for (const uint32_t level : {1U, 2U}) {
    CAPTURE(level);
    const auto found = LevelOf(trace, WithLevel(trace, level));
    REQUIRE(found.ok());
    REQUIRE(found->has_value());
    CHECK((*found)->texture == 10);
    CHECK((*found)->sampler == 0);
    CHECK((*found)->level == level);
    CHECK((*found)->draw == 2);
    CHECK((*found)->wrong > 1);
    CHECK(4 * (*found)->right_that_sample <= (*found)->right);
  }
}

TEST_CASE("Levels: none is named where the pixels do not share one, or textures have one level") {
  const std::string scene = TraceText("scenes/columns-in-fog.json");
  const auto fog = LevelOf(
      scene, Replaced(scene, R"("FOGDENSITY","state":0.13)", R"("FOGDENSITY","state":0.4)"));
  REQUIRE(fog.ok());
  CHECK_FALSE(fog->has_value());
  const std::string plain = TraceText("features/stage-add.json");
  const auto stage = LevelOf(plain, Replaced(plain, R"("ADDSIGNED")", R"("ADD")"));
  REQUIRE(stage.ok());
  CHECK_FALSE(stage->has_value());
}
