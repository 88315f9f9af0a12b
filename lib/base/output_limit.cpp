#include "base/output_limit.h"

#include <fmt/format.h>

#include <mutex>

#include "base/file.h"
#include "base/plain_text.h"
#include "base/work_budget.h"

namespace dp2trace {
namespace {

struct Limit {
  std::mutex mutex;
  WorkBudget bytes{UINT64_MAX};
};

// Never destroyed: threads may outlive main().
Limit& TheLimit() {
  static auto* const limit = new Limit;
  return *limit;
}

}  // namespace

void SetMaxOutput(uint64_t bytes) {
  const std::lock_guard lock(TheLimit().mutex);
  TheLimit().bytes = WorkBudget(bytes);
}

Status SpendOutput(const std::string& path, uint64_t bytes) {
  const std::lock_guard lock(TheLimit().mutex);
  if (TheLimit().bytes.Spend(bytes)) return OkStatus();
  return CannotWrite(path, fmt::format("more output than --max-output allows, {} in all",
                                       Counted(TheLimit().bytes.total(), "byte")));
}

}  // namespace dp2trace
