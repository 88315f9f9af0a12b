// Options of the verbs that check: which rules report, and what the trace is checked against.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arguments.h"
#include "exit_code.h"
#include "play/runner.h"

namespace dp2trace::app {

struct RuleOptions {
  std::string preset = "recommended";
  std::vector<Rule> advice;             // that is reported with the preset recommended, too
  std::vector<std::string> disabled;    // ids, groups, families, faults
  std::vector<std::string> severities;  // ID=SEVERITY, in order
  uint32_t level = 0;                   // 0: as the header says
  std::string os_profile;               // empty: as the header says
  std::string caps;                     // file; empty: as the header says
};

// Ids of rules and their groups, for completions.
std::vector<std::string> NamesOfRules();
// --preset, --disable, --severity, --ddi, --os-profile, --caps.
void AddRuleOptions(Verb& command, RuleOptions& options);
// The preset counts first, then --disable, then --severity, which switches a rule on again. kUsage or kInput after a line that says
// what is wrong.
ExitCode ApplyRuleOptions(const RuleOptions& options, play::RunnerOptions& validation);

}  // namespace dp2trace::app
