/*
 * The last frames before a crash: a ring in a mapped file. The system keeps the pages of the file where a process ends in a fault; so the
 * next start finds what the crash left, and writes it as a trace. A display driver maps the file as append_section.c does.
 *
 *   static struct d2c_ring ring;
 *   start_ring(&ring, "C:\\RING.BIN", 8 << 20, 7, append_to_file, &last_trace);       the trace of the crash, if there was one
 *   d2c_open(&capture, d2c_ring_write, &ring, buffer, sizeof buffer, 0, 0);
 *   d2c_set_flush(&capture, D2C_FLUSH_EVENT);                                         nothing waits in the buffer
 *   ...
 *   end_ring(&ring);                                                                  all is well: there is nothing to write
 */
#ifdef _WIN32
#include <windows.h>
#else
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "dp2trace_capture_ring.h"

#ifdef _WIN32

static void* map_file(const char* path, d2c_u32 size) {
  void* memory;
  HANDLE mapping;
  const HANDLE file = CreateFileA(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, 0,
                                  OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, 0);
  if (file == INVALID_HANDLE_VALUE) return 0;
  mapping = CreateFileMappingA(file, 0, PAGE_READWRITE, 0, size, 0);
  CloseHandle(file);
  if (mapping == 0) return 0;
  memory = MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, size);
  CloseHandle(mapping);
  return memory;
}

#else

static void* map_file(const char* path, d2c_u32 size) {
  void* memory = MAP_FAILED;
  const int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0) return 0;
  if (ftruncate(file, (off_t)size) == 0)
    memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? 0 : memory;
}

#endif

int start_ring(struct d2c_ring* ring, const char* path, d2c_u32 size, d2c_u32 driver_level,
               d2c_write_fn write, void* user);
int start_ring(struct d2c_ring* ring, const char* path, d2c_u32 size, d2c_u32 driver_level,
               d2c_write_fn write, void* user) {
  void* const memory = map_file(path, size);
  if (memory == 0) return 1;
  if (d2c_ring_open(ring, memory, size) == D2C_OK) d2c_ring_dump(ring, write, user);
  return d2c_ring_init(ring, memory, size, driver_level) != D2C_OK;
}

void end_ring(struct d2c_ring* ring);
void end_ring(struct d2c_ring* ring) {
  if (ring->memory != 0) ring->memory[0] = 0; /* d2c_ring_open() finds no ring there */
}
