#include "inspect/page_worker.h"

#include <fmt/format.h>

#include <variant>

#include "base/plain_text.h"
#include "inspect/data_folder.h"
#include "inspect/inspector.h"
#include "json/builder.h"
#include "json/document.h"
#include "json/members.h"
#include "os/path.h"
#include "os/sandbox.h"
#include "trace_file/form.h"

namespace dp2trace::inspect {
namespace {

// What a page may take; what it holds is bounded besides.
constexpr WorkerLimits kLimits = {.timeout_s = 3600, .max_memory = 0};

std::string OrderText(const PageOrder& order) {
  json::Builder out;
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
  name("tool", order.tool);
  name("folder", order.folder);
  name("page", order.page);
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
      !members.Require("tool", order.tool) || !members.Require("folder", order.folder) ||
      !members.Require("page", order.page) || !members.Require("frame", order.frame) ||
      !members.Require("event", order.event) || !members.Require("sandboxed", is_sandboxed) ||
      !members.Finish())
    return document.status();
  for (std::string* const name :
       {&order.trace, &order.name, &order.tool, &order.folder, &order.page})
    *name = DecodeName(*name);
  order.is_sandboxed = is_sandboxed != 0;
  return order;
}

// A picture is made by the event that ends its frame, or by one within it. 0: the trace cannot be read.
uint64_t FrameOf(uint64_t event, play::Feed& feed) {
  uint64_t frame = 1;
  const Status read = feed.Read("find the frame", [&](const trace::EventRecord& record) {
    if (record.number >= event) return false;
    frame += std::holds_alternative<trace::Present>(record.event) ? 1U : 0U;
    return true;
  });
  return read.ok() ? frame : 0;
}

// Writes the page. What a trace that has no such frame gives is not a page.
Result<std::string> WritePage(const PageOrder& order, play::Feed& feed) {
  Result<DataFolder> data = DataFolder::Create(order.folder + "/" + order.page);
  if (!data.ok()) return data.status();
  DP2TRACE_RETURN_IF_ERROR(data->WritePage());
  Options options;
  std::string unused;
  options.frames = *Selection::Parse(fmt::format("{}", order.frame), unused);
  Inspector inspector(options, *data);
  DP2TRACE_RETURN_IF_ERROR(feed.Play("inspect " + order.name, inspector.player()));
  DP2TRACE_RETURN_IF_ERROR(inspector.Finish({.tool = order.tool, .trace = NameOf(order.trace)}));
  if (inspector.frames().empty()) return std::string();
  DP2TRACE_RETURN_IF_ERROR(data->Commit());
  return order.page + "/index.html";
}

}  // namespace

std::string WorkOnPage(const std::string& text, const OpenFeed& open) {
  const Result<PageOrder> order = ParseOrder(text);
  if (!order.ok()) return "-" + order.status().diagnostic().message;
  if (order->is_sandboxed) {
    SandboxPaths paths = {.readable = trace_file::ReadPathsOf(order->trace), .writable = {}};
    if (!order->folder.empty()) paths.writable.push_back(order->folder);
    EnterSandbox(paths);
  }
  const std::unique_ptr<play::Feed> feed = open(order->trace);
  if (order->folder.empty()) return fmt::format("+{}", FrameOf(order->event, *feed));
  const Result<std::string> done = WritePage(*order, *feed);
  return done.ok() ? "+" + *done : "-" + done.status().diagnostic().message;
}

Result<std::string> AskForPage(const Worker& worker, const PageOrder& order) {
  WorkerPool pool(worker, 1, kLimits);
  pool.Start(0, OrderText(order));
  const WorkerEnd end = pool.Wait();
  if (end.kind != WorkerEnd::Kind::kFinished || end.output.empty())
    return Failure(kCannotWrite, fmt::format("{}: {}", order.trace, end.reason));
  if (end.output.front() == '-') return Failure(kCannotWrite, end.output.substr(1));
  return end.output.substr(1);
}

}  // namespace dp2trace::inspect
