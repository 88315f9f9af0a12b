// What a reduction reached, stage by stage, in words for people and as JSON for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduce/reducer.h"
#include "trace_model/model.h"

namespace dp2trace::reduce {

class ReduceReport {
 public:
  // A stage that changed something: "tokens: 7 events, 2 tokens, 103 bytes after 29 attempts".
  std::string AddStage(const ReduceProgress& progress);
  void SetTries(uint64_t tries) { tries_ = tries; }
  // One object and a line end: "events", "tokens", "bytes", "tries" of the end, and "stages":[...] with the same.
  std::string Json(std::string_view trace, const trace_model::Model& reached) const;

 private:
  std::vector<ReduceProgress> stages_;
  uint64_t tries_ = 0;
};

}  // namespace dp2trace::reduce
