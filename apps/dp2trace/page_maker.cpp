#include "page_maker.h"

#include <memory>

#include "console.h"
#include "inspect/page_worker.h"
#include "options.h"
#include "reread_trace.h"

namespace dp2trace::app {

std::string WorkOnPage(const std::string& order) {
  return inspect::WorkOnPage(order, [](const std::string& path) {
    return std::make_unique<RereadTrace>(path, kDefaultMaxMemory);
  });
}

golden::PageMaker MakePages(bool is_sandboxed) {
  const auto frame_of = [is_sandboxed](const std::string& trace,
                                       uint64_t event) -> std::optional<uint64_t> {
    inspect::PageOrder order;
    order.trace = trace;
    order.event = event;
    order.is_sandboxed = is_sandboxed;
    const Result<std::string> frame = inspect::AskForPage(kInspectWorker, order);
    const uint64_t number = frame.ok() ? std::stoull(*frame) : 0;
    return number == 0 ? std::nullopt : std::optional(number);
  };
  const auto write = [is_sandboxed](const golden::PageRequest& page) {
    return inspect::AskForPage(kInspectWorker, {.trace = page.trace,
                                                .name = page.name,
                                                .tool = "dp2trace " DP2TRACE_VERSION,
                                                .folder = page.folder,
                                                .page = page.page,
                                                .frame = page.frame,
                                                .is_sandboxed = is_sandboxed});
  };
  return {frame_of, write, PrintNote};
}

}  // namespace dp2trace::app
