// Every fact of traces/facts: the trace is replayed and every pixel that its .expected file names is compared.
// Source: lib/raster/rendering.md 9.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "expectation.h"
#include "rules/rule_info.h"
#include "scene_replay.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// What is wrong with one pixel, or nothing.
std::string ComplaintAbout(const Expectation& expectation, const ReplayedScene& scene) {
  const auto found = scene.pictures.find(expectation.picture);
  if (found == scene.pictures.end()) return expectation.line + ": there is no such picture";
  const image::Picture& picture = found->second;
  if (expectation.x >= picture.width || expectation.y >= picture.height) {
    return fmt::format("{}: the picture has {}x{} pixels", expectation.line, picture.width,
                       picture.height);
  }
  const auto pixel = picture.at(expectation.x, expectation.y);
  const std::array<uint8_t, 4> rgba = {pixel[0], pixel[1], pixel[2], pixel[3]};
  if (Matches(expectation, rgba)) return {};
  return fmt::format("{}: actual {:02x}{:02x}{:02x} alpha {:02x}", expectation.line, rgba[0],
                     rgba[1], rgba[2], rgba[3]);
}

// The first findings, which often say why a picture is wrong.
std::string FindingsOf(const ReplayedScene& scene) {
  constexpr size_t kShown = 3;
  std::string text;
  for (const Diagnostic& finding : scene.findings.items()) {
    if (finding.severity == Severity::kAdvice) continue;
    text += fmt::format("\n  finding {}: {}", Info(finding.rule).id, finding.message);
    if (static_cast<size_t>(std::ranges::count(text, '\n')) == kShown) break;
  }
  return text;
}

void CheckScene(const std::string& path) {
  const Result<std::string> text = ReadText(path + ".expected");
  REQUIRE(text.ok());
  const Expected expected = ParseExpected(*text);
  CAPTURE(expected.fact);
  CHECK(expected.bad_lines.empty());
  CHECK_FALSE(expected.expectations.empty());
  ReplayedScene scene;
  const Status status = ReplayScene(path + ".json", scene);
  if (!status.ok()) FAIL_CHECK(path << ": " << status.diagnostic().message);
  std::string complaints;
  for (const Expectation& expectation : expected.expectations) {
    if (const std::string complaint = ComplaintAbout(expectation, scene); !complaint.empty())
      complaints += "\n  " + complaint;
  }
  if (!complaints.empty()) FAIL_CHECK(expected.fact << complaints << FindingsOf(scene));
}

void CheckSection(const std::string& folder) {
  const std::vector<std::string> paths = ScenesOf(folder);
  CHECK_FALSE(paths.empty());
  for (const std::string& path : paths)
    CheckScene(path);
}

}  // namespace

TEST_CASE("facts L: lighting and materials") {
  CheckSection("lighting");
}
TEST_CASE("facts F: fog") {
  CheckSection("fog");
}
TEST_CASE("facts G: rasterization, shading, viewport, depth clipping") {
  CheckSection("raster");
}
TEST_CASE("facts S: stencil and culling") {
  CheckSection("stencil");
}
TEST_CASE("facts O: texture stage operations") {
  CheckSection("stages");
}
TEST_CASE("facts M: TEXTUREMAPBLEND") {
  CheckSection("texture-blend");
}
TEST_CASE("facts C: texture coordinates") {
  CheckSection("coordinates");
}
TEST_CASE("facts X: cube maps, mip levels, filtering") {
  CheckSection("sampling");
}
TEST_CASE("facts P: formats, sRGB") {
  CheckSection("formats");
}
TEST_CASE("facts B: blending, alpha test, colour fill, clears") {
  CheckSection("blending");
}
TEST_CASE("facts T: uploads and blits") {
  CheckSection("blits");
}
TEST_CASE("facts K: colour keys") {
  CheckSection("color-key");
}
TEST_CASE("facts N: points and sprites") {
  CheckSection("points");
}
TEST_CASE("facts D: bump mapping, texture instructions") {
  CheckSection("bump");
}
TEST_CASE("facts V: shaders") {
  CheckSection("shaders-only");
}
