#include "json/sarif.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "os/path.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("UriOf: relative below the current folder, whole elsewhere, escaped") {
  const std::string here = ToText(std::filesystem::current_path());
  for (const std::string& name :
       {std::string("a/b c%.json"), std::string("./a/x/../b c%.json"), here + "/a/b c%.json"}) {
    CAPTURE(name);
    const json::ArtifactUri uri = json::UriOf(name);
    CHECK(uri.uri == "a/b%20c%25.json");
    CHECK(uri.is_relative);
  }
  const json::ArtifactUri outside = json::UriOf("../t.json");
  CHECK_FALSE(outside.is_relative);
  CHECK(outside.uri.starts_with("file:///"));
  CHECK(outside.uri.ends_with("/t.json"));
}
