// What the files of Windows share.
#pragma once

#include <windows.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace dp2trace {

// By a standard condition, whose text is that of other systems, where there is one.
std::error_code ErrorOf(DWORD code);
inline std::error_code LastError() {
  return ErrorOf(GetLastError());
}

// UTF-16, and UTF-8 in which halves of pairs that stand alone have three bytes each. What is not UTF-8 otherwise becomes U+FFFD.
std::wstring ToWide(std::string_view text);
std::string ToNarrow(std::wstring_view text);

// A handle that is closed with the object.
class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() { Close(); }

  void Close() {
    if (handle_ != nullptr) (void)CloseHandle(std::exchange(handle_, nullptr));
  }
  HANDLE get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  HANDLE handle_ = nullptr;
};

// A child that is ended with all that it starts, and with this process.
struct Child {
  Handle process;
  Handle job;
};
struct ChildStart {
  std::wstring program;  // empty: the first word of the command line
  std::wstring command_line;
  HANDLE input = nullptr;   // null: nothing comes
  HANDLE output = nullptr;  // null: standard error
  HANDLE error = nullptr;   // the same
  uint64_t max_memory = 0;  // 0: no limit
};
std::error_code StartChild(const ChildStart& start, Child& child);

}  // namespace dp2trace
