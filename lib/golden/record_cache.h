// What replays of unchanged traces gave, kept in a folder, so that they need not be repeated.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "golden/manifest.h"
#include "golden/render_record.h"

namespace dp2trace::golden {

class RecordCache {
 public:
  // `program` names the program exactly, down to its build. An empty folder name: nothing is kept.
  RecordCache(std::string folder, std::string program, const GoldenLimits& limits);

  // The record of the trace with this hash. Nothing where there is none, or one that is damaged.
  std::optional<RenderRecord> Find(const std::string& trace_hash) const;
  // Keeps it; another process may do the same at the same time.
  Status Keep(const std::string& trace_hash, const RenderRecord& record) const;

 private:
  std::string PathOf(const std::string& trace_hash) const;

  std::string folder_;
  std::string key_;  // of program and limits
};

}  // namespace dp2trace::golden
