#include "inspect_pages.h"

#include <fmt/format.h>

#include <filesystem>
#include <variant>

#include "base/plain_text.h"
#include "console.h"
#include "golden/trace_list.h"
#include "inspect/data_folder.h"
#include "inspect/inspector.h"
#include "json/members.h"
#include "json/text.h"
#include "options.h"
#include "os/path.h"
#include "os/sandbox.h"
#include "os/worker_pool.h"
#include "trace_file/form.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// What a page may take; what it holds is bounded besides.
constexpr WorkerLimits kLimits = {.timeout_s = 3600, .max_memory = 0};

// What a process of its own is asked: the frame of an event, or a page.
struct PageOrder {
  std::string trace;  // its path
  std::string name;   // as the results have it
  std::string hash;
  std::string folder;  // where the page is written; empty: only the frame is looked for
  uint64_t frame = 0;
  uint64_t event = 0;
  bool is_sandboxed = false;
};

std::string OrderText(const PageOrder& order) {
  json::Text out;
  out.Raw('{');
  const auto name = [&out](std::string_view key, const std::string& value) {
    out.Key(key);
    out.String(EncodeName(value));
  };
  const auto number = [&out](std::string_view key, uint64_t value) {
    out.Key(key);
    out.Number(value);
  };
  name("trace", order.trace);
  name("name", order.name);
  name("hash", order.hash);
  name("folder", order.folder);
  number("frame", order.frame);
  number("event", order.event);
  number("sandboxed", order.is_sandboxed ? 1 : 0);
  out.Raw("}\n");
  return std::move(out.string());
}

Result<PageOrder> ParseOrder(const std::string& text) {
  constexpr uint64_t kMaxOrder = uint64_t{1} << 20;
  json::Document document({.max_memory = kMaxOrder});
  DP2TRACE_RETURN_IF_ERROR(document.Parse(text));
  PageOrder order;
  uint64_t is_sandboxed = 0;
  json::Members members(document, document.root());
  if (!members.Require("trace", order.trace) || !members.Require("name", order.name) ||
      !members.Require("hash", order.hash) || !members.Require("folder", order.folder) ||
      !members.Require("frame", order.frame) || !members.Require("event", order.event) ||
      !members.Require("sandboxed", is_sandboxed) || !members.Finish())
    return document.status();
  for (std::string* const name : {&order.trace, &order.name, &order.folder})
    *name = DecodeName(*name);
  order.is_sandboxed = is_sandboxed != 0;
  return order;
}

// A picture is made by the event that ends its frame, or by one within it. 0: the trace cannot be read.
uint64_t FindFrame(const std::string& path, uint64_t event) {
  ExitCode code = ExitCode::kOk;
  DiagnosticList reading;  // a check has reported it
  const auto source = OpenTrace(path, kDefaultMaxMemory, reading, code);
  if (source == nullptr) return 0;
  uint64_t frame = 1;
  const Status read =
      ForEachEvent(*source, "find the frame", [&](const trace::EventRecord& record) {
        if (record.number >= event) return false;
        frame += std::holds_alternative<trace::Present>(record.event) ? 1U : 0U;
        return true;
      });
  return read.ok() ? frame : 0;
}

// "#f=3&d=12&x=10&y=20"
std::string PlaceOf(uint64_t frame, const golden::ImageResult& image) {
  std::string place = fmt::format("#f={}", frame);
  if (image.draw) place += fmt::format("&d={}", image.draw->number);
  if (image.comparison && image.comparison->first)
    place += fmt::format("&x={}&y={}", image.comparison->first->x, image.comparison->first->y);
  return place;
}

// Writes the page. What a trace that cannot be read, or has no such frame, gives is not a page.
Result<std::string> WritePage(const PageOrder& order) {
  ExitCode code = ExitCode::kOk;
  DiagnosticList reading;  // a check has reported it
  const auto source =
      trace_file::WithResults(OpenTrace(order.trace, kDefaultMaxMemory, reading, code));
  if (source == nullptr) return std::string();
  const std::string page = fmt::format("{}/{}-{}", golden::kInspectFolder, order.hash, order.frame);
  Result<inspect::DataFolder> data = inspect::DataFolder::Create(order.folder + "/" + page);
  if (!data.ok()) return data.status();
  DP2TRACE_RETURN_IF_ERROR(data->WritePage());
  inspect::Options options;
  std::string unused;
  options.frames = *Selection::Parse(fmt::format("{}", order.frame), unused);
  inspect::Inspector inspector(options, *data);
  Status status;
  DP2TRACE_RETURN_IF_ERROR(
      ForEachEvent(*source, "inspect " + order.name, [&](const trace::EventRecord& record) {
        status = inspector.player().OnEvent(record.number, record.event);
        return status.ok() && !inspector.player().is_done();
      }));
  if (status.ok())
    status = inspector.Finish({.tool = "dp2trace " DP2TRACE_VERSION, .trace = NameOf(order.trace)});
  if (status.ok() && inspector.frames().empty()) return std::string();
  if (status.ok()) status = data->Commit();
  if (!status.ok()) return status;
  return page + "/index.html";
}

}  // namespace

std::string WorkOnPage(const std::string& text) {
  const Result<PageOrder> order = ParseOrder(text);
  if (!order.ok()) return "-" + order.status().diagnostic().message;
  if (order->is_sandboxed) {
    SandboxPaths paths = {.readable = trace_file::ReadPathsOf(order->trace), .writable = {}};
    if (!order->folder.empty()) paths.writable.push_back(order->folder);
    EnterSandbox(paths);
  }
  if (order->folder.empty()) return fmt::format("+{}", FindFrame(order->trace, order->event));
  const Result<std::string> done = WritePage(*order);
  return done.ok() ? "+" + *done : "-" + done.status().diagnostic().message;
}

namespace {

// What a process of its own makes of the order; fails where the work, or the process, fails.
Result<std::string> AskWorker(const PageOrder& order) {
  WorkerPool pool(kInspectWorker, 1, kLimits);
  pool.Start(0, OrderText(order));
  const WorkerEnd end = pool.Wait();
  if (end.kind != WorkerEnd::Kind::kFinished || end.output.empty())
    return Failure(kCannotWrite, fmt::format("{}: {}", order.trace, end.reason));
  if (end.output.front() == '-') return Failure(kCannotWrite, end.output.substr(1));
  return end.output.substr(1);
}

}  // namespace

std::optional<uint64_t> InspectPages::FrameOf(const std::string& path, uint64_t event) const {
  PageOrder order;
  order.trace = path;
  order.event = event;
  order.is_sandboxed = is_sandboxed_;
  const Result<std::string> frame = AskWorker(order);
  const uint64_t number = frame.ok() ? std::stoull(*frame) : 0;
  return number == 0 ? std::nullopt : std::optional(number);
}

bool InspectPages::IsUsable(const std::string& path, const golden::TraceResult& result) {
  const auto [found, is_new] = usable_.try_emplace(path, false);
  if (!is_new) return found->second;
  const Result<std::string> hash = golden::HashOfTrace(path);
  if (!hash.ok() || *hash != result.hash) {
    PrintNote(fmt::format(
        "{}: {}: its frames cannot be inspected", path,
        hash.ok() ? "it is not the trace that was checked" : hash.status().diagnostic().message));
    return false;
  }
  return found->second = true;
}

Result<std::string> InspectPages::Add(const std::string& folder, const golden::TraceResult& result,
                                      const golden::ImageResult& image) {
  const std::string path = traces_ + result.path;
  if (!IsUsable(path, result)) return std::string();
  const std::optional<uint64_t> frame =
      image.key.kind == replay::ImageKind::kFrame ? image.key.sequence : FrameOf(path, image.event);
  if (!frame) return std::string();
  const auto [page, is_new] = pages_.try_emplace({result.hash, *frame});
  if (is_new && written_ == most_) {
    ++left_out_;
  } else if (is_new) {
    Result<std::string> written = AskWorker({.trace = path,
                                             .name = result.path,
                                             .hash = result.hash,
                                             .folder = folder,
                                             .frame = *frame,
                                             .event = 0,
                                             .is_sandboxed = is_sandboxed_});
    if (!written.ok()) return written.status();
    page->second = std::move(*written);
    written_ += page->second.empty() ? 0U : 1U;
  }
  return page->second.empty() ? std::string() : page->second + PlaceOf(*frame, image);
}

void InspectPages::Report() const {
  if (left_out_ != 0) {
    PrintNote(fmt::format("frames without a page of their own: {}; --max-inspect raises the limit",
                          left_out_));
  }
}

}  // namespace dp2trace::app
