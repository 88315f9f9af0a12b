// The only file that knows toml++.
#include "configuration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <toml++/toml.h>
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/file.h"
#include "base/near_miss.h"
#include "os/path.h"

namespace dp2trace::app {
namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 20;
constexpr const char* kOn = "true";
constexpr const char* kOff = "false";

class Reader {
 public:
  explicit Reader(Configuration& configuration) : configuration_(configuration) {}

  std::string ReadTable(const toml::table& table) {
    for (const auto& [key, node] : table) {
      std::string problem;
      if (const toml::table* const below = node.as_table(); below != nullptr) {
        path_.emplace_back(key.str());
        problem = ReadTable(*below);
        path_.pop_back();
      } else {
        problem = ReadKey(std::string(key.str()), key.source().begin.line, node);
      }
      if (!problem.empty()) return problem;
    }
    return {};
  }

 private:
  std::string ReadKey(const std::string& key, uint32_t line, const toml::node& node) {
    Setting setting = {.table = path_, .key = key, .values = {}, .line = line};
    const toml::array* const list = node.as_array();
    bool is_read = true;
    if (list == nullptr) {
      is_read = AddValue(node, setting);
    } else {
      for (const toml::node& element : *list)
        is_read = is_read && AddValue(element, setting);
    }
    if (!is_read) {
      return fmt::format(
          "{}:{}: {}: expected a text, a number, true, false, a date or a list of those",
          configuration_.path, line, key);
    }
    configuration_.settings.push_back(std::move(setting));
    return {};
  }

  static bool AddValue(const toml::node& node, Setting& setting) {
    if (const auto* const text = node.as_string(); text != nullptr) {
      setting.values.push_back(text->get());
    } else if (const auto* const number = node.as_integer(); number != nullptr) {
      setting.values.push_back(fmt::format("{}", number->get()));
    } else if (const auto* const real = node.as_floating_point(); real != nullptr) {
      setting.values.push_back(fmt::format("{}", real->get()));
    } else if (const auto* const flag = node.as_boolean(); flag != nullptr) {
      setting.values.emplace_back(flag->get() ? kOn : kOff);
    } else if (const auto* const day = node.as_date(); day != nullptr) {
      setting.values.push_back(
          fmt::format("{:04}-{:02}-{:02}", day->get().year, day->get().month, day->get().day));
    } else {
      return false;
    }
    return true;
  }

  Configuration& configuration_;
  std::vector<std::string> path_;
};

Argument* FindByKey(const Verb& verb, const std::string& key) {
  Argument* const option = verb.FindOption("--" + key);
  return option == nullptr || Verb::IsForCommandLineOnly(*option) ? nullptr : option;
}

// The verb and those below it that take a configuration.
void CollectConfigurable(const Verb& verb, std::vector<const Verb*>& verbs) {
  if (verb.is_configurable()) verbs.push_back(&verb);
  for (const auto& below : verb.verbs())
    CollectConfigurable(*below, verbs);
}

std::vector<const Verb*> ConfigurableVerbs(const Verb& verb) {
  std::vector<const Verb*> verbs;
  CollectConfigurable(verb, verbs);
  return verbs;
}

// The verbs of the program that are a table: not the one that shows the tables.
std::vector<std::string> NamesOfTables(const Verb& program) {
  std::vector<std::string> names;
  for (const auto& verb : program.verbs()) {
    const std::string& name = verb->path().back();
    if (name != "config" && !ConfigurableVerbs(*verb).empty()) names.push_back(name);
  }
  return names;
}

const Verb* FindTable(const Verb& program, const std::vector<std::string>& table) {
  const Verb* verb = &program;
  for (const std::string& name : table) {
    verb = verb->FindVerb(name);
    if (verb == nullptr) return nullptr;
  }
  return verb == &program ? nullptr : verb;
}

std::string NearKey(const std::vector<const Verb*>& verbs, const std::string& key) {
  std::vector<std::string_view> names;
  for (const Verb* const verb : verbs) {
    for (const Argument* const option : verb->Options()) {
      if (!Verb::IsForCommandLineOnly(*option))
        names.push_back(std::string_view(option->name()).substr(2));
    }
  }
  return NearMissClause(key, names);
}

// What the option cannot take, by the number and kind of the values.
std::string CheckValues(const Argument& option, const Setting& setting) {
  const std::vector<std::string>& values = setting.values;
  const bool is_plain_switch = option.is_switch() && !option.takes_switch_value();
  if (is_plain_switch && (values.size() != 1 || (values[0] != kOn && values[0] != kOff)))
    return setting.key + ": expected true or false";
  if (!option.is_list() && values.size() > 1)
    return fmt::format("{}: expected one value, not {}", setting.key, values.size());
  return {};
}

std::string CheckSetting(const Verb& program, const Setting& setting) {
  const std::string table = fmt::format("[{}]", fmt::join(setting.table, "."));
  if (setting.table.empty()) {
    return fmt::format("{} is outside of any table; expected below a verb, such as [lint]",
                       setting.key);
  }
  const Verb* const verb = FindTable(program, setting.table);
  const std::vector<const Verb*> verbs =
      verb == nullptr ? std::vector<const Verb*>() : ConfigurableVerbs(*verb);
  if (verbs.empty()) {
    return fmt::format("{} is not a verb that takes a configuration; those are {}", table,
                       fmt::join(NamesOfTables(program), ", "));
  }
  for (const Verb* const known : verbs) {
    const Argument* const option = FindByKey(*known, setting.key);
    if (option != nullptr) return CheckValues(*option, setting);
  }
  return fmt::format("{} has no option --{}{}", table, setting.key, NearKey(verbs, setting.key));
}

// Whether a value of the option is the name of a file, or ends with one after '='.
bool IsPath(const Argument& option) {
  const std::string& value = option.value();
  return value == "FILE" || value == "DIR" || value.ends_with("=PATH");
}

std::string InFolder(const std::string& folder, const std::string& name) {
  if (name.empty() || name == "-" || folder == "." || ToPath(name).is_absolute()) return name;
  return ToText(ToPath(folder) / ToPath(name));
}

std::string LocalValue(const Argument& option, const std::string& value,
                       const std::string& folder) {
  if (!IsPath(option)) return value;
  const size_t name = option.value().ends_with("=PATH") ? value.find('=') + 1 : 0;
  return value.substr(0, name) + InFolder(folder, value.substr(name));
}

bool IsPrefix(const std::vector<std::string>& table, const std::vector<std::string>& path) {
  return table.size() <= path.size() && std::equal(table.begin(), table.end(), path.begin());
}

}  // namespace

std::string FindConfiguration() {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::current_path(error);
  // Names from here, as a user would give them: ../../.dp2trace.toml.
  for (std::string prefix; !error; prefix += "../") {
    std::error_code missing;
    if (std::filesystem::is_regular_file(folder / kConfigurationName, missing))
      return prefix + kConfigurationName;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  return {};
}

std::string ParseConfiguration(std::string_view text, const std::string& path,
                               Configuration& configuration) {
  configuration = {.path = path, .settings = {}};
  try {
    const toml::table table = toml::parse(text);
    std::string problem = Reader(configuration).ReadTable(table);
    std::ranges::stable_sort(configuration.settings, {}, &Setting::line);
    return problem;
  } catch (const toml::parse_error& error) {
    return fmt::format("{}:{}:{}: is not TOML: {}", path, error.source().begin.line,
                       error.source().begin.column, error.description());
  }
}

std::string CheckConfiguration(const Verb& program, const Configuration& configuration) {
  for (const Setting& setting : configuration.settings) {
    const std::string problem = CheckSetting(program, setting);
    if (!problem.empty())
      return fmt::format("{}:{}: {}", configuration.path, setting.line, problem);
  }
  return {};
}

std::string LoadConfiguration(const Verb& program, const Verb& verb, Configuration& configuration) {
  configuration = {};
  if (!verb.is_configurable() || verb.ignores_configuration()) return {};
  const std::string path =
      verb.configuration().empty() ? FindConfiguration() : verb.configuration();
  if (path.empty()) return {};
  const Result<std::vector<uint8_t>> content = ReadWholeFile(path, kMaxBytes);
  if (!content.ok()) return content.status().diagnostic().message;
  const std::string text(content->begin(), content->end());
  std::string problem = ParseConfiguration(text, path, configuration);
  return problem.empty() ? CheckConfiguration(program, configuration) : problem;
}

std::vector<SettingInForce> SettingsOf(const Verb& verb, const Configuration& configuration) {
  std::vector<SettingInForce> settings;
  for (Argument* const option : verb.Options()) {
    SettingInForce found{.option = option, .setting = nullptr};
    for (const Setting& setting : configuration.settings) {
      const bool is_nearer =
          found.setting == nullptr || setting.table.size() > found.setting->table.size();
      if (IsPrefix(setting.table, verb.path()) && FindByKey(verb, setting.key) == option &&
          is_nearer)
        found.setting = &setting;
    }
    if (found.setting != nullptr) settings.push_back(found);
  }
  return settings;
}

std::vector<std::string> WordsOf(const Argument& option, const Setting& setting,
                                 const std::string& path) {
  if (option.is_switch() && setting.values == std::vector<std::string>{kOff}) return {};
  if (option.is_switch() && setting.values == std::vector<std::string>{kOn})
    return {option.switch_value()};
  std::vector<std::string> words;
  for (const std::string& value : setting.values)
    words.push_back(LocalValue(option, value, FolderOf(path)));
  return words;
}

}  // namespace dp2trace::app
