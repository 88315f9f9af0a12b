#include "base/shell_command.h"

#include <algorithm>

#include "base/temporaries.h"

namespace dp2trace {

std::string Substitute(std::string_view command,
                       const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string out;
  ShellQuoting quoting;
  while (!command.empty()) {
    const auto found = std::ranges::find_if(values, [&](const auto& value) {
      const size_t size = value.first.size();
      return command.size() >= size + 2 && command.front() == '{' && command[size + 1] == '}' &&
             command.substr(1, size) == value.first;
    });
    if (found == values.end()) {
      quoting.Read(command.front());
      out += command.front();
      command.remove_prefix(1);
    } else {
      out += quoting.Quoted(found->second);
      command.remove_prefix(found->first.size() + 2);
    }
  }
  return out;
}

CommandEnd RunCommand(const std::string& command, std::optional<std::chrono::milliseconds> timeout,
                      CommandOutput output) {
  // An interruption sees all children or comes before them.
  auto lock = LockTemporaries();
  ShellCommand shell = ShellCommand::Start(command, output);
  const std::string name = shell.name();
  if (name.empty()) return shell.Finish();
  AddTemporary(name, shell.killer());
  lock.unlock();
  const bool is_in_time = shell.AwaitEnd(timeout);
  shell.killer()();
  ForgetTemporary(name);
  CommandEnd end = shell.Finish();
  if (!is_in_time) {
    end.kind = CommandEnd::Kind::kTimedOut;
    end.value = timeout->count();
  }
  return end;
}

}  // namespace dp2trace
