#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "base/plain_text.h"
#include "command_line.h"
#include "configuration.h"
#include "console.h"
#include "json/append.h"
#include "json/output.h"
#include "options.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

// What holds for a verb.
struct VerbSettings {
  const Verb* verb = nullptr;
  std::vector<SettingInForce> settings;
};

// The values as a user reads them: "true" for a switch, not the words that stand for it.
std::vector<std::string> ValuesOf(const SettingInForce& held, const std::string& path) {
  return held.option->is_switch() ? held.setting->values
                                  : WordsOf(*held.option, *held.setting, path);
}

std::vector<VerbSettings> AllSettings(const Verb& program, const Configuration& configuration) {
  std::vector<VerbSettings> all;
  for (const Verb* const verb : ShownVerbs(program)) {
    VerbSettings found = {.verb = verb, .settings = SettingsOf(*verb, configuration)};
    if (verb->is_configurable() && !found.settings.empty()) all.push_back(std::move(found));
  }
  return all;
}

std::string TextOf(const std::vector<VerbSettings>& all, const std::string& path) {
  std::string text;
  for (const VerbSettings& found : all) {
    text += found.verb->FullName(" ") + "\n";
    for (const SettingInForce& held : found.settings) {
      const std::string values = fmt::format("{}", fmt::join(ValuesOf(held, path), " "));
      text += fmt::format("  {:<20} {:<32} {}:{}\n", held.option->name(), Plain(values),
                          Plain(path), held.setting->line);
    }
  }
  return text;
}

void AppendSetting(const SettingInForce& held, const std::string& path, json::Builder& out) {
  out.Separate();
  out.Raw('{');
  json::AppendString(out, "option", held.option->name());
  out.Key("values");
  out.Raw('[');
  for (const std::string& value : ValuesOf(held, path)) {
    out.Separate();
    out.String(value);
  }
  out.Raw(']');
  json::AppendNumber(out, "line", held.setting->line);
  out.Raw('}');
}

std::string JsonOf(const std::vector<VerbSettings>& all, const std::string& path) {
  json::Builder out;
  out.Raw(json::OutputHead("config"));
  json::AppendText(out, "file", path);
  out.Key("verbs");
  out.Raw('[');
  for (const VerbSettings& found : all) {
    out.Separate();
    out.Raw('{');
    json::AppendString(out, "verb", fmt::format("{}", fmt::join(found.verb->path(), " ")));
    out.Key("settings");
    out.Raw('[');
    for (const SettingInForce& held : found.settings)
      AppendSetting(held, path, out);
    out.Raw("]}");
  }
  out.Raw("]}\n");
  return out.string();
}

ExitCode RunConfig(const Verb& program, const Verb& command, bool as_json) {
  Configuration configuration;
  const std::string problem = LoadConfiguration(program, command, configuration);
  if (!problem.empty()) return UsageError(problem);
  if (configuration.path.empty())
    PrintNote(std::string("there is no ") + kConfigurationName + " here or above");
  const std::vector<VerbSettings> all = AllSettings(program, configuration);
  for (const VerbSettings& found : all) {
    const std::string refused = TakeSettings(found.settings, configuration.path);
    if (!refused.empty()) return UsageError(refused);
  }
  return ReportOutput(
      WriteResult(as_json ? JsonOf(all, configuration.path) : TextOf(all, configuration.path)));
}

}  // namespace

void AddConfig(Verb& program) {
  auto as_json = std::make_shared<bool>(false);
  Verb& command = program.AddVerb(
      "config", "Show which options come from .dp2trace.toml, and from which of its lines");
  AddFormat(command, *as_json);
  command.TakeConfiguration();
  command.SetExample("dp2trace config");
  command.OnRun([as_json, &program, &command] { return RunConfig(program, command, *as_json); });
}

}  // namespace dp2trace::app
