// The options of `verify`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "options.h"
#include "rule_options.h"
#include "verify/verifier.h"

namespace dp2trace::app {

struct VerifyOptions {
  std::string trace;
  std::string output;  // folder of the pictures; empty: none
  bool json = false;
  bool is_sandboxed = true;
  RuleOptions rules;
  std::optional<Severity> fail_on = Severity::kError;
  uint64_t max_memory = kDefaultMaxMemory;
  verify::Options verify;
};

void AddVerifyOptions(Verb& command, VerifyOptions& options);

}  // namespace dp2trace::app
