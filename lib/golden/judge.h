// Compares what a replay gave with what the manifest says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "golden/manifest.h"
#include "golden/render_record.h"
#include "golden/result.h"

namespace dp2trace::golden {

// A trace of a run: of the manifest, or new.
struct RunTrace {
  std::string path;
  const ManifestTrace* expected = nullptr;  // null: the manifest lacks it
  std::string new_hash;                     // of a new trace, of its file
  // What lists, shards and durations know it by.
  const std::string& hash() const { return expected != nullptr ? expected->hash : new_hash; }
};

// What is known without a replay: that the trace is skipped, or that its entry is past its day (YYYY-MM-DD). `has_tolerance`: that of the
// manifest counts.
std::optional<TraceResult> JudgeBefore(const RunTrace& trace, std::string_view today,
                                       bool has_tolerance = false);
// After a replay. `hash` is that of the file.
TraceResult Judge(const RunTrace& trace, const std::string& hash, const RenderRecord& record);
// Without one: the file is missing, or the worker crashed or ran out of time.
TraceResult JudgeFailure(const RunTrace& trace, const std::string& hash, GoldenStatus status,
                         std::string message);

}  // namespace dp2trace::golden
