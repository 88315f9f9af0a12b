// The work of `verify`: traces are replayed and judged, and the draw is found that made the first picture differ.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "trace_file/source.h"
#include "verify/report.h"
#include "verify/verifier.h"

namespace dp2trace::verify {

struct VerifyJob {
  Options options;          // without on_difference
  std::string pictures;     // folder for the pictures that differ; empty: none
  uint64_t max_memory = 0;  // bytes, for reading one trace
  // Hears how many bytes of a trace have been read, of how many (0: not known). May be empty.
  std::function<void(const std::string& path, uint64_t done, uint64_t total)> progress;
};

struct VerifyResult {
  Report report;
  DiagnosticList findings;
  // Why the trace could not be opened or read to its end: there is no report.
  std::optional<trace_file::OpenError> error;
  // Why a picture could not be written (IO-001); those after it were not tried.
  Status pictures;
};

// On the calling thread. Standard input is read once: the draw is not looked for.
VerifyResult VerifyFile(const std::string& path, VerifyJob job);

// The folder of each trace's pictures: `folder` for a single one, else below it by the name of the trace without its extension. Fails
// (IO-001) where two would be the same.
Result<std::vector<std::string>> PictureFolders(const std::vector<std::string>& paths,
                                                const std::string& folder);

}  // namespace dp2trace::verify
