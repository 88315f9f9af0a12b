#include "json/sarif.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "os/path.h"
#include "support/test_folder.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("UriOf: relative below the current folder, whole elsewhere, escaped") {
  const std::string here = ToText(std::filesystem::current_path());
  for (const std::string& name :
       {std::string("a/b c%.json"), std::string("./a/x/../b c%.json"), here + "/a/b c%.json"}) {
    CAPTURE(name);
    const json::ArtifactUri uri = json::UriOf(name);
    CHECK(uri.uri == "a/b%20c%25.json");
    CHECK(uri.base == "%SRCROOT%");
  }
  const json::ArtifactUri outside = json::UriOf("../t.json");
  CHECK(outside.base.empty());
  CHECK(outside.uri.starts_with("file:///"));
  CHECK(outside.uri.ends_with("/t.json"));
}

TEST_CASE("UriOf: a link to the current folder is that folder") {
  const testing::TestFolder folder;
  std::error_code error;
  std::filesystem::create_directory_symlink(std::filesystem::current_path(),
                                            ToPath(folder / "link"), error);
  if (error) return;  // not everybody may make links on Windows
  CHECK(json::UriOf(folder / "link/t.json").uri == "t.json");
}

TEST_CASE(
    "UriIn: of a folder that lies elsewhere the run names the place, and files are relative to it") {
  const json::ArtifactUri inside = json::UriIn("traces/", "a b.json");
  CHECK(inside.uri == "traces/a%20b.json");
  CHECK(inside.base == "%SRCROOT%");
  const json::ArtifactUri outside = json::UriIn("../traces/", "a b.json");
  CHECK(outside.uri == "a%20b.json");
  CHECK(outside.base == "%TRACES%");
  const auto text_of = [](const std::string& name) {
    json::Builder out;
    json::EndSarifRules(out, name);
    return out.string();
  };
  CHECK(text_of("../traces/").find("/traces/\"") != std::string::npos);
  CHECK(text_of("traces/").find("%TRACES%") == std::string::npos);
}
