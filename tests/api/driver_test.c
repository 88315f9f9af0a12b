/* A test of a driver that asks: does this buffer draw what I think? The toy driver records itself (tests/capture/toy_driver.c); what it
 * records goes straight into a session, and after each call the pixels of the driver are compared with those of the reference. */
#include <stdio.h>
#include <string.h>

#include "dp2trace.h"
#include "toy_driver.h"

static int feed(void *session, const void *bytes, d2c_u32 size) {
  return dp2trace_feed(session, bytes, size);
}

/* Number of pixels of the screen that differ; prints what is wrong with the calls. */
static int compare(dp2trace_session *session) {
  const dp2trace_finding *finding;
  const dp2trace_level *screen;
  int different = 0, x, y;
  d2c_flush(&capture);
  while ((finding = dp2trace_next_finding(session)) != NULL)
    printf("%s: %s\n", finding->rule, finding->message);
  screen = dp2trace_get_level(session, 0, 1, 0, 0);
  if (screen == NULL) return -1;
  for (y = 0; y < (int)screen->height; ++y)
    for (x = 0; x < (int)screen->width; ++x) /* blue, green and red; the X of X8R8G8B8 is nobody's */
      different += memcmp((const char *)screen->bytes + screen->pitch * (size_t)y + 4 * x, &toy_pixels[y][x], 3) != 0;
  return different;
}

int main(void) {
  dp2trace_session *session;
  D3DHAL_CONTEXTCREATEDATA create = {0};
  if (dp2trace_open(NULL, &session) != DP2TRACE_OK) return 1;
  toy_capture(feed, session, 0);
  D3dCreateSurfaceEx(&toy_screen);
  create.lpDDSLcl = &toy_screen;
  create.dwhContext = 3;
  D3dContextCreate(&create);
  toy_clear(0xFF102030, 0, 0, 16, 8);
  if (compare(session) != 0) return 2;
  toy_clear(0xFFFFFFFF, 4, 2, 9, 5);
  if (compare(session) != 0) return 3;
  toy_pixels[2][4] = 0; /* a driver that misses a pixel */
  if (compare(session) != 1) return 4;
  dp2trace_close(session);
  return 0;
}
