#include "golden/result_writer.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/escape.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using golden::GoldenStatus;

namespace {

// What a form makes of results with these statuses; the paths are t0, t1, ...
std::string Written(std::string_view format, const std::vector<GoldenStatus>& statuses,
                    const std::string& message = "why", const std::string& folder = "traces/") {
  std::string text;
  const auto writer = golden::MakeGoldenWriter(format, [&](std::string_view piece) {
    text += piece;
    return OkStatus();
  });
  REQUIRE(writer != nullptr);
  golden::GoldenRunInfo run;
  run.folder = folder;
  for (const GoldenStatus status : statuses)
    ++run.counts[static_cast<size_t>(status)];
  REQUIRE(writer->Begin(run).ok());
  for (size_t i = 0; i < statuses.size(); ++i) {
    golden::TraceResult result;
    result.path = "t" + std::to_string(i);
    result.status = statuses[i];
    result.message = message;
    REQUIRE(writer->Add(result).ok());
  }
  REQUIRE(writer->Finish().ok());
  return text;
}

size_t CountOf(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

std::vector<GoldenStatus> EveryStatus() {
  std::vector<GoldenStatus> statuses;
  for (size_t i = 0; i < golden::kGoldenStatusCount; ++i)
    statuses.push_back(static_cast<GoldenStatus>(i));
  return statuses;
}

}  // namespace

TEST_CASE("escapes: nothing in a text is markup") {
  CHECK(text::EscapeXml("<a b=\"c\">&\x01\n") == "&lt;a b=&quot;c&quot;&gt;&amp;\\u0001\n");
  CHECK(text::EscapeCommand("a%\r\nb:c,d", false) == "a%25%0D%0Ab:c,d");
  CHECK(text::EscapeCommand("a%\r\nb:c,d", true) == "a%25%0D%0Ab%3Ac%2Cd");
  CHECK(text::EscapeCell("a|<b>\n`c`") == "a\\|\\<b\\> \\`c\\`");
}

TEST_CASE("MakeGoldenWriter: every form by its name, and no other") {
  for (const golden::GoldenForm& form : golden::GoldenForms())
    CHECK_FALSE(Written(form.name, {GoldenStatus::kCrash}).empty());
  CHECK(golden::MakeGoldenWriter("html", [](std::string_view) { return OkStatus(); }) == nullptr);
}

TEST_CASE("junit: errors, failures and what is exempt") {
  const std::string text = Written("junit", EveryStatus(), "<why>");
  CHECK(text.find("tests=\"13\" failures=\"6\" errors=\"4\" skipped=\"2\"") != std::string::npos);
  CHECK(CountOf(text, "<testcase ") == 13);
  CHECK(CountOf(text, "<failure ") == 6);
  CHECK(CountOf(text, "<error ") == 4);
  CHECK(CountOf(text, "<skipped ") == 2);
  CHECK(text.find("<error type=\"crash\" message=\"&lt;why&gt;\"/>") != std::string::npos);
  CHECK(text.find(" time=") == std::string::npos);  // nobody has measured any
}

TEST_CASE(
    "github: an annotation for each failure, ten at most, the last with the number of the others") {
  CHECK(Written("github", {GoldenStatus::kMatch, GoldenStatus::kDiffer}) ==
        "::error file=traces/t1,title=golden differ::t1: why\n");
  CHECK(CountOf(Written("github", std::vector<GoldenStatus>(10, GoldenStatus::kNew)), "\n") == 10);
  const std::string eleven = Written("github", std::vector<GoldenStatus>(11, GoldenStatus::kNew));
  CHECK(CountOf(eleven, "\n") == 10);
  CHECK(eleven.ends_with("::error title=golden::and 2 traces more\n"));
}

TEST_CASE("github, gitlab: traces outside of the project have no path of this machine") {
  for (const std::string folder : {"/usr/share/dp2trace/suite/", "../suite/"}) {
    CHECK(Written("github", {GoldenStatus::kDiffer}, "why", folder) ==
          "::error title=golden differ::t0: why\n");
    const std::string text = Written("gitlab", {GoldenStatus::kDiffer}, "why", folder);
    CHECK(text.find(R"("location":{"path":"t0",)") != std::string::npos);
  }
}

TEST_CASE("github-summary: counts, the traces that fail, a hundred at most") {
  CHECK(
      Written("github-summary", {GoldenStatus::kMatch}) ==
      "## Golden images: all as expected\n\n| status | traces |\n| --- | ---: |\n| match | 1 |\n");
  const std::string text =
      Written("github-summary", std::vector<GoldenStatus>(101, GoldenStatus::kDiffer));
  CHECK(CountOf(text, "| differ | why |") == 100);
  CHECK(text.ends_with("\nand 1 trace more.\n"));
}

TEST_CASE("sarif: a rule for each status that fails, a result for each trace that has one") {
  const std::string none = Written("sarif", {GoldenStatus::kMatch});
  CHECK(CountOf(none, "{\"id\":\"golden-") == 10);
  CHECK(none.find("\"results\":[],") != std::string::npos);
  const std::string text = Written("sarif", EveryStatus());
  CHECK(CountOf(text, "\"ruleId\":") == 10);
  CHECK(text.find(R"({"ruleId":"golden-crash","level":"error","message":{"text":"t6: why"},)"
                  R"("locations":[{"physicalLocation":{"artifactLocation":{)"
                  R"("uri":"traces/t6","uriBaseId":"%SRCROOT%"}}}],"partialFingerprints")") !=
        std::string::npos);
  const std::string gitlab = Written("gitlab", EveryStatus());
  const size_t hash = gitlab.find("\"fingerprint\":\"") + 15;
  CHECK(text.find(gitlab.substr(hash, 32)) != std::string::npos);
}

TEST_CASE("gitlab: an entry for each failure, in the folder of the project") {
  CHECK(Written("gitlab", {GoldenStatus::kSkipped}) == "[]\n");
  const std::string text = Written("gitlab", {GoldenStatus::kDiffer, GoldenStatus::kCrash});
  CHECK(CountOf(text, "\"fingerprint\":\"") == 2);
  CHECK(text.find(R"({"description":"t1: why","check_name":"golden-crash","fingerprint":")") !=
        std::string::npos);
  CHECK(text.find(R"("severity":"major","location":{"path":"traces/t1","lines":{"begin":1}}})") !=
        std::string::npos);
}
