/*
 * A port of the machine, from ring 0 of Windows 9x or NT kernel mode on x86: the debug console of QEMU and Bochs (-debugcon file:trace.dp2t,
 * port 0xE9), or a serial port that nobody else uses (-serial file:trace.dp2t, COM1 at 0x3F8), set to 115,200 baud, 8 bits, no parity before.
 *
 *   d2c_open(&capture, append_to_debug_console, 0, buffer, sizeof buffer, 0, 0);
 */
#include "dp2trace_capture.h"

#if defined(_MSC_VER)
#include <intrin.h>
#define PUT_PORT(port, value) __outbyte(port, value)
#define GET_PORT(port) __inbyte(port)
#else
static void put_port(unsigned short port, unsigned char value) {
  __asm__ __volatile__("outb %0, %1" : : "a"(value), "Nd"(port));
}
static unsigned char get_port(unsigned short port) {
  unsigned char value;
  __asm__ __volatile__("inb %1, %0" : "=a"(value) : "Nd"(port));
  return value;
}
#define PUT_PORT(port, value) put_port(port, value)
#define GET_PORT(port) get_port(port)
#endif

#define DEBUG_CONSOLE 0xE9
#define COM1 0x3F8
#define COM1_STATUS 0x3FD
#define IS_EMPTY 0x20 /* of the status: the next byte may be written */

int append_to_debug_console(void* user, const void* bytes, d2c_u32 size);
int append_to_debug_console(void* user, const void* bytes, d2c_u32 size) {
  const unsigned char* from = (const unsigned char*)bytes;
  (void)user;
  for (; size != 0; --size)
    PUT_PORT(DEBUG_CONSOLE, *from++);
  return 0;
}

/* A port that is not there, or whose receiver waits, is given up: what is not written is counted in the trace. */
int append_to_com1(void* user, const void* bytes, d2c_u32 size);
int append_to_com1(void* user, const void* bytes, d2c_u32 size) {
  const unsigned char* from = (const unsigned char*)bytes;
  (void)user;
  for (; size != 0; --size) {
    d2c_u32 tries = 0;
    while ((GET_PORT(COM1_STATUS) & IS_EMPTY) == 0) {
      if (++tries == 1000000u) return 1;
    }
    PUT_PORT(COM1, *from++);
  }
  return 0;
}
