#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "os/shell.h"
#include "os/windows.h"

#include <shellapi.h>  // after windows.h

namespace dp2trace {

struct ShellCommand::State {
  Child child;
  std::error_code error;
  std::string text;
  std::thread reader;  // of the output

  State() = default;
  ~State() {
    if (!reader.joinable()) return;
    (void)TerminateJobObject(child.job.get(), 1);
    reader.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // Ends where nobody can write any more.
  void ReadOutput(HANDLE pipe) {
    const Handle output(pipe);
    std::array<char, 4096> piece;
    DWORD count = 0;
    while (ReadFile(pipe, piece.data(), static_cast<DWORD>(piece.size()), &count, nullptr) != 0)
      AppendOutput(text, {piece.data(), count});
  }
};

ShellCommand::ShellCommand(std::unique_ptr<State> state) : state_(std::move(state)) {}
ShellCommand::ShellCommand(ShellCommand&&) noexcept = default;
ShellCommand& ShellCommand::operator=(ShellCommand&&) noexcept = default;
ShellCommand::~ShellCommand() = default;

// cmd takes off the outer quotes and leaves the rest as the user wrote it.
ShellCommand ShellCommand::Start(const std::string& command, CommandOutput output) {
  auto state = std::make_unique<State>();
  wchar_t shell[MAX_PATH] = {};
  const DWORD size = GetEnvironmentVariableW(L"ComSpec", shell, MAX_PATH);
  ChildStart start;
  start.program = size == 0 || size >= MAX_PATH ? L"" : shell;
  start.command_line = L"cmd.exe /d /s /c \"" + ToWide(command) + L"\"";
  HANDLE reader = nullptr;
  HANDLE writer = nullptr;
  if (output == CommandOutput::kKept && CreatePipe(&reader, &writer, nullptr, 0) != 0) {
    start.output = writer;
    start.error = writer;
    state->reader = std::thread(&State::ReadOutput, state.get(), reader);
  }
  state->error = StartChild(start, state->child);
  if (writer != nullptr) (void)CloseHandle(writer);
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
  CommandEnd end = {CommandEnd::Kind::kExited, static_cast<int32_t>(code)};
  if (state_->reader.joinable()) state_->reader.join();
  end.output = LastLines(state_->text);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION used = {};
  if (QueryInformationJobObject(state_->child.job.get(), JobObjectExtendedLimitInformation, &used,
                                sizeof used, nullptr) != 0)
    end.peak_memory = used.PeakProcessMemoryUsed;
  return end;
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
