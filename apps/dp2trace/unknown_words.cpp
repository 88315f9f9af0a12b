#include "unknown_words.h"

#include <algorithm>
#include <string_view>

#include "base/near_miss.h"

namespace dp2trace::app {
namespace {

std::string Describe(const char* what, const std::string& word,
                     const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return std::string("unknown ") + what + " " + word + NearMissClause(word, views);
}

std::vector<std::string> OptionsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::string DescribeUnknown(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    if (word == "--") break;
    if (word.size() > 1 && word.front() == '-') {
      // Short options may hold their value.
      const std::string name =
          word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
      if (command->get_option_no_throw(name) == nullptr)
        return Describe("option", name, OptionsOf(*command));
      continue;
    }
    const auto verbs = command->get_subcommands([](const CLI::App*) { return true; });
    if (verbs.empty()) continue;
    std::vector<std::string> names;
    names.reserve(verbs.size());
    for (const CLI::App* verb : verbs)
      names.push_back(verb->get_name());
    const auto found = std::ranges::find(names, word);
    if (found == names.end()) return Describe("verb", word, names);
    command = verbs[static_cast<size_t>(found - names.begin())];
  }
  return {};
}

}  // namespace dp2trace::app
