#include "os/process.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <random>

#include "os/path.h"
#include "os/windows.h"

#include <shellapi.h>

namespace dp2trace {

// What main() is given has lost what the code page of the system lacks.
std::vector<std::string> ArgumentsOf(int /*argc*/, char** /*argv*/) {
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  if (words == nullptr) return {};
  std::vector<std::string> arguments;
  for (int i = 1; i < count; ++i)
    arguments.push_back(ToNarrow(words[i]));
  (void)LocalFree(words);
  return arguments;
}

std::string ProgramPath() {
  std::wstring path(size_t{1} << 15, L'\0');
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return ToText(path);
}

int64_t ProcessNumber() {
  return GetCurrentProcessId();
}

bool IsRunning(int64_t process) {
  if (process <= 0 || process > std::numeric_limits<uint32_t>::max()) return false;
  const Handle handle(OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(process)));
  if (!handle) return GetLastError() != ERROR_INVALID_PARAMETER;
  return WaitForSingleObject(handle.get(), 0) == WAIT_TIMEOUT;
}

std::string HostName() {
  std::array<wchar_t, MAX_COMPUTERNAME_LENGTH + 1> name{};
  auto size = static_cast<DWORD>(name.size());
  if (GetComputerNameW(name.data(), &size) == 0) return {};
  return ToNarrow({name.data(), size});
}

std::string CrashName(int64_t exit_code) {
  constexpr DWORD kFailedFast = 0xC0000409;
  const auto code = static_cast<DWORD>(exit_code);
  switch (code) {
    case EXCEPTION_ACCESS_VIOLATION:
      return "an access violation";
    case EXCEPTION_STACK_OVERFLOW:
      return "a stack overflow";
    case EXCEPTION_ILLEGAL_INSTRUCTION:
      return "an illegal instruction";
    case EXCEPTION_INT_DIVIDE_BY_ZERO:
      return "a division by zero";
    case kFailedFast:
      return "abort()";
    default:
      return code >= 0xC0000000 ? fmt::format("exception 0x{:08X}", code) : "";
  }
}

std::string RandomDigits() {
  std::random_device device;  // rdrand, or the system's generator
  return fmt::format("{:016x}", uint64_t{device()} << 32 | device());
}

}  // namespace dp2trace
