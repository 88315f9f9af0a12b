// What the words of the command line ask for.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"
#include "configuration.h"

namespace dp2trace::app {

struct Request {
  const Verb* verb = nullptr;  // the last one that is named; the program itself where none is
  bool wants_help = false;
  bool wants_json = false;     // of the output
  std::string problem;         // what is wrong with the command line; empty: nothing
  bool is_configured = false;  // the problem is one of the file of the configuration
};

// Gives the values of the file to the options; what is wrong with the first wrong one.
std::string TakeSettings(const std::vector<SettingInForce>& settings, const std::string& path);

// Fills the targets of the arguments.
Request ReadCommandLine(const Verb& program, const std::vector<std::string>& words);

}  // namespace dp2trace::app
