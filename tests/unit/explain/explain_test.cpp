#include "explain/explain.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "base/file.h"
#include "explain/rule_examples.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "rules/source.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::explain;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(DP2TRACE_SOURCE_DIR) / "lib/rules/pages";

void WritePage(const std::string& path, const std::string& text) {
  Result<OutputFile> file = OutputFile::Create(path);
  REQUIRE(file.ok());
  REQUIRE(file->Write(text).ok());
  REQUIRE(file->Commit().ok());
}

}  // namespace

TEST_CASE(
    "Rule pages: the committed ones are what the table says (DP2TRACE_UPDATE_PAGES=1 rewrites them)") {
  const char* const update =
      std::getenv("DP2TRACE_UPDATE_PAGES");  // NOLINT(concurrency-mt-unsafe): one thread
  std::set<std::string> names;
  for (const std::string_view group : RuleGroups()) {
    CAPTURE(group);
    const std::string path = (kFolder / (std::string(group) + ".md")).string();
    names.insert(std::string(group) + ".md");
    if (update != nullptr && std::string_view(update) == "1") WritePage(path, RulePage(group));
    const bool is_current = testing::ReadText(path) == RulePage(group);
    CHECK_MESSAGE(is_current, "stale page: run this test with DP2TRACE_UPDATE_PAGES=1");
  }
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".md")
      CHECK_MESSAGE(names.contains(entry.path().filename().string()), "a page without a group");
  }
}

TEST_CASE("ExplainRule: says everything that the table has, and shows both traces") {
  const std::string text = ExplainRule(Rule::kDp2Stream009, tables::ListFormat::kText);
  const RuleInfo& info = Info(Rule::kDp2Stream009);
  CHECK(text.starts_with("DP2-STREAM-009: " + std::string(info.summary)));
  CHECK(text.find("severity  warning\n") != std::string::npos);
  const std::vector<const RuleSource*> sources = SourcesOf(info);
  REQUIRE_FALSE(sources.empty());
  CHECK(text.find("source    " + Describe(*sources.front()) + "\n") != std::string::npos);
  const RuleExamples examples = ExamplesOf(Rule::kDp2Stream009);
  REQUIRE_FALSE(examples.broken.text.empty());
  REQUIRE_FALSE(examples.legal.text.empty());
  CHECK(text.find(examples.broken.text) != std::string::npos);
  CHECK(text.find(examples.legal.text) != std::string::npos);
}

TEST_CASE("ExplainRule: each source is a line of its own, with its address or its page") {
  const RuleInfo& info = Info(Rule::kKmtSubmit005);
  const std::vector<const RuleSource*> sources = SourcesOf(info);
  REQUIRE(sources.size() == 2);
  REQUIRE_FALSE(sources[0]->is_page());
  REQUIRE(sources[1]->is_page());
  const auto text = [](tables::ListFormat format) {
    return ExplainRule(Rule::kKmtSubmit005, format);
  };
  const std::string lines =
      "\nsource    " + Describe(*sources[0]) + "\n          " + Describe(*sources[1]) + "\n";
  CHECK(text(tables::ListFormat::kText).find(lines) != std::string::npos);
  const std::string url = R"("url":")" + std::string(sources[0]->place) + '"';
  const std::string page = R"("page":")" + std::string(sources[1]->place) + '"';
  CHECK(text(tables::ListFormat::kJson).find(url) != std::string::npos);
  CHECK(text(tables::ListFormat::kJson).find(page) != std::string::npos);
  CHECK(text(tables::ListFormat::kMarkdown)
            .find("* source: " + DescribeAsMarkdown(*sources[0], "") + "\n") != std::string::npos);
}

TEST_CASE("ExamplesOf: the text is that of the first case, with its escapes undone") {
  const auto text_of = [](const std::string& path) {
    return testing::ReadText(DP2TRACE_RULE_TRACES "/" + path);
  };
  const RuleExamples stream = ExamplesOf(Rule::kDp2Stream009);
  const std::string name(stream.broken.name);
  CHECK(stream.broken.text == text_of("malformed/DP2-STREAM-009/" + name + ".json"));
  const RuleExamples caps = ExamplesOf(Rule::kDp2Caps001);
  CHECK(caps.legal.name == "width-256");
  CHECK(caps.legal.text == text_of("accepted/DP2-CAPS-001/width-256.json"));
  const RuleExamples json = ExamplesOf(Rule::kJson001);
  CHECK(json.broken.name == "comma");
  CHECK(json.broken.text == text_of("malformed/JSON-001/comma.json"));
  CHECK(json.legal.name.empty());
}

TEST_CASE("ExplainRule: a rule whose case is a container names only the case") {
  const RuleExample broken = ExamplesOf(Rule::kTrace013).broken;
  CHECK(broken.name == "a-word");
  CHECK(broken.text.empty());
}
