#include "rules/source.h"

#include <fmt/format.h>

#include <algorithm>

namespace dp2trace {
namespace {

constexpr RuleSource kSources[] = {
#define DP2TRACE_RULE_SOURCE(key, name, place) {key, name, place},
#include "rules/sources.def"
#undef DP2TRACE_RULE_SOURCE
};

constexpr std::string_view kBetweenKeys = "; ";

std::string Escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// As a link of Markdown has it.
std::string AddressOf(const RuleSource& source, std::string_view root) {
  return std::string(source.is_page() ? root : std::string_view()) + Escaped(source.place, "()");
}

}  // namespace

bool RuleSource::is_page() const {
  return !place.starts_with("https://");
}

std::span<const RuleSource> AllSources() {
  return kSources;
}

const RuleSource* FindSource(std::string_view key) {
  const auto* const row = std::ranges::find(kSources, key, &RuleSource::key);
  return row == std::end(kSources) ? nullptr : row;
}

std::vector<std::string_view> SourceKeys(std::string_view column) {
  std::vector<std::string_view> keys;
  for (size_t begin = 0; begin < column.size();) {
    const size_t end = std::min(column.find(kBetweenKeys, begin), column.size());
    keys.push_back(column.substr(begin, end - begin));
    begin = end + kBetweenKeys.size();
  }
  return keys;
}

std::vector<const RuleSource*> SourcesOf(const RuleInfo& rule) {
  std::vector<const RuleSource*> sources;
  for (const std::string_view key : SourceKeys(rule.source)) {
    // A test sees to it that every key has its row.
    if (const RuleSource* const row = FindSource(key)) sources.push_back(row);
  }
  return sources;
}

std::string Describe(const RuleSource& source) {
  return fmt::format("{}, {}", source.name, source.place);
}

std::string DescribeAsMarkdown(const RuleSource& source, std::string_view root) {
  return fmt::format("[{}]({})", source.name, AddressOf(source, root));
}

std::string SourceLinks::Link(const RuleSource& source) {
  linked_.emplace(source.key, &source);
  return fmt::format("[{}]", source.key);
}

std::string SourceLinks::Definitions() const {
  std::string out;
  for (const auto& [key, source] : linked_)
    out += fmt::format("[{}]: {} \"{}\"\n", key, AddressOf(*source, root_),
                       Escaped(source->name, "\""));
  return out;
}

}  // namespace dp2trace
