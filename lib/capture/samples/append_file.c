/*
 * A file, from user mode: a DirectDraw HAL of Windows 9x, or a user-mode driver. The HAL of Windows 9x is one DLL with the same data in every
 * process, and a file handle counts in only one of them: each call opens the file, writes at its end, and closes it.
 *
 *   static char path[] = "C:\\TRACE.DP2T";
 *   d2c_open(&capture, append_to_file, path, buffer, sizeof buffer, 0, 0);
 */
#include <windows.h>

#include "dp2trace_capture.h"

int append_to_file(void* user, const void* bytes, d2c_u32 size);
int append_to_file(void* user, const void* bytes, d2c_u32 size) {
  DWORD written = 0;
  int failed = 1;
  HANDLE file = CreateFileA((const char*)user, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, 0, OPEN_ALWAYS,
                            FILE_ATTRIBUTE_NORMAL, 0);
  if (file == INVALID_HANDLE_VALUE) return 1;
  if (SetFilePointer(file, 0, 0, FILE_END) != 0xFFFFFFFFu || GetLastError() == NO_ERROR)
    failed = !WriteFile(file, bytes, size, &written, 0) || written != size;
  CloseHandle(file);
  return failed;
}
