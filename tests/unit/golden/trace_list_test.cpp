#include "golden/trace_list.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// A manifest with the trace a.json, tagged, and the include folder `more`, which holds b.json.
golden::ManifestFile WriteManifest(const TestFolder& folder) {
  std::filesystem::create_directories(folder / "more");
  WriteText(folder / "a.json", "[]");
  WriteText(folder / "more/b.json", "[]");
  WriteText(folder / "more/note.txt", "no trace");
  WriteText(folder / "loose.json", "[]");
  golden::Manifest manifest;
  manifest.include = {"more"};
  golden::ManifestTrace trace;
  trace.path = "a.json";
  trace.hash = std::string(32, 'a');
  trace.tags = {"quick"};
  manifest.traces = {trace};
  WriteText(folder / "manifest.json", golden::ManifestText(manifest));
  const Result<golden::ManifestFile> file = golden::ReadManifest(folder / "manifest.json");
  REQUIRE(file.ok());
  return *file;
}

std::vector<std::string> PathsOf(const golden::ManifestFile& file,
                                 const golden::TraceChoice& choice) {
  const Result<std::vector<golden::RunTrace>> traces = golden::ListTraces(file, choice);
  REQUIRE(traces.ok());
  std::vector<std::string> paths;
  for (const golden::RunTrace& trace : *traces)
    paths.push_back(trace.path);
  return paths;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("ListTraces: the manifest's and those of its include folders, sorted") {
  const TestFolder folder;
  const golden::ManifestFile file = WriteManifest(folder);
  CHECK(PathsOf(file, {}) == Paths{"a.json", "more/b.json"});
  CHECK(PathsOf(file, {{}, {"quick"}}) == Paths{"a.json"});
  CHECK(PathsOf(file, {{}, {"slow"}}).empty());
}

TEST_CASE("ListTraces: chosen folders, and a trace that the manifest lacks") {
  const TestFolder folder;
  const golden::ManifestFile file = WriteManifest(folder);
  CHECK(PathsOf(file, {{folder / "more"}, {}}) == Paths{"more/b.json"});
  CHECK(PathsOf(file, {{folder / "loose.json"}, {}}) == Paths{"loose.json"});
  // As the manifest names them, too.
  CHECK(PathsOf(file, {{"more/", "a.json"}, {}}) == Paths{"a.json", "more/b.json"});
  CHECK(PathsOf(file, {{"*/b.json"}, {}}) == Paths{"more/b.json"});
}

TEST_CASE("ListTraces: what is not a trace, or lies elsewhere, is an error") {
  const TestFolder folder;
  const golden::ManifestFile file = WriteManifest(folder);
  for (const std::string& path : {folder / "none.json", std::string("/")})
    CHECK_FALSE(golden::ListTraces(file, {{path}, {}}).ok());
}
