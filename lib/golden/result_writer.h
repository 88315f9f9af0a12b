// The results of a golden check in the forms that continuous integration reads: one file of this folder per form.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "base/text_sink.h"
#include "golden/result.h"
#include "golden/results.h"

namespace dp2trace::golden {

// What is known before the first result.
struct GoldenRunInfo {
  ResultsHead head;
  StatusCounts counts = {};
  Durations durations;  // of the traces; none: not known
  std::string
      folder;  // of the manifest, from the root of the project, with a slash at the end: what the paths of traces come after
};

// Begin, Add for each result, Finish: all in order, each once. Fails only where the sink does.
class GoldenWriter {
 public:
  virtual ~GoldenWriter() = default;
  virtual Status Begin(const GoldenRunInfo&) { return OkStatus(); }
  virtual Status Add(const TraceResult& result) = 0;
  virtual Status Finish() { return OkStatus(); }
};

// One for each form.
#define DP2TRACE_GOLDEN_FORM(name, make, remark) std::unique_ptr<GoldenWriter> make(TextSink sink);
#include "golden/forms.def"

struct GoldenForm {
  std::string_view name;
  std::unique_ptr<GoldenWriter> (*make)(TextSink sink);
  std::string_view remark;  // for the help; may be empty
};
std::span<const GoldenForm> GoldenForms();
// By name; null for any other.
std::unique_ptr<GoldenWriter> MakeGoldenWriter(std::string_view format, TextSink sink);

// Whether a folder of a run is not in the project.
bool IsElsewhere(const std::string& folder);
// "golden-differ": what forms call a trace that fails so.
std::string FailureName(GoldenStatus status);
// The same failure of the same trace has the same: 32 hex digits.
std::string FailureHash(const TraceResult& result);
// How many traces fail.
uint64_t CountFailures(const StatusCounts& counts);

}  // namespace dp2trace::golden
