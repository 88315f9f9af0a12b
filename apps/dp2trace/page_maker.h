// The pages of `golden report --inspect` and `--live`. What reads a trace for them are processes of their own.
#pragma once

#include <string>

#include "base/bytes.h"
#include "golden/inspect_pages.h"
#include "os/worker_pool.h"

namespace dp2trace::app {

// What such a process does.
std::string WorkOnPage(const std::string& order);
inline constexpr Worker kInspectWorker = {"inspect page", WorkOnPage};

golden::PageMaker MakePages(bool is_sandboxed);
// Pages with the trace and the engine, which outlives the result, inside.
golden::PageMaker MakeLivePages(bool is_sandboxed, Bytes engine);

}  // namespace dp2trace::app
