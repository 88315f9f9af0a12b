#include "unknown_words.h"

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

std::vector<std::string> VerbsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* verb : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

CLI::App* FindVerb(CLI::App& command, const std::string& name) {
  for (CLI::App* verb : command.get_subcommands([](CLI::App*) { return true; })) {
    if (verb->get_name() == name) return verb;
  }
  return nullptr;
}

}  // namespace

std::string DescribeUnknown(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* command = &app;
  for (const std::string& word : words) {
    if (word == "--") break;
    if (word.size() > 1 && word.front() == '-') {
      // Short options may hold their value.
      const std::string name =
          word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
      if (command->get_option_no_throw(name) == nullptr)
        return Describe("option", name, OptionsOf(*command));
    } else if (!VerbsOf(*command).empty()) {
      CLI::App* const verb = FindVerb(*command, word);
      if (verb == nullptr) return Describe("verb", word, VerbsOf(*command));
      command = verb;
    }
  }
  return {};
}

}  // namespace dp2trace::app
