#include "golden/html_report.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "golden/html_files.h"
#include "image/output.h"
#include "image/picture.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using golden::GoldenStatus;

namespace {

constexpr uint32_t kX8R8G8B8 = 22;

// A picture of one pixel in the store; returns what the manifest says of it.
golden::GoldenImage Store(const golden::PictureStore& store, uint8_t red) {
  image::Picture picture(1, 1);
  picture.rgba = {red, 0, 0, 255};
  golden::GoldenImage image{{replay::ImageKind::kFrame, 1, {}, false},
                            kX8R8G8B8,
                            image::HashOf(picture, static_cast<d3d::Format>(kX8R8G8B8)),
                            {}};
  REQUIRE(store.Write(image.hash, picture).ok());
  return image;
}

golden::TraceResult Differing(const golden::GoldenImage& expected,
                              const golden::GoldenImage& actual) {
  golden::TraceResult result;
  result.path = "a.json";
  result.hash = result.expected_hash = std::string(32, 'a');
  result.status = GoldenStatus::kDiffer;
  result.message = "why";
  result.images = {{.key = expected.key,
                    .status = GoldenStatus::kDiffer,
                    .expected = expected,
                    .actual = actual}};
  return result;
}

size_t FilesBelow(const std::string& folder) {
  size_t count = 0;
  if (!std::filesystem::exists(folder)) return 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    count += entry.is_regular_file() ? 1U : 0U;
  return count;
}

}  // namespace

TEST_CASE("HtmlFiles: the page and all that it names") {
  std::string index;
  for (const golden::EmbeddedFile& file : golden::HtmlFiles()) {
    CHECK(std::string(file.text) ==
          ReadText(DP2TRACE_SOURCE_DIR "/lib/golden/html/" + std::string(file.name)));
    if (file.name == "index.html") index = file.text;
  }
  for (const auto files : {golden::HtmlFiles(), page::SharedFiles()}) {
    for (const page::EmbeddedFile& file : files) {
      if (file.name != "index.html")
        CHECK(index.find("\"" + std::string(file.name) + "\"") != std::string::npos);
    }
  }
}

TEST_CASE("HtmlReport: a picture that differs brings four files, once") {
  const TestFolder folder;
  const golden::PictureStore store(folder / "store");
  const golden::GoldenImage red = Store(store, 255);
  const golden::GoldenImage dark = Store(store, 16);
  const auto make = [&](int times) {
    golden::HtmlOptions options;
    options.sources = {store};
    Result<golden::HtmlReport> html = golden::HtmlReport::Create(folder / "out", options);
    REQUIRE(html.ok());
    for (int i = 0; i < times; ++i)
      REQUIRE(html->Add(Differing(red, dark)).ok());
    REQUIRE(html->Commit({}).ok());
    CHECK(html->pictures() == 4);
  };
  make(1);
  CHECK(FilesBelow(folder / "out/pictures") == 2);
  CHECK(FilesBelow(folder / "out/differences") == 1);
  CHECK(FilesBelow(folder / "out/heat") == 1);
  const std::string pack = ReadText(folder / "out/data/traces/0.js");
  CHECK(pack.starts_with("pageData(\"traces/0\",[\n{\"pictures\":[{\"expected\":\"pictures/"));
  CHECK(pack.find("\"largest_difference\":239") != std::string::npos);  // compared by the report
  make(3);
  CHECK(FilesBelow(folder / "out/pictures") == 2);
}

TEST_CASE(
    "HtmlReport: a picture that is missing or damaged is said to be, and the report goes on") {
  const TestFolder folder;
  const golden::PictureStore store(folder / "store");
  const golden::GoldenImage red = Store(store, 255);
  const golden::GoldenImage dark = Store(store, 16);
  std::filesystem::remove(store.PathOf(dark.hash));
  std::filesystem::copy_file(store.PathOf(red.hash), store.PathOf(dark.hash));
  golden::GoldenImage absent = red;
  absent.hash = std::string(32, '0');
  golden::HtmlOptions options;
  options.sources = {store};
  Result<golden::HtmlReport> html = golden::HtmlReport::Create(folder / "out", options);
  REQUIRE(html.ok());
  REQUIRE(html->Add(Differing(absent, dark)).ok());
  REQUIRE(html->Commit({}).ok());
  const std::string pack = ReadText(folder / "out/data/traces/0.js");
  CHECK(pack.find("\"no_expected\":\"The picture lies in none of the given folders.\"") !=
        std::string::npos);
  CHECK(pack.find("is damaged") != std::string::npos);
  CHECK(html->pictures() == 0);
}

TEST_CASE("HtmlReport: rows come in files of a hundred, of each status") {
  const TestFolder folder;
  Result<golden::HtmlReport> html = golden::HtmlReport::Create(folder / "out", {});
  REQUIRE(html.ok());
  for (int i = 0; i < 101; ++i) {
    golden::TraceResult result;
    result.path = "t" + std::to_string(i);
    REQUIRE(html->Add(result).ok());
  }
  golden::TraceResult last;
  last.path = "last";
  last.status = GoldenStatus::kCrash;
  last.message = std::string(299, 'x') + "\xC3\xA4";  // cut before a character of two bytes
  REQUIRE(html->Add(last).ok());
  REQUIRE(html->Commit({"test", "m", "", 500, {}, {2, 3}}).ok());
  CHECK(
      ReadText(folder / "out/data/rows/match-1.js") ==
      "pageData(\"rows/match-1\",[\n{\"trace\":\"t100\",\"message\":\"\",\"pack\":0,\"place\":100}]);\n");
  CHECK(ReadText(folder / "out/data/rows/crash-0.js").find(std::string(299, 'x') + "…\"") !=
        std::string::npos);
  const std::string run = ReadText(folder / "out/data/run.js");
  CHECK(run.starts_with(
      R"(pageData("run",{"tool":"dp2trace test","manifest":"m","traces":500,"results":102,"shard":"2/3","rows_per_file":100,)"));
  CHECK(run.find(R"({"status":"crash","fails":true,"count":1})") != std::string::npos);
  CHECK(run.find(R"({"status":"match","fails":false,"count":101})") != std::string::npos);
}
