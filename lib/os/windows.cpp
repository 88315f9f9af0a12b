#include "os/windows.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace dp2trace {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

bool IsContinuation(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0U) == 0x80U;
}

// Takes one character off; lone halves count as characters.
uint32_t TakeCharacter(std::string_view& text) {
  const auto byte = [&](size_t at) {
    return static_cast<uint32_t>(static_cast<uint8_t>(text[at]));
  };
  const uint32_t first = byte(0);
  const size_t size = first < 0x80                    ? 1
                      : first >= 0xC2 && first < 0xE0 ? 2
                      : (first & 0xF0U) == 0xE0       ? 3
                      : first >= 0xF0 && first < 0xF5 ? 4
                                                      : 0;
  uint32_t code = size < 2 ? first : first & (0x7FU >> size);
  for (size_t i = 1; i < size; ++i) {
    if (!IsContinuation(text, i)) {
      text.remove_prefix(i);
      return kReplacement;
    }
    code = code << 6 | (byte(i) & 0x3FU);
  }
  text.remove_prefix(size == 0 ? 1 : size);
  const bool is_bad = size == 0 || (size == 3 && code < 0x800) ||
                      (size == 4 && (code < 0x10000 || code > 0x10FFFF));
  return is_bad ? kReplacement : code;
}

void AppendNarrow(std::string& out, uint32_t code) {
  const auto append = [&out](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return append(code);
  if (code < 0x800) {
    append(0xC0U | code >> 6);
  } else {
    if (code < 0x10000) {
      append(0xE0U | code >> 12);
    } else {
      append(0xF0U | code >> 18);
      append(0x80U | (code >> 12 & 0x3FU));
    }
    append(0x80U | (code >> 6 & 0x3FU));
  }
  append(0x80U | (code & 0x3FU));
}

// With all that is in it, the job ends where its last handle is closed, so also where this process is killed.
Handle MakeJob(uint64_t max_memory) {
  Handle job(CreateJobObjectW(nullptr, nullptr));
  if (!job) return job;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags =
      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  if (max_memory != 0) {
    limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    limits.ProcessMemoryLimit = static_cast<SIZE_T>(max_memory);
  }
  if (SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits,
                              sizeof limits) == 0)
    return Handle();
  return job;
}

// The same handle for a child to inherit; of what is not there, the one that is always empty.
Handle Inheritable(HANDLE handle, DWORD access) {
  HANDLE copy = nullptr;
  const HANDLE self = GetCurrentProcess();
  if (handle != nullptr && handle != INVALID_HANDLE_VALUE &&
      DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) != 0)
    return Handle(copy);
  SECURITY_ATTRIBUTES attributes = {sizeof attributes, nullptr, TRUE};
  return Handle(CreateFileW(L"NUL", access, FILE_SHARE_READ | FILE_SHARE_WRITE, &attributes,
                            OPEN_EXISTING, 0, nullptr));
}

// Which handles a child inherits: those three and no others, whatever other threads start meanwhile.
class InheritedList {
 public:
  explicit InheritedList(std::span<HANDLE> handles) {
    SIZE_T size = 0;
    (void)InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory_.resize(size);
    if (InitializeProcThreadAttributeList(list(), 1, 0, &size) == 0) {
      memory_.clear();
      return;
    }
    (void)UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles.data(),
                                    handles.size_bytes(), nullptr, nullptr);
  }
  ~InheritedList() {
    if (!memory_.empty()) DeleteProcThreadAttributeList(list());
  }
  InheritedList(const InheritedList&) = delete;
  InheritedList& operator=(const InheritedList&) = delete;

  LPPROC_THREAD_ATTRIBUTE_LIST list() {
    return memory_.empty() ? nullptr
                           : reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
  }

 private:
  std::vector<uint8_t> memory_;
};

}  // namespace

std::error_code ErrorOf(DWORD code) {
  const std::error_code error(static_cast<int>(code), std::system_category());
  const std::error_condition condition = error.default_error_condition();
  if (condition.category() != std::generic_category()) return error;
  return {condition.value(), std::generic_category()};
}

std::wstring ToWide(std::string_view text) {
  std::wstring out;
  while (!text.empty()) {
    const uint32_t code = TakeCharacter(text);
    if (code < 0x10000) {
      out.push_back(static_cast<wchar_t>(code));
    } else {
      out.push_back(static_cast<wchar_t>(0xD800 + ((code - 0x10000) >> 10)));
      out.push_back(static_cast<wchar_t>(0xDC00 + (code & 0x3FFU)));
    }
  }
  return out;
}

std::string ToNarrow(std::wstring_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    uint32_t code = static_cast<uint16_t>(text[i]);
    const uint32_t next = i + 1 < text.size() ? static_cast<uint16_t>(text[i + 1]) : 0;
    if ((code & 0xFC00U) == 0xD800 && (next & 0xFC00U) == 0xDC00) {
      code = 0x10000 + ((code & 0x3FFU) << 10) + (next & 0x3FFU);
      ++i;
    }
    AppendNarrow(out, code);
  }
  return out;
}

std::error_code StartChild(const ChildStart& start, Child& child) {
  child.job = MakeJob(start.max_memory);
  if (!child.job) return LastError();
  const HANDLE standard_error = GetStdHandle(STD_ERROR_HANDLE);
  const Handle input = Inheritable(start.input, GENERIC_READ);
  const Handle output =
      Inheritable(start.output != nullptr ? start.output : standard_error, GENERIC_WRITE);
  const Handle error =
      Inheritable(start.error != nullptr ? start.error : standard_error, GENERIC_WRITE);
  std::array<HANDLE, 3> handles = {input.get(), output.get(), error.get()};
  InheritedList inherited(handles);
  STARTUPINFOEXW info = {};
  info.StartupInfo.cb = sizeof info;
  info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  info.StartupInfo.hStdInput = input.get();
  info.StartupInfo.hStdOutput = output.get();
  info.StartupInfo.hStdError = error.get();
  info.lpAttributeList = inherited.list();
  std::wstring command_line = start.command_line;
  PROCESS_INFORMATION created = {};
  // A group of its own: Ctrl-C is for this program, which ends the child.
  constexpr DWORD kFlags =
      EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP;
  if (CreateProcessW(start.program.empty() ? nullptr : start.program.c_str(), command_line.data(),
                     nullptr, nullptr, TRUE, kFlags, nullptr, nullptr, &info.StartupInfo,
                     &created) == 0)
    return LastError();
  child.process = Handle(created.hProcess);
  const Handle thread(created.hThread);
  // Before it runs, so that nothing that it starts is outside.
  if (AssignProcessToJobObject(child.job.get(), created.hProcess) == 0) {
    const std::error_code failure = LastError();
    (void)TerminateProcess(created.hProcess, 1);
    return failure;
  }
  (void)ResumeThread(thread.get());
  return {};
}

}  // namespace dp2trace
