#include "rules/source.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// What GitHub makes of a heading: lower case, blanks as hyphens, no other punctuation than '-' and '_'.
std::string AnchorOf(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') anchor += '-';
    if (std::isalnum(byte) != 0 || c == '-' || c == '_')
      anchor += static_cast<char>(std::tolower(byte));
  }
  return anchor;
}

// The anchors of a page; none where it does not exist. Lines of code are no headings.
std::set<std::string> AnchorsOf(const std::filesystem::path& page) {
  std::set<std::string> anchors;
  std::ifstream in(page);
  bool is_code = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) is_code = !is_code;
    const size_t level = line.find_first_not_of('#');
    if (is_code || level == 0 || level == std::string::npos || line[level] != ' ') continue;
    anchors.insert(AnchorOf(std::string_view(line).substr(level + 1)));
  }
  return anchors;
}

}  // namespace

TEST_CASE("Sources: every rule names rows of the table, each once") {
  for (const RuleInfo& rule : AllRules()) {
    CAPTURE(rule.id);
    const std::vector<std::string_view> keys = SourceKeys(rule.source);
    CHECK_FALSE(keys.empty());
    for (const std::string_view key : keys) {
      CAPTURE(key);
      CHECK_MESSAGE(FindSource(key) != nullptr, "a key that lib/rules/sources.def lacks");
      CHECK(std::ranges::count(keys, key) == 1);
    }
    CHECK(SourcesOf(rule).size() == keys.size());
  }
}

TEST_CASE("Sources: every row has a key of its own, a name, a place, and a rule that names it") {
  std::set<std::string_view> named;
  for (const RuleInfo& rule : AllRules()) {
    for (const std::string_view key : SourceKeys(rule.source))
      named.insert(key);
  }
  for (const RuleSource& source : AllSources()) {
    CAPTURE(source.key);
    CHECK(FindSource(source.key) == &source);
    CHECK_FALSE(source.name.empty());
    CHECK_FALSE(source.place.empty());
    CHECK_MESSAGE(named.contains(source.key), "no rule names this row");
    CHECK(source.place.find_first_of(" \"<>") == std::string_view::npos);
    CHECK(source.name.find_first_of("[]|*<>") == std::string_view::npos);
  }
}

TEST_CASE("Sources: pages of this repository and their sections exist") {
  const std::filesystem::path root = DP2TRACE_SOURCE_DIR;
  size_t pages = 0;
  for (const RuleSource& source : AllSources()) {
    if (!source.is_page()) continue;
    ++pages;
    CAPTURE(source.place);
    const size_t hash = source.place.find('#');
    REQUIRE(hash != std::string_view::npos);
    const std::set<std::string> anchors = AnchorsOf(root / source.place.substr(0, hash));
    CHECK_MESSAGE(!anchors.empty(), "no such page");
    CHECK_MESSAGE(anchors.contains(std::string(source.place.substr(hash + 1))), "no such section");
  }
  CHECK(pages > 0);
}

TEST_CASE("SourceKeys: splits at semicolons; a column of one key, and none") {
  CHECK(SourceKeys("").empty());
  CHECK(SourceKeys("a") == std::vector<std::string_view>{"a"});
  CHECK(SourceKeys("a, b; c") == std::vector<std::string_view>{"a, b", "c"});
}

TEST_CASE("Describe: name and place as text and as a link") {
  const RuleSource document = {"k", "A page", "https://a.example/b(v=1)"};
  CHECK(Describe(document) == "A page, https://a.example/b(v=1)");
  CHECK(DescribeAsMarkdown(document, "../") == "[A page](https://a.example/b\\(v=1\\))");
  const RuleSource page = {"k", "Traces", "traces/README.md#terms"};
  CHECK(DescribeAsMarkdown(page, "../../") == "[Traces](../../traces/README.md#terms)");
}

TEST_CASE("SourceLinks: keys in the text, addresses once at the end") {
  const RuleSource document = {"WDK:b", "\"A page\", guide", "https://a.example/b(v=1)"};
  const RuleSource page = {"README", "Traces", "traces/README.md#terms"};
  SourceLinks links("../");
  CHECK(links.Link(document) == "[WDK:b]");
  CHECK(links.Link(page) == "[README]");
  CHECK(links.Link(document) == "[WDK:b]");
  CHECK(links.Definitions() ==
        "[README]: ../traces/README.md#terms \"Traces\"\n"
        "[WDK:b]: https://a.example/b\\(v=1\\) \"\\\"A page\\\", guide\"\n");
}
