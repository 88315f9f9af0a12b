#include <fmt/format.h>

#include <system_error>

#include "os/shell.h"

namespace dp2trace {

std::string Describe(const CommandEnd& end) {
  switch (end.kind) {
    case CommandEnd::Kind::kExited:
      return fmt::format("ended with {}", end.value);
    case CommandEnd::Kind::kSignaled:
      return fmt::format("was ended by signal {}", end.value);
    case CommandEnd::Kind::kTimedOut:
      return fmt::format("took more than {} s", static_cast<double>(end.value) / 1000);
    case CommandEnd::Kind::kNotStarted:
      break;
  }
  return fmt::format("could not be started: {}",
                     std::generic_category().message(static_cast<int>(end.value)));
}

}  // namespace dp2trace
