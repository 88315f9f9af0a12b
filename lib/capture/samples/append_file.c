/*
 * A file, from user mode: a DirectDraw HAL of Windows 9x, or a user-mode driver. The HAL of Windows 9x is one DLL with the same data in every
 * process, and a file handle counts in one of them alone: each process opens the file for itself, and writes at its end.
 *
 *   static struct append_file file = {"C:\\TRACE.DP2T", INVALID_HANDLE_VALUE, 0};
 *   d2c_open(&capture, append_to_file, &file, buffer, sizeof buffer, 0, 0);
 */
#include <windows.h>

#include "dp2trace_capture.h"

struct append_file {
  const char* path;
  HANDLE file;
  DWORD process; /* whose handle it is */
};

int append_to_file(void* user, const void* bytes, d2c_u32 size);
int append_to_file(void* user, const void* bytes, d2c_u32 size) {
  struct append_file* to = (struct append_file*)user;
  DWORD written = 0;
  if (to->file == INVALID_HANDLE_VALUE || to->process != GetCurrentProcessId()) {
    to->file = CreateFileA(to->path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, 0, OPEN_ALWAYS,
                           FILE_ATTRIBUTE_NORMAL, 0);
    to->process = GetCurrentProcessId();
    if (to->file == INVALID_HANDLE_VALUE) return 1;
  }
  if (SetFilePointer(to->file, 0, 0, FILE_END) == 0xFFFFFFFFu && GetLastError() != NO_ERROR)
    return 1;
  return !WriteFile(to->file, bytes, size, &written, 0) || written != size;
}
