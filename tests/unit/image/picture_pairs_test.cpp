#include "image/picture_pairs.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

struct TemporaryFolder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("dp2trace-pairs-test-" + std::to_string(getpid()));
  TemporaryFolder() {
    std::filesystem::create_directories(path / "a" / "deep");
    std::filesystem::create_directories(path / "b" / "deep");
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  void Touch(const std::string& name) const { std::ofstream(path / name) << "x"; }
  std::string At(const std::string& name) const { return path / name; }
};

}  // namespace

TEST_CASE("PairPictures: by name, missing and extra ones have one side only") {
  const TemporaryFolder folder;
  for (const char* name :
       {"a/same.png", "b/same.png", "a/deep/left.png", "b/right.png", "a/no.txt"}) {
    folder.Touch(name);
  }
  const Result<std::vector<PicturePair>> pairs = PairPictures(folder.At("a"), folder.At("b"));
  REQUIRE(pairs.ok());
  CHECK(*pairs == std::vector<PicturePair>{
                      {"deep/left.png", folder.At("a/deep/left.png"), ""},
                      {"right.png", "", folder.At("b/right.png")},
                      {"same.png", folder.At("a/same.png"), folder.At("b/same.png")},
                  });
}

TEST_CASE("PairPictures: a folder that is not there is an error") {
  const TemporaryFolder folder;
  const Result<std::vector<PicturePair>> pairs = PairPictures(folder.At("a"), folder.At("none"));
  REQUIRE_FALSE(pairs.ok());
  CHECK(pairs.status().diagnostic().message.find("none") != std::string::npos);
}
