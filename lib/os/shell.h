// A command of the user, run by the shell of the system.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace dp2trace {

// How a command ended.
struct CommandEnd {
  enum class Kind : uint8_t {
    kExited,      // `value` is its exit code
    kSignaled,    // `value` is the signal
    kTimedOut,    // it was killed after `value` milliseconds
    kNotStarted,  // `value` is errno
  };
  Kind kind = Kind::kNotStarted;
  int64_t value = 0;
  bool is_success() const { return kind == Kind::kExited && value == 0; }
  bool operator==(const CommandEnd&) const = default;
};
// "ended with 3", "was ended by signal 9", "took more than 5 s", "could not be started: ...".
std::string Describe(const CommandEnd& end);

// "/bin/sh -c COMMAND", on Windows "cmd /c COMMAND", and what it starts: one group, or job, that is ended together. It reads from nowhere,
// and what it prints goes to standard error: standard output is the result of the program.
class ShellCommand {
 public:
  static ShellCommand Start(const std::string& command);
  ShellCommand(ShellCommand&&) noexcept;
  ShellCommand& operator=(ShellCommand&&) noexcept;
  ~ShellCommand();

  // A name for the group; empty where it could not be started.
  std::string name() const;
  // What ends the group, from any thread, before Finish().
  std::function<void()> killer() const;
  // False where the time is over.
  bool AwaitEnd(std::optional<std::chrono::milliseconds> timeout) const;
  // Waits for its end; once.
  CommandEnd Finish();

 private:
  struct State;
  explicit ShellCommand(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Follows a command as the shell reads it, and writes values into it that the shell takes as they are.
class ShellQuoting {
 public:
  // The next character of the command.
  void Read(char c);
  // The value as a part of a word at this place, whether the user put quotes around the place or not.
  std::string Quoted(const std::string& value) const;

 private:
  std::string open_;  // what surrounds the place: quotes and parentheses, the innermost last
  char last_ = '\0';
  bool is_escaped_ = false;
};

// Asks the desktop for a browser that shows the address. Where there is none nothing happens.
void OpenInBrowser(const std::string& address);

}  // namespace dp2trace
