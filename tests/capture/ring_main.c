/* ring_main crash FILE: records the scenario into a ring in the file and ends in a fault. ring_main start|end FILE: starts again, writes what the ring
 * had to standard output, and (end) ends as it should. ring_main direct: writes the scenario to standard output. */
#include "../../lib/capture/samples/ring_in_file.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

#define SIZE (2u << 20)

static int write_bytes(void* user, const void* bytes, d2c_u32 size) {
  return fwrite(bytes, 1, size, (FILE*)user) != size;
}

int main(int count, char** arguments) {
  static d2c_u8 buffer[4096];
  static struct d2c_ring ring;
  if (count == 2)
    return record_scenario(write_bytes, stdout, buffer, sizeof buffer, D2C_FLUSH_EVENT);
  if (count != 3 || start_ring(&ring, arguments[2], SIZE, 9, write_bytes, stdout)) return 2;
  if (strcmp(arguments[1], "crash") == 0) {
    record_scenario(d2c_ring_write, &ring, buffer, sizeof buffer, D2C_FLUSH_EVENT);
    abort();
  }
  if (strcmp(arguments[1], "end") == 0) end_ring(&ring);
  return 0;
}
