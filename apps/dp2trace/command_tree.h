// The program's verbs and options as data, read from CLI11: what manual pages and completions are written from, so that they cannot lag.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace dp2trace::app {

struct OptionText {
  std::vector<std::string> names;  // "--format", "-o"; empty for a positional argument
  std::string value;               // "FILE", "text|json"; empty for a switch
  std::string description;
  bool is_required = false;
  // The words that the value can be; empty where it is free.
  std::vector<std::string> choices() const;
};

struct VerbText {
  std::vector<std::string> path;  // "golden", "check"; empty for the program itself
  std::string description;
  std::string footer;
  std::vector<OptionText> options;
  std::vector<OptionText> arguments;
  std::vector<std::string> verbs;  // below it
  // "dp2trace golden check", joined by `separator`.
  std::string name(const std::string& separator) const;
};

// True where `below` is a verb of `verb`.
bool IsDirectlyBelow(const VerbText& below, const VerbText& verb);

// The program and all its verbs, depth first, without those that the help hides.
std::vector<VerbText> CommandTree(const CLI::App& app);

}  // namespace dp2trace::app
