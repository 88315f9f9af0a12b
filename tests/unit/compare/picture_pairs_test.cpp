#include "compare/picture_pairs.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/test_folder.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

struct PairFolder {
  testing::TestFolder folder;
  PairFolder() {
    std::filesystem::create_directories(At("a/deep"));
    std::filesystem::create_directories(At("b/deep"));
  }
  void Touch(const std::string& name) const { testing::WriteText(At(name), "x"); }
  std::string At(const std::string& name) const { return folder / name; }
};

}  // namespace

TEST_CASE("PairPictures: by name, missing and extra ones have one side only") {
  const PairFolder folder;
  for (const char* name :
       {"a/same.png", "b/same.png", "a/deep/left.png", "b/right.png", "a/no.txt"}) {
    folder.Touch(name);
  }
  const Result<PairedPictures> paired = PairPictures(folder.At("a"), folder.At("b"));
  REQUIRE(paired.ok());
  CHECK(paired->pairs == std::vector<PicturePair>{
                             {"deep/left.png", folder.At("a/deep/left.png"), ""},
                             {"right.png", "", folder.At("b/right.png")},
                             {"same.png", folder.At("a/same.png"), folder.At("b/same.png")},
                         });
}

TEST_CASE("PairPictures: a folder that is not there is an error") {
  const PairFolder folder;
  const Result<PairedPictures> pairs = PairPictures(folder.At("a"), folder.At("none"));
  REQUIRE_FALSE(pairs.ok());
  CHECK(pairs.status().diagnostic().message.find("none") != std::string::npos);
}

TEST_CASE("PairPictures: linked folders, capital letters, links to nothing") {
  const PairFolder folder;
  folder.Touch("a/UP.PNG");
  folder.Touch("b/UP.PNG");
  folder.Touch("b/deep/in.png");
  std::error_code without_links;
  std::filesystem::create_directory_symlink(folder.At("b/deep"), folder.At("a/far"), without_links);
  if (without_links) return;
  std::filesystem::create_directory_symlink(folder.At("a"), folder.At("a/deep/loop"));
  std::filesystem::create_symlink("nothing.png", folder.At("a/gone.png"));
  std::filesystem::create_symlink("nothing", folder.At("a/gone"));
  const Result<PairedPictures> paired = PairPictures(folder.At("a"), folder.At("b"));
  REQUIRE(paired.ok());
  CHECK(paired->pairs == std::vector<PicturePair>{
                             {"UP.PNG", folder.At("a/UP.PNG"), folder.At("b/UP.PNG")},
                             {"deep/in.png", "", folder.At("b/deep/in.png")},
                             {"far/in.png", folder.At("a/far/in.png"), ""},
                             {"gone.png", folder.At("a/gone.png"), ""},
                         });
  CHECK(paired->broken_links == std::vector<std::string>{folder.At("a/gone")});
}
