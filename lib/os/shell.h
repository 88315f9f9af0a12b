// A command of the user, run by the shell of the system.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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
  std::string output = {};   // its last lines, where they are kept
  uint64_t peak_memory = 0;  // in bytes, of the largest of its processes; 0: not known
  bool is_success() const { return kind == Kind::kExited && value == 0; }
};
// "ended with 3", "ended with 139 (SIGSEGV)", "was ended by SIGKILL", "took more than 5 s", "could not be started: ...".
std::string Describe(const CommandEnd& end);

// What a command prints, piece by piece: more than its end need not be kept.
void AppendOutput(std::string& kept, std::string_view piece);
// Its last lines, at most about 4 KiB, after "..." where there were more.
std::string LastLines(std::string_view output);

enum class CommandOutput : uint8_t {
  kPassed,  // to standard error: standard output is the result of the program
  kKept,    // its last lines
};

// "/bin/sh -c COMMAND", on Windows "cmd /c COMMAND", and what it starts: one group, or job, that is ended together. It reads from nowhere.
class ShellCommand {
 public:
  static ShellCommand Start(const std::string& command,
                            CommandOutput output = CommandOutput::kPassed);
  ShellCommand(ShellCommand&&) noexcept;
  ShellCommand& operator=(ShellCommand&&) noexcept;
  ~ShellCommand();

  // A name for the group; empty where it could not be started.
  std::string name() const;
  // What ends the group, from any thread, before Finish().
  std::function<void()> killer() const;
  // False where the time is over.
  bool AwaitEnd(std::optional<std::chrono::milliseconds> timeout) const;
  // Waits for its end; once. What the command left running is ended before, or its output may go on.
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
