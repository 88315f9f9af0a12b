/* Records some frames of the toy driver to standard output, one chunk for each event: toy_recording FRAMES [wrong|torn]
 *
 * Each frame is a clear of the screen, a smaller one over it, a picture of the screen as the driver made it, and the flip.
 * wrong: the last picture has a wrong pixel. torn: the file ends in a call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toy_driver.h"

static unsigned long limit; /* bytes that are written at most; 0 = all */
static unsigned long written;

static int write_bytes(void* user, const void* bytes, d2c_u32 size) {
  if (limit != 0 && written + size > limit) size = (d2c_u32)(limit - written);
  written += size;
  return fwrite(bytes, 1, size, (FILE*)user) != size;
}

static void put_picture(int is_wrong) {
  struct d2c_picture picture;
  static DWORD pixels[8][16];
  memcpy(pixels, toy_pixels, sizeof pixels);
  if (is_wrong) pixels[3][5] ^= 0x10;
  d2c_picture_init(&picture);
  picture.handle = 1;
  picture.data = d2c_bytes_of(pixels, sizeof pixels);
  d2c_picture(&capture, &picture);
}

static void draw(unsigned long frame) {
  toy_clear(0xFF000000u | (DWORD)(frame * 40), 0, 0, 16, 8);
  toy_clear(0xFFFFFF00u, 2, 1, 8, 6);
}

int main(int argc, char** argv) {
  const unsigned long frames = argc > 1 ? strtoul(argv[1], 0, 10) : 0;
  const char* kind = argc > 2 ? argv[2] : "";
  unsigned long i;
  D3DHAL_CONTEXTCREATEDATA create;
  if (frames == 0) return 2;
  toy_capture(write_bytes, stdout, 0);
  d2c_set_flush(&capture, D2C_FLUSH_EVENT);
  D3dCreateSurfaceEx(&toy_screen);
  memset(&create, 0, sizeof create);
  create.lpDDSLcl = &toy_screen;
  create.dwhContext = 3;
  D3dContextCreate(&create);
  for (i = 1; i <= frames; ++i) {
    draw(i);
    put_picture(i == frames && strcmp(kind, "wrong") == 0);
    if (i == frames && strcmp(kind, "torn") == 0) {
      limit = written + 70; /* the header of the chunk and a part of the call */
      draw(i);
      return 0;
    }
    DdFlip(&toy_screen);
  }
  return d2c_finish(&capture) == D2C_OK ? 0 : 1;
}
