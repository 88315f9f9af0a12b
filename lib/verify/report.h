// What `verify` says, as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "verify/verifier.h"

namespace dp2trace::verify {

struct Report {
  std::string trace;        // as the user named it
  std::string tool;         // "dp2trace 0.1.0"
  bool is_complete = true;  // every event could be read as it was written
  uint32_t tolerance = 0;
  replay::Statistics statistics;
  std::optional<uint64_t> leaks;  // objects that live at the end, where that was asked for
  std::vector<PictureResult> pictures;
  bool has_cause =
      false;  // the trace was read twice, so that a cause that is missing means that no draw wrote the pixel
};

// One line for each finding, the cause below the first picture that differs, then a line with the counts.
std::string ReportText(const Report& report, const DiagnosticList& findings);
// One object, one finding or picture per line.
std::string ReportJson(const Report& report, const DiagnosticList& findings);

// Writes picture-SEQUENCE-driver.png, -replay.png and -difference.png into the folder, which is made. Fails (IO-001) where a file cannot be
// written.
Status WritePair(const std::string& folder, uint64_t sequence, const PicturePair& pair);

}  // namespace dp2trace::verify
