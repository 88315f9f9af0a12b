#include "base/shell_command.h"

#include <algorithm>

#include "base/temporaries.h"

namespace dp2trace {

std::string Substitute(std::string_view text,
                       const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string out;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(values, [&](const auto& value) {
      const size_t size = value.first.size();
      return text.size() >= size + 2 && text.front() == '{' && text[size + 1] == '}' &&
             text.substr(1, size) == value.first;
    });
    if (found == values.end()) {
      out += text.front();
      text.remove_prefix(1);
    } else {
      out += found->second;
      text.remove_prefix(found->first.size() + 2);
    }
  }
  return out;
}

CommandEnd RunCommand(const std::string& command,
                      std::optional<std::chrono::milliseconds> timeout) {
  // An interruption sees all children or comes before them.
  auto lock = LockTemporaries();
  ShellCommand shell = ShellCommand::Start(command);
  const std::string name = shell.name();
  if (name.empty()) return shell.Finish();
  AddTemporary(name, shell.killer());
  lock.unlock();
  const bool is_in_time = shell.AwaitEnd(timeout);
  shell.killer()();
  ForgetTemporary(name);
  const CommandEnd end = shell.Finish();
  return is_in_time ? end : CommandEnd{CommandEnd::Kind::kTimedOut, timeout->count()};
}

}  // namespace dp2trace
