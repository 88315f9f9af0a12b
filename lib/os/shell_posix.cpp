#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "os/shell.h"

namespace dp2trace {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// How often somebody looks whether the command has ended: quick commands are not kept waiting, slow ones are not disturbed.
constexpr microseconds kShortestNap(200), kLongestNap(10000);

constexpr uint64_t kUnitOfMemory = 1024;  // bytes, of ru_maxrss
constexpr int kMostPieces = 64;

class SpawnOptions {
 public:
  explicit SpawnOptions(int output = STDERR_FILENO) {
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
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

}  // namespace

struct ShellCommand::State {
  State() = default;
  ~State() { CloseOutput(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // The end that the command writes to; -1: none could be had.
  int OpenOutput() {
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) return -1;
    for (const int end : ends)
      (void)fcntl(end, F_SETFD, FD_CLOEXEC);    // NOLINT(cppcoreguidelines-pro-type-vararg)
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);  // NOLINT(cppcoreguidelines-pro-type-vararg)
    output = ends[0];
    return ends[1];
  }
  void CloseOutput() {
    if (output >= 0) (void)close(std::exchange(output, -1));
  }
  // Reads a piece of what is there; false where nothing is.
  bool ReadOutput() {
    if (output < 0) return false;
    std::array<char, 65536> piece;
    const ssize_t count = read(output, piece.data(), piece.size());
    if (count > 0) AppendOutput(text, {piece.data(), static_cast<size_t>(count)});
    if (count == 0) CloseOutput();
    return count > 0;
  }
  // Sleeps, at most until there is output, and reads that.
  void Nap(microseconds time) {
    if (output < 0) return std::this_thread::sleep_for(time);
    pollfd readable = {output, POLLIN, 0};
    const auto whole = std::chrono::ceil<std::chrono::milliseconds>(time);
    if (poll(&readable, 1, static_cast<int>(whole.count())) > 0) (void)ReadOutput();
  }

  pid_t child = 0;
  int error = 0;
  int output = -1;  // that is read from
  std::string text;
};

ShellCommand::ShellCommand(std::unique_ptr<State> state) : state_(std::move(state)) {}
ShellCommand::ShellCommand(ShellCommand&&) noexcept = default;
ShellCommand& ShellCommand::operator=(ShellCommand&&) noexcept = default;
ShellCommand::~ShellCommand() = default;

ShellCommand ShellCommand::Start(const std::string& command, CommandOutput output) {
  auto state = std::make_unique<State>();
  const int writer = output == CommandOutput::kKept ? state->OpenOutput() : -1;
  const SpawnOptions options(writer >= 0 ? writer : STDERR_FILENO);
  std::string shell = "sh";
  std::string flag = "-c";
  std::string text = command;
  const std::array<char*, 4> arguments = {shell.data(), flag.data(), text.data(), nullptr};
  state->error = posix_spawn(&state->child, "/bin/sh", &options.actions, &options.attributes,
                             arguments.data(), environ);
  if (writer >= 0) (void)close(writer);
  return ShellCommand(std::move(state));
}

std::string ShellCommand::name() const {
  return state_->error != 0 ? "" : fmt::format("process group {}", state_->child);
}

std::function<void()> ShellCommand::killer() const {
  return [child = state_->child] { (void)kill(-child, SIGKILL); };
}

bool ShellCommand::AwaitEnd(std::optional<std::chrono::milliseconds> timeout) const {
  if (!timeout && state_->output < 0) return HasEnded(state_->child, true);
  const Clock::time_point end = timeout ? Clock::now() + *timeout : Clock::time_point::max();
  for (microseconds nap = kShortestNap; !HasEnded(state_->child, false);
       nap = std::min(2 * nap, kLongestNap)) {
    if (Clock::now() >= end) return false;
    state_->Nap(nap);
  }
  return true;
}

CommandEnd ShellCommand::Finish() {
  if (state_->error != 0) return {CommandEnd::Kind::kNotStarted, state_->error};
  int status = 0;
  rusage usage = {};
  while (wait4(state_->child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  CommandEnd end = EndOf(status);
  end.peak_memory = static_cast<uint64_t>(usage.ru_maxrss) * kUnitOfMemory;
  // What lives on may write more than is ever read.
  for (int pieces = 0; pieces < kMostPieces && state_->ReadOutput(); ++pieces) {
  }
  end.output = LastLines(state_->text);
  return end;
}

// Source: POSIX.1-2017, Shell Command Language, 2.2 Quoting and 2.6.3 Command Substitution.
void ShellQuoting::Read(char c) {
  const char around = open_.empty() ? '\0' : open_.back();
  const char last = std::exchange(last_, c);
  if (around == '\'') {
    if (c == '\'') open_.pop_back();
  } else if (is_escaped_ || c == '\\') {
    is_escaped_ = !is_escaped_;
  } else if (c == '"' || c == '`') {
    if (around == c) {
      open_.pop_back();
    } else {
      open_ += c;
    }
  } else if (around != '"' && (c == '\'' || c == '(')) {
    open_ += c;
  } else if (c == '(' && last == '$') {
    open_ += c;
  } else if (c == ')' && around == '(') {
    open_.pop_back();
  }
}

std::string ShellQuoting::Quoted(const std::string& value) const {
  const char around = open_.empty() ? '\0' : open_.back();
  std::string out;
  for (const char c : value) {
    if (around == '"') {
      if (std::string_view("$`\"\\").find(c) != std::string_view::npos) out += '\\';
      out += c;
    } else {
      out += c == '\'' ? "'\\''" : std::string(1, c);
    }
  }
  return around == '"' || around == '\'' ? out : "'" + out + "'";
}

void OpenInBrowser(const std::string& address) {
  const auto is_set = [](const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return value != nullptr && *value != '\0';
  };
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return;
  std::string program = "xdg-open";
  std::string argument = address;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  const SpawnOptions options;
  pid_t child = 0;
  // It ends soon, and the browser goes on without it.
  if (posix_spawnp(&child, program.c_str(), &options.actions, &options.attributes, arguments,
                   environ) == 0)
    std::thread([child] { waitpid(child, nullptr, 0); }).detach();
}

}  // namespace dp2trace
