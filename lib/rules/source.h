// What the rules rest on: documents that anybody can open, and pages of this repository.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule_info.h"

namespace dp2trace {

// A row of sources.def.
struct RuleSource {
  std::string_view key;    // what the source column of a rule says
  std::string_view name;   // document and section
  std::string_view place;  // URL, or PAGE#SECTION of this repository, from its root; never empty

  bool is_page() const;  // of this repository
};

std::span<const RuleSource> AllSources();
// The row with this key; null where there is none.
const RuleSource* FindSource(std::string_view key);
// The keys of a source column, in its order.
std::vector<std::string_view> SourceKeys(std::string_view column);
// The documents of a rule, in the order of its column.
std::vector<const RuleSource*> SourcesOf(const RuleInfo& rule);

// One line of text: "NAME, PLACE".
std::string Describe(const RuleSource& source);
// A Markdown link; `root` leads to the root of this repository: "../../".
std::string DescribeAsMarkdown(const RuleSource& source, std::string_view root);

// For a Markdown page that names many sources many times: links by key, and at its end once what each key stands for.
class SourceLinks {
 public:
  explicit SourceLinks(std::string_view root) : root_(root) {}
  // "[KEY]".
  std::string Link(const RuleSource& source);
  // `[KEY]: ADDRESS "NAME"`, a line for each source that has a link, sorted.
  std::string Definitions() const;

 private:
  std::string root_;
  std::map<std::string_view, const RuleSource*> linked_;
};

}  // namespace dp2trace
