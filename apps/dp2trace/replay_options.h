// The options of `replay`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/selection.h"
#include "follow_options.h"
#include "options.h"
#include "replay/replayer.h"
#include "rule_options.h"

namespace dp2trace::app {

struct ReplayOptions {
  std::string trace;
  std::string output;
  Selection draws;
  Selection reads;
  Selection at;
  bool has_frames = false;
  bool has_draws = false;
  bool has_reads = false;
  bool has_at = false;
  uint32_t surface = 0;
  bool has_surface = false;
  RuleOptions rules;
  bool has_times = true;
  bool is_forced = false;
  bool is_sandboxed = true;
  FollowOptions follow;
  std::optional<Severity> fail_on = Severity::kError;
  uint64_t max_memory = kDefaultMaxMemory;
  replay::Options replay;
};

void AddReplayOptions(Verb& command, ReplayOptions& options);

}  // namespace dp2trace::app
