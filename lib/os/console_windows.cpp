#include "os/console.h"

#include <fcntl.h>
#include <io.h>

#include <cstdlib>

#include "os/windows.h"

namespace dp2trace {
namespace {

UINT code_page_before = 0;

DWORD NumberOf(Stream stream) {
  return stream == Stream::kInput    ? STD_INPUT_HANDLE
         : stream == Stream::kOutput ? STD_OUTPUT_HANDLE
                                     : STD_ERROR_HANDLE;
}

// The window keeps its code page when the program ends.
void SetCodePage() {
  code_page_before = GetConsoleOutputCP();
  if (code_page_before == 0 || code_page_before == CP_UTF8 || SetConsoleOutputCP(CP_UTF8) == 0)
    return;
  (void)std::atexit([] { (void)SetConsoleOutputCP(code_page_before); });
}

}  // namespace

void PrepareStreams() {
  for (const int number : {0, 1, 2}) {
    if (_get_osfhandle(number) >= 0 && _setmode(number, _O_BINARY) >= 0) continue;
    // Numbers of their own for those that are closed. They are open in the direction that nobody uses.
    const int null = _wopen(L"NUL", number == 0 ? _O_WRONLY : _O_RDONLY);
    if (null >= 0 && null != number) {
      (void)_dup2(null, number);
      (void)_close(null);
    }
  }
  SetCodePage();
}

bool IsTerminal(Stream stream) {
  const HANDLE handle = GetStdHandle(NumberOf(stream));
  DWORD mode = 0;
  if (GetConsoleMode(handle, &mode) == 0) return false;
  if (stream == Stream::kInput) return true;
  return SetConsoleMode(handle,
                        mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

bool ChangesBytes(const std::string& /*path*/) {
  return false;
}

uint32_t ColumnsOf(Stream stream) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (GetConsoleScreenBufferInfo(GetStdHandle(NumberOf(stream)), &info) == 0) return 0;
  return static_cast<uint32_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

}  // namespace dp2trace
