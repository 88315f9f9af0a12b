// What a check asks of a worker process, and what that does: an order is text, since on some systems nothing else reaches another process.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "golden/manifest.h"
#include "golden/own_pictures.h"
#include "golden/render.h"
#include "golden/result.h"
#include "os/worker_pool.h"

namespace dp2trace::golden {

struct Order {
  std::string path;  // of the trace, from the current folder
  std::string name;  // of the trace, as the manifest has it
  uint64_t max_memory = 0;
  std::string store;   // folder of the accepted pictures
  std::string actual;  // folder that takes the others; empty: none are kept
  bool keeps_all = false;
  bool is_sandboxed = false;
  DrawingOptions drawing;
  OwnPictures own;                         // where another renderer is judged
  std::optional<ManifestTrace> expected;   // where the manifest has the trace
  std::optional<TraceResult> unexplained;  // not to be rendered: its difference is to be explained
};

std::string OrderText(const Order& order);
Result<Order> ParseOrder(std::string text);

// Gives the line of a RenderRecord, or of the explained TraceResult.
std::string CarryOut(const std::string& order);
inline constexpr Worker kCheckWorker = {"golden check", CarryOut};

}  // namespace dp2trace::golden
