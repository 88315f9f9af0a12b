#include "command_tree.h"

#include <algorithm>

namespace dp2trace::app {
namespace {

OptionText DescribeOption(const CLI::Option& option) {
  OptionText text;
  for (const std::string& name : option.get_lnames())
    text.names.push_back("--" + name);
  for (const std::string& name : option.get_snames())
    text.names.push_back("-" + name);
  text.description = option.get_description();
  text.is_required = option.get_required();
  const bool takes_value = option.get_items_expected_max() > 0;
  if (takes_value) text.value = option.get_type_name();
  if (text.names.empty()) text.value = option.get_name(true);
  return text;
}

void Collect(const CLI::App& command, const std::vector<std::string>& path,
             std::vector<VerbText>& out) {
  VerbText verb;
  verb.path = path;
  verb.description = command.get_description();
  verb.footer = command.get_footer();
  for (const CLI::Option* option : command.get_options()) {
    OptionText text = DescribeOption(*option);
    (text.names.empty() ? verb.arguments : verb.options).push_back(std::move(text));
  }
  const auto children = command.get_subcommands([](const CLI::App* child) {
    return !child->get_name().empty() && !child->get_group().empty();
  });
  for (const CLI::App* child : children)
    verb.verbs.push_back(child->get_name());
  out.push_back(std::move(verb));
  for (const CLI::App* child : children) {
    std::vector<std::string> below = path;
    below.push_back(child->get_name());
    Collect(*child, below, out);
  }
}

}  // namespace

std::vector<std::string> OptionText::choices() const {
  std::vector<std::string> words;
  if (value.find('|') == std::string::npos) return words;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find('|', begin), value.size());
    words.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string VerbText::name(const std::string& separator) const {
  std::string text = "dp2trace";
  for (const std::string& word : path)
    text += separator + word;
  return text;
}

bool IsDirectlyBelow(const VerbText& below, const VerbText& verb) {
  return below.path.size() == verb.path.size() + 1 &&
         std::equal(verb.path.begin(), verb.path.end(), below.path.begin());
}

std::vector<VerbText> CommandTree(const CLI::App& app) {
  std::vector<VerbText> verbs;
  Collect(app, {}, verbs);
  return verbs;
}

}  // namespace dp2trace::app
