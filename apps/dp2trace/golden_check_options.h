// The options of `golden check`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "arguments.h"
#include "golden/check.h"

namespace dp2trace::app {

struct CheckOptions {
  golden::CheckOptions check;
  std::string suite;  // empty: the manifest
  std::string shard = "1/1";
  uint64_t max_memory = 0;  // 0: not given
  uint64_t max_worker_memory = 0;
  bool is_forced = false;
  uint64_t slowest = 0;  // traces that are listed
};

void AddCheckOptions(Verb& command, CheckOptions& options);
// What --shard asks for. Nothing after a line that says what is wrong with it.
std::optional<golden::Shard> FindShard(const std::string& text);

}  // namespace dp2trace::app
