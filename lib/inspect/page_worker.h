// Inspect pages of one frame that processes of their own write: each reads its trace in a sandbox, where there is one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "os/worker_pool.h"
#include "play/feed.h"

namespace dp2trace::inspect {

// What such a process is asked: the frame of an event, or a page.
struct PageOrder {
  std::string trace;   // its path
  std::string name;    // for people
  std::string tool;    // that the page names: "dp2trace 1.0"
  std::string folder;  // that is written to; empty: only the frame is looked for
  std::string page;    // the page's folder, below it
  uint64_t frame = 0;
  uint64_t event = 0;
  bool is_sandboxed = false;
};

using OpenFeed = std::function<std::unique_ptr<play::Feed>(const std::string& path)>;

// The work of a Worker: `open` gives the trace of the order, which outlives what it gives.
std::string WorkOnPage(const std::string& order, const OpenFeed& open);

// What `worker`, which calls WorkOnPage(), makes of an order: the number of the frame in which the event stands (0: the trace cannot be
// read), or the place of the page's index.html below the folder (empty: the trace lacks the frame). Fails where the work, or the process, does.
Result<std::string> AskForPage(const Worker& worker, const PageOrder& order);

}  // namespace dp2trace::inspect
