/* section_main long|short FILE: a start of a driver that records into the mapped file by the sample, a scenario or its header alone. */
#include "../../lib/capture/samples/append_section.c"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scenario.h"

#define SIZE (4u << 20)

static const char* file;

PVOID APIENTRY EngMapFile(LPWSTR path, ULONG size, ULONG_PTR* handle) {
  const int opened = open(file, O_RDWR | O_CREAT, 0600);
  void* memory;
  (void)path;
  *handle = 1;
  if (opened < 0 || ftruncate(opened, size) != 0) return 0;
  memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  return memory == MAP_FAILED ? 0 : memory;
}

int main(int count, char** arguments) {
  static WCHAR path[1];
  static struct append_section section;
  static d2c capture;
  static d2c_u8 buffer[4096];
  struct d2c_header header;
  if (count != 3) return 2;
  file = arguments[2];
  if (!open_section(&section, path, SIZE)) return 2;
  if (strcmp(arguments[1], "long") == 0)
    return record_scenario(append_to_section, &section, buffer, sizeof buffer, D2C_FLUSH_EVENT);
  d2c_open(&capture, append_to_section, &section, buffer, sizeof buffer, 0, 0);
  d2c_header_init(&header);
  return d2c_put_header(&capture, &header) != D2C_OK || d2c_finish(&capture) != D2C_OK;
}
