/*
 * The debug log: lines of text by EngDebugPrint from a display driver, by OutputDebugString from user mode. Read it with the kernel debugger,
 * DebugView or the serial port, and give the log to dp2trace as it is.
 *
 *   static struct d2c_text text;
 *   d2c_text_init(&text, print_line, 0);
 *   d2c_open(&capture, d2c_text_write, &text, buffer, sizeof buffer, 0, 0);
 */
#include <stdarg.h>
#include <windows.h>

#ifdef __MINGW32__ /* its winddi.h includes headers that it does not have */
VOID APIENTRY EngDebugPrint(PCHAR prefix, PCHAR message, va_list arguments);
#elif !defined(SAMPLE_USER_MODE)
#include <winddi.h>
#endif

#include "dp2trace_capture_text.h"

int print_line(void* user, const char* line, d2c_u32 size);

#ifdef SAMPLE_USER_MODE

int print_line(void* user, const char* line, d2c_u32 size) {
  (void)user;
  (void)size;
  OutputDebugStringA(line);
  return 0;
}

#else

/* No line has a '%'. */
static void print(char* format, ...) {
  static char no_prefix[] = "";
  va_list none;
  va_start(none, format);
  EngDebugPrint(no_prefix, format, none);
  va_end(none);
}

int print_line(void* user, const char* line, d2c_u32 size) {
  (void)user;
  (void)size;
  print((char*)line);
  return 0;
}

#endif
