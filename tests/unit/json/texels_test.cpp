#include "json/texels.h"

#include <doctest/doctest.h>

#include <string>

#include "base/file.h"
#include "image/png.h"
#include "json_texts.h"
#include "rules/rule.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

std::string Update(std::string_view data, std::string_view before = {}) {
  return "{\"event\":\"surface_update\",\"handle\":1" + std::string(before) +
         ",\"data\":" + std::string(data) + "}";
}

}  // namespace

TEST_CASE("Texels: rows of colours become the bytes of the format") {
  CHECK(Canonical(Update(R"({"texels":[["#ff0000"],["#80010203"]]})")) ==
        Update("\"AAD//wMCAYA=\"", ",\"pitch\":4"));
  CHECK(Canonical(Update(R"({"texels":[["#ff0000","#00ff00"]],"format":"R5G6B5"})")) ==
        Update("\"APjgBw==\"", ",\"pitch\":4"));
}

TEST_CASE("Texels: rows lie at the pitch that the event has") {
  CHECK(Canonical(Update(R"({"texels":[["#ff0000"],["#00ff00"]]})", ",\"pitch\":6")) ==
        Update("\"AAD//wAAAP8A/w==\"", ",\"pitch\":6"));
  CHECK(Canonical(Update(R"({"texels":[["#ff0000","#ff0000"]]})", ",\"pitch\":7")) ==
        "JSON-009 /1/data");
}

TEST_CASE("Texels: a picture of a driver has them, in its own format") {
  const auto picture = [](std::string_view data, std::string_view before) {
    return "{\"event\":\"picture\",\"handle\":1" + std::string(before) +
           ",\"data\":" + std::string(data) + "}";
  };
  CHECK(Canonical(picture(R"({"texels":[["#ff0000"],["#80010203"]]})", "")) ==
        picture("\"AAD//wMCAYA=\"", ",\"pitch\":4"));
  CHECK(Canonical(picture(R"({"texels":[["#ff0000","#00ff00"]]})", ",\"format\":\"R5G6B5\"")) ==
        picture("\"APjgBw==\"", ",\"format\":\"R5G6B5\",\"pitch\":4"));
  CHECK(Canonical(picture(R"([{"words":"x"},["0x1"]])", "")) == "JSON-008 /1/data");
}

TEST_CASE("Texels: what does not fit is refused where it is") {
  CHECK(Canonical(Update(R"({"texels":[["#ff0000","#00ff00"],["#ff0000"]]})")) ==
        "JSON-016 /1/data/texels/1");
  CHECK(Canonical(Update(R"({"texels":[["#ff00"]]})")) == "JSON-008 /1/data/texels/0/0");
  CHECK(Canonical(Update(R"({"texels":[]})")) == "JSON-016 /1/data/texels");
  CHECK(Canonical(Update(R"({"texels":["#ff0000"]})")) == "JSON-008 /1/data/texels/0");
  CHECK(Canonical(Update(R"({"texels":[["#ff0000"]],"format":"DXT1"})")) ==
        "JSON-011 /1/data/format");
  CHECK(Canonical(Update(R"({"texels":[["#ff0000"]],"png":"a.png"})")) == "JSON-006 /1/data/png");
}

TEST_CASE("Texels: a PNG file below the folder of the trace, and nowhere else") {
  const TestFolder folder;
  image::Picture picture(1, 2);
  picture.rgba = {255, 0, 0, 255, 1, 2, 3, 128};
  REQUIRE(image::WritePng(folder / "wood.png", picture).ok());
  json::ReaderOptions options;
  options.folder = folder / "";
  const TextResult read = ParseText(WithHeader(Update(R"({"png":"wood.png"})")), options);
  REQUIRE(read.status.ok());
  CHECK(read.lines.at(1) == Update("\"AAD//wMCAYA=\"", ",\"pitch\":4"));
  for (const char* const path : {"../wood.png", "/wood.png", "none.png", "a\\\\b.png", ""}) {
    CAPTURE(path);
    const std::string data = std::string(R"({"png":")") + path + "\"}";
    CHECK(ParseText(WithHeader(Update(data)), options).rule() == Rule::kJson013);
  }
  REQUIRE(image::WritePng(folder / "large.png", image::Picture(40, 40)).ok());
  options.max_memory = 2000;  // the file, and not its picture
  CHECK(ParseText(WithHeader(Update(R"({"png":"large.png"})")), options).rule() == Rule::kJson013);
}
