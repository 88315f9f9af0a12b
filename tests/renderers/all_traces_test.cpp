// Every trace of the repository drawn by the reference and by the fast renderer: the same pictures, the same findings.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "json/reader.h"
#include "play/renderers.h"
#include "replay/replayer.h"
#include "support/hash_sink.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using testing::HashSink;

namespace {

// The reasons that the table of tests/bench/README.md names, each in its row.
std::set<std::string> KnownReasons() {
  std::ifstream file(std::filesystem::path(DP2TRACE_SOURCE_DIR) / "tests/bench/README.md");
  std::set<std::string> reasons;
  bool is_in_table = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("### ")) is_in_table = line == "### What the reference still draws";
    if (!is_in_table || !line.starts_with("| `")) continue;
    reasons.insert(line.substr(3, line.find('`', 3) - 3));
  }
  return reasons;
}

void CheckReasons(const raster::RendererStatistics& statistics) {
  static const std::set<std::string> known = KnownReasons();
  REQUIRE_FALSE(known.empty());
  for (const auto& counts : {statistics.handed_on, statistics.slow}) {
    for (const auto& by_reason : counts) {
      const std::string reason(by_reason.first);
      CHECK_MESSAGE(known.contains(reason), reason);
    }
  }
}

struct Outcome {
  std::map<std::string, std::string> hashes;
  std::vector<std::string> findings;
  uint64_t pixels = 0, texels = 0;
  bool operator==(const Outcome&) const = default;
};

replay::Options With(const std::string& renderer, uint32_t threads, const std::string& isa) {
  replay::Options options;
  options.renderer = renderer;
  options.raster.threads = threads;
  options.raster.isa = isa;
  return options;
}

Outcome Draw(const std::filesystem::path& path, replay::Options options) {
  std::ifstream file(path, std::ios::binary);
  json::Reader reader(
      [&file](std::span<uint8_t> out) -> Result<size_t> {
        file.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
        return static_cast<size_t>(file.gcount());
      },
      {});
  std::string error;
  options.frames = *Selection::Parse("all", error);
  DiagnosticList findings;
  HashSink sink;
  replay::Replayer replayer(options, findings, sink);
  trace::Event event;
  uint64_t number = 0;
  for (Result<bool> next = reader.Next(event); next.ok() && *next; next = reader.Next(event)) {
    if (!replayer.OnEvent(number++, event).ok()) break;
  }
  static_cast<void>(replayer.Finish());
  const raster::RendererStatistics statistics = replayer.renderer_statistics();
  CheckReasons(statistics);
  Outcome outcome = {.hashes = sink.hashes,
                     .findings = {},
                     .pixels = statistics.pixels,
                     .texels = statistics.texels};
  for (const Diagnostic& finding : findings.items())
    outcome.findings.push_back(finding.message);
  return outcome;
}

std::vector<std::filesystem::path> Traces(const char* folder) {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path root = std::filesystem::path(DP2TRACE_SOURCE_DIR) / "traces" / folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

void CheckFolder(const char* folder, uint32_t threads, const std::string& isa) {
  const std::vector<std::filesystem::path> paths = Traces(folder);
  REQUIRE_FALSE(paths.empty());
  for (const std::filesystem::path& path : paths) {
    CAPTURE(path.string());
    CHECK(Draw(path, With("reference", 1, "")) == Draw(path, With("fast", threads, isa)));
  }
}

}  // namespace

TEST_CASE("Renderers: facts are the same") {
  CheckFolder("facts", 2, "");
}
TEST_CASE("Renderers: facts are the same without machine code") {
  for (const std::filesystem::path& path : Traces("facts")) {
    CAPTURE(path.string());
    replay::Options kernels = With("fast", 2, "");
    kernels.raster.has_codegen = false;
    CHECK(Draw(path, kernels) == Draw(path, With("fast", 2, "")));
  }
}
TEST_CASE("Renderers: features are the same") {
  CheckFolder("features", 1, "");
}
TEST_CASE("Renderers: what once differed is the same") {
  CheckFolder("renderer", 3, "");
}
TEST_CASE("Renderers: scenes are the same with portable kernels") {
  CheckFolder("scenes", 7, "portable");
}
// The traces ask for as much work as the limits let through: limits are small here.
TEST_CASE("Renderers: hostile traces end the same way") {
  const auto draw = [](const std::filesystem::path& path, const char* renderer) {
    replay::Options options = With(renderer, 2, "");
    options.raster.max_draw_steps = uint64_t{1} << 18;
    options.validation.max_surface_bytes = uint64_t{1} << 28;
    return Draw(path, options);
  };
  for (const std::filesystem::path& path : Traces("hostile")) {
    CAPTURE(path.string());
    CHECK(draw(path, "reference") == draw(path, "fast"));
  }
}
