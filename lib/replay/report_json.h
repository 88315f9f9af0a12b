// report.json: what a replay found, drew and counted. Source: lib/design.md 7.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "replay/images.h"
#include "replay/replayer.h"

namespace dp2trace::replay {

struct Report {
  std::string
      trace;  // file name without folder: the same trace gives the same report wherever it lies
  bool is_complete = true;  // every event could be read as it was written
  Status reading;           // why the trace could not be read to its end
  std::vector<replay::ImageInfo> images;
  replay::Statistics statistics;
  std::optional<double> seconds;  // of the replay; the only member that differs from run to run
};

// One object, one finding or image per line.
std::string ReportJson(const Report& report, const DiagnosticList& findings);

}  // namespace dp2trace::replay
