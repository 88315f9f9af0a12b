#include "golden/record_cache.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "rules/rule.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::string kTrace(32, 'a');

golden::RenderRecord SomeRecord() {
  golden::RenderRecord record;
  record.milliseconds = 12;
  record.images = {
      {{{replay::ImageKind::kRead, 2, 1, true}, 22, std::string(32, 'b'), std::string(32, 'c')},
       9}};
  record.findings = {{"DP2-STREAM-006", 3}};
  Diagnostic finding = MakeDiagnostic(Rule::kDp2Stream006, "text");
  finding.event = 1;
  finding.offset = 2;
  finding.length = 3;
  finding.line = 4;
  finding.column = 5;
  finding.path = "commands/0";
  finding.actual = "6";
  finding.expected = "7";
  record.listed_findings = {finding};
  record.error = "the trace ends early";
  record.failure = golden::GoldenStatus::kIncomplete;
  return record;
}

}  // namespace

TEST_CASE("RecordCache: a record comes back whole") {
  const TestFolder folder;
  const golden::RecordCache cache(folder / "cache", "program", {});
  CHECK_FALSE(cache.Find(kTrace).has_value());
  REQUIRE(cache.Keep(kTrace, SomeRecord()).ok());
  const auto record = cache.Find(kTrace);
  REQUIRE(record.has_value());
  CHECK(golden::RecordLine(*record) == golden::RecordLine(SomeRecord()));
  CHECK(record->listed_findings == SomeRecord().listed_findings);
}

TEST_CASE("RecordCache: another trace, program or limit has records of its own") {
  const TestFolder folder;
  REQUIRE(golden::RecordCache(folder / "cache", "program", {}).Keep(kTrace, SomeRecord()).ok());
  CHECK_FALSE(
      golden::RecordCache(folder / "cache", "program", {}).Find(std::string(32, 'b')).has_value());
  CHECK_FALSE(golden::RecordCache(folder / "cache", "other", {}).Find(kTrace).has_value());
  golden::GoldenLimits limits;
  limits.max_memory = 1000;
  CHECK_FALSE(golden::RecordCache(folder / "cache", "program", limits).Find(kTrace).has_value());
}

TEST_CASE("RecordCache: what is damaged is not there") {
  const TestFolder folder;
  const golden::RecordCache cache(folder / "cache", "program", {});
  REQUIRE(cache.Keep(kTrace, SomeRecord()).ok());
  std::string path;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "cache")) {
    if (entry.is_regular_file()) path = entry.path().string();
  }
  const std::string text = ReadText(path);
  REQUIRE(text.size() > 100);
  for (const size_t size : {size_t{0}, size_t{10}, size_t{33}, text.size() - 1}) {
    WriteText(path, text.substr(0, size));
    CHECK_FALSE(cache.Find(kTrace).has_value());
  }
  std::string flipped = text;
  flipped[60] ^= 1;
  WriteText(path, flipped);
  CHECK_FALSE(cache.Find(kTrace).has_value());
  WriteText(path, text);
  CHECK(cache.Find(kTrace).has_value());
}

TEST_CASE("RecordCache: without a folder nothing is kept") {
  const golden::RecordCache cache("", "program", {});
  CHECK(cache.Keep(kTrace, SomeRecord()).ok());
  CHECK_FALSE(cache.Find(kTrace).has_value());
}
