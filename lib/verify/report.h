// What `verify` says, as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "os/files.h"
#include "verify/verifier.h"

namespace dp2trace::verify {

struct Report {
  std::string trace;        // as the user named it
  bool is_complete = true;  // every event could be read as it was written
  uint32_t tolerance = 0;
  replay::Statistics statistics;
  std::optional<uint64_t> leaks;  // objects that live at the end, where that was asked for
  std::vector<PictureResult> pictures;
  // The trace was read twice, so that a cause that is missing means that no draw wrote the pixel.
  bool has_cause = false;
};

// One line for each finding, the cause below the first picture that differs, then a line with the counts.
std::string ReportText(const Report& report, const DiagnosticList& findings);
// One object, one finding or picture per line.
std::string ReportJson(const Report& report, const DiagnosticList& findings);

// A folder of pictures that differ. It is made with the first of them, and no other program's while this object lives.
class PairFolder {
 public:
  explicit PairFolder(std::string path) : path_(std::move(path)) {}

  // Writes picture-SEQUENCE-driver.png, -replay.png and -difference.png. Fails (IO-001) where a file cannot be written.
  Status Write(uint64_t sequence, const PicturePair& pair);

 private:
  std::string path_;
  std::optional<Descriptor> lock_;
};

}  // namespace dp2trace::verify
