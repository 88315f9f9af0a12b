// The options of `verify`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "rule_options.h"
#include "verify/verifier.h"

namespace dp2trace::app {

struct VerifyOptions {
  std::vector<std::string> traces;
  std::string output;  // folder of the pictures; empty: none
  bool json = false;
  std::vector<std::string> reports;  // FORMAT=PATH
  bool is_forced = false;
  uint32_t jobs = 1;
  bool is_sandboxed = true;
  RuleOptions rules;
  std::optional<Severity> fail_on = Severity::kError;
  uint64_t max_memory = kDefaultMaxMemory;
  verify::Options verify;
};

void AddVerifyOptions(Verb& command, VerifyOptions& options);

}  // namespace dp2trace::app
