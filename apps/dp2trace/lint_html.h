// The findings of a trace as a page: `lint --html`.
#pragma once

#include <cstdint>
#include <string>

#include "exit_code.h"
#include "lint/finding_writer.h"
#include "play/runner.h"

namespace dp2trace::app {

struct FindingsPage {
  std::string folder;
  play::RunnerOptions validation;  // as the findings were made
  uint64_t max_memory = 0;
};

// Reads the trace again, and writes the frames in which something was found that the baseline does not accept. kInput after a line that
// says why it cannot be written.
ExitCode WriteFindingsPage(const lint::FileFindings& file, const FindingsPage& page);

}  // namespace dp2trace::app
