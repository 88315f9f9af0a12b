#include "lint/finding_writer.h"
#include "rules/rule.h"
#include "text/finding.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

using namespace dp2trace;        // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::lint;  // NOLINT(google-build-using-namespace): test file

namespace {

Diagnostic WarningAt(uint64_t offset, uint64_t length) {
  Diagnostic finding = MakeDiagnostic(Rule::kDp2Stream009, "bReserved is 1");
  finding.event = 2;
  finding.offset = offset;
  finding.length = length;
  finding.actual = "1";
  finding.expected = "0";
  return finding;
}

FileFindings FileOf(std::vector<Diagnostic> findings) {
  FileFindings file;
  file.file = "a,b.json";
  for (Diagnostic& finding : findings) {
    ++file.counts[static_cast<size_t>(finding.severity)];
    file.findings.push_back(
        {std::move(finding), fmt::format("f:{}", file.findings.size()), std::nullopt});
  }
  return file;
}

std::string Write(std::string_view format, const FileFindings& file,
                  const WriterOptions& options = {"0.1.0", Severity::kError}) {
  std::string out;
  const auto writer = MakeFindingWriter(format, options, [&out](std::string_view text) {
    out += text;
    return OkStatus();
  });
  REQUIRE(writer != nullptr);
  REQUIRE(writer->Begin().ok());
  REQUIRE(writer->Add(file).ok());
  Outcome outcome;
  outcome.counts = file.counts;
  outcome.files = 1;
  REQUIRE(writer->Finish(outcome).ok());
  return out;
}

}  // namespace

TEST_CASE("Text: the mark stands under the bytes that are meant, over the end of a line too") {
  Diagnostic finding = WarningAt(0x1F, 2);
  finding.excerpt.offset = 0x10;
  for (uint8_t i = 0; i < 32; ++i)
    finding.excerpt.bytes.push_back(i);
  const std::string text = Write("text", FileOf({finding}));
  CHECK(text ==
        "a,b.json: event 2, offset 0x1f: warning: bReserved is 1 [DP2-STREAM-009]\n"
        "    0x0010: 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n"
        "                                                         ^^\n"
        "    0x0020: 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f\n"
        "            ^^\n"
        "    actual: 1, expected: 0\n"
        "    fault: the stream is not as documented; drivers accept it\n"
        "1 file: 1 warning (warnings exit 0 unless --fail-on warning)\n");
}

TEST_CASE("Text: where no word is wrong, bytes are shown on request only, and none is marked") {
  Diagnostic finding = WarningAt(0x10, 4);
  finding.is_whole = true;
  finding.excerpt.offset = 0x10;
  finding.excerpt.bytes = {1, 2, 3, 4};
  CHECK(Write("text", FileOf({finding})).find("0x0010:") == std::string::npos);
  WriterOptions options = {"0.1.0", Severity::kError};
  options.dumps_all = true;
  const std::string text = Write("text", FileOf({finding}), options);
  CHECK(text.find("    0x0010: 01 02 03 04\n    actual") != std::string::npos);
}

namespace {

// Met in frame 1 and in the frames after it.
Diagnostic CauseUpTo(uint64_t last_frame) {
  Diagnostic finding = WarningAt(0x10, 4);
  finding.is_whole = true;
  finding.frame = 1;
  finding.draw = 2;
  finding.marker = "the sky";
  finding.cause = "stage 1";
  finding.set_by = {{"stage 1 COLOROP", 5, 0x10}, {"depth surface", 0, 0}};
  for (uint64_t frame = 2; frame <= last_frame; ++frame)
    finding.more.Add(frame);
  return finding;
}

}  // namespace

TEST_CASE("Text: a cause names frame, draw, marker, setters, and the other frames") {
  const std::string text = Write("text", FileOf({CauseUpTo(24)}));
  CHECK(
      text ==
      "a,b.json: event 2, offset 0x10: warning: bReserved is 1 [DP2-STREAM-009] (frame 1, draw 2)\n"
      "    actual: 1, expected: 0\n"
      "    marker: the sky\n"
      "    stage 1 COLOROP set by event 5, offset 0x10; depth surface never set\n"
      "    fault: the stream is not as documented; drivers accept it\n"
      "    ... and in frames 2-24 (23 more)\n"
      "1 file: 1 warning (warnings exit 0 unless --fail-on warning)\n");
}

TEST_CASE("Text: findings that say the same of several frames are one, unless all are asked for") {
  std::vector<Diagnostic> findings;
  for (uint64_t frame = 1; frame <= 3; ++frame) {
    findings.push_back(WarningAt(frame, 1));
    findings.back().frame = frame;
  }
  const std::string text = Write("text", FileOf(findings));
  CHECK(text.find("... and in frames 2-3 (2 more)") != std::string::npos);
  WriterOptions options = {"0.1.0", Severity::kError};
  options.lists_all = true;
  const std::string all = Write("text", FileOf(findings), options);
  CHECK(all.find("more)") == std::string::npos);
  CHECK(std::ranges::count(all, '\n') > std::ranges::count(text, '\n'));
}

TEST_CASE("SARIF, JUnit, GitLab: a cause is one result with its count and its setters") {
  const FileFindings file = FileOf({CauseUpTo(24)});
  const std::string sarif = Write("sarif", file);
  CHECK(sarif.find("\"occurrenceCount\":24") != std::string::npos);
  CHECK(sarif.find("\"frame\":1,\"draw\":2,\"marker\":\"the sky\"") != std::string::npos);
  CHECK(sarif.find("\"setBy\":[{\"state\":\"stage 1 COLOROP\",\"event\":5,\"offset\":16},"
                   "{\"state\":\"depth surface\"}]") != std::string::npos);
  for (const std::string_view form : {"junit", "gitlab", "github"})
    CHECK(Write(form, file).find("and in frames 2-24 (23 more)") != std::string::npos);
  const std::string json = Write("json", file);
  CHECK(json.find("\"occurrences\":24,\"more_in_frames\":[[2,24]]") != std::string::npos);
}

TEST_CASE("Text: what a baseline accepts is not listed, what a limit left out is counted") {
  FileFindings file = FileOf({WarningAt(1, 1)});
  file.findings[0].accepted = "";
  file.unlisted[Rule::kDp2Stream009] = 7;
  CHECK(Write("text", file) ==
        "a,b.json: 7 more findings of DP2-STREAM-009\n"
        "1 file: 1 warning (warnings exit 0 unless --fail-on warning)\n");
}

TEST_CASE(
    "Text: on a terminal the severity has its colour, and nothing but the head of a finding has one") {
  const std::string plain = Write("text", FileOf({WarningAt(1, 1)}));
  CHECK(plain.find('\x1b') == std::string::npos);
  std::string colored =
      Write("text", FileOf({WarningAt(1, 1)}), {"0.1.0", Severity::kError, /*has_color=*/true});
  CHECK(colored.find("\x1b[1;35mwarning") != std::string::npos);
  for (size_t at = colored.find('\x1b'); at != std::string::npos; at = colored.find('\x1b', at))
    colored.erase(at, colored.find('m', at) - at + 1);
  CHECK(colored == plain);
}

TEST_CASE("GitHub: errors first, ten at most, the last one counts the rest") {
  std::vector<Diagnostic> findings;
  for (uint64_t i = 0; i < 10; ++i)
    findings.push_back(WarningAt(i, 1));
  CHECK(std::ranges::count(Write("github", FileOf(findings)), '\n') == 10);
  findings.push_back(MakeDiagnostic(Rule::kDp2Stream001, "50% of\na header"));
  const std::string text = Write("github", FileOf(findings));
  CHECK(text.starts_with(
      "::error file=a%2Cb.json,title=DP2-STREAM-001::a,b.json: error: 50%25 of\\na header [DP2-STREAM-001]\n"));
  CHECK(std::ranges::count(text, '\n') == 10);
  CHECK(text.ends_with("::notice title=dp2trace::and 2 more warnings (1 file)\n"));
}

TEST_CASE(
    "JUnit: a rule at or above the severity that fails is a failure, others are passed cases") {
  const std::string text = Write(
      "junit", FileOf({WarningAt(1, 1), MakeDiagnostic(Rule::kDp2Stream001, "a < b & \"c\"\x01")}));
  CHECK(text.find("tests=\"2\" failures=\"1\" errors=\"0\"") != std::string::npos);
  CHECK(text.find("<testcase name=\"DP2-STREAM-009\" classname=\"a,b.json\" time=\"0\"/>") !=
        std::string::npos);
  CHECK(text.find("message=\"a &lt; b &amp; &quot;c&quot;\\u0001\"") != std::string::npos);
}

TEST_CASE("SARIF: levels, suppressions, and no result where nothing was found") {
  FileFindings file = FileOf({WarningAt(1, 1)});
  file.findings[0].accepted = "known";
  const std::string text = Write("sarif", file);
  CHECK(text.find("\"level\":\"warning\"") != std::string::npos);
  CHECK(text.find("\"message\":{\"text\":\"event 2, offset 0x1: bReserved is 1\"}") !=
        std::string::npos);
  CHECK(text.find("\"uri\":\"a%2Cb.json\"") != std::string::npos);
  CHECK(text.find("\"suppressions\":[{\"kind\":\"external\",\"justification\":\"known\"}]") !=
        std::string::npos);
  CHECK(Write("sarif", FileOf({}))
            .find("\"results\":[],\"invocations\":[{\"executionSuccessful\":true") !=
        std::string::npos);
}

TEST_CASE(
    "SARIF: lines are regions, events of a container are logical locations, bytes of a file are its own") {
  Diagnostic in_text = WarningAt(1, 1);
  in_text.line = 5;
  in_text.column = 73;
  CHECK(Write("sarif", FileOf({in_text})).find("\"region\":{\"startLine\":5,\"startColumn\":73}") !=
        std::string::npos);
  const std::string in_container = Write("sarif", FileOf({WarningAt(1, 1)}));
  CHECK(in_container.find("\"region\"") == std::string::npos);
  CHECK(in_container.find("\"fullyQualifiedName\":\"event/2\",\"kind\":\"command\"") !=
        std::string::npos);
  Diagnostic of_file = WarningAt(7, 2);
  of_file.event.reset();
  CHECK(Write("sarif", FileOf({of_file})).find("\"region\":{\"byteOffset\":7,\"byteLength\":2}") !=
        std::string::npos);
}

TEST_CASE("SARIF: a run holds what GitHub takes, and says how many it does not list") {
  const FileFindings file = FileOf(std::vector<Diagnostic>(25'003, WarningAt(1, 1)));
  const std::string text = Write("sarif", file);
  size_t results = 0;
  for (size_t at = text.find("\n{\"ruleId\""); at != std::string::npos;
       at = text.find("\n{\"ruleId\"", at + 1))
    ++results;
  CHECK(results == 25'000);
  CHECK(text.find("25000 of 25003 findings are listed: a run may hold no more") !=
        std::string::npos);
}

TEST_CASE("DescribeMore: one other frame is in the singular") {
  Occurrences more;
  for (uint64_t frame = 3; frame < 17; frame += 2)
    more.Add(frame);
  CHECK(text::DescribeMore(more, 1) == "and in frames 3, 5, 7, 9, 11, 13 and 1 other (7 more)");
  more.Add(17);
  CHECK(text::DescribeMore(more, 1) == "and in frames 3, 5, 7, 9, 11, 13 and 2 others (8 more)");
}

TEST_CASE("MakeFindingWriter: knows the formats and no others") {
  for (const FindingForm& form : FindingForms())
    CHECK(MakeFindingWriter(form.name, {}, [](std::string_view) { return OkStatus(); }) != nullptr);
  CHECK(MakeFindingWriter("xml", {}, [](std::string_view) { return OkStatus(); }) == nullptr);
}

TEST_CASE("OutcomeInWords: a file that was not read is not one without findings") {
  CHECK(OutcomeInWords({.files = 1}) == "1 file: no findings");
  CHECK(OutcomeInWords({.files = 1, .unread = 1}) == "1 file: not read to its end");
  CHECK(OutcomeInWords({.files = 2, .unread = 1}) ==
        "2 files: no findings in what was read, 1 not read to its end");
  CHECK(OutcomeInWords({.counts = {0, 0, 2}, .files = 3, .unread = 2}) ==
        "3 files: 2 errors, 2 not read to their ends");
}

TEST_CASE("Finding writers: a file that cannot be read is in the forms of CI") {
  FileFindings file;
  file.file = "gone.dp2t";
  file.failure = MakeDiagnostic(Rule::kTrace001, "cannot read gone.dp2t: No such file");
  for (const char* const form : {"github", "gitlab", "github-summary", "sarif", "junit"}) {
    CAPTURE(form);
    std::string text;
    const auto writer = MakeFindingWriter(form, {}, [&text](std::string_view piece) {
      text += piece;
      return OkStatus();
    });
    REQUIRE(writer->Begin().ok());
    REQUIRE(writer->Add(file).ok());
    REQUIRE(writer->Finish({.files = 1, .unread = 1, .exit_code = 3}).ok());
    CHECK(text.find("cannot") != std::string::npos);
  }
}

TEST_CASE("CountsInWords: names what there is") {
  CHECK(CountsInWords({}) == "no findings");
  CHECK(CountsInWords({2, 1, 3}) == "3 errors, 1 warning, 2 advice");
  CHECK(CountsInWords({2, 1, 3}, "more ") == "3 more errors, 1 more warning, 2 more advice");
}
