#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "import/import_files.h"
#include "support/test_folder.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::import;  // NOLINT(google-build-using-namespace): test file

namespace {

using Names = std::vector<std::string>;

class Captures {
 public:
  explicit Captures(const Names& names) {
    for (const std::string& name : names) {
      std::filesystem::create_directories(std::filesystem::path(Path(name)).parent_path());
      testing::WriteText(Path(name), "");
    }
  }

  std::string Path(const std::string& name) const { return folder_ / name; }
  // Where their traces go, below "out".
  Names Places(const Names& names) const {
    Names inputs;
    for (const std::string& name : names)
      inputs.push_back(Path(name));
    Names places;
    for (const FileImport& file : ListCaptures(inputs, "out"))
      places.push_back(file.output);
    return places;
  }

 private:
  testing::TestFolder folder_;
};

}  // namespace

TEST_CASE("ListCaptures: traces lie as captures do below the folders that are named") {
  const Captures captures({"a/x.trace", "a/deep/y.trace", "b/z.trace", "b/other.txt"});
  CHECK(captures.Places({"a", "b"}) == Names{"out/deep/y.dp2t", "out/x.dp2t", "out/z.dp2t"});
  CHECK(captures.Places({"a/deep/y.trace", "b/z.trace"}) == Names{"out/y.dp2t", "out/z.dp2t"});
}

TEST_CASE("ListCaptures: where two names would be one, the folders are kept") {
  const Captures captures({"games/a/x.trace", "games/a/deep/y.trace", "games/b/x.trace"});
  CHECK(captures.Places({"games/a", "games/b"}) ==
        Names{"out/a/deep/y.dp2t", "out/a/x.dp2t", "out/b/x.dp2t"});
  CHECK(captures.Places({"games/a/x.trace", "games/b/x.trace"}) ==
        Names{"out/a/x.dp2t", "out/b/x.dp2t"});
}

TEST_CASE("MakePlaces: two captures that differ only in their extension are refused") {
  const Captures captures({"x.trace", "x.TRACE"});
  const std::vector<FileImport> files =
      ListCaptures({captures.Path("x.trace"), captures.Path("x.TRACE")}, captures.Path("out"));
  CHECK(MakePlaces(files).find("would both become") != std::string::npos);
}
