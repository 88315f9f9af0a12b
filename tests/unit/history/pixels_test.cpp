// The history against the pictures of `replay`, for pixels of traces of the repository.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "history/report.h"
#include "history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

namespace fs = std::filesystem;

std::string Rgba(const std::optional<history::PixelValue>& value) {
  if (!value || !value->rgba) return "none";
  const auto& [r, g, b, a] = *value->rgba;
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", r, g, b, a);
}

std::string Rgba(const image::Picture& picture, uint32_t x, uint32_t y) {
  const auto pixel = picture.at(x, y);
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", pixel[0], pixel[1], pixel[2], pixel[3]);
}

// Of a folder of traces/, or at a path.
std::vector<std::string> TracesOf(const std::string& folder) {
  const fs::path root = fs::path(DP2TRACE_SOURCE_DIR) / "traces";
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().generic_string());
  }
  std::ranges::sort(names);
  return names;
}

// Each operation starts where the one before ended; the writes of the fragments of one do so, too.
void CheckChain(const history::History& history) {
  std::optional<history::PixelValue> value = history.before;
  for (const history::Operation& operation : history.operations) {
    CHECK(operation.before == value);
    value = operation.after;
    if (operation.before != operation.after) CHECK(operation.writes);
    if (!operation.writes) CHECK(operation.before == operation.after);
    std::vector<const raster::ProbedWrite*> writes;
    for (const raster::ProbedFragment& fragment : operation.fragments) {
      for (const raster::ProbedWrite& write : fragment.writes)
        writes.push_back(&write);
      const bool reaches =
          fragment.fate == raster::Fate::kStored || fragment.fate == raster::Fate::kWriteMask;
      if (!reaches) CHECK(fragment.writes.empty());
    }
    for (size_t i = 1; i < writes.size(); ++i) {
      if (writes[i]->slot == writes[i - 1]->slot && writes[i]->sample == writes[i - 1]->sample)
        CHECK(writes[i]->before == writes[i - 1]->after);
    }
  }
  CHECK(value == history.after);
}

// The value after each draw is that of the picture of the target after it.
void CheckDraws(const history::History& history, const Pictures& pictures) {
  for (const history::Operation& operation : history.operations) {
    const auto found = pictures.draws.find(operation.draw);
    if (operation.draw == 0 || found == pictures.draws.end()) continue;
    if (found->second.surface != history.pixel.handle) continue;
    CHECK(Rgba(operation.after) == Rgba(found->second.picture, history.pixel.x, history.pixel.y));
  }
}

// The default renderer has the reference draw one quad; drawn by the reference as a whole, the frame tells the same to the letter.
void CheckRenderers(const std::string& trace, uint64_t frame, uint32_t x, uint32_t y,
                    history::Options options, const history::History& history) {
  options.wants_steps = true;
  const history::History fast = HistoryOf(trace, frame, x, y, options);
  options.renderer = "reference";
  const history::History reference = HistoryOf(trace, frame, x, y, options);
  CHECK(history::ReportJson("t", fast) == history::ReportJson("t", reference));
  CHECK(history::ReportText(fast) == history::ReportText(reference));
  CHECK(history.operations.size() == fast.operations.size());
}

void CheckTrace(const std::string& name, uint32_t pixels) {
  CAPTURE(name);
  const std::string trace = TraceText(name);
  const Pictures pictures = PicturesOf(trace);
  uint32_t seed = 1;
  for (const auto& [number, frame] : pictures.frames) {
    for (uint32_t i = 0; i < pixels; ++i) {
      seed = seed * 1664525 + 1013904223;
      const uint32_t x = (seed >> 8) % frame.picture.width;
      const uint32_t y = (seed >> 20) % frame.picture.height;
      const uint64_t frame_number = number;  // Clang 14 captures no structured binding
      CAPTURE(frame_number);
      CAPTURE(x);
      CAPTURE(y);
      const history::History history = HistoryOf(trace, number, x, y);
      CHECK(Rgba(history.after) == Rgba(frame.picture, x, y));
      CheckChain(history);
      CheckDraws(history, pictures);
      CheckRenderers(trace, number, x, y, {}, history);
    }
  }
}

// Surfaces that no frame shows: textures, faces, levels, depth.
void CheckSurfaces(const std::string& name) {
  CAPTURE(name);
  const std::string trace = TraceText(name);
  const Pictures frames = PicturesOf(trace);
  if (frames.frames.empty()) return;
  const uint64_t last = frames.frames.rbegin()->first;
  for (uint32_t handle = 2; handle < 6; ++handle) {
    for (const SurfacePicture& surface : SurfacePicturesOf(trace, last, handle)) {
      CAPTURE(handle);
      CAPTURE(surface.face);
      CAPTURE(surface.level);
      history::Options options;
      options.surface = handle;
      options.face = surface.face;
      options.level = surface.level;
      const uint32_t x = surface.picture.width / 3;
      const uint32_t y = surface.picture.height / 2;
      const history::History history = HistoryOf(trace, last, x, y, options);
      CHECK(Rgba(history.after) == Rgba(surface.picture, x, y));
      CheckChain(history);
      CheckRenderers(trace, last, x, y, options, history);
    }
  }
}

}  // namespace

TEST_CASE("History: every surface of the feature traces holds what its picture shows") {
  for (const std::string& name : TracesOf("features"))
    CheckSurfaces(name);
}

TEST_CASE("History: every value of the scenes is that of the pictures") {
  for (const std::string& name : TracesOf("scenes"))
    CheckTrace(name, 3);
}

TEST_CASE("History: every value of the feature traces is that of the pictures") {
  for (const std::string& name : TracesOf("features"))
    CheckTrace(name, 2);
}

TEST_CASE("History: every value of the other traces is that of the pictures") {
  for (const char* const folder :
       {DP2TRACE_RULE_TRACES "/accepted", "examples", "facts", "opcodes", "packets"}) {
    for (const std::string& name : TracesOf(folder))
      CheckTrace(name, 1);
  }
}

TEST_CASE("History: every value of the renderer's traces is that of the pictures") {
  for (const std::string& name : TracesOf("renderer"))
    CheckTrace(name, 2);
}
