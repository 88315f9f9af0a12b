// Commands of the user: run by the shell, with a limit of time, and ended where the program is interrupted.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dp2trace {

// How a command ended.
struct CommandEnd {
  enum class Kind : uint8_t {
    kExited,      // `value` is its exit code
    kSignaled,    // `value` is the signal
    kTimedOut,    // it was killed
    kNotStarted,  // `value` is errno
  };
  Kind kind = Kind::kNotStarted;
  int value = 0;
  bool is_success() const { return kind == Kind::kExited && value == 0; }
  bool operator==(const CommandEnd&) const = default;
};
// "ended with 3", "was ended by signal 9", "was still running after its time", "could not be started: ...".
std::string Describe(const CommandEnd& end);

// Every "{name}" of the text becomes its value; what stands in a value is not looked at again.
std::string Substitute(
    std::string_view text,
    const std::vector<std::pair<std::string_view, std::string>>& values);  // names without braces

// Runs "/bin/sh -c COMMAND" and waits. It has a process group of its own, which is killed where the time is over and by
// RemoveTemporaries(); it reads from nowhere, and what it prints goes to standard error: standard output is the result of the program.
CommandEnd RunCommand(const std::string& command,
                      std::optional<std::chrono::milliseconds> timeout = std::nullopt);

}  // namespace dp2trace
