// Traces are judged one by one, with the draw that made the first picture differ and the pictures in a folder.
#include "verify/verify_run.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/test_folder.h"

namespace dp2trace::verify {

TEST_CASE("Verify: the folders of pictures are those of the traces, and none is shared") {
  using Names = std::vector<std::string>;
  CHECK(*PictureFolders({"a/one.dp2t"}, "out") == Names{"out"});
  CHECK(*PictureFolders({"a/one.dp2t", "b/two.json"}, "") == Names{"", ""});
  CHECK(*PictureFolders({"a/one.dp2t", "b/two.json"}, "out") == Names{"out/one", "out/two"});
  const auto shared = PictureFolders({"a/one.dp2t", "b/one.json"}, "out");
  REQUIRE_FALSE(shared.ok());
  CHECK(shared.status().diagnostic().message ==
        "the pictures of a/one.dp2t and b/one.json would both lie in out/one");
}

TEST_CASE("Verify: a trace that is not there is an error, and has no report") {
  const VerifyResult result = VerifyFile("/no/such/trace.dp2t", {});
  REQUIRE(result.error.has_value());
  CHECK_FALSE(result.error->status.ok());
}

TEST_CASE(
    "Verify: the first picture that differs has its draw, and its three pictures are in the folder") {
  const testing::TestFolder folder;
  const std::string trace = folder / "t.json";
  testing::WriteText(
      trace,
      R"([{"event":"header","driver_level":7},{"event":"surface_create","handle":1,"kind":"target","format":"A8R8G8B8","width":8,"height":8},{"event":"context_create","context":1,"target":1,"runtime_version":3},{"event":"dp2","context":1,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0x80102030","rects":[[0,0,8,8]]}]},{"event":"picture","handle":1,"rect":[3,4,4,5],"format":"A8R8G8B8","data":"AAAAAA=="}])");
  VerifyJob job;
  job.pictures = folder / "out";
  job.max_memory = uint64_t{1} << 20;
  uint64_t last = 0;
  job.progress = [&](const std::string&, uint64_t done, uint64_t) { last = done; };
  const VerifyResult result = VerifyFile(trace, job);
  REQUIRE_FALSE(result.error.has_value());
  CHECK(last != 0);
  CHECK(result.report.is_complete);
  CHECK(result.report.has_cause);
  REQUIRE(result.report.pictures.size() == 1);
  REQUIRE(result.report.pictures[0].cause.has_value());
  CHECK(result.report.pictures[0].cause->number == 1);
  CHECK(result.findings.count(Severity::kError) == 1);
  for (const char* const side : {"driver", "replay", "difference"})
    CHECK(std::filesystem::exists(job.pictures + "/picture-000001-" + side + ".png"));
}

TEST_CASE(
    "Verify: where edges lie elsewhere, the draw whose edge does is named, not the one below") {
  const testing::TestFolder folder;
  const std::string trace = folder / "t.json";
  std::string rows;  // a column more is red than in the replay
  for (int i = 0; i < 8; ++i)
    rows += "AAD//wAA//8AAP//MCAQ/wAA//8AAP//AAD//zAgEP8AAP//AAD//wAA//8wIBD/";
  testing::WriteText(
      trace,
      R"([{"event":"header","driver_level":7},{"event":"surface_create","handle":1,"kind":"target","format":"A8R8G8B8","width":32,"height":32},{"event":"context_create","context":1,"target":1,"runtime_version":3},{"event":"dp2","context":1,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF102030","rects":[[0,0,32,32]]},{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFFFF0000","rects":[[2,2,20,26]]}]},{"event":"picture","handle":1,"rect":[18,2,22,26],"format":"A8R8G8B8","data":")" +
          rows + "\"}]");
  VerifyJob job;
  job.max_memory = uint64_t{1} << 20;
  const VerifyResult result = VerifyFile(trace, job);
  REQUIRE_FALSE(result.error.has_value());
  REQUIRE(result.report.pictures.size() == 1);
  const PictureResult& picture = result.report.pictures[0];
  REQUIRE(picture.moved.has_value());
  CHECK(picture.moved->x == 20);
  CHECK(picture.moved->y == 2);
  REQUIRE(picture.cause.has_value());
  CHECK(picture.cause->number == 1);
  REQUIRE(picture.edge_draw.has_value());
  CHECK(picture.edge_draw->number == 2);
  CHECK(ReportText(result.report, result.findings)
            .find("    the first edge that lies off is of draw 2 (event 3, ") != std::string::npos);
  CHECK(ReportJson(result.report, result.findings).find(R"("edge_draw":{"draw":2,"event":3,)") !=
        std::string::npos);
}

}  // namespace dp2trace::verify
