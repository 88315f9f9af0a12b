// The pages of `golden report --inspect` and `--live`. What reads a trace for them are processes of their own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exit_code.h"
#include "golden/inspect_pages.h"
#include "golden_report_options.h"
#include "os/worker_pool.h"

namespace dp2trace::app {

// What such a process does.
std::string WorkOnPage(const std::string& order);
inline constexpr Worker kInspectWorker = {"inspect page", WorkOnPage};

// Those that the options ask for. `engine`: of live pages; outlives the maker. Other than kOk after a line that says why not.
ExitCode ChoosePages(const ReportOptions& options, std::vector<uint8_t>& engine,
                     golden::PageMaker& maker);

}  // namespace dp2trace::app
