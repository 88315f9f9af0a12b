#include "page_maker.h"

#include <memory>

#include "console.h"
#include "inspect/page_worker.h"
#include "live_parts.h"
#include "options.h"
#include "reread_trace.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

// The PageMaker::frame_of of both kinds.
auto FrameFinder(bool is_sandboxed) {
  return [is_sandboxed](const std::string& trace, uint64_t event) -> std::optional<uint64_t> {
    inspect::PageOrder order;
    order.trace = trace;
    order.event = event;
    order.is_sandboxed = is_sandboxed;
    const Result<std::string> frame = inspect::AskForPage(kInspectWorker, order);
    const uint64_t number = frame.ok() ? std::stoull(*frame) : 0;
    return number == 0 ? std::nullopt : std::optional(number);
  };
}

golden::PageMaker MakePages(bool is_sandboxed) {
  const auto write = [is_sandboxed](const golden::PageRequest& page) {
    return inspect::AskForPage(kInspectWorker, {.trace = page.trace,
                                                .name = page.name,
                                                .tool = "dp2trace " DP2TRACE_VERSION,
                                                .folder = page.folder,
                                                .page = page.page,
                                                .frame = page.frame,
                                                .is_sandboxed = is_sandboxed});
  };
  return {.frame_of = FrameFinder(is_sandboxed), .write = write, .on_absent = PrintNote};
}

golden::PageMaker MakeLivePages(bool is_sandboxed, Bytes engine) {
  const auto write = [engine](const golden::PageRequest& page) -> Result<std::string> {
    const Result<live::OwnTrace> trace = ReadOwnTrace(page.trace);
    if (!trace.ok()) {
      PrintNote(trace.status().diagnostic().message + ": its pictures have no page");
      return std::string();
    }
    DP2TRACE_RETURN_IF_ERROR(MakeFolder(page.folder + "/" + page.page));
    std::string place = page.page + "/index.html";
    DP2TRACE_RETURN_IF_ERROR(
        WriteFile(page.folder + "/" + place,
                  live::PageText({.engine = engine, .trace = &*trace, .examples = {}})));
    return place;
  };
  return {.frame_of = FrameFinder(is_sandboxed),
          .write = write,
          .on_absent = PrintNote,
          .shows_any_frame = true};
}

}  // namespace

std::string WorkOnPage(const std::string& order) {
  return inspect::WorkOnPage(order, [](const std::string& path) {
    return std::make_unique<RereadTrace>(path, kDefaultMaxMemory);
  });
}

ExitCode ChoosePages(const ReportOptions& options, std::vector<uint8_t>& engine,
                     golden::PageMaker& maker) {
  if (!options.is_live) {
    maker = MakePages(options.is_sandboxed);
    return ExitCode::kOk;
  }
  const std::string path = FindEngine(options.engine);
  if (path.empty()) return ExitCode::kUsage;
  Result<std::vector<uint8_t>> read = ReadEngine(path);
  if (!read.ok()) return ReportFailure(path, read.status());
  engine = std::move(*read);
  maker = MakeLivePages(options.is_sandboxed, engine);
  return ExitCode::kOk;
}

}  // namespace dp2trace::app
