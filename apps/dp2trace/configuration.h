// `.dp2trace.toml`: what the options of some verbs are where the command line does not give them. A table is a verb ([lint], [golden.check]) or
// what is above verbs ([golden], for each of them that has the option), its keys are the options' long names without dashes.
// Functions that return a text say what is wrong; it is empty where nothing is.
// Source: TOML 1.0, https://toml.io/en/v1.0.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"

namespace dp2trace::app {

inline constexpr const char* kConfigurationName = ".dp2trace.toml";

// One key of the file.
struct Setting {
  std::vector<std::string> table;  // "golden", "check"
  std::string key;                 // "fail-on"
  // As a command line would give them; of a switch "true" or "false".
  std::vector<std::string> values;
  uint32_t line = 0;  // from 1
};

struct Configuration {
  std::string path;  // empty: there is no file
  std::vector<Setting> settings;
};

// A setting where it holds.
struct SettingInForce {
  Argument* option = nullptr;
  const Setting* setting = nullptr;
};

// The nearest kConfigurationName in the current folder or above it; empty where there is none.
std::string FindConfiguration();
// Reads the text of a file: "PATH:LINE: what is wrong".
std::string ParseConfiguration(std::string_view text, const std::string& path,
                               Configuration& configuration);
// A table that is not a configurable verb, a key that is not an option of one.
std::string CheckConfiguration(const Verb& program, const Configuration& configuration);
// The file that the options of a verb choose (--config, else the nearest one, none with --no-config), read and checked.
std::string LoadConfiguration(const Verb& program, const Verb& verb, Configuration& configuration);

// What holds for a verb, in the order of its options: a table of the verb itself goes before those above it.
std::vector<SettingInForce> SettingsOf(const Verb& verb, const Configuration& configuration);
// The words that a command line in the current folder would have after the option; names of files count from the folder of the
// configuration. Of a switch that is off none.
std::vector<std::string> WordsOf(const Argument& option, const Setting& setting,
                                 const std::string& path);

}  // namespace dp2trace::app
