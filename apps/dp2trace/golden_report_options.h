// The options of `golden report`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arguments.h"
#include "golden/report.h"

namespace dp2trace::app {

struct ReportOptions {
  golden::ReportOptions report;
  std::vector<std::string> outputs;
  bool is_forced = false;
  bool inspects = false;
  bool is_live = false;
  std::string engine;  // of --live; empty: the one of the program
  uint64_t max_inspect = 20;
  std::string features;  // file; empty: none
  std::string suite;     // empty: the manifest
  bool is_sandboxed = true;
};

void AddReportOptions(Verb& command, ReportOptions& options);

}  // namespace dp2trace::app
