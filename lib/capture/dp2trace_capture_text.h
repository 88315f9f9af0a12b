/*
 * dp2trace_capture_text.h: a recording as lines of text, for dp2trace_capture.h: where nothing but a log leaves the machine (EngDebugPrint,
 * DbgPrint, OutputDebugString, a serial console that others write to, too).
 *
 *   static struct d2c_text text;                   about 120 bytes
 *   d2c_text_init(&text, print, 0);                print: your function that takes one line
 *   d2c_open(&capture, d2c_text_write, &text, buffer, sizeof buffer, 0, 0);
 *
 * A line is "D2T:" and at most 72 bytes in base64 (RFC 4648). dp2trace reads the trace out of the log, whatever else is in it and stands
 * before "D2T:" in a line: `dp2trace verify serial.log`. A line that is lost or damaged costs the chunk that it belongs to: keep chunks
 * small (D2C_CHUNK_SIZE, d2c_set_flush() with D2C_FLUSH_FRAME).
 */
#ifndef DP2TRACE_CAPTURE_TEXT_H
#define DP2TRACE_CAPTURE_TEXT_H

#include "dp2trace_capture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A line with its line feed, ended by a zero; `size` bytes without the zero, at most 101. Returns 0, or another number when it is lost. */
typedef int(D2C_CALL* d2c_line_fn)(void* user, const char* line, d2c_u32 size);

struct d2c_text {
  d2c_line_fn print;
  void* user;
  char line[104];
};

D2C_API void D2C_CALL d2c_text_init(struct d2c_text* text, d2c_line_fn print, void* user);
/* The callback of d2c_open(); `user` is the d2c_text. */
D2C_API int D2C_CALL d2c_text_write(void* user, const void* bytes, d2c_u32 size);

#ifdef __cplusplus
}
#endif

#endif /* DP2TRACE_CAPTURE_TEXT_H */

#if defined(D2C_IMPLEMENTATION) && !defined(DP2TRACE_CAPTURE_TEXT_IMPLEMENTED)
#define DP2TRACE_CAPTURE_TEXT_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

#define D2C__LINE_BYTES 72u

D2C_API void D2C_CALL d2c_text_init(struct d2c_text* text, d2c_line_fn print, void* user) {
  if (text == 0) return;
  text->print = print;
  text->user = user;
}

/* Three bytes, of which `count` are there, as four digits. */
static void d2c__put_digits(char* to, const d2c_u8* from, d2c_u32 count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const d2c_u32 word = (d2c_u32)from[0] << 16 | (count > 1 ? (d2c_u32)from[1] << 8 : 0u) |
                       (count > 2 ? (d2c_u32)from[2] : 0u);
  to[0] = digits[word >> 18];
  to[1] = digits[word >> 12 & 63u];
  to[2] = '=';
  to[3] = '=';
  if (count > 1) to[2] = digits[word >> 6 & 63u];
  if (count > 2) to[3] = digits[word & 63u];
}

D2C_API int D2C_CALL d2c_text_write(void* user, const void* bytes, d2c_u32 size) {
  struct d2c_text* text = (struct d2c_text*)user;
  const d2c_u8* from = (const d2c_u8*)bytes;
  if (text == 0 || text->print == 0 || (bytes == 0 && size != 0)) return 1;
  while (size != 0) {
    const d2c_u32 count = size < D2C__LINE_BYTES ? size : D2C__LINE_BYTES;
    char* to = text->line;
    d2c_u32 at;
    *to++ = 'D';
    *to++ = '2';
    *to++ = 'T';
    *to++ = ':';
    for (at = 0; at < count; at += 3, to += 4)
      d2c__put_digits(to, from + at, count - at);
    *to++ = '\n';
    *to = 0;
    if (text->print(text->user, text->line, (d2c_u32)(to - text->line)) != 0) return 1;
    from += count;
    size -= count;
  }
  return 0;
}

#ifdef __cplusplus
}
#endif

#endif /* D2C_IMPLEMENTATION */
