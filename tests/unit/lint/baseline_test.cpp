#include "lint/baseline.h"
#include "os/process.h"
#include "rules/rule.h"
#include "support/test_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

using namespace dp2trace;        // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::lint;  // NOLINT(google-build-using-namespace): test file

namespace {

// A file beside the baseline.
std::string Beside(const std::string& name) {
  return (std::filesystem::temp_directory_path() / name).string();
}

FileFindings OneFinding() {
  FileFindings file;
  file.file = Beside("a.json");
  file.findings.push_back({MakeDiagnostic(Rule::kDp2Stream009, "x"), "0:1", std::nullopt});
  file.counts[static_cast<size_t>(Severity::kWarning)] = 1;
  return file;
}

// A baseline on that day with one entry for OneFinding().
Baseline BaselineOf(const std::string& today, const std::string& expires) {
  const std::string path =
      Beside("dp2trace-baseline-test-" + std::to_string(dp2trace::ProcessNumber()));
  std::ofstream(path)
      << R"({"version":3,"entries":[{"rule":"DP2-STREAM-009","file":"a.json","fingerprint":"0","reason":"r","expires":")"
      << expires << "\"}]}";
  Baseline baseline(path, today);
  REQUIRE(baseline.Read(false).ok());
  std::filesystem::remove(path);
  return baseline;
}

}  // namespace

TEST_CASE("Baseline: an entry accepts its finding up to and with its last day") {
  FileFindings file = OneFinding();
  Baseline last_day = BaselineOf("2026-06-30", "2026-06-30");
  last_day.Apply(file);
  CHECK(file.findings[0].accepted == "r");
  CHECK(file.count(Severity::kWarning) == 0);
  CHECK(file.accepted == 1);
  CHECK(last_day.Notes().empty());

  file = OneFinding();
  Baseline day_after = BaselineOf("2026-07-01", "2026-06-30");
  day_after.Apply(file);
  CHECK_FALSE(file.findings[0].accepted.has_value());
  CHECK(file.count(Severity::kWarning) == 1);
  REQUIRE(day_after.Notes().size() == 1);
  CHECK(day_after.Notes()[0].find("counts again") != std::string::npos);
}

TEST_CASE(
    "Baseline: an entry without a finding is reported, but not of files that nobody looked at") {
  Baseline baseline = BaselineOf("2026-01-01", "2026-06-30");
  CHECK(baseline.Notes().empty());
  FileFindings clean;
  clean.file = Beside("a.json");
  baseline.Apply(clean);
  CHECK(baseline.Notes().size() == 1);
}

TEST_CASE("Baseline: an update keeps reasons, drops what is found no more, and keeps other files") {
  Baseline baseline = BaselineOf("2026-07-01", "2026-06-30");
  FileFindings other = OneFinding();
  other.file = Beside("b.json");
  baseline.Update(other);
  CHECK(
      baseline.Json().find(
          "\"file\":\"a.json\",\"fingerprint\":\"0\",\"reason\":\"r\",\"expires\":\"2026-06-30\"") !=
      std::string::npos);
  CHECK(baseline.Json().find("\"file\":\"b.json\"") != std::string::npos);
  baseline.Update(OneFinding());
  // The last day has passed: nobody accepts the finding anew without knowing.
  CHECK(baseline.Json().find("\"reason\":\"r\",\"expires\":\"2026-06-30\",\"message\"") !=
        std::string::npos);
  CHECK(
      baseline.UpdateNotes() ==
      std::vector<std::string>{
          "baseline: DP2-STREAM-009 in a.json expired on 2026-06-30 and counts; the entry is kept",
          "baseline: 2 entries, 1 new; 0 gone"});

  Baseline mended = BaselineOf("2026-01-01", "2026-06-30");
  FileFindings clean;
  clean.file = Beside("a.json");
  mended.Update(clean);
  CHECK(mended.Json().find("a.json") == std::string::npos);
}

TEST_CASE("Baseline: an entry has the place of its first finding, which does not have to stay") {
  const std::string path =
      Beside("dp2trace-baseline-place-" + std::to_string(dp2trace::ProcessNumber()));
  FileFindings file = OneFinding();
  Diagnostic& finding = file.findings[0].finding;
  finding.event = 1039;
  finding.offset = 12;
  finding.frame = 1;
  finding.draw = 2;
  Baseline written(path, "2026-01-01");
  written.Update(file);
  CHECK(written.Json().find("\"place\":\"event 1039, offset 0xc, frame 1, draw 2\"") !=
        std::string::npos);
  std::ofstream(path) << written.Json();
  Baseline read(path, "2026-01-01");
  REQUIRE(read.Read(false).ok());
  std::filesystem::remove(path);
  CHECK(read.Json() == written.Json());
  finding.event = 3;
  read.Apply(file);
  CHECK(file.accepted == 1);
}

namespace {

// With `count` findings of one fingerprint.
FileFindings Findings(uint64_t count, const std::string& identity) {
  FileFindings file;
  file.file = "a.json";
  for (uint64_t i = 1; i <= count; ++i) {
    file.findings.push_back({MakeDiagnostic(Rule::kDp2Stream009, "x"),
                             identity + ":" + std::to_string(i), std::nullopt});
    ++file.counts[static_cast<size_t>(Severity::kWarning)];
  }
  return file;
}

}  // namespace

TEST_CASE("Baseline: an entry accepts as many occurrences as it was made for") {
  for (const uint64_t found : {299U, 300U, 301U, 3000U}) {
    CAPTURE(found);
    Baseline baseline("b", "2026-01-01");
    baseline.Update(Findings(300, "ab"));
    FileFindings file = Findings(found, "ab");
    baseline.Apply(file);
    CHECK(file.accepted == std::min<uint64_t>(found, 300));
    CHECK(file.count(Severity::kWarning) == found - file.accepted);
    CHECK(baseline.Notes().size() == (found < 300 ? 1 : 0));
    FileFindings other = Findings(1, "cd");
    baseline.Apply(other);
    CHECK(other.accepted == 0);
  }
}

TEST_CASE("Baseline: what recurs in other frames is accepted where each occurrence is listed") {
  const auto in_frames = [](const std::vector<uint64_t>& frames) {
    FileFindings file = Findings(frames.size(), "ab");
    for (size_t i = 0; i < frames.size(); ++i)
      file.findings[i].finding.frame = frames[i];
    return file;
  };
  FileFindings listed = in_frames({3, 3, 4, 5});
  Baseline made_of_all("b", "2026-01-01");
  made_of_all.Update(listed);
  Baseline made_of_joined("b", "2026-01-01");
  made_of_joined.Update(in_frames({3, 3}));
  CHECK(made_of_all.Json() == made_of_joined.Json());
  made_of_joined.Apply(listed);
  CHECK(listed.accepted == 4);
  CHECK(made_of_joined.Notes().empty());
  FileFindings more = in_frames({3, 3, 3});
  made_of_all.Apply(more);
  CHECK(more.accepted == 2);
}

TEST_CASE("Baseline: one of version 1 is refused, and lends an update the reasons that are plain") {
  const testing::TestFolder folder;
  const std::string path = folder / "old.json";
  std::ofstream(path) << R"({"version":1,"entries":[
      {"rule":"DP2-STREAM-009","file":"a.json","fingerprint":"0:1","reason":"r"},
      {"rule":"DP2-STREAM-009","file":"a.json","fingerprint":"0:2","reason":"r"},
      {"rule":"DP2-STREAM-009","file":"b.json","fingerprint":"0:1","reason":"r"},
      {"rule":"DP2-STREAM-009","file":"b.json","fingerprint":"0:2","reason":"s"}]})";
  const Status refused = Baseline(path, "2026-01-01").Read(false);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.diagnostic().message.find("--update-baseline") != std::string::npos);

  Baseline baseline(path, "2026-01-01");
  REQUIRE(baseline.Read(true).ok());
  baseline.Update(Findings(2, "ab"));
  FileFindings other = Findings(1, "ab");
  other.file = "b.json";
  baseline.Update(other);
  CHECK(baseline.Json().find(R"(/a.json","fingerprint":"ab","count":2,"reason":"r")") !=
        std::string::npos);
  CHECK(baseline.Json().find(R"(/b.json","fingerprint":"ab","reason":"")") != std::string::npos);
}

TEST_CASE(
    "Baseline: files are known by their place beside it, before version 3 by their place here") {
  const testing::TestFolder folder;
  const std::string path = folder / "sub/b.json";
  std::filesystem::create_directory(folder / "sub");
  FileFindings file = Findings(1, "ab");
  file.file = folder / "t/a.json";
  Baseline written(path, "2026-01-01");
  written.Update(file);
  CHECK(written.Json().find(R"("file":"../t/a.json")") != std::string::npos);

  for (const std::string name : {"../t/a.json", "a.json"}) {
    const std::string version = name == "a.json" ? "2" : "3";
    testing::WriteText(path, R"({"version":)" + version +
                                 R"(,"entries":[{"rule":"DP2-STREAM-009","file":")" + name +
                                 R"(","fingerprint":"ab"}]})");
    Baseline baseline(path, "2026-01-01");
    REQUIRE(baseline.Read(false).ok());
    FileFindings found = Findings(1, "ab");
    found.file = version == "2" ? "a.json" : file.file;
    baseline.Apply(found);
    CHECK(found.accepted == 1);
  }
}
