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
      return "was still running after its time";
    case CommandEnd::Kind::kNotStarted:
      break;
  }
  return fmt::format("could not be started: {}", std::generic_category().message(end.value));
}

}  // namespace dp2trace
