#include "base/shell_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/temporaries.h"

namespace dp2trace {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// How often somebody looks whether the command has ended: quick commands are not kept waiting, slow ones are not disturbed.
constexpr microseconds kShortestNap(200), kLongestNap(10000);

class SpawnOptions {
 public:
  SpawnOptions() {
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  }
  ~SpawnOptions() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;

  posix_spawnattr_t attributes = {};
  posix_spawn_file_actions_t actions = {};
};

CommandEnd EndOf(int status) {
  if (WIFSIGNALED(status)) return {CommandEnd::Kind::kSignaled, WTERMSIG(status)};
  return {CommandEnd::Kind::kExited, WEXITSTATUS(status)};
}

// True once the child has ended; it stays to be waited for, so that its number is nobody else's.
bool HasEnded(pid_t child, bool waits) {
  siginfo_t info = {};
  const int options = WEXITED | WNOWAIT | (waits ? 0 : WNOHANG);
  int result = 0;
  do {
    result = waitid(P_PID, static_cast<id_t>(child), &info, options);
  } while (result != 0 && errno == EINTR);
  return result != 0 || info.si_pid == child;
}

// False where the time is over.
bool AwaitEnd(pid_t child, std::optional<std::chrono::milliseconds> timeout) {
  if (!timeout) return HasEnded(child, true);
  const Clock::time_point end = Clock::now() + *timeout;
  for (microseconds nap = kShortestNap; !HasEnded(child, false);
       nap = std::min(2 * nap, kLongestNap)) {
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(nap);
  }
  return true;
}

}  // namespace

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
  return fmt::format("could not be started: {}", std::strerror(end.value));
}

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
  const SpawnOptions options;
  std::string shell = "sh";
  std::string flag = "-c";
  std::string text = command;
  const std::array<char*, 4> arguments = {shell.data(), flag.data(), text.data(), nullptr};
  pid_t child = 0;
  std::string key;
  {
    const auto lock = LockTemporaries();  // an interruption sees all children or comes before them
    const int error = posix_spawn(&child, "/bin/sh", &options.actions, &options.attributes,
                                  arguments.data(), environ);
    if (error != 0) return {CommandEnd::Kind::kNotStarted, error};
    key = fmt::format("process group {}", child);
    AddTemporary(key, [child] { (void)kill(-child, SIGKILL); });
  }
  const bool is_in_time = AwaitEnd(child, timeout);
  if (!is_in_time) (void)kill(-child, SIGKILL);
  ForgetTemporary(key);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return is_in_time ? EndOf(status) : CommandEnd{CommandEnd::Kind::kTimedOut, 0};
}

}  // namespace dp2trace
