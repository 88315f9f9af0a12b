#include "os/process.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <limits>
#include <random>
#include <system_error>
#include <utility>

namespace dp2trace {

std::vector<std::string> ArgumentsOf(int argc, char** argv) {
  return {argv + std::min(argc, 1), argv + argc};
}

std::string ProgramPath() {
  constexpr const char* kSelf = "/proc/self/exe";
  std::error_code error;
  return std::filesystem::exists(kSelf, error) ? kSelf : "";
}

int64_t ProcessNumber() {
  return getpid();
}

bool IsRunning(int64_t process) {
  if (process <= 0 || process > std::numeric_limits<pid_t>::max()) return false;
  return kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH;
}

std::string HostName() {
  std::array<char, 256> name{};
  (void)gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string CrashName(int64_t exit_code) {
  constexpr int64_t kSignals = 128;  // and the number of the signal
  constexpr std::pair<int, const char*> kNames[] = {
      {SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
      {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"},
      {SIGSYS, "SIGSYS"},   {SIGPIPE, "SIGPIPE"}, {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}};
  for (const auto& [signal, name] : kNames) {
    if (exit_code == kSignals + signal) return name;
  }
  return {};
}

std::string RandomDigits() {
  uint64_t number = 0;
  if (getentropy(&number, sizeof number) != 0)
    number = uint64_t{std::random_device()()} << 32 | std::random_device()();
  return fmt::format("{:016x}", number);
}

}  // namespace dp2trace
