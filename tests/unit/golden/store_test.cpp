#include "golden/store.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "image/output.h"
#include "rules/rule.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr auto kFormat = d3d::Format::X8R8G8B8;
constexpr auto kFormatNumber = static_cast<uint32_t>(kFormat);

image::Picture OnePixel(uint8_t red) {
  image::Picture picture(1, 1);
  picture.rgba = {red, 2, 3, 255};
  return picture;
}

}  // namespace

TEST_CASE("PictureStore: a picture comes back, and is written only once") {
  const TestFolder folder;
  const golden::PictureStore store(folder / "store");
  const std::string hash = image::HashOf(OnePixel(1), kFormat);
  CHECK_FALSE(store.Has(hash));
  CHECK(store.Write(hash, OnePixel(1)).value());
  CHECK(store.Has(hash));
  CHECK(*store.Read(hash, kFormatNumber) == OnePixel(1));
  CHECK_FALSE(store.Write(hash, OnePixel(1)).value());
  CHECK(golden::PictureStore::FileOf(hash) == hash.substr(0, 2) + "/" + hash.substr(2) + ".png");
}

TEST_CASE("GOLDEN-STORE-001: a picture that is missing, damaged or of another format") {
  const TestFolder folder;
  const golden::PictureStore store(folder / "store");
  const std::string hash = image::HashOf(OnePixel(1), kFormat);
  CHECK(store.Read(hash, kFormatNumber).status().diagnostic().rule == Rule::kGoldenStore001);
  REQUIRE(store.Write(hash, OnePixel(2)).ok());  // under a name that is not its own
  CHECK(store.Read(hash, kFormatNumber).status().diagnostic().rule == Rule::kGoldenStore001);
  const std::string other = image::HashOf(OnePixel(3), kFormat);
  REQUIRE(store.Write(other, OnePixel(3)).ok());
  CHECK(
      store.Read(other, static_cast<uint32_t>(d3d::Format::A8R8G8B8)).status().diagnostic().rule ==
      Rule::kGoldenStore001);
  WriteText(store.PathOf(other), "not a picture");
  CHECK(store.Read(other, kFormatNumber).status().diagnostic().rule == Rule::kGoldenStore001);
}

TEST_CASE("PictureStore: the list has pictures and what interrupted writers left, nothing else") {
  const TestFolder folder;
  const golden::PictureStore store(folder / "store");
  CHECK(store.List()->empty());
  const std::string hash = image::HashOf(OnePixel(1), kFormat);
  REQUIRE(store.Write(hash, OnePixel(1)).ok());
  WriteText(store.PathOf(hash) + ".123.tmp", "half");
  WriteText(folder / "store/README", "kept");
  WriteText(store.PathOf(hash) + ".bak", "kept");
  const auto entries = store.List();
  REQUIRE(entries.ok());
  REQUIRE(entries->size() == 2);
  CHECK((*entries)[0].hash == hash);
  CHECK((*entries)[1].hash.empty());
  CHECK(store.Remove((*entries)[1]).ok());
  CHECK(store.List()->size() == 1);
}
