#include "base/shell_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/near_miss.h"
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

std::string FindPlaceError(std::string_view command, std::span<const std::string_view> names) {
  bool is_in_quotes = false;  // single ones
  bool is_double = false;
  for (size_t at = 0; at < command.size(); ++at) {
    if (command[at] == '"' && !is_in_quotes) is_double = !is_double;
    if (command[at] == '\'' && !is_double) is_in_quotes = !is_in_quotes;
    const bool is_of_shell = command[at] != '{' || (at > 0 && command[at - 1] == '$');
    const size_t end = command.find('}', at);
    if (is_of_shell || end == std::string_view::npos) continue;
    const std::string_view word = command.substr(at + 1, end - at - 1);
    const bool is_word = !word.empty() && std::ranges::all_of(word, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    });
    if (!is_word || std::ranges::find(names, word) != names.end()) continue;
    if (is_in_quotes && NearMissClause(word, names).empty()) continue;
    std::string places;
    for (size_t i = 0; i < names.size(); ++i)
      places += fmt::format("{}{{{}}}",
                            i == 0                  ? ""
                            : i + 1 == names.size() ? " and "
                                                    : ", ",
                            names[i]);
    return fmt::format("has {{{}}}; {} {}", word,
                       names.size() == 1 ? "the place is" : "the places are", places);
  }
  return {};
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
