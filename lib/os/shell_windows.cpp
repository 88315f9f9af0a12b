#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "os/shell.h"
#include "os/windows.h"

#include <shellapi.h>  // after windows.h

namespace dp2trace {

struct ShellCommand::State {
  Child child;
  std::error_code error;
};

ShellCommand::ShellCommand(std::unique_ptr<State> state) : state_(std::move(state)) {}
ShellCommand::ShellCommand(ShellCommand&&) noexcept = default;
ShellCommand& ShellCommand::operator=(ShellCommand&&) noexcept = default;
ShellCommand::~ShellCommand() = default;

// cmd takes off the outer quotes and leaves the rest as the user wrote it.
ShellCommand ShellCommand::Start(const std::string& command) {
  auto state = std::make_unique<State>();
  wchar_t shell[MAX_PATH] = {};
  const DWORD size = GetEnvironmentVariableW(L"ComSpec", shell, MAX_PATH);
  ChildStart start;
  start.program = size == 0 || size >= MAX_PATH ? L"" : shell;
  start.command_line = L"cmd.exe /d /s /c \"" + ToWide(command) + L"\"";
  state->error = StartChild(start, state->child);
  return ShellCommand(std::move(state));
}

std::string ShellCommand::name() const {
  if (state_->error) return {};
  return fmt::format("job of process {}", GetProcessId(state_->child.process.get()));
}

std::function<void()> ShellCommand::killer() const {
  return [job = state_->child.job.get()] { (void)TerminateJobObject(job, 1); };
}

bool ShellCommand::AwaitEnd(std::optional<std::chrono::milliseconds> timeout) const {
  constexpr int64_t kLongest = INFINITE - 1;
  const DWORD time =
      timeout ? static_cast<DWORD>(std::clamp<int64_t>(timeout->count(), 0, kLongest)) : INFINITE;
  return WaitForSingleObject(state_->child.process.get(), time) == WAIT_OBJECT_0;
}

CommandEnd ShellCommand::Finish() {
  if (state_->error) return {CommandEnd::Kind::kNotStarted, state_->error.value()};
  (void)AwaitEnd(std::nullopt);
  DWORD code = 0;
  (void)GetExitCodeProcess(state_->child.process.get(), &code);
  return {CommandEnd::Kind::kExited, static_cast<int32_t>(code)};
}

void ShellQuoting::Read(char c) {
  if (c == '"') open_ = open_.empty() ? "\"" : "";
}

// No path has a quote in it.
std::string ShellQuoting::Quoted(const std::string& value) const {
  return open_.empty() ? "\"" + value + "\"" : value;
}

void OpenInBrowser(const std::string& address) {
  ShellExecuteW(nullptr, L"open", ToWide(address).c_str(), nullptr, nullptr, SW_SHOWNORMAL);
}

}  // namespace dp2trace
