#include "coverage/edge_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "coverage/edges.h"
#include "rules/rule_info.h"
#include "trace_file/source.h"

namespace dp2trace::coverage {
namespace {

// A trace is run again for each of its numbers: of larger ones nothing would come in any time.
constexpr uint64_t kMaxEdgeBytes = uint64_t{64} << 20;

}  // namespace

void EdgeFinder::Note(std::string note) {
  const std::lock_guard lock(mutex_);
  notes_.insert(std::move(note));
}

void EdgeFinder::Fail(const Status& status) {
  const std::lock_guard lock(mutex_);
  failures_.push_back(status);
}

void EdgeFinder::Add(const std::string& path, CoveredItems& items) {
  DiagnosticList findings;  // lint reports them
  trace_file::OpenError error;
  const auto source =
      trace_file::WithResults(trace_file::Source::Open(path, max_memory_, findings, error));
  if (source == nullptr) return Fail(error.status);
  trace_model::ModelLoader loader;
  for (trace::EventRecord record; source->Next(record);) {
    loader.Add(record);
    if (loader.size_bytes() > std::min(max_memory_, kMaxEdgeBytes))
      return Note(path + ": too large for --edges");
  }
  if (!source->status().ok()) return Fail(source->status());
  const EdgeRules edges = FindBarelyKept(loader.Take());
  for (const Rule rule : edges.rules)
    items.insert(fmt::format("{}/{}", kBarelyKeptGroup, Info(rule).id));
  if (edges.is_cut) Note(fmt::format("{}: --edges stopped after {} tries", path, edges.tries));
}

}  // namespace dp2trace::coverage
