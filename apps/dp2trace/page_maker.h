// The pages of `golden report --inspect`, which processes of their own write.
#pragma once

#include <string>

#include "golden/inspect_pages.h"
#include "os/worker_pool.h"

namespace dp2trace::app {

// What such a process does.
std::string WorkOnPage(const std::string& order);
inline constexpr Worker kInspectWorker = {"inspect page", WorkOnPage};

golden::PageMaker MakePages(bool is_sandboxed);

}  // namespace dp2trace::app
