#include <fmt/format.h>

#include <string>
#include <string_view>
#include <system_error>

#include "os/process.h"
#include "os/shell.h"

namespace dp2trace {
namespace {

constexpr size_t kMostOutput = 4096;

}  // namespace

std::string Describe(const CommandEnd& end) {
  switch (end.kind) {
    case CommandEnd::Kind::kExited: {
      const std::string name = CrashName(end.value);
      return fmt::format("ended with {}{}", end.value, name.empty() ? "" : " (" + name + ")");
    }
    case CommandEnd::Kind::kSignaled: {
      constexpr int kShellCode = 128;
      const std::string name = CrashName(kShellCode + end.value);
      return "was ended by " + (name.empty() ? fmt::format("signal {}", end.value) : name);
    }
    case CommandEnd::Kind::kTimedOut:
      return fmt::format("took more than {} s", static_cast<double>(end.value) / 1000);
    case CommandEnd::Kind::kNotStarted:
      break;
  }
  return fmt::format("could not be started: {}",
                     std::generic_category().message(static_cast<int>(end.value)));
}

void AppendOutput(std::string& kept, std::string_view piece) {
  kept += piece;
  if (kept.size() > 2 * kMostOutput) kept.erase(0, kept.size() - 2 * kMostOutput);
}

std::string LastLines(std::string_view output) {
  output = output.substr(0, output.find_last_not_of("\r\n") + 1);
  if (output.size() <= kMostOutput) return std::string(output);
  output.remove_prefix(output.size() - kMostOutput);
  const size_t end = output.find('\n');
  return "...\n" + std::string(output.substr(end == std::string_view::npos ? 0 : end + 1));
}

}  // namespace dp2trace
