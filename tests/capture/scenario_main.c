/* Writes the scenario to standard output, with a buffer of as many bytes as the macro says. Without a C library where it is absent. */
#include "scenario.h"

#ifndef BUFFER_SIZE
#define BUFFER_SIZE 0
#endif

static d2c_u8 buffer[BUFFER_SIZE + 1];

#if defined(__i386__) && !__STDC_HOSTED__

/* Linux on i386: no library, no start-up files. */
static int system_call(int number, int a, const void *b, d2c_u32 c) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
  return result;
}

static int write_bytes(void *user, const void *bytes, d2c_u32 size) {
  const d2c_u8 *at = (const d2c_u8 *)bytes;
  (void)user;
  while (size != 0) {
    const int count = system_call(4, 1, at, size);
    if (count <= 0) return 1;
    at += count;
    size -= (d2c_u32)count;
  }
  return 0;
}

void _start(void);
void _start(void) {
  const int result = record_scenario(write_bytes, 0, BUFFER_SIZE ? buffer : 0, BUFFER_SIZE, D2C_FLUSH_WHEN_FULL);
  system_call(1, result, 0, 0);
  for (;;) {
  }
}

#else

#include <stdio.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

static int write_bytes(void *user, const void *bytes, d2c_u32 size) {
  return fwrite(bytes, 1, size, (FILE *)user) != size;
}

int main(void) {
#ifdef _WIN32
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  return record_scenario(write_bytes, stdout, BUFFER_SIZE ? buffer : 0, BUFFER_SIZE, D2C_FLUSH_WHEN_FULL);
}

#endif
