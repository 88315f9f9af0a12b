/*
 * A mapped file, from an NT display driver: the callback copies and calls nothing, at any IRQL at which the driver may touch pageable memory.
 * The file has its whole size from the start; dp2trace takes the zeros after the last chunk for its end. What an earlier start of the driver left in
 * it is cleared: copy the file before, or keep it with a ring (ring_in_file.c). What does not fit is counted in the trace.
 *
 *   static WCHAR path[] = L"\\??\\C:\\trace.dp2t";
 *   static struct append_section section;
 *   if (open_section(&section, path, 64 << 20)) d2c_open(&capture, append_to_section, &section, buffer, sizeof buffer, 0, 0);
 */
#include <windows.h>

#ifdef __MINGW32__ /* its winddi.h includes headers that it does not have */
PVOID APIENTRY EngMapFile(LPWSTR path, ULONG size, ULONG_PTR* file);
#else
#include <winddi.h>
#endif

#include "dp2trace_capture.h"

struct append_section {
  d2c_u8* bytes;
  ULONG_PTR file; /* for EngUnmapFile() */
  d2c_u32 size;
  d2c_u32 used;
};

int open_section(struct append_section* section, WCHAR* path, d2c_u32 size);
int open_section(struct append_section* section, WCHAR* path, d2c_u32 size) {
  d2c_u32 i;
  section->bytes = (d2c_u8*)EngMapFile(path, size, &section->file);
  section->size = size;
  section->used = 0;
  for (i = 0; section->bytes != 0 && i < size; ++i)
    section->bytes[i] = 0;
  return section->bytes != 0;
}

int append_to_section(void* user, const void* bytes, d2c_u32 size);
int append_to_section(void* user, const void* bytes, d2c_u32 size) {
  struct append_section* to = (struct append_section*)user;
  const d2c_u8* from = (const d2c_u8*)bytes;
  d2c_u8* at;
  if (size > to->size - to->used) return 1;
  at = to->bytes + to->used;
  to->used += size;
  for (; size != 0; --size)
    *at++ = *from++;
  return 0;
}
