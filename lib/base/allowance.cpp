#include "base/allowance.h"

#include <fmt/format.h>

namespace dp2trace {

std::string Allowance::Reason() const {
  if (is_memory_exceeded_) {
    return fmt::format(
        "{} more bytes of memory are needed, {} of at most {} are in use; --max-memory raises the "
        "limit",
        refused_, in_use_then_, max_memory_);
  }
  return fmt::format("more than {} steps of work are needed; --max-steps raises the limit",
                     work_.total());
}

}  // namespace dp2trace
