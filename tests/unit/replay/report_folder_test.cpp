#include "replay/report_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "image/png.h"
#include "support/test_folder.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::replay;  // NOLINT(google-build-using-namespace): test file
using testing::TestFolder;

namespace {

replay::ImageInfo FrameInfo(const char* file) {
  replay::ImageInfo info;
  info.sequence = 1;
  info.file = file;
  info.width = 2;
  info.height = 1;
  return info;
}

}  // namespace

TEST_CASE("PictureFolder: writes pictures under their names and keeps what is said of them") {
  const TestFolder folder;
  PictureFolder pictures(folder / "");
  image::Picture picture(2, 1);
  picture.at(1, 0)[2] = 7;
  const std::string names[] = {"frame-000001.png", "read-000001.png", "frame-000002.png",
                               "read-000002.png", "frame-000003.png"};
  for (size_t i = 0; i < std::size(names); ++i) {
    const std::string& name = names[i];
    picture.at(0, 0)[0] = static_cast<uint8_t>(i / 2);
    REQUIRE(pictures.OnImage(FrameInfo(name.c_str()), picture).ok());
  }
  REQUIRE(pictures.Finish().ok());
  const std::vector<replay::ImageInfo> images = pictures.Take();
  REQUIRE(images.size() == std::size(names));
  for (size_t i = 0; i < std::size(names); ++i) {
    CHECK(images[i].file == names[i]);
    const Result<image::Picture> read = image::ReadPng(folder / names[i]);
    REQUIRE(read.ok());
    picture.at(0, 0)[0] = static_cast<uint8_t>(i / 2);
    CHECK(read->rgba == picture.rgba);
  }
}

TEST_CASE("PictureFolder: a picture that cannot be written fails and is not reported") {
  const TestFolder folder;
  PictureFolder pictures(folder / "missing");
  SUBCASE("one of the next returns the failure, and is not written") {
    CHECK(pictures.OnImage(FrameInfo("frame-000001.png"), image::Picture(2, 1)).ok());
    CHECK(pictures.OnImage(FrameInfo("frame-000002.png"), image::Picture(1, 1)).ok());
    CHECK_FALSE(pictures.OnImage(FrameInfo("frame-000003.png"), image::Picture(2, 1)).ok());
    CHECK(pictures.Finish().ok());
  }
  SUBCASE("the end returns that of the last") {
    CHECK(pictures.OnImage(FrameInfo("frame-000001.png"), image::Picture(2, 1)).ok());
    CHECK_FALSE(pictures.Finish().ok());
  }
  CHECK(pictures.Take().empty());
}

TEST_CASE("ReportJson: errors say why the trace could not be read to its end") {
  Report report;
  report.trace = "a.dp2t";
  CHECK(ReportJson(report, DiagnosticList()).ends_with("},\"errors\":[]}\n"));
  report.reading =
      Status(MakeDiagnostic(Rule::kTrace001, "cannot read a.dp2t: Input/output error"));
  CHECK(
      ReportJson(report, DiagnosticList())
          .ends_with(
              "},\n\"errors\":[\n{\"file\":\"a.dp2t\",\"rule\":\"TRACE-001\",\"severity\":\"error\","
              "\"message\":\"cannot read a.dp2t: Input/output error\"}\n]}\n"));
}

TEST_CASE("WriteReport: report.json is whole, or not there") {
  const TestFolder folder;
  Report report;
  report.trace = "a.dp2t";
  REQUIRE(WriteReport(folder / "", report, DiagnosticList()).ok());
  CHECK(testing::ReadText(folder / "report.json") == ReportJson(report, DiagnosticList()));
  CHECK_FALSE(WriteReport(folder / "missing", report, DiagnosticList()).ok());
  CHECK_FALSE(std::filesystem::exists(folder / "missing"));
}

TEST_CASE("RemoveEarlier: takes what the report of a replay lists, and nothing else") {
  const TestFolder folder;
  for (const char* const name : {"frame-000001.png", "photo.png", "other.txt"})
    testing::WriteText(folder / name, "");
  std::filesystem::create_directory(folder / "frame-000002.png");
  Report report;
  report.trace = "a.json";
  report.images = {FrameInfo("frame-000001.png"), FrameInfo("frame-000002.png"),
                   FrameInfo("other.txt"), FrameInfo("../photo.png")};
  REQUIRE(WriteReport(folder / "", report, DiagnosticList()).ok());
  // One that the report does not list is somebody's.
  testing::WriteText(folder / "read-000007.png", "mine");
  CHECK(RemoveEarlier(folder / "", false)
            .status()
            .diagnostic()
            .message.find("read-000007.png is there") != std::string::npos);
  CHECK(std::filesystem::exists(folder / "frame-000001.png"));
  CHECK(*RemoveEarlier(folder / "", true) == 1);
  CHECK(testing::ReadText(folder / "read-000007.png") == "mine");
  std::filesystem::remove(folder / "read-000007.png");
  CHECK_FALSE(std::filesystem::exists(folder / "frame-000001.png"));
  CHECK_FALSE(std::filesystem::exists(folder / "report.json"));
  for (const char* const name : {"frame-000002.png", "photo.png", "other.txt"})
    CHECK(std::filesystem::exists(folder / name));
  CHECK(*RemoveEarlier(folder / "", false) == 0);
}

TEST_CASE("RemoveEarlier: a report.json that no replay wrote is refused, and stays") {
  const TestFolder folder;
  testing::WriteText(folder / "photo.png", "");
  for (const char* const text :
       {"", "no JSON", "[]", R"({"images":[{"file":"photo.png"}]})",
        R"({"trace":"a","tool":"another 1","images":[{"file":"photo.png"}]})",
        R"({"trace":"a","tool":"dp2tracer","images":[{"file":"photo.png"}]})"}) {
    testing::WriteText(folder / "report.json", text);
    CHECK(RemoveEarlier(folder / "", true)
              .status()
              .diagnostic()
              .message.find("it is not the report of a replay") != std::string::npos);
    CHECK(testing::ReadText(folder / "report.json") == text);
    CHECK(std::filesystem::exists(folder / "photo.png"));
  }
}
